package lang

import "syscall/js"

var normalize = js.Global().Get("String").Get("prototype").Get("normalize")

// A browser has the tables of Unicode that the other composed brings along.
func composed(text string) string {
	if plainASCII(text) {
		return text
	}
	return normalize.Call("call", text).String()
}

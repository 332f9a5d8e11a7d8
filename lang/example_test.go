package lang_test

import (
	"fmt"
	"strings"

	"setpiece/lang"
)

func ExampleParse() {
	src := lang.NewSource("wall.scene", `Ann: climb LADDER 4 vs DN 8
let = 3
climb wall with d6`)
	file, diags := lang.Parse(src)
	fmt.Print(diags.Format(lang.Palette{}))
	for _, s := range file.Stmts {
		if c, ok := s.(*lang.Command); ok {
			fmt.Println(c.Head.(*lang.Word).Name, "with", len(c.Args), "arguments")
		}
	}
	// Output:
	// wall.scene:2:5: expected a name after "let", found =
	//    2 | let = 3
	//      |     ^
	//      = let NAME = VALUE
	// climb with 3 arguments
	// climb with 3 arguments
}

func ExampleParse_incomplete() {
	_, diags := lang.Parse(lang.NewSource("", "hero Ann {\n  star 3"))
	fmt.Println(diags.Incomplete(), diags)
	// Output: true 1:10: { has no closing }
}

func ExampleParseExpr() {
	x, _ := lang.ParseExpr(lang.NewSource("", "2 + n * 3"))
	sum := x.(*lang.Binary)
	fmt.Println(sum.Op, sum.Y.(*lang.Binary).Op)
	// Output: + *
}

func ExamplePrint() {
	file, _ := lang.Parse(lang.NewSource("", `
hero   Ann{ star 3 ; LADDER 4 }
let list=[1,   # the first
2]`))
	fmt.Print(lang.Print(file))
	// Output:
	// hero Ann { star 3; LADDER 4 }
	// let list = [1,  # the first
	//   2]
}

func ExampleWalk() {
	file, _ := lang.Parse(lang.NewSource("", "Ann: climb LADDER 4 + ROPE"))
	lang.Walk(file, func(n lang.Node) bool {
		if c, ok := n.(*lang.Caps); ok {
			fmt.Println(c.Name)
		}
		return true
	})
	// Output:
	// LADDER
	// ROPE
}

func ExampleNearest() {
	fmt.Println(lang.Nearest("lnik", []string{"spend", "link", "vs"}))
	// Output: link true
}

func ExampleSource_Position() {
	src := lang.NewSource("", "one\n\ttwo")
	fmt.Printf("%+v\n", src.Position(strings.Index(src.Text, "two")))
	// Output: {Line:2 Column:5 Rune:2}
}

func ExampleDiagnostic_Format() {
	src := lang.NewSource("", "roll LADDER 4 lnik ROPE 2")
	d := lang.Diagnostic{
		Span:    lang.Span{Src: src, Start: 14, End: 18},
		Message: `roll has no clause "lnik"`,
		Help:    "did you mean link?",
	}
	fmt.Print(d.Format(lang.Palette{}))
	// Output:
	// 1:15: roll has no clause "lnik"
	//    1 | roll LADDER 4 lnik ROPE 2
	//      |               ^^^^ did you mean link?
}

func ExampleForm() {
	fmt.Println(lang.Form("option"))
	// Output: option NAME = DEFAULT [| OTHER …] ["doc"], or option NAME ["doc"] { DEFAULT "what it does" … }
}

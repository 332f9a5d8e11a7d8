// Package playground makes pages that have setpiece inside: an editor, what a script does, its odds, a
// fight to play, in any browser and without a server that computes.
//
// The page (folder page) talks with the engine (folder engine), which is this program for GOOS=js, in
// workers. It speaks the protocols of packages lsp and serve, so nothing of the rules and of the language
// is here. A script reaches the page in the part of its address that no browser sends: see Link.
package playground

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"setpiece/lang/late"
)

//go:embed page
var pages embed.FS

// The names of the files that are made, not written by somebody.
const (
	engineName   = "setpiece.wasm.gz"
	starterName  = "wasm_exec.js" // of Go: it starts the engine
	examplesName = "examples.js"
)

// Files are what a web server needs, by name.
type Files map[string][]byte

// ErrNoEngine says that the engine is not there and cannot be made.
var ErrNoEngine = errors.New("the engine for browsers is in the folder playground of a release, or is built from the sources of setpiece")

// Find reads the files that stand beside the program, as in a release, or builds them from the sources that
// folder is in, with the Go that is installed and without a network.
func Find(ctx context.Context, folder string) (Files, error) {
	if self, err := os.Executable(); err == nil {
		if f, err := read(filepath.Join(filepath.Dir(self), "playground")); err == nil {
			return f, nil
		}
	}
	sources, err := filepath.Abs(folder)
	if err != nil {
		return nil, err
	}
	for {
		text, err := os.ReadFile(filepath.Join(sources, "go.mod"))
		if err == nil && bytes.HasPrefix(text, []byte("module setpiece\n")) {
			return build(ctx, sources)
		}
		if filepath.Dir(sources) == sources {
			return nil, ErrNoEngine
		}
		sources = filepath.Dir(sources)
	}
}

// read reads a folder that Find has made once.
func read(folder string) (Files, error) {
	f := Files{}
	if err := f.written(); err != nil {
		return nil, err
	}
	for _, name := range []string{engineName, starterName, examplesName} {
		data, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			return nil, err
		}
		f[name] = data
	}
	return f, nil
}

// written adds the files of folder page.
func (f Files) written() error {
	list, err := pages.ReadDir("page")
	for _, e := range list {
		data, readErr := pages.ReadFile("page/" + e.Name())
		err = errors.Join(err, readErr)
		f[e.Name()] = data
	}
	return err
}

// flags: nothing for debuggers, and functions inlined only in the runtime. That makes the engine a fifth
// smaller, and no slower: engines for WebAssembly inline by themselves.
var flags = []string{"build", "-trimpath", "-ldflags=-s -w", "-gcflags=all=-l", "-gcflags=runtime=", "-gcflags=internal/runtime/...="}

func build(ctx context.Context, sources string) (Files, error) {
	f := Files{}
	if err := f.written(); err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "setpiece-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	call := func(args ...string) ([]byte, error) {
		cmd := exec.CommandContext(ctx, "go", args...)
		cmd.Dir, cmd.Env = sources, append(os.Environ(), "GOOS=js", "GOARCH=wasm", "GOFLAGS=")
		var told bytes.Buffer
		cmd.Stderr = &told
		out, err := cmd.Output()
		if errors.Is(err, exec.ErrNotFound) {
			return nil, fmt.Errorf("%w, which needs Go (https://go.dev/dl)", ErrNoEngine)
		}
		if err != nil {
			return nil, fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, &told)
		}
		return out, nil
	}
	wasm := filepath.Join(dir, "setpiece.wasm")
	if _, err := call(append(slices.Clone(flags), "-o", wasm, "./cmd/internal/playground/engine")...); err != nil {
		return nil, err
	}
	if f[engineName], err = packed(wasm); err != nil {
		return nil, err
	}
	root, err := call("env", "GOROOT")
	if err == nil {
		f[starterName], err = os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", starterName))
	}
	if err == nil {
		f[examplesName], err = examples(sources)
	}
	return f, err
}

func packed(file string) ([]byte, error) {
	data, err := os.ReadFile(file)
	if err == nil {
		data, err = lean(data)
	}
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	data = bounded(data, mostPages)
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	_, err = w.Write(data)
	err = errors.Join(err, w.Close())
	return b.Bytes(), err
}

// examples gives the encounters that come with setpiece, as a script.
func examples(sources string) ([]byte, error) {
	type example struct {
		Title string `json:"title"`
		Text  string `json:"text"`
	}
	var list []example
	names, err := filepath.Glob(filepath.Join(sources, "scripts", "*", "*.scene"))
	slices.Sort(names)
	for _, name := range names {
		text, readErr := os.ReadFile(name)
		err = errors.Join(err, readErr)
		title := strings.ReplaceAll(strings.TrimSuffix(filepath.Base(name), ".scene"), "_", " ")
		list = append(list, example{title + " (" + filepath.Base(filepath.Dir(name)) + ")", string(text)})
	}
	data, jsonErr := json.Marshal(list)
	return fmt.Appendf(nil, "const setpieceExamples = %s;\n", data), errors.Join(err, jsonErr)
}

var (
	policy = late.Regexp(`(http-equiv="Content-Security-Policy" content=")[^"]*`)
	style  = late.Regexp(`<link rel="stylesheet" href="([^"]*)">`)
	script = late.Regexp(`<script src="([^"]*)"></script>`)
)

// Page makes one file of them, which a browser opens from the disk. What is inside stands in its policy by
// its hash.
func (f Files) Page() []byte {
	in := &inside{files: f}
	page := string(f["index.html"])
	page = style().ReplaceAllStringFunc(page, func(m string) string { return in.style(style().FindStringSubmatch(m)[1]) })
	page = script().ReplaceAllStringFunc(page, func(m string) string { return in.script(script().FindStringSubmatch(m)[1]) })
	page = strings.Replace(page, "<script>", in.engine()+"<script>", 1)
	return []byte(in.allow(page, strings.Join(in.styles, " ")))
}

// Live puts the engine into a page, the report of a script: a reader moves the numbers of the script, and
// its odds follow.
func (f Files) Live(page []byte, text string) ([]byte, error) {
	in := &inside{files: f}
	data, err := json.Marshal(text)
	scripts := in.script("talk.js") + in.script("odds.js") + in.script("live.js")
	out := strings.Replace(string(page), "</main>", `<section aria-labelledby="live-title"><h2 id="live-title">Move a number</h2>
<p class="intro">setpiece is in this page. It calculates the odds of the script here, and again when you move a number of it.</p>
<div id="live"></div></section>
</main>`, 1)
	out = strings.Replace(out, "</style>", string(f["live.css"])+"</style>", 1)
	out = strings.Replace(out, "</body>", `<script type="application/json" id="live-script">`+string(data)+"</script>\n"+in.engine()+scripts+"</body>", 1)
	return []byte(in.allow(out, "'unsafe-inline'")), err
}

// inside is what is put into a page, with the hashes of what runs.
type inside struct {
	files           Files
	scripts, styles []string
}

// text gives a file as it stands between two tags, with its hash.
func (in *inside) text(name string) (body, hash string) {
	body = strings.ReplaceAll(string(in.files[name]), "</script", `<\/script`)
	sum := sha256.Sum256([]byte(body))
	return body, "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

func (in *inside) script(name string) string {
	body, hash := in.text(name)
	in.scripts = append(in.scripts, hash)
	return "<script>" + body + "</script>\n"
}

func (in *inside) style(name string) string {
	body, hash := in.text(name)
	in.styles = append(in.styles, hash)
	return "<style>" + body + "</style>"
}

// engine is the engine as elements of a page, where talk.js finds it.
func (in *inside) engine() string {
	starter, _ := in.text(starterName)
	worker, _ := in.text("worker.js")
	return "<script type=\"text/plain\" id=\"worker\">" + starter + "\n" + worker + "</script>\n<script type=\"text/plain\" id=\"engine\">" +
		base64.StdEncoding.EncodeToString(in.files[engineName]) + "</script>\n"
}

// allow gives a page the policy that lets what is inside run, and nothing else.
func (in *inside) allow(page, styles string) string {
	return policy().ReplaceAllString(page, fmt.Sprintf("${1}default-src 'none'; script-src 'wasm-unsafe-eval' %s; style-src %s; worker-src blob:; base-uri 'none'; form-action 'none'",
		strings.Join(in.scripts, " "), styles))
}

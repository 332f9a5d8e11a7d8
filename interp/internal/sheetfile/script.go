package sheetfile

import (
	"path"
	"strings"

	"setpiece/interp/internal/decl"
	"setpiece/lang"
)

// Script writes commands that Commands has read as a script has them.
func Script(commands []*lang.Command) string {
	var b strings.Builder
	for _, c := range commands {
		b.WriteString(line(c, "\n", "\n") + "\n")
	}
	file, _ := lang.Parse(lang.NewSource("", b.String()))
	return lang.Print(file)
}

// line writes a command; in its block, entries are parted by sep and stand between ends.
func line(c *lang.Command, sep, ends string) string {
	var b strings.Builder
	b.WriteString(source(c.Head))
	for _, a := range c.Args {
		if a.Comma {
			b.WriteByte(',')
		}
		b.WriteString(" " + source(a.Expr))
	}
	if c.Block != nil {
		entries := make([]string, len(c.Block.Stmts))
		for i, s := range c.Block.Stmts {
			entries[i] = line(s.(*lang.Command), "; ", " ")
		}
		b.WriteString(" {" + ends + strings.Join(entries, sep) + ends + "}")
	}
	return b.String()
}

var escapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, `{`, `\{`, "\n", `\n`, "\t", `\t`)

// source writes an expression as a script does.
func source(x lang.Expr) string {
	switch x := x.(type) {
	case *lang.Text:
		if len(x.Parts) == 0 {
			return `""`
		}
		if l, ok := x.Parts[0].(*lang.Lit); ok && len(x.Parts) == 1 {
			return `"` + escapes.Replace(l.Value) + `"`
		}
	case *lang.Word:
		return x.Name
	case *lang.Caps:
		return x.Name
	case *lang.Num:
		return x.Text
	case *lang.List:
		return "[" + sources(x.Elems, ", ") + "]"
	case *lang.Applied:
		return source(x.Head) + " " + sources(x.Args, " ")
	case *lang.Call:
		if decl.IsWord(x.Fn, "x") {
			return "x(" + sources(x.Args, ", ") + ")"
		}
	case *lang.Map:
		pairs := make([]string, len(x.Keys))
		for i, k := range x.Keys {
			pairs[i] = source(k) + ": " + source(x.Values[i])
		}
		return "{" + strings.Join(pairs, ", ") + "}"
	}
	return decl.Text(x.Range())
}

func sources(list []lang.Expr, sep string) string {
	out := make([]string, len(list))
	for i, x := range list {
		out[i] = source(x)
	}
	return strings.Join(out, sep)
}

// System gives the system that a file of YAML names, with its version, or "".
func System(src *lang.Source) string {
	if isPage(path.Base(src.Name)) || len(src.Page()) > maxFile {
		return ""
	}
	nodes, _ := readYAML(src)
	for _, n := range nodes {
		if s := n.get("system"); s != nil && s.Kind == Scalar {
			return s.Text
		}
	}
	return ""
}

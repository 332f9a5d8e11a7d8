package decl

import (
	"slices"
	"strings"
	"sync"

	"setpiece/lang"
)

// TakesStock is the word of a system that says what it has in stock, and of a script that takes it.
const TakesStock = "stock"

// Stock is somebody whom a system, or a script, has ready: a sheet that is filled in, with tactics.
//
//	stock watcher "Street Thug" "hired muscle" { solo d6; BRAWL d8; tactics self { otherwise: … } }
type Stock struct {
	Name    string
	Doc     string
	Module  *Module
	Sheet   lang.Ident
	Whole   lang.Span // its declaration
	At      lang.Span // of its name
	Args    []lang.Arg
	Entries *lang.Block     // of the sheet, nil where it has none
	Tactics []*lang.Tactics // of whoever it becomes
}

// Store is a file of stock that is read when somebody first asks for what is in it. Worlds
// share it.
type Store struct {
	Src    *lang.Source
	Module *Module
	once   sync.Once
	file   *lang.File
	diags  lang.Diagnostics
}

// Read gives what is in the file.
func (s *Store) Read() (*lang.File, lang.Diagnostics) {
	s.once.Do(func() { s.file, s.diags = Outline(s.Src) })
	return s.file, s.diags
}

// StockOf reads a declaration of stock:  SHEET NAME ["doc"] [FEATURES] { ENTRIES }. It gives nil
// for another command.
func StockOf(s lang.Stmt) (*Stock, *lang.Diagnostic) {
	cmd, ok := lang.Bare(s).(*lang.Command)
	if !ok || cmd.Who != nil || !IsWord(cmd.Head, TakesStock) || len(cmd.Args) == 0 {
		return nil, nil
	}
	sheet, ok := cmd.Args[0].Expr.(*lang.Word)
	if !ok {
		return nil, nil
	}
	if len(cmd.Args) < 2 || !isNamed(cmd.Args[1].Expr) {
		d := ErrAt(cmd.Span, "SP0503", "stock needs the name of what is ready, after its sheet")
		d.Help = `as in  stock ` + sheet.Name + ` "Name" "what it is" { … }`
		return nil, d
	}
	name := cmd.Args[1].Expr
	out := &Stock{Name: Display(NameOf(name)), Whole: cmd.Span, Sheet: lang.Ident{Span: sheet.Span, Name: sheet.Name}, At: name.Range(), Args: cmd.Args[2:]}
	if len(out.Args) > 0 {
		if doc, ok := out.Args[0].Expr.(*lang.Text); ok {
			out.Doc, out.Args = Plain(doc), out.Args[1:]
		}
	}
	if cmd.Block != nil {
		entries := *cmd.Block
		entries.Stmts = slices.DeleteFunc(slices.Clone(entries.Stmts), func(s lang.Stmt) bool {
			t, ok := s.(*lang.Tactics)
			if ok {
				out.Tactics = append(out.Tactics, t)
			}
			return ok
		})
		out.Entries = &entries
	}
	return out, nil
}

func isNamed(e lang.Expr) bool {
	switch e.(type) {
	case *lang.Name, *lang.Text:
		return true
	}
	return false
}

// Stocked lists what is in stock: what the script has declared itself, what is in files of its
// own, and the stock of systems. Of those of one name it has the first.
func (w *World) Stocked() []*Stock {
	all := slices.Clone(w.Stock)
	for _, store := range w.Stores {
		file, _ := store.Read()
		if file == nil {
			continue
		}
		for _, s := range file.Stmts {
			if k, _ := StockOf(s); k != nil && !slices.ContainsFunc(all, k.isNamesake) {
				k.Module = store.Module
				all = append(all, k)
			}
		}
	}
	return all
}

func (k *Stock) isNamesake(o *Stock) bool { return k.Name == o.Name }

// InStock finds what is in stock under a name, nil where there is nothing.
func (w *World) InStock(name string) *Stock {
	all := w.Stocked()
	if i := slices.IndexFunc(all, func(k *Stock) bool { return k.Name == Display(name) }); i >= 0 {
		return all[i]
	}
	return nil
}

// StockNames are the names of what is in stock as a script writes them.
func (w *World) StockNames() []string {
	var names []string
	for _, k := range w.Stocked() {
		names = append(names, QuoteName(k.Name))
	}
	return names
}

// ErrNoStock says that there is nothing of a name in stock, and what comes nearest.
func (w *World) ErrNoStock(at lang.Span, name string) *lang.Diagnostic {
	d := ErrAt(at, "SP0504", "%s is not in stock", name)
	names := w.StockNames()
	if SuggestName(d, name, names); d.Help == "" && len(names) > 0 {
		if d.Help = "there is " + strings.Join(names[:min(len(names), mostListed)], ", "); len(names) > mostListed {
			d.Help += " …; setpiece help stock lists all"
		}
	}
	if len(names) == 0 {
		d.Help = "no system in use here has anything in stock"
	}
	return d
}

package cli

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"setpiece/cmd/internal/cases"
	"setpiece/cmd/internal/handbook"
	"setpiece/cmd/internal/journal"
	"setpiece/cmd/internal/notes"
	"setpiece/cmd/internal/report"
	"setpiece/cmd/internal/serve"
	"setpiece/cmd/internal/style"
	"setpiece/cmd/internal/table"
	"setpiece/interp"
	"setpiece/interp/danger"
	"setpiece/interp/evening"
	"setpiece/lang"
	shelf "setpiece/scripts"
	"setpiece/stdlib"
)

// tables says how an evening is shown on pages.
type tables struct {
	lan, open, resume bool
	port              int
}

func (t *tables) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.BoolVar(&t.lan, "lan", false, "serve everybody in your network who has a link")
	intVar(f, &t.port, "port", 0, 0, 65535, "the `PORT` to be called at (default 7373, or another that is free)")
	f.BoolVar(&t.open, "open", false, "players see what the other side rolls, and how it stands")
}

// serveTable plays a script on pages until it is interrupted.
func (a *app) serveTable(cmd *cobra.Command, p *playing, args []string, t tables) error {
	ctx, auto, byHand := cmd.Context(), p.auto, p.byHand
	k, s, err := a.keptEvening(cmd, p, args, t.resume)
	if err != nil || k.Journal == nil {
		return err
	}
	k.Pauses = []string{evening.Beginning, evening.Scene, evening.Ending, evening.Stop}
	cfg := table.Config{Serve: a.serving(), Kept: k, Title: strings.TrimSuffix(filepath.Base(s.name()), filepath.Ext(s.src.Name)), Text: s.src.Text, Page: page(s.src), Open: t.open, Seats: k.Journal.Path() + journal.Seats}
	a.books(cmd, p, s, &cfg)
	h, err := table.Open(ctx, cfg)
	if err != nil {
		return err
	}
	if t.resume {
		if err := handOver(h, auto, byHand); err != nil {
			return err
		}
	}
	l, hosts, err := h.Listen(t.port, t.lan)
	if err != nil {
		return wrong("--port", "the pages cannot be served: "+err.Error(), "choose another --port")
	}
	defer l.Close()
	links, err := h.Links(hosts[1], hosts[len(hosts)-1])
	if err != nil {
		return err
	}
	a.tellLinks(links, t.lan)
	if err := table.NewServer(h, hosts).Serve(l); err != nil {
		return err
	}
	fmt.Fprintln(a.errTo, "The pages are closed, and everything is saved. Go on with: setpiece serve --resume")
	return nil
}

// handOver hands whom --auto and --ask name over in an evening that goes on.
func handOver(h *table.Hub, auto, byHand []string) error {
	for _, who := range auto {
		if err := h.Hand("auto", who); err != nil {
			return wrong(who, err.Error(), "")
		}
	}
	for _, who := range byHand {
		if err := h.Hand("ask", who); err != nil {
			return wrong(who, err.Error(), "")
		}
	}
	return nil
}

// page is the note that a script stands in, "" for none.
func page(src *lang.Source) string {
	if text := src.Page(); text != src.Text {
		return text
	}
	return ""
}

// books has the game master's page lead to the report and the handbook.
func (a *app) books(cmd *cobra.Command, p *playing, s script, cfg *table.Config) {
	cfg.Report = func(ctx context.Context) ([]byte, error) {
		made, err := danger.MakeReport(ctx, p.config(s), s.src, danger.Config{Time: 5 * time.Second})
		if err != nil {
			return nil, err
		}
		var b bytes.Buffer
		part := report.Part{Name: s.src.Name, Run: options(p) + shellWord(s.src.Name), Report: made, Ends: report.Transcripts(ctx, p.config(s), s.src, made)}
		err = report.HTML(&b, report.Make([]report.Part{part}, nil))
		return b.Bytes(), err
	}
	cfg.Handbook = func(ctx context.Context) (map[string][]byte, error) {
		book, err := handbook.Build(ctx, handbook.Source{Modules: stdlib.FS, Cases: cases.Shipped, Guides: guides(cmd.Root()), Topics: more(cmd.Root()), Play: true})
		if err != nil {
			return nil, err
		}
		pages := map[string][]byte{}
		return pages, book.WriteHTML(ctx, func(file string, data []byte) error {
			pages[file] = bytes.Clone(data)
			return nil
		})
	}
}

// keptEvening begins the evening of a script, or takes one up. Without a journal the script was wrong,
// which has been said.
func (a *app) keptEvening(cmd *cobra.Command, p *playing, args []string, resume bool) (k serve.Kept, s script, err error) {
	ctx := cmd.Context()
	if resume {
		for _, name := range []string{"seed", "dice", "set"} {
			if cmd.Flags().Changed(name) {
				return k, s, wrong("--"+name, "you go on as you began: --resume takes no --"+name, map[string]string{"dice": "press Everybody's dice on the page"}[name])
			}
		}
		last, err := a.lastEvening(args, true)
		if err != nil {
			return k, s, err
		}
		j, past, s, err := a.takeUpPlay(ctx, p, last)
		if err != nil {
			return k, s, err
		}
		for _, e := range past.Entries {
			if e.Input != "" {
				s = s.with(lang.RestoreExcerpt(e.Name, e.Input, e.Page))
				break
			}
		}
		return serve.Kept{Head: past.Head, Journal: j, Past: past.Entries, Folder: s.folder}, s, nil
	}
	switch len(args) {
	case 0:
		a.offer()
		return k, s, nil
	case 1:
	default:
		return k, s, wrong(args[1], "serve takes one script", "")
	}
	if !p.seeded {
		p.seed = anySeed()
	}
	p.byHand = append([]string{interp.Players}, p.byHand...)
	list := []script{a.shipped(args[0])}
	if list[0].src == nil {
		list, err = a.readScripts(p, args)
	}
	if err == nil {
		err = p.checkSet(ctx, list)
	}
	if err != nil || !a.allFine(ctx, p, list) {
		return k, s, err
	}
	s = list[0]
	a.overspent(ctx, p, s)
	j := a.beginPlay(p, s)
	if j == nil {
		return k, s, fmt.Errorf("setpiece: pages need a place to save the evening")
	}
	here, _ := filepath.Abs(filepath.Dir(s.src.Name))
	return serve.Kept{Head: p.head(journal.Play, here), Journal: j, Script: s.src, Folder: s.folder}, s, nil
}

// offer lists the encounters that come with the program.
func (a *app) offer() {
	fmt.Fprintln(a.out, "These encounters come with setpiece. For your own: setpiece serve FILE")
	for _, path := range encounters() {
		fmt.Fprintf(a.out, "  setpiece serve %-24s %s\n", encounter(path), filepath.Dir(path))
	}
	a.out.Flush()
}

// encounters are the files of those that come with the program.
func encounters() []string {
	scenes, _ := fs.Glob(shelf.FS, "*/*.scene")
	pages, _ := fs.Glob(shelf.FS, "*/*.md")
	return append(scenes, pages...)
}

// encounter is the name of one of them.
func encounter(path string) string {
	return strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
}

// shipped is an encounter that comes with the program, by its name; a file of that name comes first.
func (a *app) shipped(name string) (s script) {
	if _, err := os.Stat(name); err == nil {
		return s
	}
	for _, path := range encounters() {
		if encounter(path) != name {
			continue
		}
		text, _ := fs.ReadFile(shelf.FS, path)
		file := filepath.Base(path)
		if !notes.Is(path) {
			return script{src: lang.NewSource(file, string(text)), systems: a.places()}
		}
		n, _ := notes.Parse(file, string(text))
		if x, err := n.Script(""); err == nil {
			return a.scriptOf(n, x, nil)
		}
	}
	return s
}

// tellLinks prints where the pages are.
func (a *app) tellLinks(l table.Links, lan bool) {
	title := func(text string) string { return style.On(a.palette().Title, text) }
	fmt.Fprintf(a.out, "%s  %s\n", title("game master  "), l.Master)
	fmt.Fprintf(a.out, "%s  %s\n", title("players      "), l.Link)
	fmt.Fprintf(a.out, "%s  %s\n", title("second screen"), l.Screen)
	fmt.Fprintf(a.out, "Without a camera: %s and the code %s. Your own link is for you alone: it shows everything.\n", l.Address, l.Code)
	if lan {
		fmt.Fprintln(a.out, "Whoever is in your network can read what is sent. Use this at home, not in a café.")
		if style.IsTerminal(a.outTo) {
			for _, line := range table.Blocks(l.QR) {
				fmt.Fprintln(a.out, line)
			}
		}
	} else {
		fmt.Fprintln(a.out, "Only this computer is served. For phones in your network: --lan")
	}
	fmt.Fprintln(a.out, "Ctrl-C closes the pages. Everything is saved.")
	a.out.Flush()
}

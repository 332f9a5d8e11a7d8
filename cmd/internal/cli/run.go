package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"setpiece/cmd/internal/files"
	"setpiece/cmd/internal/journal"
	"setpiece/cmd/internal/notes"
	"setpiece/cmd/internal/render"
	"setpiece/cmd/internal/style"
	"setpiece/interp"
	"setpiece/interp/evening"
	"setpiece/interp/transcript"
)

func (a *app) runCommand() *cobra.Command {
	p := playing{limits: &a.limits}
	var log string
	cmd := &cobra.Command{
		Use:   "run FILE…",
		Short: "Run scripts",
		Long: `Run scripts and print what happens.

Each FILE is a run of its own, with the same seed and dice; - is standard input.
The same script, seed and dice give the same output. If one of the scripts has a
mistake, none of them runs.`,
		Example: `  setpiece run bog.scene
  setpiece run --dice 7,8 --trace bog.scene
  setpiece run -e 'print 3 * 4'
  setpiece run --dice ask --ask --log friday.log bog.scene`,
		ValidArgsFunction: scripts,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := p.check(cmd); err != nil {
				return err
			}
			if len(args)+len(p.texts) == 0 {
				return wrong("", "run needs a script", "a FILE, - for standard input, or -e TEXT")
			}
			if log != "" {
				return a.runLogged(cmd.Context(), &p, args, log)
			}
			if len(p.texts) > 0 {
				return a.runTexts(cmd.Context(), &p, args)
			}
			return a.run(cmd.Context(), &p, args)
		},
	}
	p.flags(cmd)
	cmd.Flags().BoolVar(&p.ask, "ask", false, "ask for the decisions that neither clauses nor tactics make")
	cmd.Flags().StringArrayVarP(&p.texts, "expr", "e", nil, usageRun)
	cmd.Flags().StringVar(&log, "log", "", usageLog)
	return cmd
}

// run runs scripts, each in a session of its own.
func (a *app) run(ctx context.Context, p *playing, paths []string) error {
	list, err := a.readScripts(p, paths)
	if err == nil {
		err = p.checkSet(ctx, list)
	}
	if err != nil {
		return err
	}
	if len(list) > 1 && !a.allFine(ctx, p, list) {
		return nil
	}
	for _, s := range list {
		if len(list) > 1 && !p.view.JSON {
			fmt.Fprintln(a.out, a.heading(s.name()))
		}
		a.play(ctx, p, s)
	}
	return nil
}

func (a *app) heading(name string) string {
	title := a.palette().Title
	if title == nil {
		return "== " + name
	}
	return title("== " + name)
}

// runTexts runs what -e gave, as one script, and then the files.
func (a *app) runTexts(ctx context.Context, p *playing, paths []string) error {
	s, err := a.typed("-e", p.texts)
	if err != nil {
		return err
	}
	list := []script{s}
	if err := p.checkSet(ctx, list); err != nil {
		return err
	}
	s = list[0]
	a.play(ctx, p, s)
	if len(paths) == 0 {
		return nil
	}
	return a.run(ctx, p, paths)
}

// runLogged runs the one script there is and writes a log of it.
func (a *app) runLogged(ctx context.Context, p *playing, paths []string, file string) error {
	if len(paths) > 1 || len(paths) == 1 && len(p.texts) > 0 {
		return wrong("--log", "--log takes the log of one script", "")
	}
	s, err := a.typed("-e", p.texts)
	if err != nil {
		return err
	}
	if len(paths) == 1 {
		list, err := a.readScripts(p, paths)
		if err != nil {
			return err
		}
		s = list[0]
	}
	list := []script{s}
	if err := p.checkSet(ctx, list); err != nil {
		return err
	}
	s = list[0]
	// The file is made first: a run of an hour is not lost to a misspelt folder.
	f, err := files.Create(file, &a.seen)
	if err != nil {
		return badFile(file, err)
	}
	warned := false
	var watched *journal.Folder
	page, _ := s.folder.(*notes.Folder)
	if page != nil {
		s.folder = page.Under()
	}
	if s.folder != nil {
		watched = journal.Watch(s.folder)
		s.folder = watched
		if page != nil {
			s.folder = page.With(watched)
		}
	}
	log := journal.Log{
		Program: Version, Seed: p.seed, Set: p.set, View: p.view, LeftOK: p.leftOK, Asked: p.ask, Threw: p.dice.ask, Turns: p.turns,
		Source: journal.Text{Name: s.src.Name, Text: s.src.Text},
	}
	if s.src.Excerpt() {
		log.Source.Page = s.src.Page()
	}
	so := func(sess *interp.Session, cut bool) *journal.Log {
		_, log.Left = sess.GivenDice() // those of the script are left again
		log.Record, log.Cut, log.Systems = sess.Record().Besides(), cut, evening.Used(sess.InUse())
		if watched != nil {
			log.Files = watched.Files()
		}
		return &log
	}
	sess, left := a.played(ctx, p, s, func(sess *interp.Session) {
		// Whatever ends the run, the log has what came before the question.
		err := files.Write(file, &a.seen, func(o *files.Output) error { return so(sess, true).Write(o) })
		if err != nil && !warned {
			warned = true
			fmt.Fprintln(a.errTo, style.On(a.errPalette().Warn, "warning: the log is not written: "+files.Error(err).Error()))
		}
	})
	if err := so(sess, left).Write(f); err != nil {
		f.Abort()
		return badFile(file, fmt.Errorf("%s: %w", file, files.Inner(err)))
	}
	if err := f.Commit(); err != nil {
		return badFile(file, err)
	}
	return nil
}

func (a *app) readScripts(p *playing, paths []string) ([]script, error) {
	list := make([]script, len(paths))
	for i, path := range paths {
		if path == "-" && (p.ask || p.dice.ask) {
			return nil, wrong("-", "the script and the answers cannot both come from standard input", "name the FILE of the script")
		}
		s, err := a.read(path)
		if err != nil {
			return nil, err
		}
		list[i] = s
	}
	return list, nil
}

// readEach reads files and, of notes, all scripts that are wanted; nil wants all.
func (a *app) readEach(paths []string, wanted func(*notes.Script) bool) (list []script, err error) {
	for _, path := range paths {
		some, err := a.readAll(path, wanted)
		if err != nil {
			return nil, err
		}
		list = append(list, some...)
	}
	return list, nil
}

// allFine checks scripts before the first of them runs.
func (a *app) allFine(ctx context.Context, p *playing, list []script) bool {
	fine := true
	for _, s := range list {
		ds, err := interp.NewSession(p.config(s)).CheckContext(ctx, s.src)
		if err != nil {
			a.fail(err)
			fine = false
		} else if statusOf(ds) == statusWrong {
			a.fail(ds)
			fine = false
		}
	}
	return fine
}

func (p *playing) config(s script) interp.Config {
	var l interp.Limits
	if p.limits != nil {
		l = p.limits.Limits
	}
	cfg := library(s.folder, s.systems)
	cfg.Limits, cfg.Seed, cfg.Dice, cfg.Options, cfg.Auto, cfg.Ask = l, p.seed, p.dice.faces, p.set, p.auto, p.byHand
	if cfg.Versions = p.versions; !p.view.JSON {
		cfg.Quiet = p.asks
	}
	return cfg
}

// transcript is the transcript of a run on standard output.
func (a *app) transcript(v journal.View) transcript.Writer {
	if v.JSON {
		return a.records(v.Quiet)
	}
	return transcript.NewText(a.out, transcript.Options{Palette: a.palette().Palette, Brief: v.Brief, Trace: v.Trace, Quiet: v.Quiet, Seen: style.IsTerminal(a.in) && style.IsTerminal(a.outTo)})
}

// play runs one script and tells what happened; the session is then as the
// script left it.
func (a *app) play(ctx context.Context, p *playing, s script) *interp.Session {
	sess, _ := a.played(ctx, p, s, nil)
	return sess
}

// played is play with a function that is called before each question; left says that
// who answers left before the script was over.
func (a *app) played(ctx context.Context, p *playing, s script, asking func(*interp.Session)) (sess *interp.Session, left bool) {
	if p.ask || p.dice.ask {
		return a.attended(ctx, p, s, attended{asking: asking})
	}
	return a.exec(ctx, p, p.config(s), s, nil), false
}

// exec runs one script under cfg, with what is recorded of it. The Events of cfg,
// if any, sees each event before it is told.
func (a *app) exec(ctx context.Context, p *playing, cfg interp.Config, s script, then interp.Record) *interp.Session {
	told := a.transcript(p.view)
	a.aboutFile(s)
	heard := cfg.Events
	cfg.Events = a.listener(told)
	if heard != nil {
		tell := cfg.Events
		cfg.Events = func(e *interp.Event) { heard(e); tell(e) }
	}
	cfg.Standings = p.view.Brief
	sess := interp.NewSession(cfg)
	sess.Give(then)
	err := sess.Exec(ctx, s.src)
	if flushed := told.Flush(); err == nil {
		err = flushed
	}
	if ctx.Err() != nil && style.IsTerminal(a.errTo) {
		fmt.Fprintln(a.errTo) // behind the ^C that the terminal shows
	}
	a.ended(p, sess, err)
	return sess
}

// ended tells what was wrong with a run that has ended, and sets the status.
func (a *app) ended(p *playing, sess *interp.Session, err error) {
	switch {
	case render.IsUnmet(err): // each has been shown where it happened
		a.worse(statusFailed)
	case err != nil && p.log != nil && p.log.ended:
		a.out.Flush()
		fmt.Fprintln(a.errTo, "setpiece: the log ends here: the run was left before it was over")
		a.worse(statusFailed)
	case err != nil:
		a.fail(err)
	case sess.Faults() > 0:
		a.worse(statusFailed)
	}
	if left := sess.LeftDice(); (err == nil || render.IsUnmet(err)) && len(left) > 0 && !p.leftOK {
		a.fail(leftOver(left))
	}
	a.out.Flush()
}

// listener tells what happens, and on standard error what should have. On a
// terminal it is told as it happens.
func (a *app) listener(told transcript.Writer) func(*interp.Event) {
	live := style.IsTerminal(a.outTo)
	return func(e *interp.Event) {
		told.Event(e)
		if live {
			a.out.Flush()
		}
		if unmet := render.Unmet(e); unmet != nil {
			a.out.Flush()
			render.Error(a.errTo, a.errPalette(), unmet)
		}
	}
}

func leftOver(faces []int) error {
	d := diceFlag{faces: faces}
	if len(faces) == 1 {
		return fmt.Errorf("setpiece: a die was given and not thrown: %s", d.String())
	}
	return fmt.Errorf("setpiece: %d dice were given and not thrown: %s", len(faces), d.String())
}

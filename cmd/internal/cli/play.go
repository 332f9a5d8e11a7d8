package cli

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"setpiece/cmd/internal/files"
	"setpiece/cmd/internal/journal"
	"setpiece/cmd/internal/player"
	"setpiece/cmd/internal/render"
	"setpiece/cmd/internal/repl"
	"setpiece/cmd/internal/style"
	"setpiece/interp"
	"setpiece/interp/assist"
	"setpiece/interp/evening"
	"setpiece/interp/verify"
	"setpiece/lang"
)

func (a *app) playCommand() *cobra.Command {
	p := playing{limits: &a.limits}
	var log string
	var resume, page bool
	cmd := &cobra.Command{
		Use:   "play FILE",
		Short: "Play a script: you decide",
		Long: `Play a script at the table. When somebody's turn comes who has no tactics of
their own, you type what they do: a command, as in a script, without their name.
Enter takes what is shown in brackets, and "pass" does nothing. --auto WHO leaves
somebody to their tactics; --ask WHO asks you for somebody who has tactics.

You also make the decisions that neither clauses nor tactics make. Before each
question setpiece shows what led to it: who acts, the dice, the total so far and
what it is against.

At a question, Enter takes the answer that is marked; "?" shows what each answer
is worth, "? GOAL" for another goal; --odds shows it without being asked. Before a
command "?" lists the few commands that are worth most, as far as setpiece can
find them. These commands work there, too:

  :undo [N]      take back your last answer, or the last N; typed dice as well
  :redo [N]      give the answers again that you took back
  :what-if LINE  see what another answer would have led to, in the place of your
                 last one; :what-if 3 LINE changes the third from the end. :keep
                 takes that course, :drop forgets it
  :state [WHO]   how things stand, or the whole of a sheet
  :help [WORD]   what you can type, or what a word of the rules means
  :log [N|all]   show again what happened
  :auto WHO      let somebody act and decide by their tactics from now on: a name,
                 heroes, villains, all; :ask WHO gives them back to you
  :dice ask      you throw the dice from now on and type what they show; :dice roll
                 has setpiece throw them
  :pause         leave; so does Ctrl-D

Each answer is saved before it is used. Whatever ends the evening,
"setpiece play --resume" shows the same question again, with the same dice. It
goes on with the script you left last and lists the others that are not over;
"setpiece play --resume FILE" goes on with FILE. Of each script, 20 evenings that
are not over are kept.`,
		Example: `  setpiece play bog.scene
  setpiece play --dice ask --odds --log friday.log bog.scene
  setpiece play --resume
  setpiece play --resume bog.scene`,
		ValidArgsFunction: scripts,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := p.check(cmd); err != nil {
				return err
			}
			p.ask = true
			if page {
				return a.serveTable(cmd, &p, args, tables{resume: resume})
			}
			if resume {
				return a.resumePlay(cmd, &p, args)
			}
			if len(args) != 1 {
				return wrong("", "play takes one script", "a FILE, or --resume for the one you left")
			}
			if log != "" {
				return a.runLogged(cmd.Context(), &p, args, log)
			}
			return a.run(cmd.Context(), &p, args)
		},
	}
	p.flags(cmd)
	p.turnFlags(cmd)
	cmd.Flags().BoolVar(&p.advise, "odds", false, "show at each decision what its answers are worth")
	cmd.Flags().StringVar(&p.goal, "goal", "", "the goal for ? and --odds: "+usageBest)
	cmd.Flags().StringVar(&log, "log", "", usageLog)
	cmd.Flags().BoolVar(&resume, "resume", false, "go on with the script you left last, or with FILE, at the same question")
	cmd.Flags().BoolVar(&page, "page", false, "play on pages in a browser: see setpiece serve")
	p.kept = true
	return cmd
}

// attended is a run with somebody who answers.
type attended struct {
	journal *journal.Journal
	resume  *journal.Content
	asking  func(*interp.Session) // called before each question; may be nil
}

// resumePlay goes on with the script that was left last, or with one that is named.
func (a *app) resumePlay(cmd *cobra.Command, p *playing, args []string) error {
	for _, name := range []string{"seed", "dice", "set", "log", "auto", "ask"} {
		if cmd.Flags().Changed(name) {
			return wrong("--"+name, "you go on as you began: --resume takes no --"+name, "")
		}
	}
	last, err := a.lastEvening(args, false)
	if err != nil {
		return err
	}
	j, past, s, err := a.takeUpPlay(cmd.Context(), p, last)
	if err != nil {
		return err
	}
	a.attended(cmd.Context(), p, s, attended{journal: j, resume: past})
	return nil
}

// lastEvening is the evening that was left last, or the one that is named, and tells of the others.
// Those whose script is over count only where somebody may go on behind its end.
func (a *app) lastEvening(args []string, over bool) (last journal.Past, err error) {
	if len(args) > 1 {
		return last, wrong(args[1], "--resume goes on with one script", "")
	}
	dir, err := journal.StateDir()
	if err != nil {
		return last, err
	}
	list, passed := journal.Evenings(dir)
	a.passed(passed)
	if !over {
		list = slices.DeleteFunc(list, func(e journal.Past) bool { return e.Over })
	}
	begin := "begin one: setpiece play "
	if journal.Busy(dir) {
		begin = "what is open in another window is continued once it is left there; or " + begin
	}
	if len(list) == 0 {
		return last, wrong("--resume", "there is no script to continue", begin+"FILE")
	}
	at := 0
	if len(args) == 1 {
		at = slices.IndexFunc(list, func(e journal.Past) bool { return a.names(args[0], e) })
		if at < 0 {
			a.others(list)
			return last, wrong(args[0], "there is no evening of "+args[0]+" to continue", begin+word(args[0]))
		}
	}
	last = list[at]
	a.others(slices.DeleteFunc(list, func(e journal.Past) bool { return len(args) == 1 && e.Script != last.Script }), last.Path)
	return last, nil
}

// takeUpPlay opens the journal of an evening, with the script that is played in it, and says what is
// different since.
func (a *app) takeUpPlay(ctx context.Context, p *playing, last journal.Past) (j *journal.Journal, past *journal.Content, s script, err error) {
	if j, past, err = journal.Reopen(last.Path); err != nil {
		return nil, nil, s, err
	}
	s = a.inline(a.short(last.Script), "")
	a.resumed(p, &s, past.Head)
	then := s
	for _, e := range past.Entries {
		if e.Page != "" {
			s.folder = over(e.Name, e.Page, s.folder)
		}
		if e.Input != "" {
			then = s.with(lang.RestoreExcerpt(e.Name, e.Input, e.Page))
		}
	}
	a.changedSince(past)
	a.sayDiffer(ctx, p.config(s), then, past.Head.Systems)
	return j, past, s, nil
}

// passed tells of journals that cannot be taken up.
func (a *app) passed(list []error) {
	for _, err := range list {
		fmt.Fprintln(a.errTo, style.On(a.errPalette().Warn, "warning: "+err.Error()))
	}
}

// names says whether somebody who types a file means an evening: by its script, or by its
// journal.
func (a *app) names(file string, e journal.Past) bool {
	path, err := filepath.Abs(file)
	return err == nil && (path == e.Script || path == e.Path)
}

// others tells in a line of evenings that are not over, but for those with the journals named, and how
// to go on with one.
func (a *app) others(list []journal.Past, but ...string) {
	var names []string
	for i, e := range list {
		if slices.Contains(but, e.Path) || e.Answers == 0 || e.Over {
			continue
		}
		file := e.Script
		if slices.IndexFunc(list, func(other journal.Past) bool { return other.Script == e.Script }) < i {
			file = e.Path // the script means the newer one
		}
		names = append(names, fmt.Sprintf("%s (%s)", word(a.short(file)), a.left(e)))
	}
	if len(names) == 0 {
		return
	}
	if n := len(names) - maxOthers; n > 0 {
		names = append(names[:maxOthers], fmt.Sprintf("%d older ones in %s", n, filepath.Dir(list[0].Path)))
	}
	a.note("not over either: " + strings.Join(names, ", ") + ". To go on with one: setpiece play --resume FILE")
}

// maxOthers is how many evenings are named at most.
const maxOthers = 3

// evening says which evening is meant: the script, when it was left, and how far it came.
func (a *app) evening(e journal.Past) string { return a.short(e.Script) + ", " + a.left(e) }

func (a *app) left(e journal.Past) string {
	answers := "1 answer"
	if e.Answers != 1 {
		answers = fmt.Sprintf("%d answers", e.Answers)
	}
	return fmt.Sprintf("left %s after %s", e.Left.Format("Mon 2 Jan 15:04"), answers)
}

// short is how a path can be typed here: from the present folder if it is in that.
func (a *app) short(path string) string {
	here, err := filepath.Abs(".")
	if err != nil {
		return path
	}
	if short, err := filepath.Rel(here, path); err == nil && filepath.IsLocal(short) {
		return short
	}
	return path
}

// word is a path as a word of a call.
func word(path string) string {
	if strings.ContainsAny(path, " '\"#$&();<>*?|\\`") {
		return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
	}
	return path
}

// notOver tells of an evening of a script that is not over, as another is begun.
func (a *app) notOver(dir string, s script) {
	if s.name() == stdin {
		return
	}
	list, _ := journal.Evenings(dir)
	for _, e := range list {
		if e.Answers > 0 && !e.Over && a.names(s.name(), e) {
			a.note(fmt.Sprintf("an evening of this script is not over: %s. This is a new one; to go on with that: setpiece play --resume %s", a.evening(e), word(a.short(e.Script))))
			return
		}
	}
}

// changedSince says which files of a script that was left are not what they were. The
// script goes on as it was: its answers belong to that text.
func (a *app) changedSince(past *journal.Content) {
	name, included := "", map[string]string{}
	for _, e := range past.Entries {
		if e.Input != "" && name == "" { // what was entered by hand comes behind it
			name = filepath.Base(e.Name)
		} else if e.File != nil {
			included[e.File.Name] = e.File.Text
		}
	}
	var changed []string
	if h := past.Head; h.Digest != "" && h.Digest != a.digest(filepath.Join(h.Folder, name)) {
		changed = append(changed, name)
	}
	for _, file := range slices.Sorted(maps.Keys(included)) {
		now, err := files.ReadFile(a.ctx, filepath.Join(past.Head.Folder, file), files.MaxScript, &a.seen)
		if err != nil || string(now) != included[file] {
			changed = append(changed, file)
		}
	}
	if len(changed) > 0 {
		a.note(fmt.Sprintf("changed or gone since you left: %s. You continue with the old text; to begin again with the new one: setpiece play %s", strings.Join(changed, ", "), name))
	}
}

// digest tells the texts of a file apart, "" where it cannot be read.
func (a *app) digest(path string) string {
	text, err := files.ReadFile(a.ctx, path, files.MaxScript, &a.seen)
	if err != nil {
		return ""
	}
	return fmt.Sprintf("%x", sha256.Sum256(text))
}

// beginPlay begins the journal of a script that is played.
func (a *app) beginPlay(p *playing, s script) *journal.Journal {
	dir, err := journal.StateDir()
	var j *journal.Journal
	if err == nil {
		a.notOver(dir, s)
		here, _ := filepath.Abs(filepath.Dir(s.src.Name))
		h := p.head(journal.Play, here)
		h.Digest, h.Part, h.Systems = a.digest(s.src.Name), s.part, a.uses(p, s)
		j, err = journal.Create(journal.NewPath(dir, time.Now()), h)
	}
	if err != nil {
		fmt.Fprintln(a.errTo, style.On(a.errPalette().Warn, "warning: your answers are not saved, and are lost if you leave: "+err.Error()))
	}
	return j
}

// uses gives the systems that a script uses, none of one with mistakes: nothing is played then.
func (a *app) uses(p *playing, s script) []evening.System {
	o, err := assist.OutlineOf(a.ctx, interp.NewSession(p.config(s)), s.src)
	if err != nil {
		return nil
	}
	return evening.Used(o.Systems)
}

// attended runs a script with somebody who answers; left says that they left before
// it was over.
func (a *app) attended(ctx context.Context, p *playing, s script, t attended) (sess *interp.Session, left bool) {
	if p.kept && t.journal == nil {
		t.journal = a.beginPlay(p, s)
		a.overspent(ctx, p, s)
	}
	terminal := style.IsTerminal(a.in) && style.IsTerminal(a.outTo)
	cfg := repl.Config{
		Out: a.out, Questions: a.errTo, Errors: a.errTo, Palette: a.palette(), Session: p.config(s), View: p.view,
		Ask: p.dice.ask, Unasked: !p.ask, Forms: true, Auto: !p.turns, Journal: t.journal, Resume: t.resume, Version: Version,
		Flush: func() { a.out.Flush() }, Advise: p.advise, Goal: p.goal,
		Topics: a.more, Script: true, Pages: terminal && !a.whole, Seen: terminal, Live: style.IsTerminal(a.outTo),
	}
	if terminal {
		// Only what is being worked out is interrupted, never the evening.
		signal.Notify(make(chan os.Signal, 1), os.Interrupt)
		term, err := repl.NewTerminal("", a.palette())
		if err == nil {
			defer term.Close()
			term.RestoreOnSignal()
			cfg.Lines = term
		}
	}
	if cfg.Lines == nil {
		lines := player.NewLines(a.in, a.errTo, !style.IsTerminal(a.in))
		cfg.Lines = piped{ctx, lines}
		cfg.Interrupt = func() (context.Context, context.CancelFunc) { return context.WithCancel(ctx) }
	}
	if p.view.JSON {
		cfg.Records = a.records(p.view.Quiet)
		a.aboutFile(s)
	}
	loop := repl.New(cfg)
	if term, ok := cfg.Lines.(*repl.Terminal); ok {
		term.Edit(repl.Editor{Complete: loop.Complete, Hint: loop.Hint, Kind: loop.WordKind})
	}
	loop.Asking(t.asking)
	left, err := loop.Play(s.src)
	sess = loop.Session()
	if left {
		a.out.Flush()
		a.leftOpen(ctx, s, t.journal, loop.Answers(), err)
		return sess, true
	}
	a.ended(p, sess, err)
	if how := loop.Stays(); how != "" {
		a.note(how)
	}
	return sess, false
}

// overspent warns, before an evening begins, of sheets that break the rules of creation.
func (a *app) overspent(ctx context.Context, p *playing, s script) {
	ds := verify.Sheets(ctx, p.config(s), s.src)
	switch s.place(ds); {
	case len(ds) == 0:
	case p.view.JSON:
		a.records(p.view.Quiet).Error(ds)
	default:
		render.Error(a.errTo, a.errPalette(), ds)
	}
}

// leftOpen tells how to go on with a script that was left.
func (a *app) leftOpen(ctx context.Context, s script, j *journal.Journal, answers int, err error) {
	if !style.IsTerminal(a.in) {
		a.worse(statusFailed) // answers are missing
	}
	switch {
	case j != nil && err == nil:
	case ctx.Err() != nil:
		a.fail(errors.New("setpiece: stopped"))
		return
	case answers > 0 && err == nil:
		a.worse(statusFailed)
		fmt.Fprintln(a.errTo, "You left before the end. Your answers are not saved")
		return
	default:
		a.fail(errors.Join(errors.New("setpiece: nobody answered, and the script is not over"), err))
		return
	}
	if name := s.name(); answers == 0 && name != "" && name != stdin {
		fmt.Fprintln(a.errTo, "You left before the end. Nothing was answered, so begin again: setpiece play "+word(name))
		return
	}
	fmt.Fprintln(a.errTo, "You left before the end. Go on at the same question with: setpiece play --resume")
}

// piped is where answers come from when nobody sits at a terminal.
type piped struct {
	ctx   context.Context
	lines *player.Lines
}

func (p piped) ReadLine(prompt string) (string, error) {
	line, err := p.lines.Ask(p.ctx, prompt)
	if err != nil {
		return "", io.EOF
	}
	return line, nil
}

func (piped) Remember(string) {}

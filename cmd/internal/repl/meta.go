package repl

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"setpiece/cmd/internal/files"
	"setpiece/cmd/internal/render"
	"setpiece/cmd/internal/style"
	"setpiece/interp"
	"setpiece/interp/assist"
	"setpiece/interp/transcript"
	"setpiece/lang"
)

// command is a command of the prompt itself. They begin with a colon, which
// keeps them apart from whatever words a rule system has.
type command struct {
	name, args, doc string
	run             func(l *Loop, arg string)
	// words completes the argument; nil for none.
	words func(l *Loop, start string) []string
}

// UsageTrace says what :trace and the flag --trace do.
const UsageTrace = "print every rule, die and decision"

// commands is the table behind the commands, their help and their completion.
func commands() []command {
	return []command{
		{"help", "[WORD]", "what can be typed here, or what a word of the rules means", (*Loop).help, (*Loop).helpWords},
		{"explain", "ID", "a rule by its id: what it says and the script that says it", (*Loop).explain, (*Loop).ruleIDs},
		{"state", "[WHO [all]]", "what has changed, or a sheet; all shows what the rules keep on it, too", (*Loop).state, (*Loop).names},
		{"decisions", "[SYSTEM]", "the decisions that tactics can answer: who decides, the answers, the default", (*Loop).decisions, nil},
		{"brief", "on|off", "print one line for each exchange", (*Loop).setBrief, onOff},
		{"options", "[NAME]", "the options of the rules in use, or one of them with its values", (*Loop).options, (*Loop).optionNames},
		{"trace", "on|off", UsageTrace, (*Loop).setTrace, onOff},
		{"seed", "[N]", "the seed of the dice, or a new one", (*Loop).setSeed, nil},
		{"dice", "ask|roll", "throw the table's own dice and type what they show; ask WHO: only theirs", (*Loop).setDice, fixed("ask", "roll")},
		{"auto", "WHO", "let somebody act and decide by their tactics: a name, heroes, villains, all …", func(l *Loop, arg string) { l.hand(arg, false) }, (*Loop).hands},
		{"quiet", "[WHAT]", "be asked only what costs or what you alone can know; off: everything; must: no costs either", (*Loop).setQuiet, func(l *Loop, _ string) []string {
			return append([]string{"off", "must"}, l.evening.Session().DecisionWords()...)
		}},
		{"ask", "WHO", "give somebody's commands yourself, and decide for them; or be asked a decision by its name", func(l *Loop, arg string) { l.hand(arg, true) }, (*Loop).hands},
		{"ahead", "WHAT ANSWER", "answer a decision in advance: :ahead NAME yes, or of one, while something holds, :ahead NAME WHO: yes when CONDITION", (*Loop).sayAhead, (*Loop).hands},
		{"asked", "", "what was asked, what was answered without asking, and what is answered in advance", (*Loop).asked, nil},
		{"undo", "[N]", "take back the last N entries", (*Loop).undoArg, nil},
		{"redo", "[N]", "redo what was undone, with the same dice, or go on with what was stopped", (*Loop).redoArg, nil},
		{"what-if", "[N] LINE", "see what another line would have led to, in the place of the last one, or of the N-th from the end", (*Loop).whatIf, nil},
		keepCommand, dropCommand,
		{"edit", "", "edit the last block, or the one being typed, with the program that $EDITOR names", (*Loop).editLast, nil},
		{"log", "[N|all]", "show again what happened: the last N lines", (*Loop).showLog, nil},
		{"save", "FILE", "write this session as a script that gives the same state", (*Loop).save, paths},
		{"load", "FILE", "run a script in this session", (*Loop).load, paths},
		{"time", "[on|off]", "show how long each entry takes", (*Loop).setTime, onOff},
		{"quit", "", "leave (so does Ctrl-D)", (*Loop).leaveCommand, nil},
	}
}

func findCommand(name string) (command, bool) { return findIn(commands(), name) }

// findIn finds a command of some by its whole name.
func findIn(list []command, name string) (command, bool) {
	for _, c := range list {
		if c.name == name {
			return c, true
		}
	}
	return command{}, false
}

// lookCommand finds a command by its name, or by as much of it as only one has.
func lookCommand(name string) (command, bool) { return lookIn(commands(), name) }

// lookIn is lookCommand among some commands.
func lookIn(list []command, name string) (command, bool) {
	if i := slices.IndexFunc(list, func(c command) bool { return c.name == name }); i >= 0 {
		return list[i], true
	}
	fits := commandsWith(list, name)
	if name == "" || len(fits) != 1 {
		return command{}, false
	}
	return fits[0], true
}

func commandsWith(list []command, start string) []command {
	return slices.DeleteFunc(slices.Clone(list), func(c command) bool { return !strings.HasPrefix(c.name, start) })
}

func (l *Loop) command(entry string) {
	entry, _, _ = strings.Cut(entry, " #")
	name, arg, _ := strings.Cut(strings.TrimSpace(entry[1:]), " ")
	c, ok := lookCommand(name)
	if !ok {
		l.unknownCommand(name)
		return
	}
	arg = strings.TrimSpace(arg)
	switch {
	case l.evening.Courses() != nil && !whileOpen(c.name):
		l.complain("%s", openCourse)
	case arg == "" && needsArg(c):
		l.complain(":%s needs %s", c.name, c.args)
	case arg != "" && c.args == "":
		l.complain(":%s takes nothing after it", c.name)
	case slices.Contains(read, c.name):
		l.paged(func() { c.run(l, arg) })
	default:
		c.run(l, arg)
	}
}

// read are the commands that may print more than fits on the screen.
var read = []string{"help", "explain", "state", "options", "decisions", "log", "asked"}

// paged does what writes to the screen. Where the lines come from the same terminal, what it has no
// room for waits until somebody presses Enter.
func (l *Loop) paged(do func()) {
	if !l.cfg.Pages || !style.IsTerminal(l.cfg.Out) {
		do()
		return
	}
	out, questions := l.cfg.Out, l.cfg.Questions
	var text strings.Builder
	l.width = style.Width(out)
	l.cfg.Out, l.cfg.Questions = &text, &text
	do()
	l.cfg.Out, l.cfg.Questions, l.width = out, questions, 0
	l.below = slices.Collect(strings.Lines(text.String()))
	l.nextPage()
}

// nextPage shows as much of what waits as the screen has room for above a question.
func (l *Loop) nextPage() {
	room := style.Height(l.cfg.Out) - questionRoom
	for i, line := range l.below {
		if room -= strings.Count(style.Wrap(style.Clean(line), style.Width(l.cfg.Out)), "\n"); room < 0 && i > 0 {
			l.below = l.below[i:]
			l.faint(fmt.Sprintf("  -- %d more lines: Enter shows them --", len(l.below)))
			return
		}
		l.printf("%s", line)
	}
	l.below = nil
}

// questionRoom is how many lines of a screen are left to the question below a page.
const questionRoom = 4

// readLine reads a line. Enter alone shows more of what the screen had no room for; whatever else is
// typed is not for that.
func (l *Loop) readLine(prompt string) (string, error) {
	for {
		line, err := l.cfg.Lines.ReadLine(prompt)
		if err != nil || line != "" || len(l.below) == 0 {
			l.below = nil
			return line, err
		}
		l.nextPage()
	}
}

// columns is how wide the lines may be that are shown.
func (l *Loop) columns() int {
	if l.width > 0 {
		return l.width
	}
	return style.Width(l.cfg.Out)
}

// needsArg says that the command means nothing by itself. One with a choice of
// words turns round, or tells, how things stand.
func needsArg(c command) bool {
	return c.args != "" && !strings.HasPrefix(c.args, "[") && !strings.Contains(c.args, "|")
}

func (l *Loop) unknownCommand(name string) {
	if fits := commandsWith(commands(), name); name != "" && len(fits) > 1 {
		var words []string
		for _, c := range fits {
			words = append(words, ":"+c.name)
		}
		l.complain(":%s may be %s", name, strings.Join(words, ", "))
		return
	}
	var names []string
	for _, c := range commands() {
		names = append(names, c.name)
	}
	if near, ok := lang.Nearest(name, names); ok {
		l.complain("there is no :%s   did you mean :%s?", name, near)
		return
	}
	l.complain("there is no :%s   :help lists the commands", name)
}

// suggestColon helps who types "help" or "quit" where the rules know no such word, or ? where
// nothing is asked.
func (l *Loop) suggestColon(text string) {
	word, _, _ := strings.Cut(strings.TrimSpace(text), " ")
	if word == "?" {
		l.faint("   at a question ? shows what each answer is worth; :help says what you can type here")
		return
	}
	if word == "exit" {
		word = "quit"
	}
	if _, ok := findCommand(word); ok {
		l.faint("   the prompt's own commands begin with a colon: :" + word)
	} else if slices.Contains(l.cfg.Shell, word) {
		l.faint("   setpiece " + word + " is for the shell; here odds and why can stand before a command")
	}
}

// asksHelp recognises "help roll" without the colon. Rules may have a verb of that name;
// only where they have none is the colon understood.
func asksHelp(err error, text string) (word string, ok bool) {
	words := strings.Fields(text)
	var ds lang.Diagnostics
	if len(words) == 0 || len(words) > 2 || words[0] != "help" || !errors.As(err, &ds) {
		return "", false
	}
	atHelp := len(ds) == 1 && int(ds[0].Start) == strings.Index(text, "help")
	return strings.Join(words[1:], ""), atHelp
}

const helpIntro = `Type a command of the rules in use, an expression, or a declaration; Tab shows
what can stand at the cursor. An open block continues on further lines.
"use NAME" selects a rule system: %s.
"odds" before a command shows how it can end, "why" shows what its chance depends on;
"?" at a decision shows what each answer is worth.
`

func (l *Loop) help(word string) {
	if word != "" {
		l.helpWord(word)
		return
	}
	l.printf(helpIntro, strings.Join(l.modules(), ", "))
	var rows [][]string
	for _, c := range commands() {
		rows = append(rows, []string{"  " + strings.TrimSpace(":"+c.name+" "+c.args), c.doc})
	}
	render.Table(l.cfg.Out, rows)
	l.printf("Ctrl-C drops the line or stops what is running, Ctrl-R searches the history.\n")
}

// modules are the names of the modules there are.
func (l *Loop) modules() []string {
	names := l.evening.Session().SystemNames()
	if len(names) == 0 {
		return []string{"there are none"}
	}
	return names
}

func (l *Loop) helpWord(word string) {
	if c, ok := lookCommand(strings.TrimPrefix(word, ":")); ok && strings.HasPrefix(word, ":") {
		l.printf("  %s   %s\n", strings.TrimSpace(":"+c.name+" "+c.args), c.doc)
		return
	}
	width := l.columns()
	more := Topics
	if l.cfg.Topics != nil {
		more = l.cfg.Topics
	}
	if !render.FindHelp(l.cfg.Out, l.cfg.Palette, l.evening.Session(), word, more(), width) {
		render.Help(l.cfg.Out, l.cfg.Palette, l.evening.Session(), word, width) // says what comes nearest
	}
}

func (l *Loop) explain(id string) {
	r, near, err := assist.Explain(l.evening.Session(), id)
	if err == nil {
		render.Rule(l.cfg.Out, l.cfg.Palette, r)
		return
	}
	render.Error(l.cfg.Out, l.cfg.Palette, err)
	if len(near) > 0 {
		l.printf("   there is: %s\n", strings.Join(near, ", "))
	}
}

func (l *Loop) state(who string) {
	who, all := strings.CutSuffix(who, " all")
	all = all || l.trace
	lines, err := assist.State(l.evening.Session(), strings.TrimSpace(who))
	if err != nil {
		render.Error(l.cfg.Out, l.cfg.Palette, err)
		return
	}
	standings := slices.DeleteFunc(l.evening.Session().Status(), func(s interp.Standing) bool {
		return l.trace || who != "" && (all || len(lines) == 0 || s.Who != lines[0].Who)
	})
	if len(standings) > 0 {
		fmt.Fprintln(l.cfg.Out, "  "+transcript.Status(standings, l.cfg.Palette.Palette, 2))
		// besides, what that does not say
		for i, x := range lines {
			lines[i].Hidden = x.Hidden || slices.ContainsFunc(standings, func(s interp.Standing) bool {
				return s.Who == x.Who && slices.ContainsFunc(s.Facts, func(f interp.Fact) bool { return f.Name == x.Field })
			})
		}
		lines = slices.DeleteFunc(lines, func(x assist.StateLine) bool {
			return who == "" && (strings.Contains(x.Who, ".") || slices.ContainsFunc(standings, func(s interp.Standing) bool { return s.Who == x.Who }))
		})
	} else if len(lines) == 0 {
		l.faint("nothing has changed")
	}
	render.State(l.cfg.Out, l.cfg.Palette, lines, all)
}

func (l *Loop) options(name string) {
	options := assist.Options(l.evening.Session())
	switch {
	case len(options) == 0:
		l.faint("the rules in use have no options")
	case name == "":
		render.Options(l.cfg.Out, options)
	case slices.Contains(l.optionNames(""), name):
		l.helpWord(name)
	default:
		l.complain("there is no option %s%s", name, didYouMean(name, l.optionNames("")))
	}
}

func (l *Loop) optionNames(string) []string {
	var names []string
	for _, o := range assist.Options(l.evening.Session()) {
		names = append(names, o.Name)
	}
	return names
}

func didYouMean(word string, names []string) string {
	if near, ok := lang.Nearest(word, names); ok {
		return "   did you mean " + near + "?"
	}
	return ""
}

// toggle reads "on" or "off"; nothing turns it round.
func (l *Loop) toggle(arg string, now bool) (on, ok bool) {
	switch arg {
	case "on", "off":
		return arg == "on", true
	case "":
		return !now, true
	}
	l.complain("on or off, not %s", arg)
	return now, false
}

func onOffWord(on bool) string {
	if on {
		return "on"
	}
	return "off"
}

func (l *Loop) setTrace(arg string) {
	on, ok := l.toggle(arg, l.trace)
	if !ok {
		return
	}
	l.trace = on
	if t, ok := l.transcript.(interface{ SetTrace(bool) }); ok {
		t.SetTrace(on)
	}
	l.faint("trace " + onOffWord(on))
}

func (l *Loop) setBrief(arg string) {
	on, ok := l.toggle(arg, l.brief)
	if !ok {
		return
	}
	l.brief = on
	l.evening.Session().SetStandings(on)
	if t, ok := l.transcript.(interface{ SetBrief(bool) }); ok {
		t.SetBrief(on)
	}
	l.faint("brief " + onOffWord(on))
}

func (l *Loop) setTime(arg string) {
	on, ok := l.toggle(arg, l.timing)
	if ok {
		l.timing = on
		l.faint("time " + onOffWord(on))
	}
}

func (l *Loop) setSeed(arg string) {
	if arg != "" {
		n, err := strconv.ParseUint(arg, 10, 64)
		if err != nil {
			l.complain("a seed is a whole number from 0, not %s", arg)
			return
		}
		l.evening.Reseed(n)
	}
	l.faint(fmt.Sprintf("seed %d", l.evening.Seed()))
}

func (l *Loop) setDice(arg string) {
	how, who, _ := strings.Cut(arg, " ")
	switch {
	case how != "ask" && how != "roll" && arg != "":
		if strings.ContainsAny(arg, "0123456789") {
			l.complain(":dice ask or :dice roll   to give the next faces, type: dice %s", arg)
		} else {
			l.complain(":dice ask, :dice ask WHO for the dice of one, or :dice roll")
		}
		return
	case who != "":
		l.hand(interp.OwnDice(strings.TrimSpace(who)), how == "ask")
		return
	case arg != "":
		l.moved = l.evening.Dice(how == "ask")
	}
	if l.evening.AsksDice() {
		l.faint("you throw the dice and type what they show")
	} else {
		l.faint("setpiece throws the dice")
	}
}

// times reads how often something is to be done.
func (l *Loop) times(arg string, do func(int)) {
	if arg == "" {
		do(1)
		return
	}
	n, err := strconv.Atoi(arg)
	if err != nil || n < 1 {
		l.complain("a number from 1, not %s", arg)
		return
	}
	do(n)
}

func (l *Loop) undoArg(arg string) {
	l.times(arg, func(n int) { l.refused(l.evening.Undo(n), nil) })
}
func (l *Loop) redoArg(arg string) {
	l.times(arg, func(n int) {
		l.used = false
		err := l.evening.Redo(l.entry, n)
		l.refused(err, nil)
		l.ended(err)
	})
}

func (l *Loop) leaveCommand(string) { l.quit = true }

func (l *Loop) load(path string) {
	ctx, stop := l.interrupt()
	text, err := files.ReadFile(ctx, path, files.MaxScript, nil)
	stop()
	switch {
	case ctx.Err() != nil && errors.Is(err, context.Canceled):
		l.complain("stopped")
		return
	case err != nil:
		l.complain("%v", files.Error(err))
		return
	}
	l.text, l.used = string(text), false
	l.ended(l.evening.Load(l.entry, lang.NewSource(path, l.text)))
}

// ---- what may stand after a command ----

func fixed(words ...string) func(*Loop, string) []string {
	return func(*Loop, string) []string { return words }
}

func onOff(*Loop, string) []string { return []string{"on", "off"} }

func (l *Loop) names(string) []string { return assist.Names(l.evening.Session()) }

func (l *Loop) ruleIDs(string) []string {
	var ids []string
	for _, m := range assist.Modules(l.evening.Session()) {
		rules, err := assist.Rules(l.evening.Session(), m)
		if err != nil {
			continue
		}
		for _, r := range rules {
			ids = append(ids, r.ID)
		}
	}
	return ids
}

func (l *Loop) helpWords(string) []string {
	words := assist.HelpWords(l.evening.Session())
	for _, c := range commands() {
		words = append(words, ":"+c.name)
	}
	return words
}

func paths(_ *Loop, start string) []string {
	found, _ := filepath.Glob(escapeGlob(start) + "*")
	for i, p := range found {
		if info, err := os.Stat(p); err == nil && info.IsDir() {
			found[i] += string(filepath.Separator)
		}
	}
	return slices.DeleteFunc(found, func(p string) bool {
		hidden := strings.HasPrefix(filepath.Base(p), ".")
		return hidden && !strings.HasPrefix(filepath.Base(start), ".")
	})
}

func escapeGlob(s string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(s)
}

func (l *Loop) decisions(module string) {
	list, err := assist.Decisions(l.evening.Session(), module)
	if err != nil {
		l.complain("%v", err)
		return
	}
	if len(list) == 0 {
		l.complain("no rules are in use; :decisions SYSTEM lists those of a system")
		return
	}
	render.DecisionList(l.cfg.Out, l.cfg.Palette, list)
}

// editLast lets the person edit what was typed last, and evaluates it.
func (l *Loop) editLast(string) {
	if text := l.edited(l.lastEntry); !isBlank(text) {
		l.cfg.Lines.Remember(text)
		l.lastEntry = text
		l.enter(text)
	}
}

// edited gives a text as the person has edited it, "" if that failed, and shows it.
func (l *Loop) edited(text string) string {
	if l.cfg.Edit == nil {
		l.complain("there is no editor: set the variable EDITOR to the name of one")
		return ""
	}
	text, err := l.cfg.Edit(text + "\n")
	if err != nil {
		l.complain("the editor failed: %v", err)
		return ""
	}
	text = strings.TrimRight(text, " \t\n")
	for line := range strings.Lines(text) {
		l.faint(strings.TrimRight(line, "\n"))
	}
	return text
}

// Topics explains the commands of the prompt.
func Topics() []assist.Topic {
	var out []assist.Topic
	for _, c := range commands() {
		form := strings.TrimSpace(":" + c.name + " " + c.args)
		out = append(out, assist.Topic{Name: ":" + c.name, Kind: "command of the prompt", Form: form, Doc: c.doc, Example: ":" + strings.TrimSpace(c.name+" "+samples[c.args])})
	}
	return out
}

// samples are arguments as somebody may type them.
var samples = map[string]string{
	"[WORD]": "tactics", "ID": "check.roll", "[WHO [all]]": "Nova", "WHO": "Nova", "on|off": "on", "[on|off]": "on",
	"ask|roll": "ask Nova", "[N]": "2", "[WHAT]": "off", "[N] LINE": "2 Nova: rest", "[N|all]": "20", "FILE": "evening.scene",
}

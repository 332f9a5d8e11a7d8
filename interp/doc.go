// Package interp runs scripts, and calculates their odds.
//
// A [Session] holds everything a script has declared and changed. [Session.Exec]
// compiles a text and runs it; what happens is reported as an [Event] at a time,
// which package transcript turns into text or JSON. A script does only two things
// that are not plain computation: it throws dice and it asks for decisions. Config
// says who answers: a [Chance] for dice (otherwise a seeded generator), a [Choice] for decisions
// (otherwise each decision's default). When the rules give somebody a turn, their tactics act, or
// a [Player] who is asked for a command as text. So the same script can be
//
//	run                    with Exec
//	checked                with Session.Check
//	recorded and replayed  with Session.Record and Give
//	taken back             with Session.Snapshot and Restore
//	prepared and repeated  with Session.Prepare
//	calculated exactly     with packages odds and why
//	simulated              with package sim
//
// A [Question] can be asked what each answer is worth by package advice, a [Turn] which commands
// are: the run stands still meanwhile, and the advice is about the goals that the rules
// declare for whoever is asked.
//
// One interpreter serves all of these: no rule knows in which mode it runs. Equal scripts,
// seeds and answers give equal bytes on every machine. [Limits] bound what a script
// may use, and every call takes a context. Errors are *[RunError] or lang.Diagnostics, with
// a position, a caret and the nearest right word. Sessions are independent of one another; each belongs
// to one goroutine at a time.
//
// # To embed it
//
// Make a session for each table. Config.Systems lists folders in which use finds rule systems besides
// those that are built in (stdlib.FS), and Config.Folder the files of whoever wrote the script. Sessions
// of one process may use different versions: Config.Versions chooses, Session.InUse says name, version and
// hash. Limits.Source counts the text of a stranger, not the systems. A deadline of the context ends a run
// with an error that errors.Is finds to be context.DeadlineExceeded. advice.Config.Trials bounds how long
// the advice takes. To keep a table, keep its entries: package evening makes bytes of them and the
// same table of these, at the same question.
//
// # The house
//
// A package imports only packages below it in this list.
//
//	cmd/setpiece              main
//	cmd/internal/cli          commands, flags, files, exit status
//	cmd/internal/playground/engine  this program in a worker of a page
//	cmd/internal/vscode       an extension of VS Code
//	cmd/internal/lsp          an editor asks in the Language Server Protocol
//	cmd/internal/editor       scripts that are being written: mistakes, completion, names, odds
//	cmd/internal/table        an evening on pages: game master, phones, second screen
//	cmd/internal/playground   a page with setpiece inside, for any browser; links that are a script
//	cmd/internal/serve        evenings for other programs: JSON-RPC, one object a line
//	cmd/internal/handbook     a page for each name, rule and system
//	cmd/internal/handbook/handbooktest  the links of these pages, for tests
//	cmd/internal/repl         the prompt: lines, completion, undo
//	cmd/internal/player       a person who answers for dice and decisions
//	cmd/internal/report       the danger report: as text, as a page of HTML
//	cmd/internal/records      odds as records, one a line
//	cmd/internal/render       odds, rules, sheets and errors as text
//	cmd/internal/cases        short scenes that show the rules, and examples from them
//	testdata                  these scenes
//	scripts                   the encounters that come with it
//	cmd/internal/pager        long output, a screen at a time
//	cmd/internal/style        colours, and when to use them
//	cmd/internal/notes        scripts in notes in Markdown, and results woven into them
//	cmd/internal/journal      sessions and logs on disk
//	cmd/internal/systems      rule systems of a user: packed, added, where they are looked for
//	cmd/internal/files        files read within bounds and written whole
//	interp/internal/mutants   changes the rules of a system, and counts what its tests notice
//	interp/evening            a session at the table: undo, what-if, questions as data, taken up again
//	interp/transcript/transcripttest  records against their schema, for tests
//	interp/transcript         events as text or JSON
//	interp/verify             tests in scripts, checks that play them, checks of sheets
//	interp/danger             the danger report: who wins, who falls, what would change it
//	interp/never              what cannot happen in a script, exactly or by trials
//	interp/tune               the smallest changes with which a goal has a chance that somebody wants
//	interp/why                what a chance is made of, and what would move it
//	interp/advice             what answers and commands are worth, and the best answers throughout
//	interp/odds               what can come of a text, exactly, or sampled behind a bound
//	interp/sim                what comes of a text, by trials; two texts compared
//	interp/sheets             sheets as data for other programs, and a schema of it
//	interp/assist             what an editor or a prompt asks: help, completion, references, sheets
//	interp/internal/trials    trials of a text by their seeds: how they end, what they come to, how two differ
//	interp/vary               what may be changed in a script
//	interp/goals              what somebody wants, and how a text reports it
//	interp/dist               distributions, and how sure they are
//	interp                    sessions: run, check, events, questions, snapshots, records
//	interp/internal/longtest  how much of a long test is run
//	interp/internal/core      a world and the machine that runs in it, beneath a session
//	interp/internal/language  what an editor or a prompt asks: help, completion, moves
//	interp/internal/compile   a source through all passes: declare, lay out, resolve, generate
//	interp/internal/sheetfile  sheets in files of data: read as commands, and written
//	interp/internal/lint      warnings of what a script says for nothing or leaves out
//	interp/internal/bind      commands read by the pattern of their verb; tactics
//	interp/internal/resolve   syntax trees to nodes: each name becomes a place; kinds of values
//	interp/internal/gen       nodes to instructions
//	interp/internal/decl      what has been declared; mistakes in names
//	interp/internal/ir        resolved code: nodes, kinds, the unit that code is made in
//	interp/internal/sim       what trials have executed, remembered: states and transitions
//	interp/internal/profile   the instructions that runs execute, counted by the rules at work
//	interp/internal/odds      all outcomes of a run as a graph of states; solves it
//	interp/internal/pool      the throws of a pool counted face by face, by what is read of them
//	interp/internal/transition  where runs have led, by the constraints that led them there
//	interp/internal/query     what a script reads of a pool before anything depends on its faces
//	interp/internal/state     states of a run as words; equal states are equal words
//	interp/internal/symbolic  unknown numbers beside known ones: linear forms, path conditions
//	interp/internal/machine   executes code; its state can be copied, compared and resumed
//	interp/internal/analysis  what code may still read, write and call: liveness, effects
//	interp/internal/code      the compiled form of scripts: instructions, functions, types
//	interp/internal/ablate    parts of the engine that are switched off to measure what they buy
//	interp/internal/pause     who works for long lets timers run, in a page of a browser
//	interp/internal/value     values in one word each
//	lang                      text to syntax trees and back; mistakes with the nearest word
//	lang/anydice              questions of AnyDice in our words
//	lang/late                 what few runs of a program need, put off
//	stdlib                    the rule systems, in the language
//
// # The engine
//
// Arrows lead from a package to those that it imports; what follows from other arrows is
// left out.
//
//	trials -> goals
//	trials -> dist
//	trials -> interp
//	interp -> core -> odds -> pool -> query -> state -> symbolic -> machine -> analysis -> code -> value
//	                  odds -> transition -------------> symbolic                           code -> lang
//	                  odds -> pause
//	          core -> sim ----------> query -> ablate
//	          profile -----------------------------------> machine
//	                  sim -> transition
//	                  compile -> sheetfile -> decl
//	          core -> language -> compile -> bind -> resolve -> decl --------> machine
//	                              compile -> lint -> resolve -> gen -> ir -> code
//	                                                            decl -> ir -> pause
//	                                                            machine -> late
//
// machine runs what compile makes. What looks on stands above it: symbolic says on what a
// run depended, state makes words of where it stands, query says what it reads of dice. odds
// and sim put these together: every outcome once, or one outcome many times. The way of one die
// through all of them is drawn in package odds, the way of a text in package compile.
//
// Text becomes a tree, the tree becomes resolved nodes, nodes become code. The code runs until
// it needs chance or choice. No game's word occurs in Go code: a game is what its
// rules under stdlib say.
//
// # Which question goes where
//
// Each is tried with the first engine, and goes on with the second where that is too much.
//
//	how it comes out, odds      package odds          graph of all states; sampled behind a bound
//	why, what would change it   package why           graphs of the script and of each change; pairs of trials
//	what an answer is worth, ?  advice/advise.go      graph from the question on; trials with the same dice
//	what to do in a turn, ?     advice/suggest.go     beam search over commands; graph; trials
//	the best answers, --best    odds/best.go, advice/policy.go  graph with choices; one answer for each decision, by trials
//	a value for a chance, tune  package tune          odds of each change; trials with the same dice
//	simulate                    sim/sim.go            automaton, then plain execution (internal/sim)
//	which of two is harder      sim/compare.go        pairs of trials
//	how dangerous, report       package danger        odds where they are small; trials that are listened to
//	what nobody uses, --strict  verify/strict.go      trials that are listened to
//
// # Where to begin
//
// What somebody wants to add, and the files that it takes. What people read of it is listed in
// testdata/messages, too: go test ./cmd/setpiece -run TestMessages -update.
//
//	a rule, a variant, a system   no Go: stdlib/AUTHORS.md
//	a function of the language    code/function.go, machine/builtin.go; of dice: resolve/dice.go,
//	                              query/executor.go; equal and too few elements: interp/builtin_test.go
//	a statement                   lang/grammar.go, lang/tree.go, lang/lower.go, lang/print.go,
//	                              lang/parser.go (two lists), lang/readers_test.go (statementKinds),
//	                              lang/words.go, lang/glossary.go; resolve/resolve.go (Stmt and stmt), and
//	                              where it does what no node does ir/node.go, gen/gen.go. One that sets a
//	                              variable: wherever *lang.Assign stands, first in compile/load.go. First of
//	                              all go test ./lang -run 'Readers|Parts' -update; then one of it in
//	                              testdata/lang/everything.rules, in interp/language_test.go, and LANGUAGE.md
//	an instruction                code/op.go, code/operands.go, machine/slow.go, or machine/exec.go if it is frequent;
//	                              with pools: query/executor.go; with unknown numbers: symbolic/instructions.go
//	an event of the transcript    interp/event.go, interp/eventsink.go, interp/transcript/group.go
//	                              (isGroup, too), transcript/brief.go, transcript/json.go, transcript/schema.json
//	a figure of the danger report interp/danger/report.go, interp/danger/trials.go; as text
//	                              cmd/internal/report/page.go, as records cmd/internal/cli/report_json.go,
//	                              transcript/schema.json, in TestReportRecords; beside another script danger/pairs.go;
//	                              testdata/report: go test ./cmd/setpiece -run TestReports -update
//	a command                     cmd/internal/cli/cli.go
//	a flag                        cmd/internal/cli/flags.go, or the file of its command, as cmd/internal/cli/run.go;
//	                              what is left out of a transcript: cmd/internal/journal/log.go (View), interp/transcript/text.go,
//	                              and wherever transcript.Options is made: cmd/internal/cli/run.go, cmd/internal/cli/weave.go,
//	                              cmd/internal/repl/repl.go (who is asked); testdata/cli/run.txtar shows it, with --ask
//	                              and a replay of its --log
//	a command of the prompt       cmd/internal/repl/meta.go
//	what an editor is told        cmd/internal/editor; cmd/internal/lsp/answers.go says it
//	what an evening can do        interp/evening; cmd/internal/repl/host.go says it in words
//	a message of the protocol     cmd/internal/serve/messages.go, cmd/internal/serve/actions.go, serve/PROTOCOL.md
package interp

// Package compile takes a source through all passes: what it declares becomes part of a
// decl.World, what it does becomes code for a machine.
//
// There are five passes, each over the whole source, so that all mistakes are reported
// before anything runs:
//
//	Compile                                                   load.go
//	  |
//	  |-- 1 declare: enter names
//	  |     collector.declare                                 declare.go
//	  |       first    what others refer to: use (load.go; of an embedded system
//	  |                once for all sessions, shared.go), sheets, features
//	  |                (sheet.go), hooks, options, spans, rules, clauses, words
//	  |       second   what refers to it: verbs (verb.go), handlers, checks,
//	  |                goals (goal.go), what a variant removes
//	  |
//	  |-- 2 lay out: give instances their place in the store
//	  |     collector.layOutAll                               load.go
//	  |       Fn.Instances -> builder.fill                    resolve/instance.go
//	  |
//	  |-- 3 resolve: turn trees into nodes in which each name is a place
//	  |     collector.statement, of each statement            load.go
//	  |       Fn.Stmt -> Fn.Expr                              resolve/resolve.go, resolve/expr.go
//	  |       Binding.Command: a command of a verb            bind/bind.go
//	  |         binder.read -> clause -> pattern: its clauses
//	  |           binder.slot -> operand: one operand         bind/slot.go
//	  |             Fn.Expr, Fn.Fresh: a value, a stand-in    resolve/expr.go, resolve/instance.go
//	  |       Fn.ResolvedBody, CheckKinds: what is what       resolve/kinds.go
//	  |
//	  |-- 4 generate: emit instructions
//	  |     Compiled.add -> resolve.Generate -> gen.Generate  gen/gen.go
//	  |       gen.inline: short rules in the place of calls   gen/inline.go
//	  |
//	  |-- 5 warn of what is said for nothing or left out      package lint
//
// The body of a rule that a script declares is resolved with the script. That of a rule of a
// system goes through 3 and 4 at its first call (link, which the machine calls), so
// that a script pays only for the rules it uses; sessions that declare nothing it may refer to
// share the result (shared.go).
package compile

import (
	"errors"

	"setpiece/interp/internal/code"
	"setpiece/interp/internal/decl"
	"setpiece/interp/internal/resolve"
)

// linkHere resolves and generates a function.
func linkHere(w *decl.World, mf *code.Func) error {
	src := mf.Source.(*resolve.FnSource)
	f := resolve.NewFn(w, src.Module)
	body := src.Body(f)
	if len(f.Diags) > 0 {
		return errors.New(f.Diags[0].Message + " (in " + mf.Name + ", " + f.Diags[0].Span.Src.Name + ")")
	}
	resolve.Generate(w, mf, f, body)
	return nil
}

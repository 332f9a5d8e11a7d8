// Package lang reads and writes the language of setpiece. [Parse] turns a source
// into a syntax tree and reports its mistakes as [Diagnostics]; [Print] turns a
// tree back into text. The package knows the shapes of statements and not what they
// mean: verbs are declared in the language itself and bound by package interp.
//
// LANGUAGE.md, beside this file, describes the language for those who write it.
//
// # How it works
//
// A lexer written by hand decides about newlines and spacing (lexer.go). The
// grammar is for participle: a struct with tags for each declaration and
// statement (grammar.go). The parser picks one statement at a time by its first word,
// so that one mistake does not hide the next (parser.go). It reads a source by functions
// that are generated from the grammar (readers.go), several times as fast as participle; where
// there is a mistake, participle parses the source once more and says what was expected.
// Expressions and the operands of commands use precedence climbing (expr.go). The result is
// lowered to the plain tree that other packages see (lower.go, tree.go).
package lang

package ir

import (
	"setpiece/interp/internal/code"
	"setpiece/interp/internal/value"
	"setpiece/lang"
)

// Unit is what code is made in: the program, its heap and store, and what is left of the
// effort that it may take.
type Unit struct {
	Heap *value.Heap
	Prog *code.Program

	Store    *[]V           // the machine's store, to which instances are added
	Layered  int            // how many of the blocks with tactics of their own lie in one another
	KeptKeys map[string]int // the values of the last outcome that stay when a later one has none
	Texts    map[string]Use // the texts among the values of the last outcome, by their names
	Effort   *Effort        // of the Compile that is going on
	Room     CodeRoom       // of the function that is generated next
	Nodes    []Node         // the rest of a piece of memory, see NewNode
	Leaves   map[int]*Leaf  // rules by number, nil for what is none, see resolve/inline.go
	Inlined  int            // nodes that stand in the place of calls
}

// Use says of a value of outcomes whether some outcome gives it as a text, and whether something
// asks for it. A text that nobody asks for is made only for who listens.
type Use uint8

const (
	Given Use = 1 << iota
	Asked
)

// CodeRoom is where code is written before it is known how long it is.
type CodeRoom struct {
	Code []code.Ins
	At   []lang.Span
	Rule []int32
}

// Function is what is known of a resolved function when it is generated.
type Function struct {
	Regs   int
	Leaves func(slot int) *Leaf // the rules that stand in the place of their calls, nil where calls are left as they are
}

// Leaf is a rule that can stand where it is called.
type Leaf struct {
	Body *Node // an expression; the parameters are its first registers
	Regs int   // of the parameters and of what else it works with
	Size int   // in nodes, with the leaves that it calls
}

// NewNode gives a node of a piece of memory for many: there are thousands of them, which
// live until the function is generated.
func (w *Unit) NewNode() *Node {
	if len(w.Nodes) == 0 {
		w.Nodes = make([]Node, 32)
	}
	n := &w.Nodes[0]
	w.Nodes = w.Nodes[1:]
	return n
}

// OutcomeCells says where an outcome is put, and what is told of it.
type OutcomeCells struct {
	Cells []int
	Info  *OutcomeInfo
}

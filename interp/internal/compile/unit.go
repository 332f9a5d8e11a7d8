package compile

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

	store    *[]V           // the machine's store, to which instances are added
	layered  int            // how many of the blocks with tactics of their own lie in one another
	keptKeys map[string]int // the values of the last outcome that stay when a later one has none
	effort   *effort        // of the Compile that is going on
	room     codeRoom       // of the function that is generated next
	nodes    []node         // the rest of a piece of memory, see newNode
	leaves   map[int]*leaf  // rules by number, nil for what is none, see inline.go
	inlined  int            // nodes that stand in the place of calls
}

// codeRoom is where code is written before it is known how long it is.
type codeRoom struct {
	code []code.Ins
	at   []lang.Span
	rule []int32
}

// function is what is known of a resolved function when it is generated.
type function struct {
	regs   int
	leaves func(slot int) *leaf // the rules that stand in the place of their calls, nil where calls are left as they are
}

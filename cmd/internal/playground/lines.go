package playground

import (
	"bytes"
	"encoding/binary"
	"fmt"
)

// withoutLines takes from a program for WebAssembly which file and line each of its instructions came
// from, and leaves zeros, which need no room when the program is packed: of what a page loads they are
// a fifteenth. No flag of the linker does it. Traces of a fault name functions then, and no lines.
//
// The runtime finds the lines in tables of its own (package runtime, moduledata): a function has the offsets of
// its tables, 0 where it has none, and functions may share one. Where a version of Go has them in another
// form nothing is found, and the program stays as it is.
func withoutLines(wasm []byte) error {
	memory, segments, err := initialMemory(wasm)
	if err != nil {
		return err
	}
	at := bytes.Index(memory, lineTables)
	if at < 0 {
		return nil
	}
	t := lineTable{all: memory[at:]}
	t.tables, t.functions = t.all[t.word(7):], t.all[t.word(8):]
	kept, lines := map[uint32]bool{}, map[uint32]bool{}
	for i := range t.word(1) {
		f := t.function(int(i))
		kept[binary.LittleEndian.Uint32(f[16:])] = true // how high the stack is
		for k := range binary.LittleEndian.Uint32(f[28:]) {
			kept[binary.LittleEndian.Uint32(f[44+4*k:])] = true
		}
		lines[binary.LittleEndian.Uint32(f[20:])], lines[binary.LittleEndian.Uint32(f[24:])] = true, true
		clear(f[20:28])
	}
	for offset := range lines {
		if offset > 0 && !kept[offset] {
			t.clear(int(offset))
		}
	}
	for _, s := range segments {
		copy(wasm[s.file:s.file+s.size], memory[s.memory:])
	}
	return nil
}

// lineTables is what the tables begin with: their version, that instructions are a byte apart, and that a
// pointer has eight.
var lineTables = []byte{0xf1, 0xff, 0xff, 0xff, 0, 0, 1, 8}

type lineTable struct{ all, tables, functions []byte }

// word is one of the words behind the mark: 1 how many functions there are, 7 where the tables are, 8 where the functions.
func (t *lineTable) word(n int) uint64 { return binary.LittleEndian.Uint64(t.all[8*n:]) }

func (t *lineTable) function(i int) []byte {
	return t.functions[binary.LittleEndian.Uint32(t.functions[8*i+4:]):]
}

// clear clears a table: pairs of how much the value and the place differ from those before, until a value
// that differs by 0 and is not the first.
func (t *lineTable) clear(offset int) {
	table := t.tables[offset:]
	for first := true; ; first = false {
		value, n := binary.Uvarint(table)
		clear(table[:n])
		if table = table[n:]; value == 0 && !first {
			return
		}
		_, n = binary.Uvarint(table)
		clear(table[:n])
		table = table[n:]
	}
}

// segment is a piece of the file that is copied to the memory before the program begins.
type segment struct{ memory, file, size int }

// initialMemory gives the memory as the program finds it.
func initialMemory(wasm []byte) (memory []byte, segments []segment, err error) {
	defer func() {
		if recover() != nil {
			err = fmt.Errorf("this is no program for WebAssembly as Go makes it")
		}
	}()
	const data = 11
	r := &reader{wasm, 8}
	for r.at < len(wasm) {
		id, size := r.byte(), r.number()
		if id != data {
			r.at += size
			continue
		}
		for range r.number() {
			r.at += 2 // which memory, and that its place is a constant
			s := segment{memory: r.number()}
			r.at++
			s.size = r.number()
			s.file = r.at
			r.at += s.size
			memory = append(memory, make([]byte, max(s.memory+s.size-len(memory), 0))...)
			copy(memory[s.memory:], wasm[s.file:r.at])
			segments = append(segments, s)
		}
	}
	return memory, segments, nil
}

type reader struct {
	wasm []byte
	at   int
}

func (r *reader) byte() byte {
	r.at++
	return r.wasm[r.at-1]
}

// number reads a number of seven bits a byte. Places in the memory have a sign, and none is below 0.
func (r *reader) number() int {
	v, n := binary.Uvarint(r.wasm[r.at:])
	r.at += n
	return int(v)
}

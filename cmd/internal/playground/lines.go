package playground

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
)

// lean gives a program for WebAssembly with as little as a page needs of it, in two ways that no flag of
// the linker has. Which file and line each instruction came from is left out: zeros need no room when the
// program is packed, and of what a page loads these tables are a fifteenth; traces of a fault name
// functions then, and no lines. And the memory that the program begins with is written in few segments. The
// linker leaves out each eight zeros, by up to 100,000 segments, which a browser reads and copies one by
// one, and whose places pack badly.
//
// Where a version of Go has the tables of lines in another form they stay as they are.
func lean(wasm []byte) ([]byte, error) {
	memory, from, to, err := initialMemory(wasm)
	if err != nil || from == to {
		return wasm, err
	}
	withoutLines(memory)
	return withSection(wasm, from, to, sectionData, segments(memory)), nil
}

// withoutLines clears the tables of lines. The runtime finds them in tables of its own (package runtime,
// moduledata): a function has the offsets of its tables, 0 where it has none, and functions may share one.
func withoutLines(memory []byte) {
	at := bytes.Index(memory, lineTables)
	if at < 0 {
		return
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
	t.withoutFiles()
	for offset := range lines {
		if offset > 0 && !kept[offset] {
			t.clear(int(offset))
		}
	}
}

// withoutFiles clears the names of files, which nothing leads to without lines, and of the names of functions what
// types they are made for: that may be thousands of letters.
func (t *lineTable) withoutFiles() {
	clear(t.all[t.word(5):t.word(7)])
	for names := t.all[t.word(4):t.word(5)]; len(names) > 0; {
		name, rest, _ := bytes.Cut(names, []byte{0})
		_, types, _ := bytes.Cut(name, []byte{'['})
		clear(types)
		names = rest
	}
}

// lineTables is what the tables begin with: their version, that instructions are a byte apart, and that a
// pointer has eight.
var lineTables = []byte{0xf1, 0xff, 0xff, 0xff, 0, 0, 1, 8}

type lineTable struct{ all, tables, functions []byte }

// word is one of the words behind the mark: 1 how many functions there are; where their names are 4, the names of
// files 5, the tables 7, the functions 8.
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

// sectionData is the number of the part of a program that has the memory it begins with.
const sectionData = 11

// initialMemory gives the memory as the program finds it, and where it stands in the file.
func initialMemory(wasm []byte) (memory []byte, from, to int, err error) {
	defer func() {
		if recover() != nil {
			err = fmt.Errorf("this is no program for WebAssembly as Go makes it")
		}
	}()
	from, body, to := section(wasm, sectionData)
	if body == to {
		return nil, 0, 0, nil
	}
	r := &reader{wasm, body}
	for range r.number() {
		r.at += 2 // which memory, and that its place is a constant
		place := r.number()
		r.at++
		size := r.number()
		memory = append(memory, make([]byte, max(place+size-len(memory), 0))...)
		copy(memory[place:], wasm[r.at:r.at+size])
		r.at += size
	}
	return memory, from, to, nil
}

// section finds the part of a program with a number: from its head at from, its body to to. All are 0 where
// there is none.
func section(wasm []byte, number byte) (from, body, to int) {
	for r := (&reader{wasm, 8}); r.at < len(wasm); {
		from = r.at
		id, size := r.byte(), r.number()
		if id == number {
			return from, r.at, r.at + size
		}
		r.at += size
	}
	return 0, 0, 0
}

// withSection gives a program in which a part has another body.
func withSection(wasm []byte, from, to int, number byte, body []byte) []byte {
	out := append(slices.Clone(wasm[:from]), number)
	out = append(binary.AppendUvarint(out, uint64(len(body))), body...)
	return append(out, wasm[to:]...)
}

// fewZeros is how many zeros are written rather than to begin another segment.
const fewZeros = 256

// segments writes a memory as the part of a program that has it: without what is zero over a long way.
func segments(memory []byte) []byte {
	var out []byte
	n, zeros := 0, make([]byte, fewZeros)
	for at := 0; at < len(memory); {
		if memory[at] == 0 {
			at++
			continue
		}
		end := len(memory)
		if i := bytes.Index(memory[at:], zeros); i >= 0 {
			end = at + i
		}
		out = appendPlace(append(out, 0, 0x41), at)
		out = append(binary.AppendUvarint(append(out, 0x0b), uint64(end-at)), memory[at:end]...)
		at = end
		n++
	}
	return append(binary.AppendUvarint(nil, uint64(n)), out...)
}

// appendPlace writes a number that has a sign, and is not below 0.
func appendPlace(out []byte, n int) []byte {
	for ; n >= 0x40; n >>= 7 {
		out = append(out, byte(n)|0x80)
	}
	return append(out, byte(n))
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

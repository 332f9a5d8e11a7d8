package playground

import "encoding/binary"

// mostPages is how much memory the engine may have, in pages of 64 KiB: 1 GiB. Each page of a browser has
// two engines.
const mostPages = 1 << 14

// bounded gives a program for WebAssembly that can never have more than so many pages of memory. The linker of
// Go sets no bound, and a browser would give a program up to 4 GiB. Where it asks for more it ends.
func bounded(wasm []byte, pages uint64) []byte {
	const memories = 5
	r := &reader{wasm, 8}
	for r.at < len(wasm) {
		from := r.at
		id, size := r.byte(), r.number()
		if id != memories {
			r.at += size
			continue
		}
		body := wasm[r.at : r.at+size]
		if len(body) < 3 || body[0] != 1 || body[1] != 0 {
			return wasm // it has a bound
		}
		least, n := binary.Uvarint(body[2:])
		section := binary.AppendUvarint([]byte{1, 1}, least)
		section = append(binary.AppendUvarint(section, max(pages, least)), body[2+n:]...)
		out := append(append([]byte{}, wasm[:from]...), memories)
		out = append(binary.AppendUvarint(out, uint64(len(section))), section...)
		return append(out, wasm[r.at+size:]...)
	}
	return wasm
}

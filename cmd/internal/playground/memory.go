package playground

import "encoding/binary"

// mostPages is how much memory the engine may have, in pages of 64 KiB: 1 GiB. Each page of a browser has
// two engines.
const mostPages = 1 << 14

// bounded gives a program for WebAssembly that can never have more than so many pages of memory. The linker of
// Go sets no bound, and a browser would give a program up to 4 GiB. Where it asks for more it ends.
func bounded(wasm []byte, pages uint64) []byte {
	const memories = 5
	from, body, to := section(wasm, memories)
	if to-body < 3 || wasm[body] != 1 || wasm[body+1] != 0 {
		return wasm // it has a bound
	}
	least, n := binary.Uvarint(wasm[body+2 : to])
	bound := binary.AppendUvarint([]byte{1, 1}, least)
	bound = append(binary.AppendUvarint(bound, max(pages, least)), wasm[body+2+n:to]...)
	return withSection(wasm, from, to, memories, bound)
}

// Package value holds the values of scripts, each in one machine word.
//
// A word has a kind in its low four bits and a payload above them. Small values are in
// the payload itself: whole numbers of 60 bits, truths, dice. Large ones (texts, lists,
// maps, ranges, other numbers) are interned in a Heap, and the payload is their index.
// Interning (hash consing) makes equal values equal words. So a whole state is a flat
// slice of words, which can be copied, compared and hashed without following pointers.
package value

import (
	"fmt"
)

// V is a value. The zero V is the number 0.
type V uint64

// Kind tells what a V is.
type Kind uint8

const (
	Int Kind = iota
	Special
	Text
	Symbol
	Die
	List
	Map
	Range
	Ref
	Rule
	Rat
	Made // a die that is made of another, or has faces of its own; see OfMade
)

func (k Kind) String() string {
	switch k {
	case Int, Rat:
		return "number"
	case Special:
		return "truth"
	case Text:
		return "text"
	case Symbol:
		return "word"
	case Die, Made:
		return "die"
	case List:
		return "list"
	case Map:
		return "map"
	case Range:
		return "range"
	case Ref:
		return "sheet"
	case Rule:
		return "rule"
	}
	return fmt.Sprintf("kind %d", uint8(k))
}

const (
	tagBits = 4
	tagMask = 1<<tagBits - 1

	// MaxInt and MinInt bound the whole numbers that fit a word.
	MaxInt = 1<<59 - 1
	MinInt = -1 << 59
)

// OfSlot gives a word that is not a value: where words are kept, it says that the value
// is kept elsewhere, as number k.
func OfSlot(k int) V { return V(Special) | V(k+3)<<tagBits }

// Slot says with what number v is kept elsewhere, if it is.
func (v V) Slot() (k int, ok bool) {
	return int(v>>tagBits) - 3, v&tagMask == V(Special) && v>>tagBits >= 3
}

// The three special values.
const (
	None V = V(Special) | 0<<tagBits
	No   V = V(Special) | 1<<tagBits
	Yes  V = V(Special) | 2<<tagBits
)

// Kind gives the kind of v.
func (v V) Kind() Kind { return Kind(v & tagMask) }

// Payload gives the number in v above its kind.
func (v V) Payload() uint64 { return uint64(v) >> tagBits }

// IsInt says whether v is a whole number held in the word.
func (v V) IsInt() bool { return v&tagMask == 0 }

// Int gives the whole number of an Int.
func (v V) Int() int64 { return int64(v) >> tagBits }

// OfInt makes a number; n must lie within MinInt and MaxInt.
func OfInt(n int64) V { return V(n << tagBits) }

// OfBool makes a truth.
func OfBool(b bool) V {
	if b {
		return Yes
	}
	return No
}

func of(k Kind, payload uint64) V { return V(payload<<tagBits) | V(k) }

// OfRef makes a reference to the sheet instance at offset off of the store.
func OfRef(off int) V { return of(Ref, uint64(off)) }

// Off gives the store offset of a Ref.
func (v V) Off() int { return int(v >> tagBits) }

// OfRule makes a reference to a compiled rule by its number.
func OfRule(n int) V { return of(Rule, uint64(n)) }

// RuleNumber gives the number of a Rule.
func (v V) RuleNumber() int { return int(v >> tagBits) }

const faceBits = 28

// MaxFace bounds the size of a die.
const MaxFace = 1<<faceBits - 1

// OfDie makes a die; face 0 is a die not yet thrown.
func OfDie(size, face int) V { return of(Die, uint64(size)<<faceBits|uint64(face)) }

// DieSize gives the number of faces of a Die.
func (v V) DieSize() int { return int(v>>(tagBits+faceBits)) & MaxFace }

// What lies past the largest die of a ladder is that die with pluses: d12+ is thrown as a
// d12 and is another value. Their number stands above the size.
const plusShift = tagBits + 2*faceBits

// MaxPluses is how many pluses a die may have.
const MaxPluses = 1<<(64-plusShift) - 1

// WithPluses gives a die that has not been thrown n pluses instead of those it has.
func (v V) WithPluses(n int) V { return OfDie(v.DieSize(), 0) | V(n)<<plusShift }

// Pluses gives the number of pluses of a Die.
func (v V) Pluses() int { return int(v >> plusShift) }

// DieFace gives the face a Die shows, 0 when it has not been thrown.
func (v V) DieFace() int { return int(v>>tagBits) & MaxFace }

// Truth tells whether v counts as yes; ok is false when v is no truth at all.
// None counts as no.
func (v V) Truth() (yes, ok bool) {
	switch v {
	case Yes:
		return true, true
	case No, None:
		return false, true
	}
	return false, false
}

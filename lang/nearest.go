package lang

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Nearest finds the candidate that word was probably meant to be. It is strict
// with short words, where nearly everything is near, and does not mind case; of
// equally near candidates the first wins.
func Nearest(word string, candidates []string) (string, bool) {
	best, found := 0, ""
	lower := []rune(strings.ToLower(word))
	for _, c := range candidates {
		if c == "" || c == word {
			continue
		}
		limit := cutOff(len(lower))
		if diff := utf8.RuneCountInString(c) - len(lower); diff > limit || -diff > limit {
			continue
		}
		d := distance(lower, []rune(strings.ToLower(c)))
		if d <= limit && (found == "" || d < best) {
			best, found = d, c
		}
	}
	return found, found != ""
}

// cutOff is how many slips a word of n letters may hold.
func cutOff(n int) int {
	switch {
	case n <= 2:
		return 1 - n%2 // a swap in two letters; none in one, or case alone
	case n <= 5:
		return 1
	case n <= 8:
		return 2
	}
	return 3
}

// distance counts the letters to insert, delete, replace or swap with their
// neighbour to get from a to b (Damerau and Levenshtein, in the variant that
// touches no letter twice).
func distance(a, b []rune) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		before, last, row = last, row, before
		row[0] = i
		for j := 1; j <= len(b); j++ {
			change := 1
			if a[i-1] == b[j-1] {
				change = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+change)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
	}
	return row[len(b)]
}

// SameLetters says whether a and b differ in the order of their letters only.
func SameLetters(a, b string) bool {
	x, y := []byte(a), []byte(b)
	slices.Sort(x)
	slices.Sort(y)
	return slices.Equal(x, y)
}

// OneOf joins what could stand somewhere: "a, b or c".
func OneOf(words []string) string {
	if n := len(words) - 1; n > 0 {
		return strings.Join(words[:n], ", ") + " or " + words[n]
	}
	return strings.Join(words, "")
}

// AllOf joins what goes together: "a, b and c".
func AllOf(words []string) string {
	if n := len(words) - 1; n > 0 {
		return strings.Join(words[:n], ", ") + " and " + words[n]
	}
	return strings.Join(words, "")
}

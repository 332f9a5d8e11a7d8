package code

import (
	"slices"
	"strings"
	"sync"

	"setpiece/interp/internal/value"
)

// BuiltinFunc is a function of the language itself. It can be called as
// name(args) or, with its first argument as the subject, as x.name(args).
//
// A new one takes an entry in Builtins and what it does in machine/builtin.go; its Example is
// run by a test, and help, completion and the handbook find it by themselves. One that reads
// faces is named in resolve/dice.go (ofPool, readsFaces), too: otherwise the dice of 3d6.name
// are not thrown, and it reads their sizes. Where it reads a pool of dice, odds go through
// all combinations of faces until package query knows it (query/executor.go, readers). The Example
// is one list: what it makes of equal elements and of too few goes to TestEdgesOfFunctions.
type BuiltinFunc struct {
	Name     string
	Args     string // what it takes, by name
	Min, Max int    // number of arguments; Max -1: any
	On       Kinds  // what x in x.name may be
	Gives    Kinds  // what its result may be, as far as it has functions of its own
	Doc      string
	Example  string // an expression, and behind # what it gives
}

// Kinds is a set of kinds of values.
type Kinds uint8

const (
	OnNumber Kinds = 1 << iota
	OnText
	OnList // a pool of dice is a list
	OnDie
	OnMap
	OnSheet
	OnAll = OnNumber | OnText | OnList | OnDie | OnMap | OnSheet
)

// KindOf gives the kind of a value; 0 for what has no functions of its own.
func KindOf(v V) Kinds {
	switch v.Kind() {
	case value.List:
		return OnList
	case value.Die, value.Made:
		return OnDie
	case value.Map:
		return OnMap
	case value.Text:
		return OnText
	case value.Ref:
		return OnSheet
	}
	if v.IsNumber() {
		return OnNumber
	}
	return 0
}

// Takes says whether it can be called with n arguments.
func (b *BuiltinFunc) Takes(n int) bool { return n >= b.Min && (b.Max < 0 || n <= b.Max) }

// Builtins are all of them, and what only the machine itself calls; instructions refer to them by index.
var Builtins = append(slices.Clip(Functions), BuiltinFunc{Name: Fall, Args: "dice, fallen", Min: 1, Max: 2})

// Fall works out which dice fall next where some are made of others.
const Fall = " fall"

// Functions are those that scripts may call.
var Functions = []BuiltinFunc{
	{"floor", "x", 1, 1, OnNumber, OnNumber, "the largest whole number that is not above x", `floor(7 / 2)   # 3`},
	{"ceil", "x", 1, 1, OnNumber, OnNumber, "the smallest whole number that is not below x", `ceil(7 / 2)   # 4`},
	{"round", "x", 1, 1, OnNumber, OnNumber, "the nearest whole number; halves go up", `round(5 / 2)   # 3`},
	{"abs", "x", 1, 1, OnNumber, OnNumber, "x without its sign", `abs(2 - 5)   # 3`},
	{"mod", "a, b", 2, 2, OnNumber, OnNumber, "the remainder of a divided by b", `mod(7, 3)   # 1`},
	{"min", "list", 1, -1, OnNumber | OnList, OnAll, "the least of the arguments, or of a list", `min(4, 2, 9)   # 2`},
	{"max", "list", 1, -1, OnNumber | OnList, OnAll, "the greatest of the arguments, or of a list", `[4, 2, 9].max   # 9`},
	{"number", "text", 1, 1, OnText, OnNumber, "a text such as \"12\" as a number", `number("12") + 1   # 13`},
	{"whole", "x", 1, 1, OnNumber, OnNumber, "x, or an error if it is not a whole number", `whole(6 / 2)   # 3`},
	{"within", "x, range", 2, 2, OnNumber, OnNumber, "x, or an error if it is not in a range", `within(4, 1..6)   # 4`},

	{"size", "list", 1, 1, OnList | OnMap | OnText, OnNumber, "how many elements a list, a map or a text has", `[4, 2, 9].size   # 3`},
	{"empty", "list", 1, 1, OnList | OnMap | OnText, 0, "yes if a list, a map or a text has nothing in it", `[].empty   # yes`},
	{"first", "list", 1, 1, OnList, OnAll, "the first element; none if the list is empty", `[4, 2, 9].first   # 4`},
	{"last", "list", 1, 1, OnList, OnAll, "the last element, or none", `[4, 2, 9].last   # 9`},
	{"sum", "list", 1, 1, OnList, OnNumber, "the sum of a list of numbers, or of the faces of dice", `[4, 2, 9].sum   # 15`},
	{"sorted", "list", 1, 1, OnList, OnList, "the list from the least to the greatest", `[4, 2, 9].sorted   # [2, 4, 9]`},
	{"reversed", "list", 1, 1, OnList, OnList, "the list from its end to its beginning", `[4, 2, 9].reversed   # [9, 2, 4]`},
	{"distinct", "list", 1, 1, OnList, OnList, "the list without repetitions", `[4, 2, 4].distinct   # [4, 2]`},
	{"named_twice", "list", 1, 1, OnList, OnAll, "the first element that is in the list a second time, or none", `[2, 4, 9, 4].named_twice   # 4`},
	{"apart", "list", 1, 1, OnList, OnList, "the list with one of each group that was declared together: of Wolves x3 the first that is in it", `[Nova, Fang].apart   # [Nova, Fang]`},
	{"with", "list, x", 2, 2, OnList, OnList, "the list with x added at its end", `[4, 2].with(9)   # [4, 2, 9]`},
	{"without", "list, x", 2, 2, OnList, OnList, "the list without the first x in it", `[4, 2, 4].without(4)   # [2, 4]`},
	{Draw, "list", 1, 1, OnList, OnAll, "an element of the list, each with the same chance: a die decides, and nobody is asked", `[7, 7].draw   # 7`},
	{"exceeding", "list, other", 2, 2, OnList, OnNumber, "how many numbers of a list, or faces of its dice, are greater than the one at the same position of another list", `[6, 5, 3].exceeding([5, 5])   # 1`},
	{"index", "list, x", 2, 2, OnList, OnNumber, "the position of x in the list, from 1; none if it is not in the list", `[4, 2, 9].index(9)   # 3`},
	{"take", "list, n", 2, 2, OnList, OnList, "the first n elements; of a thrown pool, which lies from its highest die down, the n highest dice", `[4, 2, 9].take(2)   # [4, 2]`},
	{"drop", "list, n", 2, 2, OnList | OnMap, OnAll, "the list without its first n elements; a map without a key", `[4, 2, 9].drop(2)   # [9]`},
	{"copies", "n, x", 2, 2, OnNumber, OnList, "a list of n times x", `copies(3, d6)   # [d6, d6, d6]`},
	{"join", "list, text", 2, 2, OnList, OnText, "the elements as one text with a text between them", `["a", "b"].join(" and ")   # a and b`},
	{"flat", "list", 1, 1, OnList, OnList, "one list of all the elements of a list of lists", `[[4, 2], [9]].flat   # [4, 2, 9]`},

	{"sides", "die", 1, 1, OnDie, OnNumber, "how many faces a die has", `d8.sides   # 8`},
	{"face", "die", 1, 1, OnDie, OnNumber, "the face that a die shows; none before it is thrown", `die(8, 5).face   # 5`},
	{"faces", "pool", 1, 1, OnList | OnDie, OnList, "the faces of a pool as a list of numbers", `[die(8, 5), die(6, 2)].faces   # [5, 2]`},
	{"sizes", "pool", 1, 1, OnList | OnDie, OnList, "the dice of a pool before they are thrown, the largest first", `[die(6, 2), die(8, 5)].sizes   # [d8, d6]`},
	{"sparing", "pool", 1, 1, OnList | OnDie, OnList, "the dice of a pool, the highest face first; of equal faces the smallest die first, so that taking from the front leaves the large dice", `[die(8, 5), die(6, 5)].sparing.sizes   # [d8, d6]`},
	{"above", "pool, n", 2, 2, OnList | OnDie, OnList, "the dice of a pool that show more than n", `[die(8, 5), die(6, 2)].above(3).size   # 1`},
	{"below", "pool, n", 2, 2, OnList | OnDie, OnList, "the dice of a pool that show less than n", `[die(8, 5), die(6, 2)].below(3).faces   # [2]`},
	{"showing", "pool, n", 2, 2, OnList | OnDie, OnList, "the dice of a pool that show n", `[die(8, 5), die(6, 2)].showing(5).sizes   # [d8]`},
	{"plus", "die, n", 2, 2, OnDie, OnDie, "the die n steps past its size: it is thrown as that die, and is larger", `d12.plus(1)   # d12+`},
	{"pluses", "die", 1, 1, OnDie, OnNumber, "how many steps past its size a die is", `(d12+).pluses   # 1`},
	{"die", "sides, face", 1, 2, OnNumber, OnDie, "a die of that many sides, showing a face if one is given", `die(8).sides   # 8`},
	{"highest", "list, n", 1, 2, OnList | OnDie, OnAll, "the n highest numbers of a list, or dice of a pool, the highest first; without n the highest one", `[4, 2, 9].highest(2)   # [9, 4]`},
	{"lowest", "list, n", 1, 2, OnList | OnDie, OnAll, "the n lowest numbers of a list, or dice of a pool, the lowest first; without n the lowest one", `[4, 2, 9].lowest(2)   # [2, 4]`},
	{"drop_lowest", "list, n", 1, 2, OnList | OnDie, OnList, "a list without its n lowest numbers, or a pool without its n lowest dice; without n, one", `[4, 2, 9].drop_lowest   # [9, 4]`},
	{"drop_highest", "list, n", 1, 2, OnList | OnDie, OnList, "a list without its n highest numbers, or a pool without its n highest dice; without n, one", `[4, 2, 9].drop_highest   # [2, 4]`},
	{"explode", "dice, on, times", 1, 3, OnList | OnDie, OnList | OnDie, "dice that are thrown again and added up as long as they show their highest face, or a number or one in a range or list; with times, so often at most", `[d6.explode(5..6, 1)]   # [d6.explode(5..6, 1)]`},
	{"reroll", "dice, on, times", 2, 3, OnList | OnDie, OnList | OnDie, "dice that are thrown again instead where they show a number, or one in a range or list; times bounds how often", `[d6.reroll(1, 1)]   # [d6.reroll(1, 1)]`},
	{"middle", "list, n", 1, 2, OnList | OnDie, OnAll, "the n numbers of a list, or dice of a pool, in the middle: of two the lower; without n, one", `[4, 2, 9].middle   # 4`},
	{"count", "list, which", 2, 2, OnList | OnDie, OnNumber, "how many numbers of a list, or dice of a pool, are a number or in a range or list", `[4, 2, 9].count(3..)   # 2`},
	{"pairs", "list", 1, 1, OnList | OnDie, OnNumber, "how many pairs can be made of equal numbers, or of dice that show the same: of four equal ones two", `[4, 4, 9, 4, 4].pairs   # 2`},
	{"largest_set", "list", 1, 1, OnList | OnDie, OnNumber, "how many numbers of a list, or dice of a pool, are the same: the most of them", `[4, 2, 4].largest_set   # 2`},
	{"straight", "list", 1, 1, OnList | OnDie, OnNumber, "how many numbers of a list, or faces of a pool, follow one another without a gap: the most of them", `[4, 2, 5, 9, 3].straight   # 4`},
	{"is_dice", "x", 1, 1, OnAll, 0, "yes if x is a die, or a list of dice", `[d6, d8].is_dice   # yes`},
	{"keep", "pool", 1, 1, OnList | OnDie, OnList, "marks the dice that count with * in the transcript; an empty list marks none", `keep([die(8, 5)]).size   # 1`},

	{"map", "", 0, 0, 0, OnMap, "an empty map; put(map, key, value) gives it entries", `map().put("wood", 3).size   # 1`},
	{"put", "map, key, value", 3, 3, OnMap, OnMap, "the map with a key holding a value", `map().put("wood", 3).size   # 1`},
	{"keys", "map", 1, 1, OnMap, OnList, "the keys of a map as a list", `map().put("wood", 3).keys   # ["wood"]`},
	{"values", "map", 1, 1, OnMap, OnList, "the values of a map as a list", `map().put("wood", 3).values   # [3]`},

	{"upper", "text", 1, 1, OnText, OnText, "a text in capitals", `upper("fang")   # FANG`},
	{"lower", "text", 1, 1, OnText, OnText, "a text in small letters", `lower("FANG")   # fang`},
	{"spaced", "text", 1, 1, OnText, OnText, "a text with its underscores as spaces", `spaced("kung_fu")   # kung fu`},
	{"title", "text", 1, 1, OnText, OnText, "a text with spaces for underscores and every word capitalised", `title("kung_fu")   # Kung Fu`},
	{"text", "x", 1, 1, OnAll, OnText, "any value as a text", `text(7) + "th"   # 7th`},
	{"symbol", "text", 1, 1, OnText, 0, "a text as a word", `symbol("fang")   # fang`},

	{"name", "sheet", 1, 1, OnSheet, OnText, "the name of a sheet", `Nova.name   # Nova`},
	{"owner", "sheet", 1, 1, OnSheet, OnSheet, "whoever or whatever has this sheet", `Nova.CLAWS.owner   # Nova`},
	{"kind", "sheet", 1, 1, OnSheet, 0, "the word a sheet was declared with, such as hero", `Nova.kind   # hero`},
	{"features", "sheet", 1, 1, OnSheet, OnList, "the special rules that a sheet has", `Nova.CLAWS.features.size   # 1`},
	{"has", "sheet, feature", 2, 2, OnSheet, 0, "yes if a sheet has a special rule of that name", `Nova.CLAWS.has(lucky)   # yes`},
	{"planned", "sheet, decision", 2, 2, OnSheet, 0, "yes if somebody's tactics answer a decision of that name: planned(x, \"reroll\")", `planned(Nova, "again")   # no`},
	{"feature", "sheet, feature", 2, 2, OnSheet, OnSheet, "the special rule of that name that a sheet has, or none", `Nova.CLAWS.feature(lucky).times   # 2`},
	{"part", "sheet, name, deep", 2, 3, OnSheet, OnSheet, "the part of that name of a sheet, or none; with yes after it, also the only one of that name of its parts", `Nova.part("CLAWS").rating   # 3`},
	{"is", "sheet, kind", 2, 2, OnSheet, 0, "yes if a sheet is of that kind", `Nova.is(hero)   # yes`},
	{"only", "x, kind, many", 2, 3, OnAll, OnAll, "x, or an error if it is not of that kind of sheet; with yes after it, x may be a list of them", `only(Nova, hero)   # Nova`},
	{"instances", "kind", 1, 1, OnText, OnList, "all the sheets of a kind, in order of declaration: instances(hero)", `instances(hero)   # [Nova, Fang]`},
	{"list", "x", 1, 1, OnAll, OnList, "a list as it is, anything else as a list of itself", `list(7)   # [7]`},
}

// Elsewhere are the names that functions have in other languages.
var Elsewhere = map[string]string{
	"len": "size", "length": "size",
	"total": "sum",
	"sort":  "sorted", "reverse": "reversed", "unique": "distinct",
	"add": "with", "append": "with", "remove": "without", "random": "draw",
}

// OfDice are the words that people have for dice, and for what functions of them do.
var OfDice = map[string]string{
	"advantage": "highest", "disadvantage": "lowest", "keep": "highest", "drop": "drop_lowest",
	"exploding": "explode", "penetrating": "explode", "wild": "explode", "successes": "count", "hits": "count",
	"best": "highest", "worst": "lowest", "median": "middle",
	"fudge": "dF", "fate": "dF",
}

// Draw is the function that throws a die, which takes instructions of its own.
const Draw = "draw"

// BuiltinIndex finds a builtin by name, -1 when there is none.
func BuiltinIndex(name string) int {
	if i, ok := builtinIndices()[name]; ok {
		return i
	}
	return -1
}

var builtinIndices = sync.OnceValue(func() map[string]int {
	indices := map[string]int{}
	for i, b := range slices.Backward(Builtins) {
		indices[b.Name] = i // the first of that name
	}
	return indices
})

// SameName compares two names; an underscore is a space.
func SameName(a, b string) bool {
	return a == b || len(a) == len(b) && strings.ReplaceAll(a, "_", " ") == strings.ReplaceAll(b, "_", " ")
}

package interp_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"setpiece/interp"
	"setpiece/lang"
	"setpiece/stdlib"
)

// A referee for Unisystem: the rules told once more, slowly and plainly, from the book's
// chapter and its catalogue, not from the scripts. Random commands of random people under
// random options are played by the scripts, with dice from a list; the referee takes the
// same dice from the list, and what both say is compared: outcome, totals, levels, winner,
// points, damage, grips and panic.

type uniPerson struct {
	name                       string
	hero, rolls                bool
	traits                     map[string]int // Attributes and Skills
	muscle, combat, brains     int            // of those for whom nobody rolls
	made                       bool           // these are made of the traits
	limbs                      int            // what extra limbs add then
	base, life, damage, drama  int
	nerves, defence            int
	helpless, noAttack, defend bool
	panic, heldBy              string
	fleeing, lost              bool
}

func (p *uniPerson) declare() string {
	var b strings.Builder
	kind := "cast"
	if !p.hero {
		kind = "adversary"
	}
	fmt.Fprintf(&b, "%s %s { ", kind, p.name)
	for _, n := range slices.Sorted(maps.Keys(p.traits)) {
		fmt.Fprintf(&b, "%s %d; ", n, p.traits[n])
	}
	fmt.Fprintf(&b, "base %d; life %d; damage %d; drama %d; nerves %d", p.base, p.life, p.damage, p.drama, p.nerves)
	if !p.hero {
		if p.made {
			fmt.Fprintf(&b, "; limbs %d", p.limbs)
		} else {
			fmt.Fprintf(&b, "; muscle %d; combat %d; brains %d", p.muscle, p.combat, p.brains)
		}
		if p.rolls {
			b.WriteString("; rolls yes")
		}
	}
	return b.String() + " }\n"
}

// uniReferee knows the options, and takes dice from the list.
type uniReferee struct {
	opts  map[string]string
	faces []int
	used  int
	by    map[string]*uniPerson
}

func (u *uniReferee) on(name, value string) bool { return u.opts[name] == value }

func (u *uniReferee) next() int {
	u.used++
	return u.faces[u.used-1]
}

// die is rules 15 to 18; more is what is added to the die besides.
func (u *uniReferee) die(more int) int {
	switch f := u.next(); f {
	case 10:
		return u.ten()
	case 1:
		if u.on("one_vs_certain", "waived") && 1+more >= 9 {
			return 1
		}
		return u.one()
	default:
		return f
	}
}

func (u *uniReferee) ten() int {
	k := 1
	for {
		f := u.next()
		switch {
		case f == 10:
			k++
			continue
		case f == 1 && k == 1 && u.on("one_after_ten", "fumble"):
			return 10 - max(0, 1-u.one())
		}
		return 5*k + 5 + max(0, f-5)
	}
}

// one is what a 1 is worth.
func (u *uniReferee) one() int {
	f := u.next()
	switch {
	case f > 1 && f < 5:
		return f - 5
	case f == 5 && u.on("one_at_five", "zero"):
		return 0
	case f > 1:
		return 1
	}
	k := 2
	for f = u.next(); f == 1; f = u.next() {
		k++
	}
	switch {
	case u.on("one_chain", "floor"):
		return -5
	case u.on("one_chain", "replace"):
		if f < 5 {
			return f - 5
		}
		return -5
	}
	return -5*(k-1) + min(0, f-5)
}

// uniLevels is rules 29 and 30, read off the printed table.
func uniLevels(total int) int {
	for i, least := range []int{36, 33, 30, 27, 24, 21, 17, 15, 13, 11, 9} {
		if total >= least {
			if i == 0 {
				return 11 + (total-36)/3
			}
			return 11 - i
		}
	}
	return 0
}

// uniSide is one side of a check.
type uniSide struct {
	who        *uniPerson
	score      string // "" where dice are thrown
	add        int    // traits and modifiers
	unskilled  bool
	complex    bool
	needed     int
	bonus      int  // of a Drama Point; 0: none
	ifFailed   bool // it is spent only then
	unlocked   bool // the same point has allowed the try
	barred     bool
	mental     bool // it is done with the mind
	total, lvl int
	made       bool
}

// way is a combination of traits: one name alone counts twice.
type uniWay []string

func (u *uniReferee) worth(p *uniPerson, w uniWay) int {
	if len(w) == 1 {
		return 2 * p.traits[w[0]]
	}
	return p.traits[w[0]] + p.traits[w[1]]
}

// usual gives a side the best of some combinations, the first of equal ones.
func (u *uniReferee) usual(p *uniPerson, ways ...uniWay) *uniSide {
	best := ways[0]
	for _, w := range ways[1:] {
		if u.worth(p, w) > u.worth(p, best) {
			best = w
		}
	}
	s := &uniSide{who: p, add: u.worth(p, best), needed: 1}
	if len(best) == 2 && !uniAttribute(best[1]) && p.traits[best[1]] == 0 {
		u.simple(s)
	}
	return s
}

// simple is an unskilled attempt at something simple.
func (u *uniReferee) simple(s *uniSide) {
	s.unskilled = true
	s.add -= atoi(u.opts["unskilled_penalty"])
}

func atoi(s string) int {
	n := 0
	fmt.Sscan(s, &n)
	return n
}

func uniAttribute(name string) bool {
	return slices.Contains([]string{"STRENGTH", "DEXTERITY", "CONSTITUTION", "INTELLIGENCE", "PERCEPTION", "WILLPOWER"}, name)
}

// scored is a side for which a Score stands.
func uniScored(p *uniPerson, score string, more int) *uniSide {
	n := map[string]int{"muscle": p.muscle, "combat": p.combat, "brains": p.brains}[score]
	return &uniSide{who: p, score: score, add: n + more, needed: 1, mental: score == "brains"}
}

func (u *uniReferee) read(s *uniSide) {
	s.made, s.lvl = s.total >= 9, uniLevels(s.total)
	if s.unskilled && !u.on("unskilled_cap", "off") && (u.on("unskilled_cap", "all") || s.complex) {
		s.lvl = min(2, s.lvl)
	}
}

func (u *uniReferee) perform(s *uniSide) {
	if s.barred {
		return
	}
	if s.score == "" {
		if s.bonus > 0 && u.on("drama_timing", "before") {
			u.spend(s)
			s.total = u.die(s.add+s.bonus) + s.add + s.bonus
		} else {
			s.total = u.die(s.add) + s.add
		}
	} else {
		s.total = s.add
	}
	u.read(s)
}

func (u *uniReferee) spend(s *uniSide) {
	if !s.unlocked {
		s.who.drama--
	}
}

// late is a Drama Point once totals are known.
func (u *uniReferee) late(s *uniSide, failed bool) {
	if s.bonus == 0 || s.barred || s.score != "" || u.on("drama_timing", "before") || s.ifFailed && !failed {
		return
	}
	u.spend(s)
	s.total += s.bonus
	u.read(s)
}

func (s *uniSide) reaches() bool { return s.made && s.lvl >= s.needed }

// alone is a check that nobody resists.
func (u *uniReferee) alone(s *uniSide) map[string]string {
	u.perform(s)
	if s.barred {
		return map[string]string{"outcome": "failure", "levels": "0", "total": ""}
	}
	u.late(s, !s.reaches())
	return map[string]string{"outcome": uniOutcome(s.reaches()), "total": fmt.Sprint(s.total), "levels": fmt.Sprint(s.lvl)}
}

func uniOutcome(yes bool) string {
	if yes {
		return "success"
	}
	return "failure"
}

// winner is rules 22 to 27 and 52, of two sides.
func (u *uniReferee) winner(a, b *uniSide, defender *uniPerson) *uniPerson {
	switch {
	case b.barred:
		if a.made {
			return a.who
		}
		return nil
	case !u.on("score_below_nine", "compare_only") || a.score == "" && b.score == "":
		if !a.made && !b.made {
			return nil
		}
		if a.made != b.made {
			if a.made {
				return a.who
			}
			return b.who
		}
	}
	switch {
	case a.total > b.total:
		return a.who
	case a.total < b.total:
		return b.who
	case u.on("muscle_tie", "always") && b.score == "muscle" && a.who.hero:
		return a.who
	case u.on("muscle_tie", "always") && a.score == "muscle" && b.who.hero:
		return b.who
	}
	return defender
}

// resisted is a check that somebody resists.
func (u *uniReferee) resisted(me, it *uniSide, defender *uniPerson) (map[string]string, bool) {
	for _, s := range []*uniSide{me, it} {
		if s.who == defender && !s.mental {
			s.add += s.who.defence
		}
	}
	u.perform(me)
	if me.barred { // nobody resists what is not tried
		return map[string]string{"outcome": "failure", "winner": "", "levels": "0"}, false
	}
	u.perform(it)
	u.late(it, u.winner(me, it, defender) != it.who)
	u.late(me, u.winner(me, it, defender) != me.who || !me.reaches())
	w := u.winner(me, it, defender)
	won := w == me.who && (me.needed == 1 || me.lvl >= me.needed)
	f := map[string]string{"outcome": uniOutcome(won), "winner": uniName(w), "levels": "0"}
	if won {
		f["levels"] = fmt.Sprint(me.lvl)
	}
	f["total"] = fmt.Sprint(me.total)
	if !it.barred {
		f["against"] = fmt.Sprint(it.total)
	} else {
		f["levels"] = fmt.Sprint(me.lvl)
	}
	return f, won
}

func uniName(p *uniPerson) string {
	if p == nil {
		return ""
	}
	return p.name
}

// -- what is played --

type uniBout struct {
	r       *rand.Rand
	u       *uniReferee
	set     strings.Builder // before the command
	command string
	refused string // why the command is not allowed
	judge   func() map[string]string
}

func (b *uniBout) refuse(why string) { b.refused = why }

func (b *uniBout) pick(list ...string) string { return list[b.r.IntN(len(list))] }
func (b *uniBout) chance(n int) bool          { return b.r.IntN(n) == 0 }

var uniBands = map[string][4]int{ // kind, harsh, and the least and greatest figure
	"easy": {5, 5, 5, 9}, "moderate": {4, 3, 3, 4}, "average": {2, 1, 1, 2}, "challenging": {0, 0, 0, 0},
	"difficult": {-1, -2, -2, -1}, "very_difficult": {-3, -5, -5, -3}, "heroic": {-6, -9, -9, -6}, "inhuman": {-10, -10, -14, -10},
}

// modifiers gives some of the figures of a command, and their sum.
func (b *uniBout) modifiers() (text string, sum int) {
	if b.chance(2) {
		word := b.pick(slices.Sorted(maps.Keys(uniBands))...)
		x := uniBands[word]
		text += " vs " + word
		switch {
		case word != "challenging" && b.chance(2):
			n := x[2] + b.r.IntN(x[3]-x[2]+1)
			text, sum = text+fmt.Sprintf(" %d", n), sum+n
		case word != "challenging" && b.u.on("band_default", "ask"):
			if !b.chance(4) {
				text, sum = text+fmt.Sprintf(" %d", x[0]), sum+x[0]
				break
			}
			b.refuse("the command must say how " + word)
		case b.u.on("band_default", "harsh"):
			sum += x[1]
		default:
			sum += x[0]
		}
	}
	if b.chance(4) {
		word := b.pick("beheading", "far_roofs", "wet_marble", "parry_bullet")
		text += " case " + word
		sum += map[string]int{"beheading": -3, "far_roofs": -5, "wet_marble": -6, "parry_bullet": -10}[word]
		if word == "beheading" && b.u.on("band_default", "harsh") { // as hard as Very Difficult
			sum -= 2
		}
	}
	for b.chance(2) {
		n := 1 + b.r.IntN(6)
		if b.chance(2) {
			n = -n
		}
		text, sum = text+fmt.Sprintf(" mod %d", n), sum+n
	}
	return text, sum
}

// effort gives a side's pool and clauses; levels: a number of levels may be asked for.
func (b *uniBout) effort(p *uniPerson, levels bool) (pool, text string, s *uniSide) {
	attributes := []string{"STRENGTH", "DEXTERITY", "INTELLIGENCE", "PERCEPTION", "WILLPOWER"}
	skills := []string{"KUNG_FU", "ACROBATICS", "NOTICE", "OCCULTISM", "DOCTOR"}
	s = &uniSide{who: p, needed: 1}
	a := b.pick(attributes...)
	s.mental = a != "STRENGTH" && a != "DEXTERITY"
	switch b.r.IntN(5) {
	case 0:
		pool, s.add = a, 2*p.traits[a]
		if b.chance(2) {
			text, s.add = " once", p.traits[a]
		}
	case 1:
		c := b.pick(attributes...)
		for c == a {
			c = b.pick(attributes...)
		}
		pool, s.add = a+" + "+c, p.traits[a]+p.traits[c]
	default:
		k := b.pick(skills...)
		pool, s.add = a+" + "+k, p.traits[a]+p.traits[k]
		switch {
		case b.chance(6):
			text, s.add = " encumbered", p.traits[a]
		case p.traits[k] > 0:
		default:
			text += b.unskilled(s)
		}
	}
	more, sum := b.modifiers()
	text, s.add = text+more, s.add+sum
	if levels && b.chance(2) {
		s.needed = 1 + b.r.IntN(4)
		text += fmt.Sprintf(" needs %d", s.needed)
		if s.needed > 1 && b.chance(2) {
			n := 1 + b.r.IntN(4)
			text += fmt.Sprintf(" eased %d", n)
			s.needed = max(1, s.needed-n)
		}
		if s.needed < 2 && b.chance(3) {
			text += " creative hostile"
			s.needed = 2
		}
	}
	if left := p.drama; left > 0 && b.chance(2) {
		if strings.Contains(text, "unlock") && !s.unlocked && left < 2 {
			return pool, text, s
		}
		s.bonus = 1 + b.r.IntN(9)
		if !b.u.on("drama_bonus", "stated") {
			s.bonus = atoi(b.u.opts["drama_bonus"])
		}
		text += " spend drama bonus"
		if b.u.on("drama_bonus", "stated") || b.chance(2) {
			text += fmt.Sprintf(" %d", s.bonus)
		}
		if b.u.on("drama_timing", "after") && b.chance(2) {
			text += " if failed"
			s.ifFailed = true
		}
	}
	return pool, text, s
}

// unskilled is rules 43 to 47 and 105: what kind of attempt it is.
func (b *uniBout) unskilled(s *uniSide) string {
	switch b.r.IntN(4) {
	case 0:
		b.u.simple(s)
		return b.pick("", " unskilled simple")
	case 1:
		n := 6 + b.r.IntN(5)
		s.unskilled, s.complex, s.add = true, true, s.add-n
		return fmt.Sprintf(" handbook %d", n)
	case 2:
		s.complex = true
		if s.who.drama == 0 {
			s.unskilled, s.barred = true, true
			return b.pick(" unskilled complex", " unskilled impossible")
		}
		b.u.simple(s)
		s.unlocked = b.u.on("unlock_bonus", "yes")
		s.who.drama--
		defer func() { s.who.drama++ }() // it is paid when the check is made ready, see roll
		return " unskilled complex spend drama unlock"
	}
	b.u.simple(s)
	return ""
}

func (b *uniBout) pay(text string, s *uniSide) {
	if strings.Contains(text, "unlock") {
		s.who.drama--
	}
}

func (b *uniBout) roll() {
	u := b.u
	me := u.by[b.pick("A", "B")]
	pool, text, s := b.effort(me, true)
	b.command = fmt.Sprintf("%s: roll %s%s", me.name, pool, text)
	switch b.r.IntN(4) {
	case 0, 1:
		b.judge = func() map[string]string { b.pay(text, s); return u.alone(s) }
		return
	case 2: // against a Score
		score := b.pick("muscle", "combat", "brains")
		v := uniScored(u.by["V"], score, 0)
		if b.chance(8) { // no force is resisted by whoever is not in control
			v.who.helpless, v.barred = true, score != "brains"
			b.set.WriteString("V.helpless = yes\n")
		}
		if b.chance(8) && b.down(v.who) { // nor by whoever is out of the fight
			v.barred = score != "brains"
		}
		defender, tail := u.by["V"], ""
		if b.chance(4) {
			defender, tail = me, " defending"
		}
		b.command += " vs V " + score + tail
		b.judge = func() map[string]string { b.pay(text, s); f, _ := u.resisted(s, v, defender); return f }
		return
	}
	it := u.by["W"]
	if b.chance(2) {
		it = u.by[map[string]string{"A": "B", "B": "A"}[me.name]]
	}
	theirs, clauses, o := b.effort(it, false)
	if !it.hero { // who is no hero has no points to spend in this arena
		o.bonus = 0
	}
	if b.chance(4) { // a dodge is worse for it, what is said is not
		it.defence = -2
		fmt.Fprintf(&b.set, "%s.defence = -2\n", it.name)
	}
	defender := it
	switch {
	case b.chance(5):
		defender, b.command = nil, b.command+" race"
	case b.chance(5):
		defender, b.command = me, b.command+" defending"
	}
	b.command += fmt.Sprintf(" vs %s %s%s", it.name, theirs, clauses)
	b.judge = func() map[string]string {
		b.pay(text, s)
		b.pay(clauses, o)
		f, _ := u.resisted(s, o, defender)
		return f
	}
}

var (
	uniStrike = []uniWay{{"DEXTERITY", "KUNG_FU"}, {"DEXTERITY", "GUN_FU"}, {"DEXTERITY", "GETTING_MEDIEVAL"}}
	uniDefend = []uniWay{{"DEXTERITY", "KUNG_FU"}, {"DEXTERITY", "ACROBATICS"}}
	uniTackle = []uniWay{{"STRENGTH", "KUNG_FU"}, {"STRENGTH", "SPORTS"}}
	uniEscape = []uniWay{{"STRENGTH"}, {"STRENGTH", "KUNG_FU"}}
	uniLift   = []uniWay{{"STRENGTH"}}
	uniClimb  = []uniWay{{"DEXTERITY", "ACROBATICS"}}
)

// against is the side of somebody for whom a Score stands unless dice are thrown.
func (u *uniReferee) against(p *uniPerson, score string, more int, ways ...uniWay) *uniSide {
	if p.hero || p.rolls {
		return u.usual(p, ways...)
	}
	return uniScored(p, score, more)
}

func (b *uniBout) blow() {
	u := b.u
	names := []string{"A", "B", "V", "W"}
	me := u.by[b.pick(names...)]
	it := u.by[b.pick(slices.DeleteFunc(names, func(n string) bool { return n == me.name })...)]
	text, sum := b.modifiers()
	base := me.base
	tail := ""
	if b.chance(2) {
		base = b.r.IntN(12)
		tail = fmt.Sprintf(" base %d", base)
	}
	if b.chance(4) {
		it.defence = -2
		fmt.Fprintf(&b.set, "%s.defence = -2\n", it.name)
	}
	if b.chance(8) {
		it.helpless = true
		fmt.Fprintf(&b.set, "%s.helpless = yes\n", it.name)
	}
	limp := b.chance(8) && b.down(it) || it.helpless
	needed := 1
	if b.chance(3) {
		needed = 2 + b.r.IntN(3)
		text += fmt.Sprintf(" needs %d", needed)
	}
	b.command = fmt.Sprintf("%s: attack %s%s%s", me.name, it.name, tail, text)
	b.judge = func() map[string]string {
		s := u.against(me, "combat", 0, uniStrike...)
		s.add, s.needed = s.add+sum, needed
		o := u.against(it, "combat", 0, uniDefend...)
		o.barred = limp
		f, won := u.resisted(s, o, it)
		if won {
			it.damage += base + s.lvl
			if it.life > 0 {
				it.damage = min(it.life, it.damage)
			}
		}
		return f
	}
}

// down puts somebody out of the fight whose Life Points are counted.
func (b *uniBout) down(p *uniPerson) bool {
	if p.life == 0 {
		return false
	}
	p.damage = p.life
	fmt.Fprintf(&b.set, "%s.damage = %d\n", p.name, p.damage)
	return true
}

func (b *uniBout) grip() {
	u := b.u
	me, it := u.by[b.pick("A", "B", "V", "W")], u.by["B"]
	if me == it {
		it = u.by[b.pick("A", "V", "W")]
	}
	text, sum := b.modifiers()
	if b.chance(2) && (me.hero || me.rolls) {
		fmt.Fprintf(&b.set, "engage()\n%s.held_by = %s\n", me.name, it.name)
		me.heldBy = it.name
		b.command = me.name + ": break_free" + text
		b.judge = func() map[string]string {
			s := u.usual(me, uniEscape...)
			s.add += sum
			f, won := u.resisted(s, u.against(it, "muscle", 0, uniLift...), it)
			if won {
				me.heldBy = "none"
			}
			return f
		}
		return
	}
	b.command = fmt.Sprintf("%s: grapple %s%s", me.name, it.name, text)
	b.judge = func() map[string]string {
		more := atoi(u.opts["grapple_bonus"])
		s := u.against(me, "combat", more, uniTackle...)
		if s.score != "" {
			s.score = "grapple"
		}
		s.add += sum
		f, won := u.resisted(s, u.against(it, "muscle", 0, uniDefend...), it)
		if won {
			it.heldBy = me.name
		}
		return f
	}
}

func (b *uniBout) fright() {
	u := b.u
	me := u.by[b.pick("A", "B")]
	var penalties []int
	text, help := "", 0
	if b.chance(2) {
		text, penalties = text+" visage", append(penalties, -1)
	}
	if b.chance(2) {
		looks := 1 + b.r.IntN(9)
		text, penalties = text+fmt.Sprintf(" hideous -%d", looks), append(penalties, -(looks/2))
	}
	if b.chance(2) {
		n := 1 + b.r.IntN(4)
		text, penalties = text+fmt.Sprintf(" splatter %d", n), append(penalties, -n)
	}
	sudden := b.chance(3)
	if sudden {
		text, penalties = text+" sudden", append(penalties, -2)
	}
	if b.chance(4) {
		at := 2 + b.r.IntN(3)
		text += fmt.Sprintf(" meeting %d", at)
		if at >= atoi(u.opts["fear_familiar_at"]) {
			penalties = nil
			if sudden && u.on("fear_familiar_scope", "keep_sudden") {
				penalties = []int{-2}
			}
		}
	}
	for b.chance(2) {
		n := b.r.IntN(4) + 1
		if b.chance(2) {
			n = -n
			penalties = append(penalties, n)
		} else {
			help += n
		}
		text += fmt.Sprintf(" mod %d", n)
	}
	if u.on("fear_mode", "double_penalties") {
		for i := range penalties {
			penalties[i] *= 2
		}
	}
	turns := b.r.IntN(4)
	b.command = me.name + ": fear" + text
	more := 0 // the penalty of a second test in the same Turn; 0: there is none
	if b.chance(3) {
		more = -1 - b.r.IntN(6)
		b.command += fmt.Sprintf("\n%s: fear mod %d", me.name, more)
		if u.on("fear_mode", "double_penalties") {
			more *= 2
		}
	}
	b.command += strings.Repeat("\nturn { }", turns)
	if turns > 0 {
		b.command += "\nopen_turn()"
	}
	b.judge = func() map[string]string {
		f, row := u.frightened(me, help, penalties, 0)
		if more != 0 { // the worse row tells
			rows := []string{"calm", "startled", "freak_out", "run", "total_terror"}
			before := row
			if f, row = u.frightened(me, 0, []int{more}, 0); slices.Index(rows, row) < slices.Index(rows, before) {
				row = before
			} else {
				help, penalties = 0, []int{more}
			}
			if turns == 0 {
				me.suffer(before)
			}
		}
		me.fleeing = row == "run" || row == "total_terror"
		for t := 1; t <= turns; t++ {
			next := "calm"
			if me.fleeing {
				next = row // until a new test says something else
				var tested string
				f, tested = u.frightened(me, help, penalties, t)
				switch flees := tested == "run" || tested == "total_terror"; {
				case flees:
					next = tested
				case tested == "calm" || u.on("fear_retest", "fresh"):
					next, me.fleeing = tested, false
				}
			}
			row = next
		}
		me.suffer(row)
		return f
	}
}

func (p *uniPerson) suffer(row string) {
	p.panic = row
	switch row {
	case "startled":
		p.lost = true
	case "freak_out":
		p.noAttack, p.defend = true, true
	case "run":
		p.noAttack, p.defend, p.defence = true, false, -2
	case "total_terror":
		p.noAttack, p.helpless = true, true
	}
}

// frightened is a Fear Test, rules 89 to 103, after so many Turns of flight.
func (u *uniReferee) frightened(me *uniPerson, help int, penalties []int, turns int) (fields map[string]string, row string) {
	s := &uniSide{who: me, add: 2*me.traits["WILLPOWER"] + me.nerves + help, needed: 1}
	if u.on("fear_mode", "bare_willpower") {
		s.add -= me.traits["WILLPOWER"]
	}
	sum := 0
	for _, n := range penalties {
		if u.on("fear_decay", "each") {
			n = min(0, n+turns)
		}
		sum += n
	}
	if u.on("fear_decay", "sum") {
		sum = min(0, sum+turns)
	}
	s.add += sum
	u.perform(s)
	switch {
	case s.total >= 9:
		row = "calm"
	case s.total >= 7:
		row = "startled"
	case s.total >= 5:
		row = "freak_out"
	case s.total >= 3 || u.on("panic_below", "run"):
		row = "run"
	default:
		row = "total_terror"
	}
	return map[string]string{"outcome": uniOutcome(s.made), "total": fmt.Sprint(s.total), "row": row}, row
}

// duel is a fight of two by their tactics: whoever is held breaks free, and who is not strikes.
func (b *uniBout) duel() {
	u := b.u
	me, it := u.by[b.pick("A", "B")], u.by[b.pick("V", "W")]
	first, second := me, it
	if b.chance(2) {
		first, second = it, me
	}
	turns := 1 + b.r.IntN(4)
	fmt.Fprintf(&b.set, "heroes %s\nvillains %s\norder %s, %s\nopen_turn()\n", me.name, it.name, first.name, second.name)
	for _, p := range []*uniPerson{me, it} {
		if b.chance(3) {
			p.damage = b.r.IntN(40)
			fmt.Fprintf(&b.set, "%s.damage = %d\n", p.name, p.damage)
		}
		if b.chance(5) {
			p.lost = true
			fmt.Fprintf(&b.set, "%s.initiative_lost = yes\n", p.name)
		}
		if b.chance(8) {
			p.helpless = true
			fmt.Fprintf(&b.set, "%s.helpless = yes\n", p.name)
		}
		if b.chance(8) {
			p.defend = true
			fmt.Fprintf(&b.set, "%s.defence_only = yes\n", p.name)
		}
	}
	if b.chance(3) {
		fmt.Fprintf(&b.set, "%s.held_by = %s\n", me.name, it.name)
		me.heldBy = it.name
	}
	b.command = fmt.Sprintf("fight turns %d", turns)
	b.judge = func() map[string]string {
		up := func(p *uniPerson) bool { return p.life == 0 || p.damage < p.life }
		n := 0
		for ; n < turns && up(me) && up(it); n++ {
			line := []*uniPerson{first, second}
			if first.lost && !second.lost {
				line = []*uniPerson{second, first}
			}
			for _, p := range line {
				o := me
				if p == me {
					o = it
				}
				if !up(p) || !up(o) || p.helpless || p.defend {
					continue
				}
				if p.heldBy != "none" {
					grip := u.against(o, "muscle", 0, uniLift...)
					grip.barred = o.helpless
					if _, won := u.resisted(u.usual(p, uniEscape...), grip, o); won {
						p.heldBy = "none"
					}
					continue
				}
				s, d := u.against(p, "combat", 0, uniStrike...), u.against(o, "combat", 0, uniDefend...)
				d.barred = o.helpless
				if _, won := u.resisted(s, d, o); won {
					if o.damage += p.base + s.lvl; o.life > 0 {
						o.damage = min(o.life, o.damage)
					}
				}
			}
			for _, p := range line { // what fright does lasts a Turn
				p.lost, p.helpless, p.defend = false, false, false
			}
		}
		for _, p := range []*uniPerson{me, it} { // the fight is over, and what lasts no longer with it
			p.lost, p.helpless, p.defend, p.heldBy = false, false, false, "none"
		}
		f := map[string]string{"outcome": "nobody", "winner": "nobody", "turns": fmt.Sprint(n)}
		switch {
		case up(me) && !up(it):
			f["outcome"], f["winner"] = "heroes", "heroes"
		case up(it) && !up(me):
			f["outcome"], f["winner"] = "villains", "villains"
		}
		return f
	}
}

// climb is rules 75 and 76: one Turn, so many Turns, or as many as it takes.
func (b *uniBout) climb() {
	u := b.u
	me := u.by[b.pick("A", "B", "V", "W")]
	height, most, sum := 0, 1, 0
	b.command = me.name + ": climb"
	if b.chance(2) {
		height = 1 + b.r.IntN(8)
		b.command += fmt.Sprintf(" %d", height)
	}
	if height > 0 || b.chance(2) { // without a limit somebody may climb for ever
		most = 1 + b.r.IntN(4)
		b.command += fmt.Sprintf(" turns %d", most)
	}
	if b.chance(3) {
		b.command, sum = b.command+" on wet_marble", -6
	}
	text, more := b.modifiers()
	b.command, sum = b.command+text, sum+more
	b.judge = func() map[string]string {
		yards, n := 0, 0
		for n < most && (height == 0 || yards < height) {
			s := u.against(me, "combat", 0, uniClimb...)
			s.add += sum
			u.perform(s)
			u.late(s, !s.made)
			if s.made {
				yards += s.lvl
			}
			n++
		}
		if height > 0 {
			yards = min(yards, height)
		}
		return map[string]string{"outcome": uniOutcome(yards > 0 && yards >= height), "yards": fmt.Sprint(yards), "turns": fmt.Sprint(n), "seconds": fmt.Sprint(5 * n)}
	}
}

// task is a lengthy task, rules 82 to 84.
func (b *uniBout) task() {
	u := b.u
	crew := []*uniPerson{u.by["A"]}
	if b.chance(2) {
		crew = append(crew, u.by["B"], u.by["W"])
	}
	var names []string
	for _, p := range crew {
		names = append(names, p.name)
	}
	target, length := 5, 1
	b.command = fmt.Sprintf("lengthy \"Gate\" by %s at ritual", strings.Join(names, ", "))
	if b.chance(2) {
		target = 1 + b.r.IntN(12)
		b.command += fmt.Sprintf(" levels %d", target)
	}
	if b.chance(2) {
		length = 2 + b.r.IntN(9)
		b.command += fmt.Sprintf(" every %d \"minute\"", length)
	}
	most := 1 + b.r.IntN(4)
	b.command += fmt.Sprintf(" tries %d", most)
	late := 1000
	if b.chance(2) {
		late = length + b.r.IntN(20)
		b.command += fmt.Sprintf(" deadline %d", late)
	}
	again := 1 + b.r.IntN(2) // what is not done goes on with its levels and its clock
	b.command = strings.Repeat(b.command+"\n", again)
	b.judge = func() map[string]string {
		sum, clock, n := 0, 0, 0
		for range again {
			if sum >= target {
				sum, clock = 0, 0
			}
			for n = 0; n < most && clock+length <= late && sum < target; n++ {
				for _, p := range crew {
					s := u.usual(p, uniWay{"WILLPOWER", "OCCULTISM"})
					if u.perform(s); s.made {
						sum = min(target, sum+s.lvl)
					}
				}
				clock += length
			}
		}
		return map[string]string{"outcome": uniOutcome(sum >= target), "levels": fmt.Sprint(sum), "tries": fmt.Sprint(n), "time": fmt.Sprint(clock)}
	}
}

func (b *uniBout) mend() {
	u := b.u
	text, sum := b.modifiers()
	n := 1 + b.r.IntN(9)
	u.by["B"].damage = n
	fmt.Fprintf(&b.set, "B.damage = %d\n", n)
	b.command = "A: heal B" + text
	b.judge = func() map[string]string {
		s := u.usual(u.by["A"], uniWay{"INTELLIGENCE", "DOCTOR"})
		s.add += sum
		f := u.alone(s)
		if s.reaches() {
			u.by["B"].damage -= min(u.by["B"].damage, s.lvl)
		}
		return f
	}
}

func (b *uniBout) jump() {
	u := b.u
	me := u.by[b.pick("A", "B", "V", "W")]
	way := b.pick("high", "long")
	table := map[string][]int{"high": {0, 1, 1, 2, 4, 4, 5, 7, 7, 10, 10}, "long": {0, 2, 2, 3, 5, 5, 6, 8, 8, 10, 10}}[way]
	near := 0
	switch n := me.traits["STRENGTH"]; {
	case n > 10:
		near = 10 + (n-10)*map[string]int{"high": 2, "long": 1}[way]
	case n > 0:
		near = table[n]
	}
	running := b.chance(2)
	wanted := b.r.IntN(16)
	b.command = fmt.Sprintf("%s: leap %s %d", me.name, way, wanted)
	if running {
		near *= 2
		b.command += " running"
	}
	if near >= wanted {
		b.judge = func() map[string]string {
			return map[string]string{"outcome": "success", "distance": fmt.Sprint(near)}
		}
		return
	}
	text, sum := b.modifiers()
	b.command += text
	b.judge = func() map[string]string {
		s := u.against(me, "combat", 0, uniClimb...)
		s.add += sum
		u.perform(s)
		far := near
		if s.made {
			far += s.lvl
			if running && u.on("leap_running", "all") {
				far += s.lvl
			}
		}
		return map[string]string{"outcome": uniOutcome(s.made && far >= wanted), "total": fmt.Sprint(s.total), "levels": fmt.Sprint(s.lvl), "distance": fmt.Sprint(far)}
	}
}

func (b *uniBout) shared() {
	u := b.u
	crew := []*uniPerson{u.by["A"], u.by["B"], u.by["W"]}
	needed, tail := 1, ""
	if b.chance(2) {
		needed = 1 + b.r.IntN(5)
		tail = fmt.Sprintf(" needs %d", needed)
	}
	ritual := uniWay{"WILLPOWER", "OCCULTISM"}
	if b.chance(2) {
		b.command = "together long A, B, W at ritual" + tail
		b.judge = func() map[string]string {
			sum := 0
			for _, p := range crew {
				s := u.usual(p, ritual)
				u.perform(s)
				sum += s.lvl
			}
			return map[string]string{"outcome": uniOutcome(sum >= needed), "levels": fmt.Sprint(sum)}
		}
		return
	}
	b.command = "together led A helped by B, W at ritual" + tail
	b.judge = func() map[string]string {
		lead := u.usual(crew[0], ritual)
		spoiled := 0
		for _, p := range crew[1:] {
			s := u.usual(p, ritual)
			u.perform(s)
			lead.add += s.lvl
			if !s.made {
				spoiled += 3
			}
		}
		if u.on("led_failure", "total") {
			lead.add -= spoiled
		}
		u.perform(lead)
		if u.on("led_failure", "levels") {
			lead.lvl = max(0, lead.lvl-spoiled)
		}
		return map[string]string{"outcome": uniOutcome(lead.made && lead.lvl >= needed), "total": fmt.Sprint(lead.total), "levels": fmt.Sprint(lead.lvl)}
	}
}

func (b *uniBout) chase() {
	u := b.u
	run, hunt := u.by[b.pick("A", "V")], u.by[b.pick("B", "W")]
	lead, turns := b.r.IntN(6), 1+b.r.IntN(5)
	rm, hm := b.r.IntN(9)-4, b.r.IntN(9)-4
	b.command = fmt.Sprintf("chase %s from %s lead %d turns %d", run.name, hunt.name, lead, turns)
	if rm != 0 {
		b.command += fmt.Sprintf(" runner mod %d", rm)
	}
	if hm != 0 {
		b.command += fmt.Sprintf(" chaser mod %d", hm)
	}
	race := []uniWay{{"DEXTERITY"}, {"DEXTERITY", "SPORTS"}}
	b.judge = func() map[string]string {
		ahead, n := max(lead, atoi(u.opts["chase_min_lead"])), 0
		for ; ahead > 0 && ahead < 5 && n < turns; n++ {
			a, c := u.against(run, "combat", 0, race...), u.against(hunt, "combat", 0, race...)
			a.add, c.add = a.add+rm, c.add+hm
			u.perform(a)
			u.perform(c)
			switch w := u.winner(a, c, nil); {
			case w == run:
				ahead++
			case w == hunt:
				ahead--
			case a.made && c.made || u.on("score_below_nine", "compare_only") && (a.score != "" || c.score != ""):
				if u.on("chase_tie", "runner") {
					ahead++
				}
			case u.on("chase_both_fail", "lower_loses") && a.total > c.total:
				ahead++
			case u.on("chase_both_fail", "lower_loses") && a.total < c.total:
				ahead--
			}
		}
		f := map[string]string{"outcome": "running", "lead": fmt.Sprint(ahead), "turns": fmt.Sprint(n)}
		if ahead <= 0 {
			f["outcome"] = "caught"
		} else if ahead >= 5 {
			f["outcome"] = "escaped"
		}
		return f
	}
}

func (b *uniBout) contest() {
	u := b.u
	defended := b.chance(2)
	b.command = "contest A DEXTERITY, B DEXTERITY once, V by score"
	if defended {
		b.command += ", defended by B"
	}
	b.judge = func() map[string]string {
		a := &uniSide{who: u.by["A"], add: 2 * u.by["A"].traits["DEXTERITY"], needed: 1}
		c := &uniSide{who: u.by["B"], add: u.by["B"].traits["DEXTERITY"], needed: 1}
		v := uniScored(u.by["V"], "combat", 0)
		sides := []*uniSide{a, c, v}
		best := -100
		for _, s := range sides {
			u.perform(s)
			if s.made || u.on("score_below_nine", "compare_only") {
				best = max(best, s.total)
			}
		}
		var top []*uniSide
		for _, s := range sides {
			if s.total == best && (s.made || u.on("score_below_nine", "compare_only")) {
				top = append(top, s)
			}
		}
		var w *uniSide
		if len(top) == 1 {
			w = top[0]
		} else if defended && slices.Contains(top, c) {
			w = c
		}
		f := map[string]string{"outcome": uniOutcome(w != nil), "winner": "", "levels": "0"}
		if w != nil {
			f["winner"], f["levels"] = w.who.name, fmt.Sprint(w.lvl)
		}
		return f
	}
}

// -- the arena --

// fromList lets dice fall as a list says.
type fromList struct {
	faces []int
	used  int
}

func (l *fromList) deal(q interp.Request) []int {
	n := len(q.Sizes)
	l.used += n
	return l.faces[l.used-n : l.used]
}

var uniOptions = map[string][]string{
	"one_chain": {"cumulative", "replace", "floor"}, "one_at_five": {"one", "zero"}, "one_after_ten": {"nothing", "fumble"},
	"one_vs_certain": {"applies", "waived"}, "score_below_nine": {"total", "compare_only"}, "muscle_tie": {"always", "defending"},
	"grapple_bonus": {"2", "0"}, "score_average": {"down", "nearest", "sum"}, "band_default": {"kind", "harsh", "ask"}, "unskilled_penalty": {"0", "1", "2", "3", "4", "5"},
	"unskilled_cap": {"all", "complex", "off"}, "chase_min_lead": {"0", "1"}, "chase_tie": {"nothing", "runner"},
	"chase_both_fail": {"nothing", "lower_loses"}, "leap_running": {"table", "all"}, "led_failure": {"total", "levels"},
	"fear_mode": {"heroic", "bare_willpower", "double_penalties"}, "fear_familiar_at": {"3", "4"}, "fear_familiar_scope": {"all", "keep_sudden"},
	"fear_retest": {"fresh", "until_nine"}, "fear_decay": {"sum", "each"}, "panic_below": {"terror", "run"},
	"drama_bonus": {"stated", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10"}, "drama_timing": {"before", "after"}, "unlock_bonus": {"no", "yes"},
}

// reckon makes the Scores of traits: rules 49 to 54 and 58.
func (p *uniPerson) reckon(average string) {
	mean := func(names ...string) float64 { // of the Skills on the sheet, or of all Attributes
		sum, n := 0, 0
		for _, name := range names {
			if v, ok := p.traits[name]; ok || uniAttribute(name) {
				sum, n = sum+v, n+1
			}
		}
		m := float64(sum) / float64(max(1, n))
		switch average {
		case "down":
			return math.Floor(m)
		case "nearest":
			return math.Floor(m + 0.5)
		}
		return m
	}
	whole := func(x float64) int { return int(math.Floor(x + 1e-9)) } // thirds are no floats
	p.muscle = 2*p.traits["STRENGTH"] + p.limbs + 6
	p.combat = whole(float64(p.traits["DEXTERITY"]) + mean("KUNG_FU", "GUN_FU", "GETTING_MEDIEVAL") + 6)
	p.brains = whole(mean("INTELLIGENCE", "PERCEPTION", "WILLPOWER") + mean("INFLUENCE", "NOTICE", "OCCULTISM", "KNOWLEDGE", "COMPUTERS", "CRIME", "DOCTOR", "ARTIST") + 6)
}

func uniPeople(r *rand.Rand, average string) []*uniPerson {
	var list []*uniPerson
	for _, name := range []string{"A", "B", "V", "W"} {
		p := &uniPerson{name: name, hero: name < "C", rolls: name == "W", traits: map[string]int{}, panic: "calm", heldBy: "none"}
		for _, n := range []string{"STRENGTH", "DEXTERITY", "INTELLIGENCE", "PERCEPTION", "WILLPOWER"} {
			p.traits[n] = r.IntN(6)
		}
		p.traits["STRENGTH"] += 6 * r.IntN(2) * r.IntN(2)
		for _, n := range []string{"KUNG_FU", "GUN_FU", "ACROBATICS", "NOTICE", "OCCULTISM", "DOCTOR", "SPORTS"} {
			if r.IntN(3) > 0 {
				p.traits[n] = r.IntN(6)
			}
		}
		p.base, p.life, p.nerves = r.IntN(10), 30*r.IntN(2), r.IntN(3)
		if p.hero {
			p.drama = r.IntN(3)
		} else {
			p.muscle, p.combat, p.brains = 5+r.IntN(14), 5+r.IntN(14), 5+r.IntN(14)
			if p.made = r.IntN(2) == 0; p.made {
				p.limbs = r.IntN(3)
				p.reckon(average)
			}
		}
		list = append(list, p)
	}
	return list
}

// state is what is compared of somebody.
func (p *uniPerson) state() map[string]string {
	yes := map[bool]string{true: "yes", false: "no"}
	return map[string]string{
		"drama": fmt.Sprint(p.drama), "damage": fmt.Sprint(p.damage), "held_by": p.heldBy, "panic": p.panic, "defence": fmt.Sprint(p.defence),
		"helpless": yes[p.helpless], "no_attack": yes[p.noAttack], "defence_only": yes[p.defend], "fleeing": yes[p.fleeing], "initiative_lost": yes[p.lost],
	}
}

// uniTable is a session with people and options; each bout begins there anew.
func uniTable(t *testing.T, r *rand.Rand) func() (string, []string) {
	opts := map[string]string{}
	text := "use unisystem with "
	for i, n := range slices.Sorted(maps.Keys(uniOptions)) {
		opts[n] = uniOptions[n][0]
		if r.IntN(3) == 0 {
			opts[n] = uniOptions[n][r.IntN(len(uniOptions[n]))]
		}
		if i > 0 {
			text += ", "
		}
		text += n + " = " + opts[n]
	}
	text += "\n"
	people := uniPeople(r, opts["score_average"])
	for _, p := range people {
		text += p.declare()
	}
	dice := &fromList{}
	arena := newArena(t, r, text)
	arena.deal = dice.deal
	return func() (string, []string) {
		b := &uniBout{r: r, u: &uniReferee{opts: opts, by: map[string]*uniPerson{}}}
		for _, p := range people {
			one := *p
			b.u.by[p.name] = &one
		}
		for range 200 { // ones and tens more often than they should
			b.u.faces = append(b.u.faces, []int{1, 10, 1 + r.IntN(10), 1 + r.IntN(10), 1 + r.IntN(10), 2 + r.IntN(8)}[r.IntN(6)])
		}
		[]func(){b.roll, b.roll, b.roll, b.blow, b.blow, b.grip, b.fright, b.fright, b.mend, b.jump, b.shared, b.chase, b.contest, b.duel, b.duel, b.climb, b.task}[r.IntN(17)]()
		dice.faces, dice.used = b.u.faces, 0
		told := fmt.Sprintf("%s%s%s\ndice %v", text, b.set.String(), b.command, b.u.faces[:12])
		var everybody []string
		for _, p := range people {
			everybody = append(everybody, p.name)
		}
		script, _ := arena.play(b.set.String(), b.command, everybody...)
		if b.refused != "" {
			return told, differences(script, verdict{refused: b.refused})
		}
		referee := verdict{fields: b.judge(), state: map[string]string{"dice.used": fmt.Sprint(b.u.used)}}
		script.state["dice.used"] = fmt.Sprint(dice.used)
		for _, p := range people {
			for field, value := range b.u.by[p.name].state() {
				referee.state[p.name+"."+field] = value
			}
		}
		return told, differences(script, referee)
	}
}

func TestRefereeOfUnisystem(t *testing.T) { seated(t, 14, uniTable) }

// noDice fails the test when a die is thrown.
type noDice struct{ t *testing.T }

func (n noDice) Throw(context.Context, interp.Request) ([]int, error) {
	n.t.Error("a die was thrown")
	return []int{5}, nil
}

// What cannot be done is refused before anybody throws a die.
func TestUnisystemRefusesBeforeTheDice(t *testing.T) {
	for command, want := range map[string]string{
		`together Tess, Robin at research`:                       "Robin has no INTELLIGENCE",
		`lengthy "it" levels 5 by Tess, Robin at research`:       "Robin has no INTELLIGENCE",
		`chase Tess from Robin lead 2`:                           "Robin has no DEXTERITY",
		`contest Tess DEXTERITY, Robin STRENGTH + KUNG_FU + ART`: "a check adds one Attribute and one trait more, not 3 traits",
		`contest Tess DEXTERITY, Robin STRENGTH vs difficult`:    "how difficult? give a number from -2..-1",
	} {
		s := interp.NewSession(interp.Config{Modules: stdlib.FS, Chance: noDice{t}})
		err := s.Exec(t.Context(), lang.NewSource("", `use unisystem with band_default = ask
cast Tess { STRENGTH 2, DEXTERITY 2, INTELLIGENCE 2 }
cast Robin { STRENGTH 2; KUNG_FU 1, ART 1 }
`+command))
		var re *interp.RunError
		if !errors.As(err, &re) || re.Diag.Message != want {
			t.Errorf("%s: %v, want %s", command, err, want)
		}
	}
}

package interp_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"setpiece/interp"
)

// A referee for Firefly: one contest told once more, slowly and plainly, from the two
// pages of the book and the catalogue, not from the scripts. Random contests are played by
// the scripts; the referee sees only which dice fell how, and must come to the same totals,
// points, complications, banked dice and people Taken Out.

var flyDice = []int{4, 6, 8, 10, 12}

func flyRung(size int) int { return 1 + slices.Index(flyDice, size) }

type flyPerson struct {
	name   string
	crew   bool
	traits map[string]int
	pp     int
	bdh    []int
	comp   map[string]int // complication and size
	over   map[string]int // of those past d12, by how many steps
	assets map[string]int
	out    bool
}

func (p *flyPerson) copy() *flyPerson {
	q := *p
	q.bdh, q.comp, q.over, q.assets = slices.Clone(p.bdh), maps.Clone(p.comp), maps.Clone(p.over), maps.Clone(p.assets)
	return &q
}

func flyMap(m map[string]int, die string) string {
	var list []string
	for _, k := range slices.Sorted(maps.Keys(m)) {
		list = append(list, fmt.Sprintf("%s %s%d", k, die, m[k]))
	}
	return strings.Join(list, ", ")
}

// flySide is one side of a contest: what goes in, and what comes of it.
type flySide struct {
	who      *flyPerson // nil for the Game Master's difficulty
	text     string
	dice     []int
	keep     int
	keeps    int // further dice that are asked for
	banked   int // banked dice that are asked for
	assets   []string
	d4       bool
	stay     bool
	jinx     [2]string // buy or step, and what
	relief   []string  // complications that opportunities step back
	lender   *flyPerson
	botched  bool
	total    int
	ones     int
	top      int
	rolledBD int
}

func (s *flySide) gm() bool { return s.who == nil || !s.who.crew }

type flyReferee struct {
	opts    map[string]string
	bank    int
	throws  [][2][]int // sizes, faces
	refused string
	odd     string
}

func (u *flyReferee) on(name, value string) bool { return u.opts[name] == value }

// fall takes the next throw, which must be of these dice.
func (u *flyReferee) fall(dice []int) []int {
	if len(u.throws) == 0 {
		u.odd = fmt.Sprintf("no throw of %v", dice)
		return slices.Repeat([]int{1}, len(dice))
	}
	t := u.throws[0]
	u.throws = u.throws[1:]
	if !slices.Equal(slices.Sorted(slices.Values(t[0])), slices.Sorted(slices.Values(dice))) {
		u.odd = fmt.Sprintf("the script threw %v, the referee %v", t[0], dice)
	}
	return append(slices.Clone(t[0]), t[1]...)
}

// pay takes a point, yes if there was one.
func (u *flyReferee) pay(s *flySide) bool {
	if s.gm() {
		if u.bank == 0 {
			return false
		}
		u.bank--
		return true
	}
	if s.who.pp == 0 {
		return false
	}
	s.who.pp--
	if u.on("bank_refill", "from_player_spends") {
		u.bank++
	}
	return true
}

// afflict gives a complication for n ones, or steps one up n times.
func (u *flyReferee) afflict(p *flyPerson, name string, n int) {
	past := 0
	if size, has := p.comp[name]; has {
		past = flyRung(size) + n - 5
		p.comp[name] = flyDice[min(5, flyRung(size)+n)-1]
	} else {
		past = flyRung(6) + n - 1 - 5
		p.comp[name] = flyDice[min(5, flyRung(6)+n-1)-1]
	}
	switch {
	case past <= 0:
	case u.on("over_d12", "ceiling"):
		p.over[name] = 1
	default:
		p.over[name] += past
	}
}

// ease steps a complication back.
func (u *flyReferee) ease(p *flyPerson, name string, n int) {
	for ; n > 0; n-- {
		switch {
		case p.over[name] > 1:
			p.over[name]--
		case p.over[name] == 1:
			delete(p.over, name)
		case p.comp[name] == 6:
			delete(p.comp, name)
			return
		default:
			p.comp[name] = flyDice[flyRung(p.comp[name])-2]
		}
	}
}

func flyNew(p *flyPerson, name string) string {
	if _, has := p.comp[name]; !has {
		return name
	}
	for n := 2; ; n++ {
		if _, has := p.comp[fmt.Sprintf("%s_%d", name, n)]; !has {
			return fmt.Sprintf("%s_%d", name, n)
		}
	}
}

// buy is the Game Master's purchase of a roll's jinxes.
func (u *flyReferee) buy(s *flySide, n int) {
	if s.jinx[0] == "" {
		return
	}
	points := 1
	if u.on("jinx_price", "per_one") {
		points = n
	}
	s.who.pp += points
	if s.lender != nil && u.on("lent_pp", "each") {
		s.lender.pp += points
	}
	u.afflict(s.who, s.jinx[1], n)
	if s.lender != nil {
		u.afflict(s.lender, s.jinx[1], n)
	}
}

// roll is a side's throw, its ones, and further dice.
func (u *flyReferee) roll(s, foe *flySide) {
	t := u.fall(s.dice)
	type die struct{ size, face int }
	var dice []die
	for i := range len(t) / 2 {
		dice = append(dice, die{t[i], t[len(t)/2+i]})
	}
	slices.SortFunc(dice, func(a, b die) int {
		if a.face != b.face {
			return b.face - a.face
		}
		return b.size - a.size
	})
	s.top = dice[0].size
	if u.on("highest_die", "size") {
		s.top = slices.Max(s.dice)
	}
	var faces []int
	for _, d := range dice {
		if d.face == 1 {
			s.ones++
		} else {
			faces = append(faces, d.face)
		}
	}
	for _, f := range faces[:min(s.keep, len(faces))] {
		s.total += f
	}
	faces = faces[min(s.keep, len(faces)):]
	switch {
	case s.ones == 0:
	case s.gm():
		if foe.who != nil && foe.who.crew {
			n := s.ones
			for _, name := range foe.relief {
				if n == 0 {
					break
				}
				if _, has := foe.who.comp[name]; !has {
					u.refused = "no complication " + name
					return
				}
				if !u.pay(foe) {
					u.refused = "an opportunity costs a point"
					return
				}
				steps := 1
				if u.on("opportunity_price", "all") {
					steps = n
				}
				u.ease(foe.who, name, steps)
				n -= steps
			}
		}
		if s.who != nil && s.ones == len(dice) && u.on("gm_botch", "yes") {
			u.afflict(s.who, flyNew(s.who, "BOTCH"), len(dice))
		}
	case s.ones == len(dice):
		s.botched = true
		u.afflict(s.who, flyNew(s.who, "BOTCH"), len(dice))
		if s.lender != nil {
			u.afflict(s.lender, flyNew(s.lender, "BOTCH"), len(dice))
		}
	case u.on("jinx_timing", "at_once"):
		u.buy(s, s.ones)
	}
	for range s.keeps {
		if s.gm() && u.bank == 0 || !s.gm() && s.who.pp == 0 {
			u.refused = "keeping a die costs a point"
			return
		}
		if len(faces) > 0 {
			u.pay(s)
			s.total += faces[0]
			faces = faces[1:]
		}
	}
}

// bigDamn rolls a banked die, if one is asked for and can be.
func (u *flyReferee) bigDamn(s *flySide) bool {
	if s.gm() || s.rolledBD >= s.banked || u.on("bdh_per_contest", "one") && s.rolledBD > 0 {
		return false
	}
	if len(s.who.bdh) == 0 || s.who.pp == 0 {
		u.refused = "no banked die, or no point for it"
		return false
	}
	d := slices.Max(s.who.bdh)
	u.pay(s)
	s.rolledBD++
	if f := u.fall([]int{d})[1]; f > 1 {
		s.total += f
		s.who.bdh = slices.Delete(s.who.bdh, slices.Index(s.who.bdh, d), slices.Index(s.who.bdh, d)+1)
	} else if u.on("bdh_take_back", "die_and_point") {
		s.who.pp++
	}
	return true
}

func (u *flyReferee) gain(p *flyPerson, size int) {
	p.bdh = slices.Sorted(slices.Values(append(p.bdh, size)))
}

func (u *flyReferee) lose(p *flyPerson, limit int) {
	if len(p.bdh) == 0 {
		return
	}
	at := -1
	for i, d := range p.bdh {
		if d <= limit {
			at = i
		}
	}
	switch {
	case at >= 0:
		p.bdh = slices.Delete(slices.Clone(p.bdh), at, at+1)
	case u.on("bdh_no_fit", "step_back"):
		low := p.bdh[0]
		p.bdh = p.bdh[1:]
		if low > 4 {
			u.gain(p, flyDice[flyRung(low)-2])
		}
	}
}

// share does something to a crew member's banked dice and, under an option, to the lender's.
func (u *flyReferee) share(s *flySide, size int, do func(*flyPerson, int)) {
	if s.gm() {
		return
	}
	do(s.who, size)
	if s.lender != nil && u.on("lent_scope", "harm_and_bdh") {
		do(s.lender, size)
	}
}

// contest plays it all; me is the aggressor.
func (u *flyReferee) contest(me, it *flySide, high bool) map[string]string {
	for _, s := range []*flySide{it, me} {
		if s.d4 {
			switch {
			case !s.gm() && u.on("distinction_pp", "at_once"):
				s.who.pp++
			case s.gm() && u.on("gmc_d4", "bank"):
				u.bank++
			}
		}
		for _, a := range s.assets {
			if !u.pay(s) {
				u.refused = "an asset costs a point"
				return nil
			}
			s.who.assets[a] = 6
		}
	}
	u.roll(it, me)
	if u.refused == "" {
		u.roll(me, it)
	}
	if u.refused != "" {
		return nil
	}
	hit := func() bool {
		if u.on("botch_fails", "yes") && me.botched != it.botched {
			return it.botched
		}
		return me.total > it.total
	}
	for again := true; again && u.refused == ""; {
		behind, ahead := me, it
		if hit() {
			behind, ahead = it, me
		}
		again = u.bigDamn(behind)
		if !again && u.refused == "" {
			again = u.bigDamn(ahead)
		}
	}
	if u.refused != "" {
		return nil
	}
	if u.on("jinx_timing", "after_compare") {
		for _, s := range []*flySide{it, me} {
			if !s.gm() && s.ones > 0 && !s.botched {
				u.buy(s, s.ones)
			}
		}
	}
	winner, loser := it, me
	by := it.total - me.total
	if hit() {
		winner, loser, by = me, it, -by
	}
	if by >= 5 && (winner == me || u.on("exceptional_side", "either")) {
		u.share(winner, loser.top, u.gain)
		u.share(loser, winner.top, u.lose)
	}
	if high && loser.who != nil {
		size := winner.top
		if size == 4 && u.on("stay_floor", "d6") {
			size = 6
		}
		switch p := loser.who; {
		case !loser.stay:
			p.out = true
		case !u.pay(loser):
			u.refused = "staying in costs a point"
			return nil
		case !p.crew && u.on("gmc_stay", "free"):
		default:
			p.comp[flyNew(p, "HURT")] = size
		}
		if loser.lender != nil {
			loser.lender.out = true
		}
	}
	for _, s := range []*flySide{me, it} {
		if s.d4 && !s.gm() && u.on("distinction_pp", "after_contest") {
			s.who.pp++
		}
	}
	f := map[string]string{"outcome": uniOutcome(winner == me), "total": fmt.Sprint(me.total), "against": fmt.Sprint(it.total), "margin": fmt.Sprint(me.total - it.total)}
	return f
}

// -- what is played --

var flyOptions = map[string][]string{
	"jinx_price": {"per_roll", "per_one"}, "jinx_timing": {"at_once", "after_compare"}, "botch_fails": {"no", "yes"}, "gm_botch": {"no", "yes"},
	"opportunity_price": {"all", "per_one"}, "highest_die": {"face", "size"}, "exceptional_side": {"either", "aggressor"},
	"bdh_per_contest": {"any", "one"}, "bdh_take_back": {"die", "die_and_point"}, "bdh_no_fit": {"none", "step_back"}, "over_d12": {"ceiling", "counted"},
	"stay_floor": {"d6", "none"}, "gmc_stay": {"complication", "free"}, "gmc_d4": {"bank", "nothing"}, "lent_pp": {"roller", "each"},
	"lent_scope": {"harm", "harm_and_bdh"}, "distinction_pp": {"at_once", "after_contest"}, "bank_refill": {"no", "from_player_spends"},
}

type flyBout struct {
	r    *rand.Rand
	u    *flyReferee
	by   map[string]*flyPerson
	high bool
}

func (b *flyBout) chance(n int) bool { return b.r.IntN(n) == 0 }

// side makes a pool and clauses for somebody; helper is who may lend.
func (b *flyBout) side(p, foe, helper *flyPerson) *flySide {
	s := &flySide{who: p, keep: 2}
	attribute := []string{"MENTAL", "PHYSICAL", "SOCIAL"}[b.r.IntN(3)]
	skill := []string{"FIGHT", "MOVE", "TRICK"}[b.r.IntN(3)]
	s.text = attribute + " + " + skill
	s.dice = []int{p.traits[attribute], p.traits[skill]}
	if b.chance(2) {
		size := []int{4, 8}[b.r.IntN(2)]
		s.text += fmt.Sprintf(" + \"Way of %s\" d%d", p.name, size)
		s.dice, s.d4 = append(s.dice, size), size == 4
	}
	b.common(s, foe)
	if !p.crew {
		if b.high && b.chance(2) && b.u.bank > s.keeps {
			s.text, s.stay = s.text+" spend bank stay", true
		}
		return s
	}
	left := p.pp
	spend := func(text string) bool {
		if left == 0 {
			return false
		}
		left--
		s.text += " spend pp " + text
		return true
	}
	if b.chance(4) && spend("asset ROPE") {
		s.dice, s.assets = append(s.dice, 6), []string{"ROPE"}
	}
	for b.chance(2) && spend("keep") {
		s.keeps++
	}
	for len(p.bdh) > s.banked && b.chance(2) && !(s.banked > 0 && b.u.on("bdh_per_contest", "one")) && spend("bdh") {
		s.banked++
	}
	if len(p.comp) > 0 && b.chance(2) && (foe == nil || !foe.crew) && spend("opportunity "+flyFirst(p.comp)) {
		s.relief = []string{flyFirst(p.comp)}
	}
	if b.high && b.chance(2) && spend("stay") {
		s.stay = true
	}
	switch b.r.IntN(3) {
	case 0:
		s.jinx = [2]string{"buy", "LATE"}
		s.text += " jinx buy LATE"
	case 1:
		if len(p.comp) > 0 && len(s.relief) == 0 {
			s.jinx = [2]string{"step", flyFirst(p.comp)}
			s.text += " jinx step " + flyFirst(p.comp)
		}
	}
	if helper != nil && b.chance(2) {
		s.lender = helper
		s.dice = append(s.dice, helper.traits["TRICK"])
		s.text += " lent by " + helper.name + " TRICK"
	}
	return s
}

func flyFirst(m map[string]int) string { return slices.Sorted(maps.Keys(m))[0] }

// common is what the Game Master may put into a pool, too.
func (b *flyBout) common(s *flySide, foe *flyPerson) {
	if b.chance(4) {
		s.text, s.dice, s.keep = s.text+" scale", append(s.dice, 8), 3
	}
	if foe != nil && len(foe.comp) > 0 && b.chance(2) {
		name := flyFirst(foe.comp)
		s.text, s.dice = s.text+" use complication "+name, append(s.dice, foe.comp[name])
	}
	if s.gm() && b.u.bank > 0 && b.chance(2) {
		s.text, s.keeps = s.text+" spend bank keep", 1
	}
}

// flyFall lets dice fall, with many ones.
func flyFall(r *rand.Rand) func(interp.Request) []int {
	return func(q interp.Request) []int {
		var faces []int
		for _, size := range q.Sizes {
			if r.IntN(4) == 0 {
				faces = append(faces, 1)
			} else {
				faces = append(faces, 1+r.IntN(size))
			}
		}
		return faces
	}
}

var flyEntry = regexp.MustCompile(`"(\w+)": d?(\d+)`)

// flyTable is a session with people and options; each contest begins there anew.
func flyTable(t *testing.T, r *rand.Rand) func() (string, []string) {
	opts := map[string]string{}
	text := "use firefly with "
	for i, n := range slices.Sorted(maps.Keys(flyOptions)) {
		opts[n] = flyOptions[n][0]
		if r.IntN(3) == 0 {
			opts[n] = flyOptions[n][r.IntN(2)]
		}
		if i > 0 {
			text += ", "
		}
		text += n + " = " + opts[n]
	}
	text += "\n"
	var people []*flyPerson
	bank := r.IntN(3)
	for _, name := range []string{"Ann", "Bob", "Foe"} {
		p := &flyPerson{name: name, crew: name != "Foe", traits: map[string]int{}, comp: map[string]int{}, over: map[string]int{}, assets: map[string]int{}}
		kind, more := "gmc", ""
		for _, n := range []string{"MENTAL", "PHYSICAL", "SOCIAL"} {
			p.traits[n] = flyDice[1+r.IntN(3)]
		}
		for _, n := range []string{"FIGHT", "MOVE", "TRICK"} {
			p.traits[n] = flyDice[r.IntN(5)]
		}
		if p.crew {
			kind, p.pp = "crew", r.IntN(5)
			var dice []string
			for range r.IntN(3) {
				p.bdh = append(p.bdh, flyDice[r.IntN(5)])
			}
			slices.Sort(p.bdh)
			for _, d := range p.bdh {
				dice = append(dice, fmt.Sprintf("d%d", d))
			}
			more = fmt.Sprintf("; pp %d; bdh [%s]", p.pp, strings.Join(dice, ", "))
		}
		text += fmt.Sprintf("%s %s { ", kind, name)
		for _, n := range slices.Sorted(maps.Keys(p.traits)) {
			text += fmt.Sprintf("%s d%d; ", n, p.traits[n])
		}
		text += fmt.Sprintf("distinction \"Way of %s\"%s }\n", name, more)
		if r.IntN(2) == 0 {
			p.comp["SORE"] = flyDice[1+r.IntN(4)]
			text += fmt.Sprintf("%s.complications[\"SORE\"] = d%d\n", name, p.comp["SORE"])
		}
		people = append(people, p)
	}
	text += fmt.Sprintf("bank %d\n", bank)
	arena := newArena(t, r, text)
	arena.deal = flyFall(r)
	return func() (string, []string) {
		b := &flyBout{r: r, u: &flyReferee{opts: opts, bank: bank}, by: map[string]*flyPerson{}, high: r.IntN(2) == 0}
		for _, p := range people {
			b.by[p.name] = p.copy()
		}
		pairs := [][3]string{{"Ann", "Foe", "Bob"}, {"Foe", "Bob", "Ann"}, {"Ann", "", "Bob"}, {"Bob", "Ann", ""}}
		pair := pairs[r.IntN(len(pairs))]
		x, y, z := b.by[pair[0]], b.by[pair[1]], b.by[pair[2]]
		var helps, answers *flyPerson // who lends to whom
		if x.crew {
			helps = z
		} else {
			answers = z
		}
		me := b.side(x, y, helps)
		var it *flySide
		high := ""
		if b.high {
			high = " high_stakes"
		}
		command := fmt.Sprintf("%s: roll %s%s vs ", x.name, me.text, high)
		if y != nil {
			it = b.side(y, x, answers)
			command += y.name + " " + it.text
		} else {
			words := []string{"very_easy", "easy", "challenging", "hard", "really_hard"}
			k, place := r.IntN(5), flyDice[r.IntN(5)]
			it = &flySide{keep: 2, dice: []int{flyDice[k], place}}
			it.text = fmt.Sprintf("%s + PLACE d%d", words[k], place)
			b.common(it, x)
			command += it.text
		}
		before := b.state()
		script, throws := arena.play("", command, "Ann", "Bob", "Foe", "Game Master")
		for k, v := range script.state {
			if found := flyEntry.FindAllStringSubmatch(v, -1); found != nil {
				m := map[string]int{}
				for _, f := range found {
					m[f[1]] = atoi(f[2])
				}
				v = flyMap(m, "")
			}
			script.state[k] = strings.Trim(v, "{}")
		}
		for _, t := range throws {
			b.u.throws = append(b.u.throws, [2][]int{t.sizes, t.faces})
		}
		told := fmt.Sprintf("%s%s\ndice %v", text, command, throws)
		fields := b.u.contest(me, it, b.high)
		if b.u.refused != "" {
			return told, differences(script, verdict{refused: b.u.refused, state: before})
		}
		diff := differences(script, verdict{fields: fields, state: b.state()})
		if b.u.odd != "" || len(b.u.throws) > 0 {
			diff = append(diff, fmt.Sprintf("dice: %s, left %v", b.u.odd, b.u.throws))
		}
		return told, diff
	}
}

// state is what is compared of everybody.
func (b *flyBout) state() map[string]string {
	shall := map[string]string{"Game Master.pp": fmt.Sprint(b.u.bank)}
	for _, p := range b.by {
		shall[p.name+".out"] = mvTruth(p.out)
		shall[p.name+".complications"] = flyMap(p.comp, "")
		shall[p.name+".over"] = flyMap(p.over, "")
		shall[p.name+".assets"] = flyMap(p.assets, "")
		if p.crew {
			shall[p.name+".pp"] = fmt.Sprint(p.pp)
			var banked []string
			for _, d := range p.bdh {
				banked = append(banked, fmt.Sprintf("d%d", d))
			}
			shall[p.name+".bdh"] = "[" + strings.Join(banked, ", ") + "]"
		}
	}
	return shall
}

func TestRefereeOfFirefly(t *testing.T) { seated(t, 19, flyTable) }

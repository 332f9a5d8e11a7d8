package interp_test

import (
	"cmp"
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
// points, complications, banked dice and people Taken Out. What is longer than a contest is not
// drawn here: craft_attribute_range, order_restart, callback_limit, opportunity_by, pp_carry, bdh_life and
// complication_life have their cases in testdata/firefly.

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
	acted  bool
	aboard bool // in the Boat
}

// takenOut: by high stakes, or by a complication past d12.
func (p *flyPerson) takenOut() bool { return p.out || len(p.over) > 0 }

func (p *flyPerson) copy() *flyPerson {
	q := *p
	q.bdh, q.comp, q.over, q.assets = slices.Clone(p.bdh), maps.Clone(p.comp), maps.Clone(p.over), maps.Clone(p.assets)
	return &q
}

func flyMap(m, over map[string]int) string {
	var list []string
	for _, k := range slices.Sorted(maps.Keys(m)) {
		list = append(list, fmt.Sprintf("%s %d%s", k, m[k], strings.Repeat("+", over[k])))
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
	steps    bool     // they step up one that is there
	jinxes   []string // what the jinxes of the roll become, if they are bought
	relief   []string // complications that opportunities step back
	used     []string // complications of the other side in the pool
	fresh    []string // complications its ones have just brought
	botch    string   // what a botch is called
	lose     int      // the banked die to lose
	act      bool     // pays to act, or to defend, though Taken Out
	scale    bool
	mute     bool // does not defend
	lateKeep bool // keeps a die if it has failed
	left     []int
	refused  string // why the pool is not allowed
	lender   *flyPerson
	botched  bool
	total    int
	ones     int
	top      int // 0: nothing was thrown
	rolledBD int
	acting   bool
	mends    string // the complication it tries to remove
	patient  *flyPerson
}

func (s *flySide) gm() bool { return s.who == nil || !s.who.crew }

type flyReferee struct {
	crew    []*flyPerson // in order
	gang    []*flyPerson // the GMCs, in order
	action  bool         // turns are taken in order
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
	if len(s.jinxes) > 0 {
		u.bought(s, s.who, n)
	}
}

// bought is what n jinxes pay and bring, as complications of x.
func (u *flyReferee) bought(s *flySide, x *flyPerson, n int) {
	points := 1
	if u.on("jinx_price", "per_one") {
		points = n
	}
	s.who.pp += points
	if s.lender != nil && u.on("lent_pp", "each") {
		s.lender.pp += points
	}
	steps := []int{n}
	if u.on("jinx_spread", "split") {
		steps = slices.Repeat([]int{1}, n)
	}
	for i, n := range steps {
		name := s.jinxes[min(i, len(s.jinxes)-1)]
		anew := x.comp[name] == 0
		u.afflict(x, name, n)
		s.fresh = append(s.fresh, name)
		if x == s.who {
			s.share(u, name, n, anew)
		}
	}
}

// botch is rule 38; sizes is how many dice there were.
func (u *flyReferee) botch(s *flySide, dice int) {
	name := cmp.Or(s.botch, "BOTCH")
	if s.botch == "" || !u.on("botch_target", "may_step_existing") {
		name = flyNew(s.who, name)
	}
	anew := s.who.comp[name] == 0
	u.afflict(s.who, name, dice)
	s.fresh = append(s.fresh, name)
	s.share(u, name, dice, anew)
}

// share is rule 26: the lender gets the same, a new one for a new one.
func (s *flySide) share(u *flyReferee, name string, n int, anew bool) {
	switch {
	case s.lender == nil:
	case anew:
		u.afflict(s.lender, flyNew(s.lender, name), n)
	default:
		u.afflict(s.lender, name, n)
	}
}

// sufferer is whose complication an opportunity steps back.
func (u *flyReferee) sufferer(p *flyPerson, name string) *flyPerson {
	who := []*flyPerson{p}
	if u.on("opportunity_whose", "any_crew") {
		who = append(who, u.crew...)
	}
	for _, x := range who {
		if _, has := x.comp[name]; has {
			return x
		}
	}
	return nil
}

// roll is a side's throw, its ones, and further dice.
func (u *flyReferee) roll(s, foe *flySide) {
	if s.mute {
		for range s.keeps {
			if s.gm() && u.bank == 0 || !s.gm() && s.who.pp == 0 {
				u.refused = "keeping a die costs a point"
			}
		}
		return
	}
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
				x := u.sufferer(foe.who, name)
				if x == nil {
					continue
				}
				if !u.pay(foe) {
					u.refused = "an opportunity costs a point"
					return
				}
				steps := 1
				if u.on("opportunity_price", "all") {
					steps = n
				}
				u.ease(x, name, steps)
				n -= steps
			}
		}
		if s.who != nil && s.ones == len(dice) && u.on("gm_botch", "yes") {
			s.botched = true
			u.botch(s, len(dice))
		}
	case s.ones == len(dice):
		s.botched = true
		if s.mends == "" || u.on("recovery_botch", "step_and_new") {
			u.botch(s, len(dice))
		}
	case s.mends != "": // the ones of a recovery wait for its end
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
	if s.left = faces; s.acting {
		u.keepLate(s, foe)
	}
}

// keepLate keeps a die for whoever has failed so far and asked for it.
func (u *flyReferee) keepLate(s, foe *flySide) {
	failed := s.acting && s.total <= foe.total || !s.acting && foe.total > s.total
	if !s.lateKeep || !failed || s.gm() && u.bank == 0 || !s.gm() && s.who.pp == 0 {
		return
	}
	s.lateKeep = false
	if len(s.left) > 0 {
		u.pay(s)
		s.total += s.left[0]
		s.left = s.left[1:]
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
		if u.on("bank_refill", "from_player_spends") {
			u.bank--
		}
	}
	return true
}

func (u *flyReferee) gain(p *flyPerson, size int) {
	p.bdh = slices.Sorted(slices.Values(append(p.bdh, size)))
}

func (u *flyReferee) lose(p *flyPerson, limit, chosen int) {
	if len(p.bdh) == 0 {
		return
	}
	at := -1
	for i, d := range p.bdh {
		if d <= limit {
			at = i
		}
	}
	if at >= 0 && chosen > 0 && !u.on("bdh_loss", "largest_fit") {
		if chosen > limit {
			u.refused = "that die is too large to be lost"
			return
		}
		at = slices.Index(p.bdh, chosen)
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

// exceptional is rules 43 and 45; under an option lenders share.
func (u *flyReferee) exceptional(winner, loser *flySide) {
	both := u.on("lent_scope", "harm_and_bdh")
	if !winner.gm() && loser.top > 0 {
		u.gain(winner.who, loser.top)
		if winner.lender != nil && both {
			u.gain(winner.lender, loser.top)
		}
	}
	if !loser.gm() {
		u.lose(loser.who, winner.top, loser.lose)
		if loser.lender != nil && both {
			u.lose(loser.lender, winner.top, 0)
		}
	}
}

// limits is rules 55 and 56: who is Taken Out pays to act, and keeps one die.
func (u *flyReferee) limits(me, it *flySide) {
	for _, s := range []*flySide{me, it} {
		if s.scale {
			s.keep = 3
		}
		if s.who == nil || !s.who.takenOut() {
			continue
		}
		if s.keep = 1; s.scale && u.on("limited_scale", "two") {
			s.keep = 2
		}
		switch {
		case s.acting && (s.gm() || !s.act || !u.pay(s)):
			u.refused = "Taken Out"
		case s.acting:
		case s.act && (u.on("limited_defence", "free") || s.gm() && u.bank == 0 || !s.gm() && s.who.pp == 0):
			u.refused = "a defence costs nothing, or more than there is"
		case u.on("limited_defence", "paid"):
			if s.mute = !(s.act && u.pay(s)); s.mute {
				s.d4, s.assets, s.lender = false, nil, nil
			}
		}
	}
}

// outnumbered is rule 31: the dice of the other GMCs.
func (u *flyReferee) outnumbered(s *flySide) {
	if s.who == nil || s.who.crew || !u.action {
		return
	}
	ours := 0
	for _, p := range u.crew {
		if !p.takenOut() {
			ours++
		}
	}
	var pack []*flyPerson
	n := 0
	for _, p := range u.gang {
		if !p.takenOut() {
			if n++; p != s.who || u.on("gang_count", "all") {
				pack = append(pack, p)
			}
		}
	}
	if n <= ours {
		return
	}
	if u.on("gang_count", "surplus") {
		pack = pack[:min(len(pack), n-ours)]
	}
	for _, p := range pack {
		s.dice = append(s.dice, map[bool]int{true: 8, false: 6}[p.name == "Foe"])
	}
}

// contest plays it all; me is the aggressor.
func (u *flyReferee) contest(me, it *flySide, high bool) map[string]string {
	me.acting = true
	for _, s := range []*flySide{me, it} {
		if u.refused == "" {
			u.refused = s.refused
		}
		if s.lender != nil && s.lender.takenOut() {
			u.refused = "the lender is Taken Out"
		}
		if s.stay && s.who.out {
			u.refused = "who is out already cannot stay in"
		}
	}
	u.limits(me, it)
	if it.lateKeep && u.on("late_keep", "no") {
		u.refused = "who throws first keeps dice before it is known who fails"
	}
	if me.scale && it.scale {
		u.refused = "both sides have the advantage of scale"
	}
	if me.mends != "" && me.steps && me.jinxes[0] == me.mends {
		u.refused = "what the roll removes does not step up"
	}
	if u.refused != "" {
		return nil
	}
	for _, s := range []*flySide{me, it} {
		u.outnumbered(s)
	}
	if me.who != nil && u.action {
		me.who.acted = true
	}
	for _, s := range []*flySide{it, me} {
		if s.lender != nil && u.action && u.on("lend_uses_action", "yes") {
			s.lender.acted = true
		}
	}
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
		if u.on("pools", "live") && it.who != nil {
			for _, name := range it.fresh {
				if !slices.Contains(me.used, name) {
					me.used = append(me.used, name)
					me.dice = append(me.dice, it.who.comp[name])
				}
			}
		}
		u.roll(me, it)
	}
	if u.refused != "" {
		return nil
	}
	if u.on("late_keep", "yes") {
		u.keepLate(it, me)
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
		lost := u.on("botch_fails", "yes") && behind.botched && !ahead.botched
		again = !lost && u.bigDamn(behind)
		if !again && u.refused == "" {
			again = u.bigDamn(ahead)
		}
	}
	if u.refused != "" {
		return nil
	}
	if u.on("jinx_timing", "after_compare") {
		for _, s := range []*flySide{it, me} {
			if !s.gm() && s.ones > 0 && !s.botched && s.mends == "" {
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
		if u.exceptional(winner, loser); u.refused != "" {
			return nil
		}
	}
	if high && loser.who != nil {
		size := winner.top
		if size == 0 || size == 4 && u.on("stay_floor", "d6") {
			size = 6
		}
		switch p := loser.who; {
		case p.out:
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
	if me.mends != "" {
		if u.recovered(me, winner == me); u.refused != "" {
			return nil
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

// recovered is rules 59 to 62: what becomes of the complication.
func (u *flyReferee) recovered(me *flySide, won bool) {
	p, name := me.patient, me.mends
	if _, has := p.comp[name]; !has {
		return
	}
	switch {
	case won:
		delete(p.comp, name)
		delete(p.over, name)
		if me.ones > 0 && len(me.jinxes) > 0 && !(me.botched && u.on("recovery_botch", "step_and_new")) {
			u.bought(me, p, me.ones)
		}
	case me.ones == 0:
		u.ease(p, name, 1)
	default:
		u.afflict(p, name, me.ones)
		if p == me.who {
			me.share(u, name, me.ones, false)
		}
	}
}

// -- what is played --

var flyOptions = map[string][]string{
	"jinx_price": {"per_roll", "per_one"}, "jinx_timing": {"at_once", "after_compare"}, "botch_fails": {"no", "yes"}, "gm_botch": {"no", "yes"},
	"opportunity_price": {"all", "per_one"}, "highest_die": {"face", "size"}, "exceptional_side": {"either", "aggressor"},
	"bdh_per_contest": {"any", "one"}, "bdh_take_back": {"die", "die_and_point"}, "bdh_no_fit": {"none", "step_back"}, "over_d12": {"ceiling", "counted"},
	"stay_floor": {"d6", "none"}, "gmc_stay": {"complication", "free"}, "gmc_d4": {"bank", "nothing"}, "lent_pp": {"roller", "each"},
	"lent_scope": {"harm", "harm_and_bdh"}, "distinction_pp": {"at_once", "after_contest"}, "bank_refill": {"no", "from_player_spends"},
	"distinction_scope": {"one", "one_each"}, "know_subject_die": {"yes", "no"}, "signature_assets": {"one", "any"}, "asset_share": {"owner", "crew"},
	"lend_uses_action": {"no", "yes"}, "pools": {"frozen", "live"}, "min_pool_fill": {"error", "repeat_difficulty"}, "gang_count": {"all_but_leader", "surplus", "all"},
	"late_keep": {"no", "yes"}, "jinx_spread": {"single", "split"}, "botch_target": {"new", "may_step_existing"}, "opportunity_whose": {"own", "any_crew"},
	"bdh_loss": {"largest_fit", "player", "gm"}, "limited_defence": {"free", "paid"}, "limited_scale": {"one", "two"},
	"taken_out_recovery": {"limited", "ally_only"}, "recovery_limit": {"character", "complication", "scene"}, "recovery_botch": {"step_only", "step_and_new"},
}

type flyBout struct {
	r    *rand.Rand
	u    *flyReferee
	by   map[string]*flyPerson
	high bool
	leak int // the complication of the Boat
}

func (b *flyBout) chance(n int) bool { return b.r.IntN(n) == 0 }

// rarely: what is refused is tried now and then.
func (b *flyBout) rarely() bool { return b.chance(10) }

// side makes a pool and clauses for somebody; helper is who may lend.
func (b *flyBout) side(p, foe, helper *flyPerson) *flySide {
	s := &flySide{who: p, keep: 2}
	b.pool(s)
	b.common(s, foe)
	left := p.pp
	if s.act = p.takenOut() && !b.rarely(); s.act {
		s.text += " spend pp act"
		if p.crew {
			left--
		}
	}
	if !p.crew {
		if b.high && b.chance(2) && b.u.bank > s.keeps+1 {
			s.text, s.stay = s.text+" spend bank stay", true
		}
		return s
	}
	spend := func(text string) bool {
		if left <= 0 {
			return false
		}
		left--
		s.text += " spend pp " + text
		return true
	}
	if b.chance(4) && p.assets["ROPE"] == 0 && spend("asset ROPE") {
		s.dice, s.assets = append(s.dice, 6), []string{"ROPE"}
	}
	b.helping(s)
	for b.chance(2) && spend("keep") {
		s.keeps++
	}
	if s.keeps == 0 && b.chance(4) && spend("keep if failed") {
		s.lateKeep = true
	}
	for len(p.bdh) > s.banked && b.chance(2) && !(s.banked > 0 && b.u.on("bdh_per_contest", "one")) && spend("bdh") {
		s.banked++
	}
	relief := ""
	for _, x := range append([]*flyPerson{p}, b.u.crew...) {
		if (x == p || b.u.on("opportunity_whose", "any_crew")) && len(x.comp) > 0 && relief == "" {
			relief = flyFirst(x.comp)
		}
	}
	if relief != "" && b.chance(2) && (foe == nil || !foe.crew) && spend("opportunity "+relief) {
		s.relief = []string{relief}
	}
	if b.high && b.chance(2) && spend("stay") {
		s.stay = true
	}
	switch b.r.IntN(3) {
	case 0:
		s.jinxes = []string{"LATE"}
		if s.text += " jinx buy LATE"; b.u.on("jinx_spread", "split") && b.chance(2) {
			s.text, s.jinxes = s.text+" jinx buy TORN", append(s.jinxes, "TORN")
		}
	case 1:
		if len(p.comp) > 0 && len(s.relief) == 0 {
			s.jinxes, s.steps = []string{flyFirst(p.comp)}, true
			s.text += " jinx step " + flyFirst(p.comp)
		}
	}
	if b.chance(3) {
		s.botch = []string{"DAZED", "SORE"}[b.r.IntN(2)]
		s.text += " botch " + s.botch
	}
	if len(p.bdh) > 0 && !b.u.on("bdh_loss", "largest_fit") && s.banked == 0 && b.chance(2) {
		s.lose = p.bdh[b.r.IntN(len(p.bdh))]
		s.text += fmt.Sprintf(" lose d%d", s.lose)
	}
	if helper != nil && b.chance(2) {
		s.lender = helper
		s.dice = append(s.dice, helper.traits["TRICK"])
		s.text += " lent by " + helper.name + " TRICK"
		if helper.acted && b.u.action && b.u.on("lend_uses_action", "yes") {
			s.refused = "the lender has acted"
		}
	}
	return s
}

// pool is the attribute, the skill, and what of the sheet may join them.
func (b *flyBout) pool(s *flySide) {
	p := s.who
	attribute := []string{"MENTAL", "PHYSICAL", "SOCIAL"}[b.r.IntN(3)]
	skill := []string{"FIGHT", "MOVE", "TRICK"}[b.r.IntN(3)]
	size := p.traits[attribute]
	if p.aboard && b.chance(2) {
		attribute, size = "ENGINES", 10
	}
	subject := p.crew && b.chance(6)
	if subject {
		skill = "KNOW"
	}
	s.text = attribute + " + " + skill
	s.dice = []int{size, p.traits[skill]}
	join := func(text string, size int) {
		s.text, s.dice = s.text+" + "+text, append(s.dice, size)
	}
	distinctions := 0
	if b.chance(2) {
		size := []int{4, 8}[b.r.IntN(2)]
		join(fmt.Sprintf("\"Way of %s\" d%d", p.name, size), size)
		s.d4 = size == 4
		distinctions++
	}
	if p.aboard && b.chance(4) && (distinctions == 0 || b.u.on("distinction_scope", "one_each") || b.rarely()) {
		join("\"Patched Twice\" d8", 8)
		if distinctions++; distinctions > 1 && b.u.on("distinction_scope", "one") {
			s.refused = "one distinction"
		}
	}
	if !p.crew {
		return
	}
	if b.chance(5) {
		join("PISTOL", 8)
		if b.u.on("signature_assets", "any") || b.rarely() {
			if join("HAT", 6); b.u.on("signature_assets", "one") {
				s.refused = "one signature asset"
			}
		}
	}
	special := b.chance(6)
	if special {
		join("\"Dirty Fighting\"", 6)
	}
	if subject && b.chance(2) {
		s.text += " subject"
		s.dice = append(s.dice, 6)
		if special || b.u.on("know_subject_die", "no") {
			s.refused = "no subject, or two specialties"
		}
	}
}

// helping is assets: one's own, those of the boat, and of the others of the crew under an option.
func (b *flyBout) helping(s *flySide) {
	for _, x := range b.u.crew {
		size := x.assets["HOOK_OF_"+strings.ToUpper(x.name)]
		others := x != s.who && b.u.on("asset_share", "owner")
		if size == 0 || !b.chance(3) || others && !b.rarely() {
			continue
		}
		s.text, s.dice = s.text+" use asset HOOK_OF_"+strings.ToUpper(x.name), append(s.dice, size)
		if others {
			s.refused = "somebody else's asset"
		}
	}
	if b.chance(4) && (s.who.aboard || b.rarely()) {
		if s.text, s.dice = s.text+" use asset WINCH", append(s.dice, 6); !s.who.aboard {
			s.refused = "the asset of the boat"
		}
	}
}

func flyFirst(m map[string]int) string { return slices.Sorted(maps.Keys(m))[0] }

// common is what the Game Master may put into a pool, too.
func (b *flyBout) common(s *flySide, foe *flyPerson) {
	if b.chance(4) {
		s.text, s.dice, s.keep, s.scale = s.text+" scale", append(s.dice, 8), 3, true
	}
	if foe != nil && len(foe.comp) > 0 && b.chance(2) {
		name := flyFirst(foe.comp)
		s.text, s.dice, s.used = s.text+" use complication "+name, append(s.dice, foe.comp[name]), []string{name}
	}
	if foe != nil && foe.aboard && b.chance(3) { // what is wrong with the crew's boat
		s.text, s.dice, s.used = s.text+" use complication LEAK", append(s.dice, b.leak), append(s.used, "LEAK")
		if !s.gm() && s.who.aboard {
			s.refused = "the boat is theirs as well"
		}
	}
	if s.gm() && b.u.bank > 0 && b.chance(2) {
		if b.chance(3) {
			s.text, s.lateKeep = s.text+" spend bank keep if failed", true
		} else {
			s.text, s.keeps = s.text+" spend bank keep", 1
		}
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

var flyEntry = regexp.MustCompile(`"(\w+)": d?(\d+)(\+*)`)

// flyPeople declares who there is.
func flyPeople(r *rand.Rand) (people []*flyPerson, leak int, text string) {
	for _, name := range []string{"Ann", "Bob", "Foe"} {
		p := &flyPerson{name: name, crew: name != "Foe", traits: map[string]int{}, comp: map[string]int{}, over: map[string]int{}, assets: map[string]int{}}
		kind, more := "gmc", ""
		for _, n := range []string{"MENTAL", "PHYSICAL", "SOCIAL"} {
			p.traits[n] = flyDice[1+r.IntN(3)]
		}
		for _, n := range []string{"FIGHT", "MOVE", "TRICK"} {
			p.traits[n] = flyDice[r.IntN(5)]
		}
		var traits strings.Builder
		for _, n := range slices.Sorted(maps.Keys(p.traits)) {
			fmt.Fprintf(&traits, "%s d%d; ", n, p.traits[n])
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
			p.traits["KNOW"] = 6
			more = fmt.Sprintf("; KNOW d6 subject \"Ports\"; specialty \"Dirty Fighting\" FIGHT; signature PISTOL d8; signature HAT d6; pp %d; bdh [%s]", p.pp, strings.Join(dice, ", "))
			p.assets["HOOK_OF_"+strings.ToUpper(name)] = 6 + 2*r.IntN(2)
		}
		text += fmt.Sprintf("%s %s { %sdistinction \"Way of %s\"%s }\n", kind, name, traits.String(), name, more)
		if r.IntN(2) == 0 {
			p.comp["SORE"] = flyDice[1+r.IntN(4)]
		}
		if r.IntN(10) == 0 {
			p.comp["SORE"], p.over["SORE"] = 12, 1
		}
		for what, size := range p.comp {
			text += fmt.Sprintf("%s.complications[%q] = d%d%s\n", name, what, size, strings.Repeat("+", p.over[what]))
		}
		for what, size := range p.assets {
			text += fmt.Sprintf("%s.assets[%q] = d%d\n", name, what, size)
		}
		people = append(people, p)
	}
	leak = flyDice[1+r.IntN(4)]
	text += fmt.Sprintf("extra Thug { }\nextra Goon { }\nship Boat { ENGINES d10, HULL d6, SYSTEMS d6; distinction \"Patched Twice\"; complications {LEAK: d%d} }\nBoat.assets[\"WINCH\"] = d6\n", leak)
	return people, leak, text
}

// flyTable is a session with people and options; each contest begins there anew.
func flyTable(t *testing.T, r *rand.Rand) func() (string, []string) {
	opts := map[string]string{}
	text := "use firefly with "
	for i, n := range slices.Sorted(maps.Keys(flyOptions)) {
		opts[n] = flyOptions[n][0]
		if r.IntN(3) == 0 {
			opts[n] = flyOptions[n][r.IntN(len(flyOptions[n]))]
		}
		if i > 0 {
			text += ", "
		}
		text += n + " = " + opts[n]
	}
	people, leak, declared := flyPeople(r)
	bank := r.IntN(3)
	text += fmt.Sprintf("\n%sbank %d\n", declared, bank)
	arena := newArena(t, r, text)
	arena.deal = flyFall(r)
	return func() (string, []string) {
		b := &flyBout{r: r, u: &flyReferee{opts: opts, bank: bank}, by: map[string]*flyPerson{}, leak: leak}
		for _, p := range people {
			q := p.copy()
			b.by[p.name] = q
			if q.crew {
				b.u.crew = append(b.u.crew, q)
			} else {
				b.u.gang = append(b.u.gang, q)
			}
		}
		me, it, situation, command := b.contest()
		before := b.state()
		script, throws := arena.play(situation, command, "Ann", "Bob", "Foe", "Game Master")
		for k, v := range script.state {
			if found := flyEntry.FindAllStringSubmatch(v, -1); found != nil {
				m, over := map[string]int{}, map[string]int{}
				for _, f := range found {
					if m[f[1]] = atoi(f[2]); f[3] != "" {
						over[f[1]] = len(f[3])
					}
				}
				v = flyMap(m, over)
			}
			script.state[k] = strings.Trim(v, "{}")
		}
		for _, t := range throws {
			b.u.throws = append(b.u.throws, [2][]int{t.sizes, t.faces})
		}
		told := fmt.Sprintf("%s%s%s\ndice %v", text, situation, command, throws)
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

// contest makes a situation and a command in it: a contest of two, one against a difficulty, or a recovery.
func (b *flyBout) contest() (me, it *flySide, situation, command string) {
	var set strings.Builder
	pairs := [][3]string{{"Ann", "Foe", "Bob"}, {"Foe", "Bob", "Ann"}, {"Ann", "", "Bob"}, {"Bob", "Ann", ""}}
	pair := pairs[b.r.IntN(len(pairs))]
	x, y, z := b.by[pair[0]], b.by[pair[1]], b.by[pair[2]]
	for _, name := range []string{"Ann", "Bob", "Foe"} {
		p := b.by[name]
		if b.chance(10) {
			p.out = true
			fmt.Fprintf(&set, "%s.out = yes\n", name)
		}
		if p.crew && b.chance(4) {
			p.aboard = true
			fmt.Fprintf(&set, "%s: board Boat\n", name)
		}
	}
	thug, goon := &flyPerson{name: "Thug"}, &flyPerson{name: "Goon", out: b.chance(3)}
	if goon.out {
		set.WriteString("Goon.out = yes\n")
	}
	b.u.gang = append(b.u.gang, thug, goon)
	if b.u.action = b.chance(2); b.u.action {
		set.WriteString("Table.action = yes\nTable.round = 1\n")
		if z != nil && b.chance(4) {
			z.acted = true
			fmt.Fprintf(&set, "%s.acted = yes\n", z.name)
		}
	}
	if y == nil && b.chance(2) {
		me, it, command = b.recovery(&set, x, z)
		return me, it, set.String(), command
	}
	b.high = b.chance(2)
	var helps, answers *flyPerson // who lends to whom
	if x.crew {
		helps = z
	} else {
		answers = z
	}
	me = b.side(x, y, helps)
	high := ""
	if b.high {
		high = " high_stakes"
	}
	command = fmt.Sprintf("%s: roll %s%s vs ", x.name, me.text, high)
	if y != nil {
		it = b.side(y, x, answers)
		command += y.name + " " + it.text
	} else {
		it = b.difficulty(x, "")
		command += it.text
	}
	return me, it, set.String(), command
}

// difficulty is the Game Master's pool against somebody; beside names a complication that joins it.
func (b *flyBout) difficulty(x *flyPerson, beside string) *flySide {
	words := []string{"very_easy", "easy", "challenging", "hard", "really_hard"}
	k, place := b.r.IntN(5), flyDice[b.r.IntN(5)]
	it := &flySide{keep: 2, dice: []int{flyDice[k]}, text: words[k]}
	if beside == "" && !b.chance(4) {
		it.dice, it.text = append(it.dice, place), it.text+fmt.Sprintf(" + PLACE d%d", place)
	}
	b.common(it, x)
	if len(it.dice) == 1 && beside == "" {
		if it.dice = append(it.dice, it.dice[0]); b.u.on("min_pool_fill", "error") {
			it.refused = "two dice at least"
		}
	}
	return it
}

// recovery is rules 57 to 62, of somebody's own complication or of the helper's.
func (b *flyBout) recovery(set *strings.Builder, x, z *flyPerson) (me, it *flySide, command string) {
	p := x
	if b.chance(2) {
		p, z = z, nil
	}
	if len(p.comp) == 0 {
		p.comp["SORE"] = flyDice[1+b.r.IntN(4)]
		fmt.Fprintf(set, "%s.complications[\"SORE\"] = d%d\n", p.name, p.comp["SORE"])
	}
	me = b.side(x, nil, z)
	what := flyFirst(p.comp)
	me.mends, me.patient = what, p
	switch {
	case b.u.on("taken_out_recovery", "ally_only") && p == x && len(p.over) > 0:
		me.refused = "only an ally may"
	case me.botch != "" && b.u.on("recovery_botch", "step_only"):
		me.refused = "a botch of a recovery brings no complication"
	case me.steps && p.comp[me.jinxes[0]] == 0:
		me.refused = "no such complication"
	}
	if b.chance(5) {
		other := b.chance(2)
		fmt.Fprintf(set, "Table.recovered = yes\n%s.recovered = yes\n%s.mended = [%q]\n", p.name, p.name, map[bool]string{true: "LAME", false: what}[other])
		if !b.u.on("recovery_limit", "complication") || !other {
			me.refused = "one recovery in a scene"
		}
	}
	it = b.difficulty(x, what)
	it.dice = append(it.dice, p.comp[what])
	if p == x && slices.Contains(it.used, what) {
		it.refused = "it is in the pool already"
	}
	of := ""
	if p != x {
		of = " of " + p.name
	}
	return me, it, fmt.Sprintf("%s: recover %s%s with %s vs %s", x.name, what, of, me.text, it.text)
}

// state is what is compared of everybody.
func (b *flyBout) state() map[string]string {
	shall := map[string]string{"Game Master.pp": fmt.Sprint(b.u.bank)}
	for _, p := range b.by {
		shall[p.name+".out"] = mvTruth(p.out)
		shall[p.name+".complications"] = flyMap(p.comp, p.over)
		shall[p.name+".assets"] = flyMap(p.assets, nil)
		shall[p.name+".acted"] = mvTruth(p.acted)
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

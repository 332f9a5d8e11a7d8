package interp_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// Cartoon Action Hour's checks once more, from the book and its catalogue: one check in an action
// scene, against a difficulty or against somebody, with links, Qualities, Benefit
// Dice and Oomph, and the tokens and Defeats that come of it.

type cahPerson struct {
	name                     string
	hero, goon               bool
	star, rating             int // rating: of a Goon Squad
	atk, def, gear, pow      int // POW costs 1 Oomph a use, GEAR is an Accessory, ATK has Area
	oomph                    int // a hero's own
	boxes, setbacks          int
	bold, shy                bool // boxes of the Standard Qualities are marked
	gearOff, defeated, saved bool // saved: an Insta-Defeat was avoided in this scene
	fellTo                   string
}

func (p *cahPerson) trait(name string) int {
	switch name {
	case "ATK":
		return p.atk
	case "DEF":
		return p.def
	case "GEAR":
		return p.gear
	case "POW":
		return p.pow
	}
	return p.rating
}

// cahEffort is what a side puts into its check.
type cahEffort struct {
	links, helps, flaws           []string
	boxes                         int
	effort, reroll, ifFailed, dip bool // dip: Avoid Insta-Defeat
}

func (e *cahEffort) text() string {
	var b strings.Builder
	for _, x := range e.links {
		fmt.Fprintf(&b, " link %s", x)
	}
	for _, x := range e.helps {
		fmt.Fprintf(&b, " quality %q", x)
	}
	for _, x := range e.flaws {
		fmt.Fprintf(&b, " hindered by %q", x)
	}
	if e.boxes > 0 {
		fmt.Fprintf(&b, " signature %d", e.boxes)
	}
	if e.effort {
		b.WriteString(" spend oomph extra_effort")
	}
	if e.reroll {
		b.WriteString(" spend oomph reroll")
		if e.ifFailed {
			b.WriteString(" if failed")
		}
	}
	if e.dip {
		b.WriteString(" spend oomph avoid_insta")
	}
	return b.String()
}

type cahRival struct {
	who, trait string
	flat       bool
	effort     *cahEffort
}

type cahCommand struct {
	who, trait string
	verb       string // attack, roll, cross
	crucial    bool
	effort     *cahEffort
	rivals     []cahRival
	dn, base   int // dn 0: base, and a d12 or 6
	flat       bool
}

func (c *cahCommand) text() string {
	against := fmt.Sprintf("vs DN %d", c.dn)
	if c.dn == 0 {
		against = fmt.Sprintf("vs difficulty %d", c.base)
		if c.flat {
			against += " flat"
		}
	}
	flat := func(x cahRival) string {
		if x.flat {
			return " flat"
		}
		return ""
	}
	with := ""
	if c.trait != "" {
		with = " with " + c.trait
	}
	switch c.verb {
	case "cross":
		return fmt.Sprintf("%s: cross%s%s %s", c.who, with, c.effort.text(), against)
	case "attack":
		var foes []string
		for _, x := range c.rivals {
			s := x.who + " against"
			if x.trait != "" {
				s += " " + x.trait
			}
			foes = append(foes, s+x.effort.text()+flat(x))
		}
		return fmt.Sprintf("%s: attack %s%s%s", c.who, strings.Join(foes, ", "), with, c.effort.text())
	}
	crucial := ""
	if c.crucial {
		crucial = " crucial"
	}
	if len(c.rivals) > 0 {
		x := c.rivals[0]
		against = "vs " + x.who
		if x.trait != "" {
			against += " with " + x.trait
		}
		against += x.effort.text() + flat(x)
	}
	return fmt.Sprintf("%s: roll %s%s%s %s", c.who, c.trait, crucial, c.effort.text(), against)
}

type cahTable struct {
	options map[string]string
	people  []*cahPerson
	pool    int // the GM's Oomph
	guess   func([]int) thrown
	scribe
}

// cahSide is one side of a check.
type cahSide struct {
	who                                      *cahPerson
	e                                        *cahEffort
	trait                                    string
	acting, flat, crucial, opposed           bool
	dice, face, ill, well, total, shift      int
	pool                                     []int
	hindered                                 int
	effort, flubbed, rerolled, appealed, hit bool
	tokens, margin                           int
	nothing                                  bool // no Trait fits
}

func (m *cahTable) is(option, value string) bool { return m.options[option] == value }
func (m *cahTable) refuse(format string, args ...any) {
	panic(notAllowed(fmt.Sprintf(format, args...)))
}

func (m *cahTable) person(name string) *cahPerson {
	for _, p := range m.people {
		if p.name == name {
			return p
		}
	}
	return nil
}

func (m *cahTable) now() map[string]string {
	all := map[string]string{"Game Master.oomph": fmt.Sprint(m.pool)}
	for _, p := range m.people {
		set := func(field, value string) { all[p.name+"."+field] = value }
		set("setbacks", fmt.Sprint(p.setbacks))
		set("defeated", mvTruth(p.defeated))
		set("fell_to", "none")
		if p.fellTo != "" {
			set("fell_to", p.fellTo)
		}
		set("avoided", mvTruth(p.saved))
		if p.hero {
			set("oomph", fmt.Sprint(p.oomph))
		}
		if !p.goon {
			set("boxes", fmt.Sprint(p.boxes))
			set("Bold.marked", mvTruth(p.bold))
			set("Shy.marked", mvTruth(p.shy))
			off := "none"
			if p.gearOff {
				off = "episode"
			}
			set("GEAR.off", off)
		}
	}
	return all
}

func (m *cahTable) touch() { m.scribe.touch(m.now()) }

func (m *cahTable) judge(c *cahCommand, throws []thrown) verdict {
	m.secret = func(k string) bool { return strings.HasSuffix(k, ".fell_to") || strings.HasSuffix(k, ".avoided") }
	return m.judged(throws, m.now, func() { m.check(c) })
}

// -- Oomph --

func (m *cahTable) purse(p *cahPerson) *int {
	if p.hero {
		return &p.oomph
	}
	return &m.pool
}

func (m *cahTable) pay(p *cahPerson, n int) {
	if p.goon || *m.purse(p) < n {
		m.refuse("%s cannot pay %d", p.name, n)
	}
	*m.purse(p) -= n
	m.touch()
}

// -- a check --

func (m *cahTable) check(c *cahCommand) {
	me := &cahSide{who: m.person(c.who), e: c.effort, trait: c.trait, acting: true, crucial: c.crucial || c.verb != "roll", opposed: len(c.rivals) > 0}
	m.declare(me)
	var its []*cahSide
	for i, x := range c.rivals {
		if slices.ContainsFunc(c.rivals[:i], func(y cahRival) bool { return y.who == x.who }) || x.who == c.who {
			m.refuse("once each, and not oneself")
		}
		its = append(its, &cahSide{who: m.person(x.who), e: x.effort, trait: x.trait, flat: x.flat, crucial: me.crucial})
	}
	if len(its) > 1 && c.trait != "ATK" {
		m.refuse("no Area")
	}
	for _, it := range its {
		if it.who.defeated {
			m.refuse("%s is Defeated", it.who.name)
		}
		if it.trait == "" && !it.who.goon {
			m.react(it, append([]*cahSide{me}, its...))
		}
		m.declare(it)
	}
	for _, s := range append([]*cahSide{me}, its...) {
		for _, t := range append([]string{s.trait}, s.e.links...) {
			if t == "POW" {
				m.pay(s.who, 1)
			}
		}
	}
	for _, s := range append([]*cahSide{me}, its...) {
		m.boosts(s)
	}
	nobody := &cahSide{e: &cahEffort{}}
	switch {
	case len(its) > 0:
		for _, it := range its {
			m.roll(it)
			m.weigh(me, it, len(its))
		}
	case c.dn > 0:
		nobody.total = c.dn
		its = []*cahSide{nobody}
	case c.flat:
		nobody.total = c.base + 6
		its = []*cahSide{nobody}
	default:
		nobody.total = c.base + m.throw(1).faces[0]
		its = []*cahSide{nobody}
	}
	if its[0] == nobody {
		m.weigh(me, nobody, 1)
	}
	m.roll(me)
	m.compare(me, its)
	if m.is("reroll_window", "own_roll") {
		m.reroll(me, me, its)
	}
	m.window(me, its)
	m.settle(me, its)
}

// react chooses for somebody who has not said how they react: the best Trait that is in order, that is not linked
// already, and that can be paid for beside all that has been said.
func (m *cahTable) react(it *cahSide, all []*cahSide) {
	left := *m.purse(it.who)
	for _, s := range all {
		if m.purse(s.who) != m.purse(it.who) || s.who.goon {
			continue
		}
		for _, t := range append([]string{s.trait}, s.e.links...) {
			if t == "POW" {
				left--
			}
		}
		for wants, n := range map[*bool]int{&s.e.effort: 1, &s.e.reroll: 1, &s.e.dip: 2} {
			if *wants {
				left -= n
			}
		}
	}
	it.nothing = true
	for _, t := range []string{"ATK", "DEF", "GEAR", "POW"} {
		if slices.Contains(it.e.links, t) || t == "GEAR" && it.who.gearOff || t == "POW" && left < 1 {
			continue
		}
		if it.nothing || it.who.trait(t) > it.who.trait(it.trait) {
			it.trait, it.nothing = t, false
		}
	}
}

func (m *cahTable) declare(s *cahSide) {
	p := s.who
	if p.defeated {
		m.refuse("%s is Defeated", p.name)
	}
	e := s.e
	if p.goon && (s.trait != "" || len(e.links)+len(e.helps)+len(e.flaws)+e.boxes > 0 || e.effort || e.reroll) {
		m.refuse("not for a Goon Squad")
	}
	if !p.goon && s.trait == "" && !s.nothing {
		m.refuse("which Trait?")
	}
	if slices.Contains(e.links, s.trait) || len(e.links) == 2 && (e.links[0] == e.links[1] || e.links[1] != "GEAR") || len(e.links) > 2 {
		m.refuse("no such link")
	}
	if p.gearOff && (s.trait == "GEAR" || slices.Contains(e.links, "GEAR")) {
		m.refuse("GEAR is Deactivated")
	}
	if !p.goon && e.reroll && !e.ifFailed && *m.purse(p)+len(e.flaws) < 1 {
		m.refuse("no Oomph for a Re-roll")
	}
	if s.flat && (e.reroll || e.boxes > 0 || m.is("flat_side", "bare") && (e.effort || len(e.helps)+len(e.links)+len(e.flaws) > 0)) {
		m.refuse("nothing of that with 6 for the die")
	}
	m.fits(s)
	if e.effort && *m.purse(p)+len(e.flaws) < 1 {
		m.refuse("no Oomph for Extra Effort")
	}
	if e.dip && (p.goon || p.saved || *m.purse(p)+len(e.flaws) < 2 || !s.crucial || m.is("insta_winner", "off") || s.acting && (!m.is("insta_winner", "either") || !s.opposed)) {
		m.refuse("no Insta-Defeat to avoid")
	}
}

// fits refuses Qualities that can neither help nor hinder, before any die is thrown.
func (m *cahTable) fits(s *cahSide) {
	for i, q := range s.e.helps {
		if *m.box(s, q) || slices.Contains(s.e.flaws, q) || slices.Contains(s.e.helps[:i], q) || i > 0 && m.is("quality_stack", "one") {
			m.refuse("%s does not help", q)
		}
	}
	for i, q := range s.e.flaws {
		if slices.Contains(s.e.flaws[:i], q) || q == "Ace" && s.e.boxes > 0 || !s.acting && m.is("hinder_reacting", "barred") {
			m.refuse("no such hindrance")
		}
	}
}

// box is the box of a Standard Quality.
func (m *cahTable) box(s *cahSide, q string) *bool {
	if q == "Shy" {
		return &s.who.shy
	}
	return &s.who.bold
}

func (m *cahTable) boosts(s *cahSide) {
	p, e := s.who, s.e
	s.dice = 1
	if p.goon {
		s.dice = 2
	}
	if e.boxes > 0 {
		if e.boxes > 2-p.boxes {
			m.refuse("not so many boxes")
		}
		p.boxes += e.boxes
		s.dice += e.boxes
		m.touch()
	}
	if m.is("quality_timing", "before") {
		m.help(s)
	}
	for range e.flaws {
		s.hindered++
		*m.purse(p)++
		m.touch()
	}
	if e.effort && m.is("extra_timing", "before") {
		m.pay(p, 1)
		s.effort = true
	}
}

// help marks Qualities; their bonus comes with the rest of the total.
func (m *cahTable) help(s *cahSide) {
	for _, q := range s.e.helps {
		*m.box(s, q) = true
		m.touch()
	}
}

func (m *cahTable) tierBonus(rating int) int {
	switch {
	case rating >= 9:
		return 5
	case rating >= 5:
		return 3
	case rating >= 1 || m.is("rating_zero_tier", "human"):
		return 1
	}
	return 0
}

func (m *cahTable) throw(n int) thrown {
	sizes := slices.Repeat([]int{12}, n)
	if len(m.throws) == 0 && m.guess == nil {
		m.refuse("the scripts threw no %v", sizes)
	}
	if len(m.throws) == 0 {
		return m.guess(sizes)
	}
	t := m.throws[0]
	m.throws = m.throws[1:]
	if !slices.Equal(t.sizes, sizes) {
		m.refuse("the scripts threw %v instead of %v", t.sizes, sizes)
	}
	return t
}

// dice throws n dice and reads which face counts, and which shows a flub or a boon.
func (m *cahTable) dice(s *cahSide, n int) {
	var faces []int
	if n > 1 && m.is("natural", "regular") {
		faces = append(slices.Clone(m.throw(1).faces), m.throw(n-1).faces...)
	} else {
		faces = m.throw(n).faces
	}
	s.pool = faces
	s.face = slices.Max(faces)
	if s.who.goon {
		s.face = slices.Min(faces)
	}
	switch m.options["natural"] {
	case "any":
		s.ill, s.well = slices.Min(faces), slices.Max(faces)
	case "regular":
		s.ill, s.well = faces[0], faces[0]
	default:
		s.ill, s.well = s.face, s.face
	}
}

func (m *cahTable) roll(s *cahSide) {
	p := s.who
	if s.flat {
		s.total = 6 + p.trait(s.trait)
		if m.is("flat_side", "bare") {
			return
		}
	} else {
		m.dice(s, s.dice)
		s.total = s.face + p.trait(s.trait)
		if s.ill == 1 {
			s.flubbed = true
		} else if s.well == 12 {
			s.total += 2 * p.star
		}
	}
	for _, t := range s.e.links {
		s.total += m.tierBonus(p.trait(t))
	}
	if m.is("quality_timing", "before") {
		s.total += 2 * len(s.e.helps)
	}
	if s.effort {
		m.addEffort(s)
	}
	if !s.flat && !s.acting && m.is("reroll_window", "own_roll") {
		m.again(s, s.e.reroll && !s.e.ifFailed)
	}
}

func (m *cahTable) addEffort(s *cahSide) {
	switch {
	case !s.flubbed:
		s.total += s.who.star
	case m.is("extra_on_flub", "refunded"):
		*m.purse(s.who)++
		m.touch()
	}
}

// weigh works out what is added to the DN of one target.
func (m *cahTable) weigh(me, it *cahSide, targets int) {
	it.shift = 2*me.hindered + targets - 1
	switch m.options["hinder_reacting"] {
	case "minus_two":
		it.shift -= 2 * it.hindered
	case "plus_two":
		it.shift += 2 * it.hindered
	}
}

func (m *cahTable) compare(me *cahSide, its []*cahSide) (hits int) {
	for _, it := range its {
		it.margin = me.total - it.total - it.shift
		it.hit = !me.flubbed && (it.margin >= 0 || it.flubbed && m.is("flub_reacting", "loses"))
		if it.hit {
			hits++
		}
	}
	return hits
}

// again throws again, once; only a higher face counts.
func (m *cahTable) again(s *cahSide, wanted bool) bool {
	if !wanted || s.flubbed || s.rerolled || s.flat || s.who.goon || s.face == 12 || *m.purse(s.who) < 1 {
		return false
	}
	m.pay(s.who, 1)
	s.rerolled = true
	before, ill, well := s.face, s.ill, s.well
	n := s.dice
	switch {
	case m.is("reroll_dice", "one"):
		n = 1
	case m.is("reroll_dice", "not_ones") && n > 1:
		for _, f := range s.pool {
			if f == 1 {
				n--
			}
		}
	}
	m.dice(s, n)
	if m.is("reroll_one", "flubs") && s.ill == 1 {
		s.flubbed = true
		return true
	}
	if s.face <= before {
		s.face, s.ill, s.well = before, ill, well
		return true
	}
	s.total += s.face - before
	if s.well == 12 {
		s.total += 2 * s.who.star
	}
	return true
}

// reroll lets a side throw again, as its command asks for it.
func (m *cahTable) reroll(s, me *cahSide, its []*cahSide) bool {
	hits := m.compare(me, its)
	failed := s.hit
	if s.acting {
		failed = me.flubbed || hits == 0
	}
	did := m.again(s, s.e.reroll && (!s.e.ifFailed || failed))
	m.compare(me, its)
	return did
}

// late is what the losing side may still do.
func (m *cahTable) late(s, me *cahSide, its []*cahSide) bool {
	if s.flubbed {
		return false
	}
	if m.is("quality_timing", "after") && len(s.e.helps) > 0 && !s.appealed {
		s.appealed = true
		m.help(s)
		s.total += 2 * len(s.e.helps)
		return true
	}
	if m.is("extra_timing", "after") && s.e.effort && !s.effort && *m.purse(s.who) > 0 {
		m.pay(s.who, 1)
		s.effort = true
		m.addEffort(s)
		return true
	}
	return m.is("reroll_window", "both_known") && m.reroll(s, me, its)
}

// window goes from the losing side to the other until nobody can or will; then the winner may go on.
func (m *cahTable) window(me *cahSide, its []*cahSide) {
	for again := true; again; {
		again = false
		if m.compare(me, its) < len(its) && m.late(me, me, its) {
			again = true
		}
		for _, it := range its {
			m.compare(me, its)
			if it.who != nil && it.hit && m.late(it, me, its) {
				again = true
			}
		}
	}
	if m.is("reroll_window", "own_roll") {
		return
	}
	if m.compare(me, its) > 0 {
		m.reroll(me, me, its)
	}
	for _, it := range its {
		m.compare(me, its)
		if it.who != nil && !it.hit {
			m.reroll(it, me, its)
		}
	}
}

func (m *cahTable) settle(me *cahSide, its []*cahSide) {
	hits := m.compare(me, its)
	for _, s := range append([]*cahSide{me}, its...) {
		if !s.flubbed {
			continue
		}
		m.token(s, nil)
		if s.trait == "GEAR" || slices.Contains(s.e.links, "GEAR") {
			s.who.gearOff = true
		}
		m.touch()
	}
	if me.crucial {
		for _, it := range its {
			m.consequence(me, it)
		}
	}
	outcome := "failure"
	if me.flubbed {
		outcome = "flub"
	} else if hits > 0 {
		outcome = "success"
	}
	m.v.fields = map[string]string{"outcome": outcome, "total": fmt.Sprint(me.total), "hits": fmt.Sprint(hits)}
	if len(its) == 1 {
		m.v.fields["against"], m.v.fields["margin"] = fmt.Sprint(its[0].total+its[0].shift), fmt.Sprint(its[0].margin)
	}
}

func (m *cahTable) consequence(me, it *cahSide) {
	gap := it.margin
	if m.is("insta_margin", "reacting_total") {
		gap = me.total - it.total
	}
	switch {
	case it.who == nil && !it.hit:
		m.result(me, nil)
	case it.who == nil:
	case it.hit:
		if it.who.defeated {
			return
		}
		switch {
		case m.is("insta_winner", "off") || gap < 2*it.who.star, m.avoids(it):
			m.result(it, me)
		default:
			if m.is("insta_flub_token", "replaced") && it.flubbed && it.tokens > 0 {
				it.who.setbacks = max(0, it.who.setbacks-1)
				m.touch()
			}
			m.fall(it.who, me)
		}
	case m.is("insta_winner", "either") && !me.flubbed && !it.flubbed && !me.who.defeated && -gap >= 2*me.who.star:
		if m.avoids(me) {
			m.result(me, it)
		} else {
			m.fall(me.who, it)
		}
	}
}

func (m *cahTable) avoids(s *cahSide) bool {
	if !s.e.dip || s.who.saved || *m.purse(s.who) < 2 {
		return false
	}
	m.pay(s.who, 2)
	s.who.saved = true
	m.touch()
	return true
}

// result is the token that the outcome itself costs.
func (m *cahTable) result(s, by *cahSide) {
	if m.is("flub_tokens", "add") || s.tokens == 0 {
		m.token(s, by)
	}
}

func (m *cahTable) token(s, by *cahSide) {
	p := s.who
	if p.defeated {
		return
	}
	s.tokens++
	p.setbacks++
	m.touch()
	if limit := p.star; p.setbacks > limit || p.goon && p.setbacks > limit-1 {
		m.fall(p, by)
	}
}

func (m *cahTable) fall(p *cahPerson, by *cahSide) {
	p.defeated, p.fellTo = true, ""
	if by != nil {
		p.fellTo = by.who.name
	}
	m.touch()
}

// -- what is played --

var cahOptions = map[string][]string{
	"natural": {"kept", "any", "regular"}, "flub_tokens": {"add", "merge"}, "flub_reacting": {"loses", "dn_only"}, "flat_side": {"six_for_die", "bare"},
	"reroll_dice": {"all", "not_ones", "one"}, "reroll_one": {"ignored", "flubs"}, "reroll_window": {"both_known", "own_roll"},
	"insta_winner": {"acting", "either", "off"}, "insta_margin": {"final_dn", "reacting_total"}, "insta_flub_token": {"kept", "replaced"},
	"extra_timing": {"before", "after"}, "extra_on_flub": {"lost", "refunded"}, "quality_timing": {"before", "after"}, "quality_stack": {"many", "one"},
	"hinder_reacting": {"minus_two", "plus_two", "barred"}, "rating_zero_tier": {"none", "human"},
}

func (p *cahPerson) sheet() string {
	if p.goon {
		return fmt.Sprintf("goons %s { rating %d }\n", p.name, p.rating)
	}
	kind := "villain"
	if p.hero {
		kind = "hero"
	}
	return fmt.Sprintf("%s %s { star %d; signature \"Ace\"; quality \"Bold\"; quality \"Shy\"; ATK %d [area]; DEF %d; GEAR %d [accessory]; POW %d [oomph_powered] }\n",
		kind, p.name, p.star, p.atk, p.def, p.gear, p.pow)
}

func (m *cahTable) fate(r mvDraw) string {
	var b strings.Builder
	m.pool = r.count(4)
	fmt.Fprintf(&b, "Game_Master.oomph = %d\n", m.pool)
	for _, p := range m.people {
		p.oomph, p.boxes, p.setbacks, p.bold, p.shy, p.gearOff, p.defeated, p.saved, p.fellTo = 0, 0, 0, false, false, false, false, false, ""
		if p.hero {
			p.oomph = r.count(4)
			fmt.Fprintf(&b, "%s.oomph = %d\n", p.name, p.oomph)
		}
		if r.one(20) {
			p.defeated = true
			fmt.Fprintf(&b, "%s.defeated = yes\n", p.name)
		}
		if p.goon {
			continue
		}
		p.boxes, p.setbacks, p.bold, p.gearOff = r.count(6)/3, r.count(p.star), r.one(6), r.one(15)
		fmt.Fprintf(&b, "%s.boxes = %d\n%s.setbacks = %d\n%s.qualities.first.marked = %s\n", p.name, p.boxes, p.name, p.setbacks, p.name, mvTruth(p.bold))
		if p.gearOff {
			fmt.Fprintf(&b, "%s.GEAR.off = episode\n", p.name)
		}
	}
	return b.String()
}

func (m *cahTable) effort(r mvDraw, p *cahPerson, trait string, flat, crucial bool) *cahEffort {
	e := &cahEffort{}
	if p.goon && !r.one(60) {
		return e
	}
	able := p.hero && p.oomph > 0 || !p.hero && m.pool > 0
	if !flat || !m.is("flat_side", "bare") || r.one(20) {
		var free []string
		for _, t := range []string{"ATK", "DEF", "POW"} {
			if t != trait && (t != "POW" || able) {
				free = append(free, t)
			}
		}
		if r.one(3) {
			e.links = []string{r.of(free)}
			if trait != "GEAR" && r.one(3) && !p.gearOff {
				e.links = append(e.links, "GEAR")
			}
		}
		if r.one(4) {
			e.helps = []string{r.of([]string{"Bold", "Shy", "Shy"})}
			if r.one(4) && (m.is("quality_stack", "many") || r.one(10)) {
				e.helps = []string{"Bold", "Shy"}
			}
		}
		e.effort = able && r.one(4)
	}
	if r.one(5) {
		e.flaws = []string{r.of([]string{"Bold", "Shy", "Ace"})}
		if r.one(4) {
			e.flaws = append(e.flaws, r.of([]string{"Bold", "Shy", "Ace"}))
		}
	}
	if !flat || r.one(20) {
		if r.one(6) && p.boxes < 2 {
			e.boxes = 1 + r.count(1-p.boxes)
		}
		e.reroll = (able || r.one(20)) && r.one(2)
		e.ifFailed = e.reroll && r.one(2)
	}
	e.dip = able && r.one(4) && (crucial && !m.is("insta_winner", "off") || r.one(20))
	return e
}

func (m *cahTable) command(r mvDraw) *cahCommand {
	who := m.people[r.IntN(len(m.people))]
	c := &cahCommand{who: who.name, verb: r.of([]string{"attack", "attack", "roll", "cross"})}
	trait := func(p *cahPerson) string {
		if p.goon {
			return ""
		}
		t := r.of([]string{"ATK", "ATK", "DEF", "GEAR", "POW"})
		if t == "POW" && (p.hero && p.oomph == 0 || !p.hero && m.pool == 0) {
			t = "ATK"
		}
		return t
	}
	c.trait = trait(who)
	foes := []string{"Fang", "Mob"}
	if !who.hero {
		foes = []string{"Nova", "Brick"}
	}
	react := func(name string) cahRival {
		p := m.person(name)
		x := cahRival{who: name, trait: trait(p), flat: r.one(5)}
		if r.one(4) {
			x.trait = ""
		}
		x.effort = m.effort(r, p, x.trait, x.flat, c.verb == "attack" || c.crucial)
		return x
	}
	switch {
	case c.verb == "attack":
		c.rivals = []cahRival{react(r.of(foes))}
		if c.trait == "ATK" && r.one(2) || r.one(60) {
			c.rivals = []cahRival{react(foes[0]), react(foes[1])}
		}
	case c.verb == "roll" && r.one(2):
		c.crucial = r.one(2)
		c.rivals = []cahRival{react(r.of(foes))}
	case r.one(2):
		c.dn = 4 + r.count(14)
	default:
		c.base, c.flat = 2*r.count(5), r.one(2)
	}
	c.effort = &cahEffort{}
	if who.goon { // without a Trait of its own what is typed last would be the target's
		return c
	}
	c.effort = m.effort(r, who, c.trait, false, true)
	if len(c.rivals) == 0 || !m.is("insta_winner", "either") {
		c.effort.dip = r.one(200)
	}
	return c
}

// Random checks with random clauses, options, sheets and faces, by the scripts and by the book.
func TestRefereeOfCAH(t *testing.T) {
	refereed(t, 400, 50, 100, func(t *testing.T, r *rand.Rand) func() (string, int, []string) {
		draw := mvDraw{r}
		hero := func(name string, hero bool) *cahPerson {
			return &cahPerson{name: name, hero: hero, star: 1 + draw.count(3), atk: draw.count(10), def: draw.count(10), gear: draw.count(10), pow: draw.count(10)}
		}
		m := &cahTable{options: map[string]string{}, people: []*cahPerson{hero("Nova", true), hero("Brick", true), hero("Fang", false), {name: "Mob", goon: true, star: 1, rating: draw.count(2)}}}
		var set []string
		for _, o := range slices.Sorted(maps.Keys(cahOptions)) {
			m.options[o] = cahOptions[o][0]
			if draw.one(2) {
				m.options[o] = draw.of(cahOptions[o])
			}
			set = append(set, o+" = "+m.options[o])
		}
		text := "use cah with " + strings.Join(set, ", ") + "\n"
		for _, p := range m.people {
			text += p.sheet()
		}
		text += "scene \"Here\" action\nFang: decide success\n"
		arena := newArena(t, r, text)
		return func() (string, int, []string) {
			situation := m.fate(draw)
			c := m.command(draw)
			script, throws := arena.play(situation, c.text(), "Game Master", "Nova", "Brick", "Fang", "Mob")
			m.guess = nil
			if script.refused != "" {
				m.guess = arena.fall
			}
			return text + situation + c.text() + "\n" + fmt.Sprint(throws), 1, differences(script, m.judge(c, throws))
		}
	})
}

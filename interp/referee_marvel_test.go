package interp_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// Marvel Heroic once more, from the cheat sheet and its catalogue: one action, what reacts
// to it, and what comes of the two. Sizes of dice are their sides; 0 is no die.

// -- what is on the table --

type mvPerson struct {
	name                          string
	hero                          bool
	solo, team                    int
	powers                        map[string]int // HEAT and BLAST of Suit, READ of Mind
	skills                        map[string]int // PILOT, TECH
	gear                          int            // LAMP on the sheet
	pp                            int
	stress, trauma, compl, assets map[string]int
	resources                     map[string]int
	passed                        []string
	promised                      []int
	suitOff, lost                 bool
	lamp                          int // LAMP now
	beaten, fled, gone            bool
}

func (p *mvPerson) out() bool  { return len(p.passed) > 0 || p.beaten || p.fled || p.gone }
func (p *mvPerson) here() bool { return !p.beaten && !p.fled && !p.gone }

// shown gives the fields that are compared, as the scripts show them.
func (p *mvPerson) shown() map[string]string {
	m := map[string]string{
		"stress": mvMap(p.stress), "trauma": mvMap(p.trauma), "complications": mvMap(p.compl), "assets": mvMap(p.assets),
		"resources": mvMap(p.resources), "promised": mvDice(p.promised), "passed": mvWords(p.passed),
		"beaten": mvTruth(p.beaten), "fled": mvTruth(p.fled), "gone": mvTruth(p.gone),
		"LAMP.now": fmt.Sprintf("d%d", p.lamp), "LAMP.lost": mvTruth(p.lost),
	}
	if p.hero {
		m["pp"] = fmt.Sprint(p.pp)
	}
	return m
}

func mvTruth(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

func mvMap(m map[string]int) string {
	var s []string
	for _, k := range slices.Sorted(maps.Keys(m)) {
		s = append(s, fmt.Sprintf("%q: d%d", k, m[k]))
	}
	return "{" + strings.Join(s, ", ") + "}"
}

func mvDice(dice []int) string {
	var s []string
	for _, d := range dice {
		s = append(s, fmt.Sprintf("d%d", d))
	}
	return "[" + strings.Join(s, ", ") + "]"
}

func mvWords(words []string) string {
	var s []string
	for _, w := range words {
		s = append(s, fmt.Sprintf("%q", w))
	}
	return "[" + strings.Join(s, ", ") + "]"
}

// -- what is commanded --

// mvTerm is one thing named for a pool: a trait, perhaps with a die, or a bare die.
type mvTerm struct {
	name string // "solo", "Star", "HEAT", "PILOT", "LAMP", or "" for a bare die
	die  int
}

type mvAim struct {
	kind, what, whom string // kind "": to hold back whoever flees
}

type mvGain struct{ what, by string } // what: push, stunt, resource; by "": whoever it is about

type mvBuy struct{ coin, want int } // want: a face, or the size of a die; 0: the usual one

// mvEffort is what a side puts into its roll.
type mvEffort struct {
	stress, compl, assets, resources, own, stunts []string
	opening, equipped, hindered, push, spare      bool
	adds, keeps                                   []int
	doomAdd                                       []int
	doomAdds, doomKeeps                           []mvBuy
	take, takeOf                                  []int
	effect, pull                                  int // pull -1: not said
	beyond                                        string
	counters                                      []mvAim
	paying                                        int
	gains                                         []mvGain
	moves                                         []string // add, step
}

func mvText(terms []mvTerm) string {
	var s []string
	for _, t := range terms {
		switch {
		case t.name == "":
			s = append(s, fmt.Sprintf("d%d", t.die))
		case t.name == "Star" || t.name == "Lone":
			x := fmt.Sprintf("%q", t.name)
			if t.die > 0 {
				x += fmt.Sprintf(" d%d", t.die)
			}
			s = append(s, x)
		default:
			s = append(s, t.name)
		}
	}
	return strings.Join(s, " + ")
}

func (a mvAim) text() string {
	s := a.kind + " " + a.what
	if a.whom != "" {
		s += " on " + a.whom
	}
	return strings.TrimSpace(s)
}

// text writes the clauses; each begins with a blank.
func (e *mvEffort) text() string {
	var b strings.Builder
	say := func(format string, args ...any) { fmt.Fprintf(&b, " "+format, args...) }
	for _, x := range e.stress {
		say("use stress %s", x)
	}
	for _, x := range e.compl {
		say("use complication %s", x)
	}
	for _, x := range e.assets {
		say("use asset %s", x)
	}
	for _, x := range e.resources {
		say("use resource %s", x)
	}
	for _, x := range e.own {
		say("spend pp own stress %s", x)
	}
	for _, x := range e.stunts {
		say("spend pp stunt %s", x)
	}
	if e.opening {
		say("opening")
	}
	if e.equipped {
		say("equipped")
	}
	if e.hindered {
		say("hindered")
	}
	if e.push {
		say("spend pp push")
	}
	for _, x := range e.adds {
		if x == 0 {
			say("spend pp total")
		} else {
			say("spend pp total %d", x)
		}
	}
	for _, x := range e.keeps {
		if x == 0 {
			say("spend pp keep")
		} else {
			say("spend pp keep d%d", x)
		}
	}
	for _, x := range e.doomAdd {
		say("spend doom d%d add", x)
	}
	for _, x := range e.doomAdds {
		if x.want == 0 {
			say("spend doom d%d total", x.coin)
		} else {
			say("spend doom d%d total %d", x.coin, x.want)
		}
	}
	for _, x := range e.doomKeeps {
		if x.want == 0 {
			say("spend doom d%d keep", x.coin)
		} else {
			say("spend doom d%d keep d%d", x.coin, x.want)
		}
	}
	if len(e.take) > 0 {
		say("take %d, %d", e.take[0], e.take[1])
		if len(e.takeOf) > 0 {
			say("from d%d, d%d", e.takeOf[0], e.takeOf[1])
		}
	}
	if e.effect > 0 {
		say("effect d%d", e.effect)
	}
	if e.pull >= 0 {
		say("pull %d", e.pull)
	}
	if e.spare {
		say("spare")
	}
	if e.beyond != "" {
		say("beyond %s", e.beyond)
	}
	for _, c := range e.counters {
		say("%s", strings.TrimSpace("counter "+c.text()))
	}
	if e.paying > 0 {
		say("paying d%d", e.paying)
	}
	for _, g := range e.gains {
		s := g.what
		if s == "resource" {
			s = "resource HELP"
		}
		if g.by != "" {
			s += " by " + g.by
		}
		say("opportunity %s", s)
	}
	if len(e.moves) > 0 {
		say("ones %s", strings.Join(e.moves, ", "))
	}
	return b.String()
}

// mvRival is one who is to react: who "" is the doom pool.
type mvRival struct {
	who        string
	terms      []mvTerm
	effort     *mvEffort
	unopposed  bool
	unspecific bool // nothing is said of who reacts
}

type mvCommand struct {
	verb    string
	who     string
	terms   []mvTerm
	effort  *mvEffort
	aims    []mvAim
	rivals  []mvRival
	ally    string // support: for whom; recover, target, sweep: whose
	kind    string // recover: stress or complication; target and sweep: asset, complication, gear or scenery
	what    string
	size    int // of a thing of the scene
	main    int
	withRow string // sweep: the power
	coin    int    // sweep: the doom die
}

func (c *mvCommand) text() string {
	versus := func() string {
		x := c.rivals[0]
		switch {
		case x.unspecific:
			return ""
		case x.unopposed:
			return " unopposed"
		case x.who == "":
			s := " vs doom"
			if len(x.terms) > 0 {
				s += " with " + mvText(x.terms)
			}
			return s + x.effort.text()
		}
		s := " vs " + x.who
		if len(x.terms) > 0 {
			s += " " + mvText(x.terms)
		}
		return s + x.effort.text()
	}
	with := ""
	if len(c.terms) > 0 {
		with = " with " + mvText(c.terms)
	}
	aims := ""
	for _, a := range c.aims {
		aims += " for " + a.text()
	}
	whose := ""
	switch c.kind {
	case "complication":
		whose = " of " + c.ally + " complication"
	case "scenery":
		whose = fmt.Sprintf(" size d%d", c.size)
	default:
		whose = " of " + c.ally
	}
	own := c.effort.text()
	switch c.verb {
	case "roll":
		return fmt.Sprintf("%s: roll %s%s%s%s", c.who, mvText(c.terms), own, aims, versus())
	case "attack":
		var foes []string
		for _, x := range c.rivals {
			switch {
			case x.unopposed:
				foes = append(foes, x.who+" helpless")
			case len(x.terms) == 0:
				foes = append(foes, x.who)
			default:
				foes = append(foes, x.who+" against "+mvText(x.terms)+x.effort.text())
			}
		}
		return fmt.Sprintf("%s: attack %s%s%s%s", c.who, strings.Join(foes, ", "), with, own, aims)
	case "support":
		return fmt.Sprintf("%s: support %s as %s%s%s%s%s", c.who, c.ally, c.what, with, own, aims, versus())
	case "recover":
		return fmt.Sprintf("%s: recover %s %s of %s%s%s%s%s", c.who, c.kind, c.what, c.ally, with, own, aims, versus())
	case "target":
		main := ""
		if c.main > 0 {
			main = fmt.Sprintf(" main d%d", c.main)
		}
		return fmt.Sprintf("%s: target %s%s%s%s%s%s%s", c.who, c.what, whose, with, main, own, aims, versus())
	case "sweep":
		coin := ""
		if c.coin > 0 {
			coin = fmt.Sprintf(" spend doom d%d", c.coin)
		}
		return fmt.Sprintf("%s: sweep %s%s with %s%s", c.who, c.what, whose, c.withRow, coin)
	}
	return fmt.Sprintf("%s: escape%s%s%s%s", c.who, with, own, aims, versus())
}

// -- the referee --

type mvTable struct {
	options map[string]string
	people  []*mvPerson
	doom    []int
	scribe
	guess func(sizes []int) thrown // what falls where the scripts threw nothing, since they refused
}

func (m *mvTable) is(option, value string) bool { return m.options[option] == value }
func (m *mvTable) refuse(format string, args ...any) {
	panic(notAllowed(fmt.Sprintf(format, args...)))
}

func (m *mvTable) person(name string) *mvPerson {
	for _, p := range m.people {
		if p.name == name {
			return p
		}
	}
	return nil
}

// now gives all that is compared; touch notes what has changed in it.
func (m *mvTable) now() map[string]string {
	all := map[string]string{"Watcher.doom": mvDice(m.doom)}
	for _, p := range m.people {
		for k, v := range p.shown() {
			all[p.name+"."+k] = v
		}
	}
	return all
}

func (m *mvTable) touch() { m.scribe.touch(m.now()) }

func (m *mvTable) judge(c *mvCommand, throws []thrown) verdict {
	return m.judged(throws, m.now, func() { m.command(c) })
}

// mvHand is one side of a contest.
type mvHand struct {
	who     *mvPerson
	e       *mvEffort
	terms   []mvTerm
	unnamed bool
	acting  bool
	against *mvPerson
	mode    string // plain, support, recover, target, chase
	aims    []mvAim
	joins   *mvMark
	joined  bool
	silent  bool
	targets []string
	owed    []int // doom dice that are named for those who react later
	served  int

	pool    []int
	foibles int
	helped  bool
	pushes  []string
	own     []string
	ones    int
	used    map[int]bool
	total   int
	effects []int
	rest    []int
}

// mvMark is what is aimed at.
type mvMark struct {
	kind, what string // stress, complication, asset, gear, scenery
	owner      *mvPerson
	size       int // at the declaration; of scenery now
	full       bool
}

func (k *mvMark) now() int {
	switch k.kind {
	case "scenery":
		return k.size
	case "gear":
		if k.owner.lost {
			return 0
		}
		return k.owner.lamp
	case "stress":
		return k.owner.stress[k.what]
	case "complication":
		return k.owner.compl[k.what]
	}
	return k.owner.assets[k.what]
}

func (m *mvTable) command(c *mvCommand) {
	who := m.person(c.who)
	if who.out() {
		m.refuse("%s is out", c.who)
	}
	me := &mvHand{who: who, e: c.effort, terms: c.terms, acting: true, mode: "plain", aims: c.aims, used: map[int]bool{}}
	switch c.verb {
	case "sweep":
		m.sweep(who, c)
		return
	case "support":
		ally := m.person(c.ally)
		if ally == who || !ally.here() || !who.hero {
			m.refuse("no support")
		}
		me.mode = "support"
		me.aims = append([]mvAim{{"asset", c.what, c.ally}}, c.aims...)
	case "recover":
		me.mode = "recover"
		x := m.person(c.ally)
		k := &mvMark{kind: c.kind, what: c.what, owner: x}
		if m.is("recovery", "script") || !x.here() || k.now() == 0 || x.out() && !who.hero {
			m.refuse("no recovery")
		}
		k.size = k.now()
		m.contest(me, m.reactors(me, c, k), k)
		return
	case "target":
		me.mode = "target"
		k := m.mark(c)
		if len(me.terms) == 0 {
			me.terms = m.usual(me)
		}
		main := c.main
		if main == 0 {
			for _, t := range me.terms {
				main = max(main, m.dieOf(who, t))
			}
		}
		if main < k.size && m.is("target_larger", "refuse") {
			m.refuse("too large")
		}
		k.full = main > k.size
		m.contest(me, m.reactors(me, c, k), k)
		return
	case "escape":
		me.mode = "chase"
	case "attack":
		for _, x := range c.rivals {
			me.targets = append(me.targets, x.who)
		}
		if len(me.aims) == 0 {
			me.aims = []mvAim{{"stress", "physical", ""}}
		}
	}
	m.contest(me, m.reactors(me, c, nil), nil)
}

// dieOf is the die that a term stands for when traits are compared.
func (m *mvTable) dieOf(p *mvPerson, t mvTerm) int {
	switch t.name {
	case "":
		return t.die
	case "solo":
		return p.solo
	case "team":
		return p.team
	case "Star", "Lone":
		if t.die > 0 {
			return t.die
		}
		return 8
	case "LAMP":
		return p.lamp
	case "PILOT", "TECH":
		return p.skills[t.name]
	}
	return p.powers[t.name]
}

func (m *mvTable) mark(c *mvCommand) *mvMark {
	if c.kind == "scenery" {
		return &mvMark{kind: "scenery", what: c.what, size: c.size}
	}
	k := &mvMark{kind: c.kind, what: c.what, owner: m.person(c.ally)}
	if !k.owner.here() || k.now() == 0 {
		m.refuse("nothing to aim at")
	}
	k.size = k.now()
	return k
}

// reactors puts up the other side.
func (m *mvTable) reactors(me *mvHand, c *mvCommand, k *mvMark) []*mvHand {
	var out []*mvHand
	doom := func(x mvRival) *mvHand {
		e := x.effort
		if e == nil || x.who != "" {
			e = &mvEffort{pull: -1}
		}
		h := &mvHand{e: e, against: me.who, used: map[int]bool{}}
		if x.who == "" {
			h.terms = x.terms
		}
		return h
	}
	for _, x := range c.rivals {
		var h *mvHand
		switch {
		case c.verb == "support":
			h = doom(x)
		case c.verb == "recover" && me.who.hero:
			if x.who != "" || x.unopposed {
				m.refuse("a hero's recovery is rolled against the doom pool")
			}
			h = doom(x)
		case x.unspecific:
			m.refuse("what against?")
		case x.who != "":
			p := m.person(x.who)
			if p.out() && x.effort != nil && x.effort.text() != "" {
				m.refuse("%s does not react", x.who)
			}
			h = &mvHand{who: p, e: x.effort, terms: x.terms, against: me.who, silent: x.unopposed, used: map[int]bool{}}
			if c.verb == "target" && me.who.hero && p.out() {
				h = doom(x)
			}
			if me.against == nil {
				me.against = p
			}
		case x.unopposed:
			h = &mvHand{silent: true, e: &mvEffort{pull: -1}, used: map[int]bool{}}
			if c.verb == "target" && me.who.hero {
				m.refuse("a hero's attempt is opposed")
			}
		default:
			h = doom(x)
		}
		if k != nil && (h.who == nil || m.is("target_die_joins", "always")) {
			h.joins = k
		}
		out = append(out, h)
	}
	for _, h := range out {
		if h.who != nil && (!h.who.here() || h.who == me.who) {
			m.refuse("%s is not there to react", h.who.name)
		}
		if h.who == nil && !h.silent && !me.who.hero {
			m.refuse("the doom pool does not oppose the Watcher's characters")
		}
	}
	for _, a := range me.aims {
		if a.kind != "asset" && a.whom == "" && out[0].who == nil || a.whom != "" && !m.person(a.whom).here() {
			m.refuse("on whom?")
		}
	}
	m.purses(me, out)
	for _, h := range out {
		if !h.silent {
			m.purses(h, []*mvHand{me})
		}
	}
	m.missing(append([]*mvHand{me}, out...))
	return out
}

// missing refuses doom dice for rolls that are not in the pool, unless it may have grown by then.
func (m *mvTable) missing(hands []*mvHand) {
	if hands[0].who.hero && (m.is("watcher_opportunity", "forced") || len(hands[0].e.moves) > 0) {
		return
	}
	left := slices.Clone(m.doom)
	lacking := false
	for _, h := range hands {
		if h.who != nil && (!h.who.hero || m.is("d4_distinction", "both")) && (len(h.terms) == 0 || slices.ContainsFunc(h.terms, mvTerm.mayHinder)) {
			return
		}
		if h.silent || h.who != nil && (h.who.hero || h.who.out()) {
			continue
		}
		for _, d := range h.e.doomToRoll() {
			i := slices.Index(left, d)
			if i < 0 {
				lacking = true
				continue
			}
			left = slices.Delete(left, i, i+1)
		}
	}
	if lacking {
		m.refuse("no such doom die")
	}
}

// mayHinder says whether a part of a pool could be a distinction that counts as d4.
func (t mvTerm) mayHinder() bool {
	return (t.name == "Star" || t.name == "Lone") && (t.die == 0 || t.die == 4)
}

// purses refuses what is paid with the other side's coin, or is no use to a side at all.
func (m *mvTable) purses(h *mvHand, rivals []*mvHand) {
	e := h.e
	points := e.push || len(e.stunts)+len(e.own)+len(e.adds)+len(e.keeps)+len(e.gains) > 0
	dooms := len(e.doomAdd)+len(e.doomAdds)+len(e.doomKeeps)+e.paying > 0
	if slices.ContainsFunc(e.counters, func(a mvAim) bool { return a.whom != "" && !m.person(a.whom).here() }) {
		m.refuse("not in this scene")
	}
	switch {
	case h.who == nil:
		if slices.ContainsFunc(e.counters, func(a mvAim) bool { return a.kind == "asset" && a.whom == "" }) {
			m.refuse("the doom pool makes no assets")
		}
		if points || len(e.assets)+len(e.resources)+len(e.doomAdd)+len(e.moves) > 0 || e.equipped || e.hindered || m.is("doom_self_spend", "not_allowed") && len(e.doomAdds)+len(e.doomKeeps) > 0 {
			m.refuse("not for the doom pool")
		}
	case h.who.hero:
		watcher := false
		for _, r := range rivals {
			watcher = watcher || !r.silent && (r.who == nil || !r.who.hero && !r.who.out())
		}
		step := len(m.doom) > 0 && (m.doom[0] != 12 || m.is("opportunity_step", "any") && slices.Min(m.doom) < 12)
		grows := m.is("d4_distinction", "both") && (len(h.terms) == 0 || slices.ContainsFunc(h.terms, mvTerm.mayHinder)) ||
			!h.acting && slices.ContainsFunc(rivals, func(r *mvHand) bool { return r.who != nil && !r.who.hero })
		idle := len(e.moves) > 0 && !slices.Contains(e.moves, "add") && !step && !grows
		for _, g := range e.gains {
			if g.by != "" && (g.by != h.who.name && m.is("hero_opportunity_who", "opposed") || !m.person(g.by).here() || m.person(g.by).out()) {
				m.refuse("not for %s", g.by)
			}
		}
		if dooms || len(e.gains) > 0 && !watcher || idle {
			m.refuse("not for a hero")
		}
	case points || len(e.moves) > 0:
		m.refuse("not for the Watcher's characters")
	}
	if h.acting && (len(e.counters) > 0 || e.paying > 0) || !h.acting && e.beyond != "" && m.is("reaction_extraordinary", "no") {
		m.refuse("on the wrong side")
	}
	if e.pull > 1 && m.is("pull_steps", "one") {
		m.refuse("one step")
	}
	if h.acting && h.mode != "plain" && h.mode != "support" && len(h.aims) == 0 && len(e.keeps)+len(e.doomKeeps) > 0 {
		m.refuse("a further effect die for what?")
	}
	named := !h.acting || h.mode == "plain" || h.mode == "support" || len(h.aims) > 0
	if e.pull >= 0 && (!named || h.acting && h.mode == "plain" && len(h.aims) == 0) {
		m.refuse("nothing is made that could be held back")
	}
	if e.equipped && len(e.assets) > 0 || e.opening && len(e.stress)+len(e.compl) > 0 {
		m.refuse("one of the two")
	}
	if e.hindered && !slices.ContainsFunc(h.terms, func(t mvTerm) bool { return (t.name == "Star" || t.name == "Lone") && t.die == 0 }) && len(h.terms) > 0 {
		m.refuse("no distinction is left open")
	}
	if h.acting && e.beyond != "" && !m.stresses(h) || e.spare && !m.wounds(h, rivals) {
		m.refuse("no such stress")
	}
	if !h.acting && e.paying > 0 && (len(e.counters) == 0 || h.who == nil && rivals[0].mode == "support" && m.is("support_failure", "free")) {
		m.refuse("paying for nothing")
	}
	for _, r := range rivals {
		if !h.acting && r.mode == "chase" && !m.is("chase_hero_wins", "counter_effect") && r.who.assets["ESCAPING"] > 0 && len(e.counters)+e.paying > 0 {
			m.refuse("no counter-effect here")
		}
	}
}

// stresses says whether an action can make stress that goes past d12: the first effect die
// of other actions than plain ones is spoken for, and steps go to it alone unless they are split.
func (m *mvTable) stresses(h *mvHand) bool {
	if h.mode != "plain" && !m.is("step_split", "split") {
		return false
	}
	return slices.ContainsFunc(h.aims, func(a mvAim) bool { return a.kind == "stress" })
}

// wounds says whether a side can stress out somebody who takes trauma.
func (m *mvTable) wounds(h *mvHand, rivals []*mvHand) bool {
	mortal := func(p *mvPerson) bool { return m.is("watcher_trauma", "yes") || p != nil && p.hero }
	if h.acting {
		return slices.ContainsFunc(h.aims, func(a mvAim) bool {
			if a.kind == "stress" && a.whom != "" {
				return mortal(m.person(a.whom))
			}
			return a.kind == "stress" && slices.ContainsFunc(rivals, func(r *mvHand) bool { return r.who != nil && mortal(r.who) })
		})
	}
	me := rivals[0]
	usual := "stress"
	if me.mode == "support" || me.mode == "plain" && len(me.aims) > 0 && me.aims[0].kind == "complication" || me.mode == "chase" && me.who.assets["ESCAPING"] > 0 {
		usual = "something else"
	}
	if !mortal(me.who) {
		return false
	}
	return len(h.e.counters) == 0 && usual == "stress" || slices.ContainsFunc(h.e.counters, func(a mvAim) bool { return a.kind == "stress" || a.kind == "" && usual == "stress" })
}

func (m *mvTable) contest(me *mvHand, its []*mvHand, k *mvMark) {
	m.roll(me)
	for _, it := range its {
		if it.who != nil && it.who.out() {
			it.silent = true
		}
	}
	m.uses(me, its)
	var later []int
	for _, it := range slices.Backward(its) {
		it.owed = slices.Clone(later)
		later = append(later, it.e.namedDoom()...)
	}
	hits := 0
	var won []*mvHand
	for _, it := range its {
		if it.who != nil && it.who.out() { // an earlier blow or a strain may have changed it
			it.silent = true
		}
		if !it.silent {
			m.roll(it)
			m.uses(it, []*mvHand{me})
		}
		hit, margin := true, 0
		if !it.silent {
			margin = me.total - it.total
			hit = margin > 0 || margin == 0 && !(me.mode == "target" && m.is("target_tie", "reaction")) && !(me.mode == "chase" && m.is("chase_tie", "reaction"))
		}
		if hit {
			hits++
			won = append(won, it)
			m.succeed(me, it, k, margin)
		} else {
			m.fail(me, it, margin)
		}
		if m.is("own_stress_step", "after_contest") {
			m.strains(it)
		}
		if len(its) == 1 {
			m.v.fields = map[string]string{"total": fmt.Sprint(me.total), "effect": fmt.Sprintf("d%d", me.effects[0]), "hits": fmt.Sprint(hits), "outcome": "failure"}
			if !it.silent {
				m.v.fields["against"], m.v.fields["margin"] = fmt.Sprint(it.total), fmt.Sprint(margin)
			}
		}
	}
	// With a die for each target those beyond the targets that were beaten serve where they can.
	if len(me.targets) > 1 && m.is("area_effect", "one_die_per_target") && len(won) > 0 {
		for k := len(won); k < len(me.effects); k++ {
			a := me.aims[min(k, len(me.aims)-1)]
			for _, it := range won {
				if a.whom == "" || a.whom == it.who.name || !slices.Contains(me.targets, a.whom) {
					m.make(me, it, a, m.compared(me.effects[k], it, a))
					break
				}
			}
		}
	}
	if len(its) > 1 {
		m.v.fields = map[string]string{"total": fmt.Sprint(me.total), "effect": fmt.Sprintf("d%d", me.effects[0]), "hits": fmt.Sprint(hits), "outcome": "failure"}
	}
	if hits > 0 {
		m.v.fields["outcome"] = "success"
	}
	if m.is("own_stress_step", "after_contest") {
		m.strains(me)
	}
}

// -- pools --

func (m *mvTable) points(h *mvHand, n int) {
	if h.who == nil || !h.who.hero || h.who.pp < n {
		m.refuse("cannot pay")
	}
	h.who.pp -= n
	m.touch()
}

// coin takes a doom die: the named one, or the smallest that will do.
func (m *mvTable) coin(named, size int) {
	d := named
	if d == 0 {
		d = m.price(size)
	}
	i := slices.Index(m.doom, d)
	if d == 0 || i < 0 || d < size {
		m.refuse("no doom die for it")
	}
	m.doom = slices.Delete(slices.Clone(m.doom), i, i+1)
	m.touch()
}

// unnamed is the price of something among the doom dice that no clause names, 0 where there is none.
func (m *mvTable) unnamed(h *mvHand, size int) int {
	return cheapest(less(m.unowed(h), h.e.namedDoom()), size)
}

// unowed is the doom pool without the dice that are named for those who react later.
func (m *mvTable) unowed(h *mvHand) []int { return less(m.doom, h.owed) }

func (e *mvEffort) namedDoom() []int { return append(e.doomToRoll(), e.paying) }

func (e *mvEffort) doomToRoll() []int {
	named := slices.Clone(e.doomAdd)
	for _, b := range slices.Concat(e.doomAdds, e.doomKeeps) {
		named = append(named, b.coin)
	}
	return named
}

func less(dice, taken []int) []int {
	left := slices.Clone(dice)
	for _, d := range taken {
		if i := slices.Index(left, d); i >= 0 {
			left = slices.Delete(left, i, i+1)
		}
	}
	return left
}

func (m *mvTable) price(size int) int { return cheapest(m.doom, size) }

func cheapest(dice []int, size int) int {
	best := 0
	for _, d := range dice {
		if d >= size && (best == 0 || d < best) {
			best = d
		}
	}
	return best
}

func (m *mvTable) enlarge(d int) {
	m.doom = slices.Sorted(slices.Values(append(slices.Clone(m.doom), d)))
	m.touch()
}

// usual is the pool of somebody for whom nothing was named. Gear makes room for an asset that was.
func (m *mvTable) usual(h *mvHand) []mvTerm {
	p := h.who
	terms := []mvTerm{{name: "solo"}, {name: "Star"}}
	if !p.suitOff {
		if p.powers["HEAT"] >= p.powers["BLAST"] {
			terms = append(terms, mvTerm{name: "HEAT"})
		} else {
			terms = append(terms, mvTerm{name: "BLAST"})
		}
	}
	terms = append(terms, mvTerm{name: "READ"})
	if p.skills["PILOT"] >= p.skills["TECH"] {
		terms = append(terms, mvTerm{name: "PILOT"})
	} else {
		terms = append(terms, mvTerm{name: "TECH"})
	}
	if !p.lost && !m.fleeing(h) && len(h.e.assets) == 0 {
		terms = append(terms, mvTerm{name: "LAMP"})
	}
	return terms
}

func (m *mvTable) assemble(h *mvHand) {
	p, e := h.who, h.e
	if p == nil {
		h.pool = slices.Clone(m.doom)
		for _, t := range h.terms {
			h.pool = append(h.pool, t.die)
		}
		m.suffering(h)
	} else {
		if h.unnamed = len(h.terms) == 0; h.unnamed {
			h.terms = m.usual(h)
		}
		m.named(h)
		m.suffering(h)
		m.helping(h)
		if e.push {
			m.points(h, 1)
			m.pushIn(h, "push", 6)
		}
		for range e.stunts {
			m.points(h, 1)
			m.pushIn(h, "stunt", 8)
		}
		for _, what := range e.resources {
			if p.resources[what] == 0 {
				m.refuse("no such resource")
			}
			m.pushIn(h, "resource", p.resources[what])
		}
		for _, kind := range e.own {
			if p.stress[kind] == 0 || slices.Contains(h.own, kind) {
				m.refuse("no such stress of one's own")
			}
			m.points(h, 1)
			h.own = append(h.own, kind)
			h.pool = append(h.pool, p.stress[kind])
		}
		for _, d := range e.doomAdd {
			m.coin(d, d)
			h.pool = append(h.pool, d)
		}
		slices.Sort(p.promised)
		for _, d := range slices.Backward(p.promised) { // the larger one has the place
			kind := map[int]string{8: "push", 10: "stunt"}[d]
			if m.room(h, kind) {
				m.pushIn(h, kind, d)
			}
		}
		p.promised = nil
		m.touch()
	}
	if h.joins != nil && !h.joined && h.joins.now() > 0 {
		h.pool = append(h.pool, h.joins.now())
	}
}

// named takes in traits and dice; what distinctions as d4 earn is there before anything is paid for.
func (m *mvTable) named(h *mvHand) {
	p := h.who
	seen := map[string]bool{}
	rating := map[string]int{}
	for _, t := range h.terms {
		if t.name == "" {
			continue
		}
		if seen[t.name] {
			m.refuse("twice")
		}
		seen[t.name] = true
		if t.name != "Star" && t.name != "Lone" {
			continue
		}
		d := t.die
		if d == 0 {
			d = 8
			if h.e.hindered {
				d = 4
			}
		}
		if d != 4 && d != 8 {
			m.refuse("d4 or d8")
		}
		rating[t.name] = d
		if d == 4 {
			if p.hero {
				p.pp++
				m.touch()
			}
			if !p.hero || m.is("d4_distinction", "both") {
				m.enlarge(6)
			}
		}
	}
	groups := map[string]bool{}
	group := func(name string, paid bool) {
		if groups[name] {
			if !paid {
				m.refuse("one %s", name)
			}
			m.points(h, 1)
		}
		groups[name] = true
	}
	for _, t := range h.terms {
		switch t.name {
		case "":
			h.pool = append(h.pool, t.die)
		case "solo", "team":
			group("affiliation", false)
			h.pool = append(h.pool, m.dieOf(p, t))
		case "Star", "Lone":
			group("distinction", true)
			h.pool = append(h.pool, rating[t.name])
		case "HEAT", "BLAST":
			if p.suitOff {
				m.refuse("shut down")
			}
			group("Suit", true)
			h.pool = append(h.pool, p.powers[t.name])
		case "READ":
			h.pool = append(h.pool, p.powers[t.name])
		case "PILOT", "TECH":
			group("specialty", true)
			h.pool = append(h.pool, p.skills[t.name])
		case "LAMP":
			if p.lost || h.helped {
				m.refuse("no LAMP")
			}
			h.helped = true
			h.joined = h.joined || h.joins != nil && h.joins.kind == "gear" && h.joins.owner == p
			h.pool = append(h.pool, p.lamp)
		}
	}
}

// suffering takes in what the other side suffers from: one thing for nothing.
func (m *mvTable) suffering(h *mvHand) {
	x, e := h.against, h.e
	ailment := func(kind string) int { return max(x.stress[kind], x.trauma[kind]) }
	kinds, names := slices.Clone(e.stress), slices.Clone(e.compl)
	if (e.opening || h.unnamed && len(kinds)+len(names) == 0) && x != nil {
		best, size := "", 0
		var all []string
		all = append(all, slices.Sorted(maps.Keys(x.stress))...)
		all = append(all, slices.Sorted(maps.Keys(x.trauma))...)
		all = append(all, slices.Sorted(maps.Keys(x.compl))...)
		for _, k := range all {
			d := x.compl[k]
			if d == 0 {
				d = ailment(k)
			}
			if d > size {
				best, size = k, d
			}
		}
		switch {
		case best == "":
		case x.compl[best] > 0:
			names = append(names, best)
		default:
			kinds = append(kinds, best)
		}
	}
	further := func(d int) {
		switch {
		case h.who != nil && h.who.hero:
			m.points(h, 1)
		case h.who == nil && m.is("doom_self_spend", "not_allowed"):
			m.refuse("the doom pool pays for nothing")
		case m.is("doom_stress_cost", "match"):
			m.coin(m.unnamed(h, d), d)
		default:
			m.coin(m.unnamed(h, 6), 6)
		}
	}
	for _, k := range names {
		if x == nil || x.compl[k] == 0 || h.foibles > 0 && m.is("extra_complication", "no") {
			m.refuse("no such complication")
		}
		if h.foibles > 0 {
			further(x.compl[k])
		}
		h.foibles++
		h.joined = h.joined || h.joins != nil && h.joins.kind == "complication" && h.joins.owner == x && h.joins.what == k
		h.pool = append(h.pool, x.compl[k])
	}
	in := map[string]bool{}
	for _, k := range kinds {
		if x == nil || ailment(k) == 0 || in[k] {
			m.refuse("no such stress")
		}
		in[k] = true
		if h.foibles > 0 {
			further(ailment(k))
		}
		h.foibles++
		h.joined = h.joined || h.joins != nil && h.joins.kind == "stress" && h.joins.owner == x && h.joins.what == k
		h.pool = append(h.pool, ailment(k))
	}
}

// fleeing says whether ESCAPING stands in the place of an asset.
func (m *mvTable) fleeing(h *mvHand) bool { return h.mode == "chase" && h.who.assets["ESCAPING"] > 0 }

func (m *mvTable) helping(h *mvHand) {
	p, e := h.who, h.e
	use := func(what string) {
		if p.assets[what] == 0 || h.helped {
			m.refuse("no such asset, or a second one")
		}
		h.helped = true
		h.pool = append(h.pool, p.assets[what])
		h.joined = h.joined || h.joins != nil && h.joins.kind == "asset" && h.joins.owner == p && h.joins.what == what
		if m.is("asset_life", "one_roll") && what != "ESCAPING" {
			delete(p.assets, what)
			m.touch()
		}
	}
	fleeing := m.fleeing(h)
	if fleeing {
		use("ESCAPING")
	}
	for _, what := range e.assets {
		if !fleeing || what != "ESCAPING" {
			use(what)
		}
	}
	if (e.equipped || h.unnamed) && !h.helped {
		best := ""
		for _, k := range slices.Sorted(maps.Keys(p.assets)) {
			if p.assets[k] > p.assets[best] {
				best = k
			}
		}
		if best != "" {
			use(best)
		}
	}
}

func (m *mvTable) room(h *mvHand, kind string) bool {
	switch m.options["push_stunt_resource"] {
	case "one":
		return len(h.pushes) == 0
	case "one_each":
		return !slices.Contains(h.pushes, kind)
	}
	return true
}

func (m *mvTable) pushIn(h *mvHand, kind string, d int) {
	if !m.room(h, kind) {
		m.refuse("no room")
	}
	h.pushes = append(h.pushes, kind)
	h.pool = append(h.pool, d)
}

// -- rolls --

func (m *mvTable) roll(h *mvHand) {
	m.assemble(h)
	m.affords(h)
	var live []fallen
	if len(h.pool) > 0 {
		if len(m.throws) == 0 && m.guess == nil {
			m.refuse("the scripts threw no %v", h.pool)
		}
		var t thrown
		if len(m.throws) > 0 {
			t, m.throws = m.throws[0], m.throws[1:]
		} else {
			t = m.guess(h.pool)
		}
		if want, got := slices.Sorted(slices.Values(h.pool)), slices.Sorted(slices.Values(t.sizes)); !slices.Equal(want, got) {
			m.refuse("the scripts threw %v instead of %v", got, want)
		}
		for i, face := range t.faces {
			if face == 1 {
				h.ones++
			} else {
				live = append(live, fallen{t.sizes[i], face})
			}
		}
	}
	m.choose(h, live)
	if m.is("own_stress_step", "after_total") {
		m.strains(h)
	}
}

// affords refuses what is named for dice of the roll and cannot be paid.
func (m *mvTable) affords(h *mvHand) {
	if h.who != nil && h.who.hero {
		if h.who.pp < len(h.e.adds)+len(h.e.keeps) {
			m.refuse("no plot points for further dice")
		}
		return
	}
	left := slices.Clone(m.doom)
	for _, b := range slices.Concat(h.e.doomAdds, h.e.doomKeeps) {
		i := slices.Index(left, b.coin)
		if i < 0 {
			m.refuse("no such doom die")
		}
		left = slices.Delete(left, i, i+1)
	}
}

// choose reads a roll: two dice, dice that are bought, an effect die, more that are bought.
func (m *mvTable) choose(h *mvHand, live []fallen) {
	e := h.e
	pull := func(d fallen) {
		h.total += d.face
		i := slices.Index(live, d)
		live = slices.Delete(live, i, i+1)
	}
	showing := func(face, size int) (fallen, bool) {
		var best fallen
		for _, d := range live {
			if d.face == face && (size == 0 || d.size == size) && (best.size == 0 || d.size < best.size) {
				best = d
			}
		}
		return best, best.size > 0
	}
	// largest is the die that is best kept for an effect.
	largest := func() int {
		at := 0
		for i, d := range live {
			if d.size > live[at].size || d.size == live[at].size && d.face < live[at].face {
				at = i
			}
		}
		return at
	}
	// next is what goes into a total unasked: the highest face, of equal ones the smaller die, among those that a coin pays for.
	next := func(spare, coin int) fallen {
		var best fallen
		for i, d := range live {
			if i != spare && d.size <= coin && (d.face > best.face || d.face == best.face && d.size < best.size) {
				best = d
			}
		}
		return best
	}
	switch {
	case len(e.take) > 0:
		for i, face := range e.take {
			size := 0
			if len(e.takeOf) > 0 {
				size = e.takeOf[i]
			}
			d, ok := showing(face, size)
			if !ok {
				m.refuse("no die shows %d", face)
			}
			pull(d)
		}
	case len(live) <= 2:
		for len(live) > 0 {
			pull(live[0])
		}
	case m.is("policy", "largest_effect"):
		at := largest()
		saved := live[at]
		live = slices.Delete(live, at, at+1)
		pull(next(-1, 12))
		pull(next(-1, 12))
		live = append(live, saved)
	default:
		pull(next(-1, 12))
		pull(next(-1, 12))
	}
	want := func(face, coin int) (fallen, bool) {
		if face > 0 {
			d, ok := showing(face, 0)
			if !ok {
				m.refuse("no die shows %d", face)
			}
			return d, true
		}
		spare := -1
		if m.is("policy", "largest_effect") && len(live) > 1 {
			spare = largest()
		}
		d := next(spare, coin)
		if d.size == 0 {
			d = next(spare, 12)
		}
		return d, d.size > 0
	}
	for _, face := range e.adds {
		if d, ok := want(face, 12); ok {
			m.points(h, 1)
			pull(d)
		}
	}
	for _, b := range e.doomAdds {
		if d, ok := want(b.want, b.coin); ok {
			m.coin(b.coin, d.size)
			pull(d)
		}
	}
	var rest []int
	for _, d := range live {
		rest = append(rest, d.size)
	}
	slices.Sort(rest)
	slices.Reverse(rest)
	if len(rest) == 0 {
		if e.effect > 4 {
			m.refuse("no such effect die")
		}
		h.effects = []int{4}
		return
	}
	keep := func(size int) {
		i := slices.Index(rest, size)
		if i < 0 {
			m.refuse("no d%d is left", size)
		}
		h.effects = append(h.effects, size)
		rest = slices.Delete(rest, i, i+1)
	}
	if e.effect > 0 {
		keep(e.effect)
	} else {
		keep(rest[0])
	}
	for _, size := range e.keeps {
		if size == 0 && len(rest) == 0 {
			continue
		}
		if size == 0 {
			size = rest[0]
		}
		if !slices.Contains(rest, size) {
			m.refuse("no d%d is left", size)
		}
		m.points(h, 1)
		keep(size)
	}
	for _, b := range e.doomKeeps {
		size := b.want
		if !slices.Contains(m.doom, b.coin) {
			m.refuse("no such doom die")
		}
		if size == 0 {
			for _, d := range rest {
				if d <= b.coin {
					size = max(size, d)
				}
			}
			if size == 0 {
				continue
			}
		}
		if !slices.Contains(rest, size) {
			m.refuse("no d%d is left", size)
		}
		m.coin(b.coin, size)
		keep(size)
	}
	h.rest = rest
}

func (m *mvTable) strains(h *mvHand) {
	if h.who == nil {
		return
	}
	for _, kind := range h.own {
		if h.who.stress[kind] > 0 { // what the contest took away does not come back
			m.worsen(h, h.who, kind)
		}
	}
}

// -- ones --

func (m *mvTable) uses(h *mvHand, rivals []*mvHand) {
	if h.who != nil && h.who.hero {
		m.watcherUses(h)
		return
	}
	left := h.ones
	if m.is("hero_opportunity", "once_per_roll") {
		left = min(left, 1)
	}
	// Those whom it is about come first, then those who look on.
	var users []*mvPerson
	for _, r := range rivals {
		if r.who != nil && r.who.hero {
			users = append(users, r.who)
		}
	}
	for _, p := range m.people {
		if p.hero && m.is("hero_opportunity_who", "any_hero") && !slices.Contains(users, p) {
			users = append(users, p)
		}
	}
	for _, user := range users {
		for _, r := range rivals {
			for i, gain := range r.e.gains {
				by := r.who
				if gain.by != "" {
					by = m.person(gain.by)
				}
				if by != user || user.out() || left == 0 || r.used[i] || user.pp <= m.owes(by, rivals) {
					continue
				}
				r.used[i] = true
				left--
				user.pp--
				m.touch()
				switch gain.what {
				case "push":
					user.promised = append(user.promised, 8)
				case "stunt":
					user.promised = append(user.promised, 10)
				default:
					name := "HELP"
					for n := 2; user.resources[name] > 0; n++ {
						name = fmt.Sprintf("HELP_%d", n)
					}
					user.resources[name] = 6
					if m.is("resource_size", "d8") {
						user.resources[name] = 8
					}
				}
				m.touch()
			}
		}
	}
}

// owes gives the plot points that somebody's reaction costs as it was named, beyond what it earns.
func (m *mvTable) owes(p *mvPerson, hands []*mvHand) int {
	n := 0
	for _, h := range hands {
		if h.who != p || h.acting {
			continue
		}
		sets, phrases, skills := map[string]int{}, 0, 0
		for _, t := range h.terms {
			switch t.name {
			case "HEAT", "BLAST":
				sets["Suit"]++
			case "READ":
				sets["Mind"]++
			case "Star", "Lone":
				phrases++
				if t.die == 4 || t.die == 0 && h.e.hindered {
					n--
				}
			case "PILOT", "TECH":
				skills++
			}
		}
		if len(h.terms) == 0 && h.e.hindered {
			n--
		}
		n += max(0, sets["Suit"]-1) + max(0, sets["Mind"]-1) + max(0, phrases-1) + max(0, skills-1) + max(0, len(h.e.stress)+len(h.e.compl)-1)
		if h.e.push {
			n++
		}
		n += len(h.e.stunts) + len(h.e.own) + len(h.e.adds) + len(h.e.keeps)
	}
	return max(0, n)
}

func (m *mvTable) watcherUses(h *mvHand) {
	used, adds := 0, 0
	use := func(move string) {
		switch {
		case used == 0,
			move == "add" && adds > 0 && m.is("opportunity_price", "max_1_adds"),
			move == "add" && m.is("opportunity_price", "one_plus_adds_after_first"):
			h.who.pp++
			m.touch()
		}
		used++
		if move == "add" {
			adds++
			m.enlarge(6)
			return
		}
		for i, d := range m.doom {
			if d < 12 {
				m.doom = slices.Clone(m.doom)
				m.doom[i] += 2
				slices.Sort(m.doom)
				break
			}
		}
		m.touch()
	}
	for _, move := range h.e.moves {
		if used == h.ones {
			break
		}
		if move == "step" && (len(m.doom) == 0 || m.doom[0] == 12) {
			continue
		}
		use(move)
	}
	if used == 0 && h.ones > 0 && m.is("watcher_opportunity", "forced") {
		use("add")
	}
}

// -- what comes of it --

func (m *mvTable) stepBack(d int) int {
	if d == 4 && m.is("below_d4", "stays_d4") {
		return 4
	}
	if d <= 4 {
		return 0
	}
	return d - 2
}

// up gives a die n steps up, and how many of them go past d12.
func up(d, n int) (die, over int) {
	d += 2 * n
	return min(d, 12), max(0, (d-12)/2)
}

// share is how many of some steps the kth of n effect dice takes; k counts from 0.
func (m *mvTable) share(steps, n, k int) int {
	if m.is("step_split", "split") {
		return (steps + n - 1 - k) / n
	}
	if k == 0 {
		return steps
	}
	return 0
}

func (m *mvTable) compared(d int, other *mvHand, a mvAim) int {
	if a.kind == "asset" || a.kind == "" || other.silent || other.effects[0] <= d {
		return d
	}
	if a.whom != "" && m.is("compare_with", "target") && (other.who == nil || other.who.name != a.whom) {
		return d
	}
	return m.stepBack(d)
}

func (m *mvTable) succeed(me, it *mvHand, k *mvMark, margin int) {
	steps := 0
	if !it.silent {
		steps = max(0, margin/5)
	}
	switch me.mode {
	case "recover", "target":
		d, over := up(me.effects[0], m.share(steps, len(me.effects), 0))
		wins := it.silent || over > 0 || d > it.effects[0]
		if k.now() > 0 {
			switch {
			case me.mode == "recover" && !wins && k.kind == "stress" && slices.Contains(k.owner.passed, k.what):
				k.owner.passed = slices.DeleteFunc(slices.Clone(k.owner.passed), func(s string) bool { return s == k.what })
			case me.mode == "recover" && wins, me.mode == "target" && k.full && wins:
				m.clear(k)
			case me.mode == "target" && !k.full && !wins:
			default:
				m.wear(k)
			}
			m.touch()
		}
		m.effects(me, it, me.aims, steps, 1, over)
	case "chase":
		m.flee(me, it, steps)
		m.effects(me, it, me.aims, steps, 1, 0)
	default:
		me.served++
		m.effects(me, it, me.aims, steps, 0, 0)
	}
}

func (m *mvTable) flee(me, it *mvHand, steps int) {
	x := me.who
	on := x.assets["ESCAPING"] > 0
	if it.silent && on {
		x.fled = true
		m.touch()
		return
	}
	flight := mvAim{kind: "asset"}
	if on || m.is("chase_start", "complication") {
		flight.kind = "complication"
	}
	d, over := me.effects[0], 0
	if m.is("step_order", "after") {
		d = m.compared(d, it, flight)
	}
	if d > 0 {
		d, over = up(d, m.share(steps, len(me.effects), 0))
	}
	if m.is("step_order", "before") {
		d = m.compared(d, it, flight)
	}
	switch {
	case over > 0 && on:
		x.fled = true
	case d == 0:
	default:
		m.build(x, "ESCAPING", d)
		if over > 0 {
			x.fled = true
		}
	}
	m.touch()
}

// effects makes effects of the effect dice, but the first `done`; more dice come on top for `owed` steps past d12.
func (m *mvTable) effects(h, other *mvHand, aims []mvAim, steps, done, owed int) {
	aim := func(k int) (mvAim, bool) {
		if len(aims) == 0 {
			return mvAim{}, false
		}
		return aims[min(k-done, len(aims)-1)], true
	}
	each := len(h.targets) > 1 && m.is("area_effect", "one_die_per_target")
	// What one target takes is never what is meant for another.
	fits := func(a mvAim) bool {
		return a.whom == "" || other.who != nil && a.whom == other.who.name || !slices.Contains(h.targets, a.whom)
	}
	fitting := func(k int) (mvAim, bool) {
		a, is := aim(k)
		if is && !fits(a) {
			k := slices.IndexFunc(aims, fits)
			return aims[max(k, 0)], k >= 0
		}
		return a, is
	}
	more := owed
	lead := 0
	if each {
		lead = h.served - 1
	}
	var serving []int
	for k := range h.effects {
		a, _ := aim(max(k, done))
		if k < done || k == lead || len(h.targets) < 2 || !each && fits(a) && (h.served == 1 || a.whom == other.who.name) {
			serving = append(serving, k)
		}
	}
	for i, k := range serving {
		if k < done {
			continue
		}
		a, is := aim(k)
		if k == lead {
			a, is = fitting(k)
		}
		d := h.effects[k]
		if m.is("step_order", "after") && is {
			d = m.compared(d, other, a)
		}
		n := m.share(steps, len(serving), i)
		if m.is("step_split", "primary") {
			n = 0
			if k == lead {
				n = steps
			}
		}
		over := 0
		if d > 0 {
			d, over = up(d, n)
		}
		// whoever holds back means to stress nobody out
		held := over > 0 && is && a.kind == "stress" && h.e.pull > 0 && h.e.beyond == ""
		if over > 0 && is && a.kind == "stress" && h.e.beyond != "further_die" && !held {
			m.stressOut(h, m.victim(other, a), a.what)
			continue
		}
		if !held {
			more += over
		}
		if is {
			if m.is("step_order", "before") {
				d = m.compared(d, other, a)
			}
			m.make(h, other, a, d)
		}
	}
	for i := range more {
		a, is := fitting(len(h.effects) + i)
		if !is {
			return
		}
		d := 6
		if m.is("past_d12_die", "from_roll") {
			d = 4
			if i < len(h.rest) {
				d = h.rest[i]
			}
		}
		m.make(h, other, a, m.compared(d, other, a))
	}
}

func (m *mvTable) victim(other *mvHand, a mvAim) *mvPerson {
	if a.whom != "" {
		return m.person(a.whom)
	}
	return other.who
}

// make makes one effect of a die that has been compared.
func (m *mvTable) make(h, other *mvHand, a mvAim, d int) {
	if a.kind == "" {
		k := &mvMark{kind: "asset", what: "ESCAPING", owner: other.who}
		switch {
		case k.now() == 0:
		case d > other.effects[0]:
			m.clear(k)
		default:
			m.wear(k)
		}
		return
	}
	if d > 4 && h.e.pull > 0 {
		d = max(4, d-2*h.e.pull)
	}
	if d == 0 {
		return
	}
	x := m.victim(other, a)
	switch a.kind {
	case "asset":
		if a.whom == "" {
			x = h.who
		}
		m.build(x, a.what, d)
	case "stress":
		if old := x.stress[a.what]; d > old {
			x.stress[a.what] = d
		} else {
			m.worsen(h, x, a.what)
		}
	case "complication":
		old := x.compl[a.what]
		switch {
		case d > old && (old == 0 || m.is("complication_repeat", "as_stress")):
			x.compl[a.what] = d
		case m.is("complication_repeat", "separate"):
			n := 2
			for x.compl[fmt.Sprintf("%s_%d", a.what, n)] > 0 {
				n++
			}
			x.compl[fmt.Sprintf("%s_%d", a.what, n)] = d
		case old < 12:
			x.compl[a.what] += 2
		case m.is("complication_over_d12", "out"):
			x.beaten = true
		}
	}
	m.touch()
}

func (m *mvTable) build(x *mvPerson, what string, d int) {
	d = max(d, 6)
	switch old := x.assets[what]; {
	case d > old:
		x.assets[what] = d
	case old < 12:
		x.assets[what] += 2
	case what == "ESCAPING":
		x.fled = true
	}
	m.touch()
}

// worsen steps stress up once.
func (m *mvTable) worsen(h *mvHand, x *mvPerson, kind string) {
	if x.stress[kind] == 12 {
		m.stressOut(h, x, kind)
		return
	}
	x.stress[kind] += 2
	m.touch()
}

func (m *mvTable) stressOut(h *mvHand, x *mvPerson, kind string) {
	if slices.Contains(x.passed, kind) {
		return
	}
	x.stress[kind] = 12
	x.passed = append(slices.Clone(x.passed), kind)
	m.touch()
	if !x.hero && m.is("watcher_trauma", "no") || h.e.spare && h.who != x {
		return
	}
	switch old := x.trauma[kind]; {
	case old < 6:
		x.trauma[kind] = 6
	case m.is("trauma_repeat", "stays"):
	case old == 12:
		x.gone = true
	default:
		x.trauma[kind] += 2
	}
	m.touch()
}

func (m *mvTable) clear(k *mvMark) {
	switch k.kind {
	case "gear":
		k.owner.lost = true
	case "stress":
		delete(k.owner.stress, k.what)
		k.owner.passed = slices.DeleteFunc(slices.Clone(k.owner.passed), func(s string) bool { return s == k.what })
	case "complication":
		delete(k.owner.compl, k.what)
	case "asset":
		delete(k.owner.assets, k.what)
	}
	m.touch()
}

func (m *mvTable) wear(k *mvMark) {
	bottom := 4
	if (k.kind == "asset" || k.kind == "gear") && m.is("asset_floor", "d6") {
		bottom = 6
	}
	d := k.now()
	if d <= bottom {
		m.clear(k)
		return
	}
	switch k.kind {
	case "gear":
		k.owner.lamp = d - 2
	case "stress":
		k.owner.stress[k.what] = d - 2
	case "complication":
		k.owner.compl[k.what] = d - 2
	case "asset":
		k.owner.assets[k.what] = d - 2
	}
	m.touch()
}

// fail is an action that does not reach the reaction.
func (m *mvTable) fail(me, it *mvHand, margin int) {
	if me.mode == "chase" && !m.is("chase_hero_wins", "counter_effect") && me.who.assets["ESCAPING"] > 0 {
		if m.is("chase_hero_wins", "step_back_free") {
			m.wear(&mvMark{kind: "asset", what: "ESCAPING", owner: me.who})
		}
		return
	}
	usual := mvAim{"stress", "physical", ""}
	switch {
	case me.mode == "support":
		usual = mvAim{"complication", "TROUBLE", ""}
	case me.mode == "chase" && me.who.assets["ESCAPING"] > 0:
		usual = mvAim{}
	case me.mode == "plain" && len(me.aims) > 0 && me.aims[0].kind != "asset":
		usual = mvAim{me.aims[0].kind, me.aims[0].what, ""}
	}
	var aims []mvAim
	for _, c := range it.e.counters {
		if c.kind == "" {
			c = usual
		}
		if it.who == nil && c.kind == "asset" && c.whom == "" {
			m.refuse("the doom pool makes no assets")
		}
		aims = append(aims, c)
	}
	if len(aims) == 0 {
		aims = []mvAim{usual}
	}
	free := me.mode == "support" && m.is("support_failure", "free")
	if !free && me.who.out() && !slices.ContainsFunc(aims, func(a mvAim) bool { return !m.wasted(a, me.who) }) {
		return
	}
	switch {
	case free:
	case len(it.e.counters) > 0 && it.who != nil && it.who.hero:
		if it.who.pp == 0 {
			return
		}
		m.points(it, 1)
	case len(it.e.counters) > 0:
		coin := it.e.paying
		if coin == 0 {
			coin = cheapest(m.unowed(it), 6)
		}
		if coin == 0 || !slices.Contains(m.doom, coin) {
			return
		}
		m.coin(coin, 6)
	case me.mode == "support" && m.price(6) > 0:
		m.coin(0, 6)
	default:
		return
	}
	steps := 0
	if m.is("reaction_extraordinary", "yes") {
		steps = -margin / 5
	}
	m.effects(it, me, aims, steps, 0, 0)
}

// wasted says whether an effect on somebody who is out would change nothing.
func (m *mvTable) wasted(a mvAim, x *mvPerson) bool {
	if a.whom != "" {
		x = m.person(a.whom)
	}
	return a.kind != "asset" && (x.beaten || x.gone || a.kind == "stress" && slices.Contains(x.passed, a.what))
}

func (m *mvTable) sweep(who *mvPerson, c *mvCommand) {
	k := m.mark(c)
	die, power := who.powers[c.withRow]
	if !power || who.suitOff && c.withRow != "READ" {
		m.refuse("no such power")
	}
	if who.hero {
		if c.coin > 0 || m.is("auto_success", "larger") && die <= k.size || who.pp == 0 {
			m.refuse("no sweep")
		}
		who.pp--
		m.touch()
	} else {
		m.coin(c.coin, k.size)
	}
	m.clear(k)
	m.v.fields = map[string]string{"outcome": "success", "hits": "1"}
}

// -- what is played --

var mvOptions = map[string][]string{
	"below_d4": {"nothing", "stays_d4"}, "policy": {"standard", "largest_effect"}, "target_die_joins": {"always", "doom_only"},
	"d4_distinction": {"own_side", "both"}, "push_stunt_resource": {"one", "one_each", "any"}, "own_stress_step": {"after_total", "after_contest"},
	"extra_complication": {"no", "pp"}, "doom_stress_cost": {"any", "match"}, "hero_opportunity": {"each_one", "once_per_roll"},
	"resource_size": {"d6", "d8"}, "watcher_opportunity": {"optional", "forced"}, "opportunity_price": {"max_1_adds", "one_plus_adds_after_first"},
	"area_effect": {"same_die", "one_die_per_target"}, "doom_self_spend": {"allowed", "not_allowed"}, "step_split": {"primary", "split"},
	"reaction_extraordinary": {"no", "yes"}, "step_order": {"before", "after"}, "past_d12_die": {"from_roll", "d6"}, "pull_steps": {"any", "one"},
	"trauma_repeat": {"step_up", "stays"}, "watcher_trauma": {"no", "yes"}, "recovery": {"targeted", "targeted", "targeted", "targeted", "script"},
	"complication_repeat": {"as_stress", "separate"}, "complication_over_d12": {"out", "cap"}, "asset_life": {"conflict", "one_roll"},
	"support_failure": {"paid", "free"}, "target_larger": {"refuse", "allow_step"}, "target_tie": {"action", "reaction"}, "asset_floor": {"d6", "d4"},
	"auto_success": {"larger", "watcher_decides"}, "chase_tie": {"action", "reaction"}, "chase_start": {"asset", "complication"},
	"chase_hero_wins": {"counter_effect", "counter_effect", "step_back_free", "nothing"}, "opportunity_step": {"smallest", "any"}, "hero_opportunity_who": {"opposed", "any_hero"},
	"compare_with": {"reaction", "target"},
}

var (
	mvTypes  = []string{"physical", "mental"}
	mvNames  = []string{"SLOW", "BLIND"}
	mvAssets = []string{"ROPE", "COVER"}
)

// mvDraw draws situations and commands.
type mvDraw struct{ *rand.Rand }

func (r mvDraw) one(in int) bool          { return r.IntN(in) == 0 }
func (r mvDraw) die() int                 { return 4 + 2*r.IntN(5) }
func (r mvDraw) of(words []string) string { return words[r.IntN(len(words))] }
func (r mvDraw) count(most int) int       { return r.IntN(most + 1) }
func mvList(m map[string]int) []string    { return slices.Sorted(maps.Keys(m)) }

// among gives a name, rarely one that is not there; "" where there is none.
func (r mvDraw) among(m map[string]int) string {
	if r.one(60) {
		return "GONE"
	}
	if len(m) == 0 {
		return ""
	}
	return r.of(mvList(m))
}

func (r mvDraw) person(name string, hero bool) *mvPerson {
	return &mvPerson{name: name, hero: hero, solo: r.die(), team: r.die(), gear: 6 + 2*r.IntN(4),
		powers: map[string]int{"HEAT": r.die(), "BLAST": r.die(), "READ": r.die()}, skills: map[string]int{"PILOT": r.die(), "TECH": r.die()}}
}

func (p *mvPerson) sheet() string {
	kind := "watcher"
	if p.hero {
		kind = "hero"
	}
	return fmt.Sprintf("%s %s { solo d%d; team d%d; distinction \"Star\"; distinction \"Lone\"; power_set \"Suit\" { HEAT d%d, BLAST d%d }; power_set \"Mind\" { READ d%d }; PILOT d%d; TECH d%d; gear LAMP d%d }\n",
		kind, p.name, p.solo, p.team, p.powers["HEAT"], p.powers["BLAST"], p.powers["READ"], p.skills["PILOT"], p.skills["TECH"], p.gear)
}

// fate puts somebody into a random situation, and says it as a script.
func (r mvDraw) fate(p *mvPerson) string {
	var b strings.Builder
	p.stress, p.trauma, p.compl, p.assets, p.resources = map[string]int{}, map[string]int{}, map[string]int{}, map[string]int{}, map[string]int{}
	p.passed, p.promised, p.suitOff, p.lost, p.lamp = nil, nil, false, false, p.gear
	p.beaten, p.fled, p.gone, p.pp = false, false, false, 0
	fill := func(field string, m map[string]int, names []string, least int) {
		for _, n := range names {
			if r.one(4) {
				m[n] = max(least, r.die())
				fmt.Fprintf(&b, "%s.%s[%q] = d%d\n", p.name, field, n, m[n])
			}
		}
	}
	fill("stress", p.stress, mvTypes, 4)
	fill("trauma", p.trauma, mvTypes[:1], 6)
	fill("complications", p.compl, mvNames, 4)
	fill("assets", p.assets, mvAssets, 6)
	if r.one(6) {
		fill("assets", p.assets, []string{"ESCAPING"}, 6)
	}
	fill("resources", p.resources, []string{"FRIEND"}, 6)
	if p.hero {
		p.pp = r.count(4)
		fmt.Fprintf(&b, "%s.pp = %d\n", p.name, p.pp)
	}
	for _, d := range []int{8, 10} {
		if r.one(8) {
			p.promised = append(p.promised, d)
		}
	}
	fmt.Fprintf(&b, "%s.promised = %s\n", p.name, mvDice(p.promised))
	if r.one(12) {
		p.suitOff = true
		fmt.Fprintf(&b, "%s.power_sets.first.off = yes\n", p.name)
	}
	if r.one(12) {
		p.lost = true
		fmt.Fprintf(&b, "%s.LAMP.lost = yes\n", p.name)
	}
	if r.one(10) {
		kind := r.of(mvTypes)
		p.stress[kind], p.passed = 12, []string{kind}
		fmt.Fprintf(&b, "%s.stress[%q] = d12\n%s.passed = [%q]\n", p.name, kind, p.name, kind)
	}
	switch r.IntN(40) {
	case 0:
		p.fled = true
		fmt.Fprintf(&b, "%s.fled = yes\n", p.name)
	case 1:
		p.beaten = true
		fmt.Fprintf(&b, "%s.beaten = yes\n", p.name)
	}
	return b.String()
}

// terms draws a pool. Now and then it has what costs a point, what is not to be had, or what goes in once twice.
func (r mvDraw) terms(p *mvPerson) []mvTerm {
	var t []mvTerm
	add := func(in int, term mvTerm) {
		if r.one(in) {
			t = append(t, term)
		}
	}
	odd := 40
	if p != nil && p.hero && p.pp > 0 {
		odd = 6
	}
	add(2, mvTerm{name: r.of([]string{"solo", "team"})})
	if r.one(100) {
		t = append(t, mvTerm{name: "solo"}, mvTerm{name: "team"})
	}
	d4 := 0
	if r.one(4) {
		d4 = 4
	}
	add(3, mvTerm{name: "Star", die: d4})
	add(odd, mvTerm{name: "Lone", die: 4 - d4})
	if p == nil || !p.suitOff || r.one(10) {
		add(3, mvTerm{name: "HEAT"})
		add(odd, mvTerm{name: "BLAST"})
	}
	add(4, mvTerm{name: "READ"})
	add(4, mvTerm{name: "PILOT"})
	add(odd, mvTerm{name: "TECH"})
	if p == nil || !p.lost || r.one(10) {
		add(10, mvTerm{name: "LAMP"})
	}
	for range r.count(3) {
		t = append(t, mvTerm{die: r.die()})
	}
	if len(t) == 0 {
		t = []mvTerm{{die: r.die()}}
	}
	r.Shuffle(len(t), func(i, j int) { t[i], t[j] = t[j], t[i] })
	return t
}

// effort draws what a side puts into its roll: mostly what it could, now and then what it could not. keeps
// says that further effect dice can become something, ones that the other side's ones count.
func (r mvDraw) effort(m *mvTable, p, against *mvPerson, acting, keeps, ones bool) *mvEffort {
	e := &mvEffort{pull: -1}
	hero := p != nil && p.hero
	add := func(list *[]string, named map[string]int, in int) {
		if x := r.among(named); x != "" && r.one(in) && !slices.Contains(*list, x) {
			*list = append(*list, x)
		}
	}
	if against != nil {
		switch r.IntN(8) {
		case 0, 1:
			e.opening = true
		case 2, 3:
			add(&e.stress, against.stress, 1)
			if hero && p.pp > 0 || !hero && len(m.doom) > 0 {
				add(&e.stress, against.trauma, 2)
				add(&e.stress, against.stress, 4)
			}
		case 4:
			add(&e.compl, against.compl, 1)
			if hero && p.pp > 0 || !hero && len(m.doom) > 0 {
				add(&e.compl, against.compl, 6)
				add(&e.stress, against.stress, 3)
			}
		}
	}
	if p != nil {
		e.equipped = r.one(5)
		if !e.equipped {
			add(&e.assets, p.assets, 4)
		}
		add(&e.resources, p.resources, 6)
		e.hindered = r.one(12)
	}
	points := hero && p.pp > 0
	if r.one(150) {
		points = !points
	}
	if points {
		e.push = r.one(8)
		if r.one(12) {
			e.stunts = []string{"PILOT"}
		}
		if p != nil {
			add(&e.own, p.stress, 4)
		}
		if r.one(6) {
			e.adds = append(e.adds, 0)
		}
		if r.one(12) {
			e.adds = append(e.adds, 0)
		}
		if (keeps || r.one(20)) && r.one(4) {
			e.keeps = append(e.keeps, 0)
			if r.one(4) {
				e.keeps = append(e.keeps, 0)
			} else if r.one(20) {
				e.keeps = append(e.keeps, r.die())
			}
		}
	}
	if hero && (ones || r.one(40)) && r.one(3) {
		for range 1 + r.count(1) {
			g := mvGain{what: r.of([]string{"push", "stunt", "resource"})}
			if m.is("hero_opportunity_who", "any_hero") && r.one(3) || r.one(60) {
				g.by = r.of([]string{"Nova", "Brick"})
			}
			e.gains = append(e.gains, g)
		}
	}
	if hero && r.one(3) || r.one(200) {
		for range 1 + r.count(2) {
			e.moves = append(e.moves, r.of([]string{"add", "add", "step"}))
		}
	}
	dooms := !hero
	if r.one(150) {
		dooms = !dooms
	}
	if dooms && len(m.doom) > 0 {
		coin := func() int { return m.doom[r.IntN(len(m.doom))] }
		if (p != nil || r.one(40)) && r.one(6) {
			e.doomAdd = append(e.doomAdd, coin())
		}
		if r.one(12) {
			e.doomAdds = append(e.doomAdds, mvBuy{coin: slices.Max(m.doom)})
		}
		if (keeps || r.one(20)) && r.one(8) {
			e.doomKeeps = append(e.doomKeeps, mvBuy{coin: coin()})
		}
	}
	if r.one(60) {
		e.take = []int{2 + r.IntN(5), 2 + r.IntN(5)}
		if r.one(3) {
			e.takeOf = []int{r.die(), r.die()}
		}
	}
	if r.one(60) {
		e.effect = r.die()
	}
	if r.one(6) {
		e.pull = r.IntN(2)
		if m.is("pull_steps", "any") || r.one(20) {
			e.pull = r.IntN(4)
		}
	}
	e.spare = r.one(8)
	if acting && r.one(6) {
		e.beyond = r.of([]string{"stressed_out", "further_die"})
	}
	able := hero && p.pp > 0 || !hero && len(m.doom) > 0
	if !acting && (able || r.one(10)) && r.one(3) {
		for range 1 + r.count(1) {
			e.counters = append(e.counters, r.counter())
			if p == nil && !r.one(20) && e.counters[0].kind == "asset" {
				e.counters[0].whom = "Fang"
			}
		}
		if !hero && len(m.doom) > 0 && r.one(4) {
			e.paying = m.doom[r.IntN(len(m.doom))]
		}
	}
	return e
}

func (r mvDraw) counter() mvAim {
	switch r.IntN(5) {
	case 0:
		return mvAim{}
	case 1, 2:
		return mvAim{"stress", r.of(mvTypes), ""}
	case 3:
		return mvAim{"complication", r.of(mvNames), ""}
	}
	return mvAim{"asset", r.of(mvAssets), r.of([]string{"", "Nova", "Brick", "Fang"})}
}

func (r mvDraw) aims(most int) []mvAim {
	var out []mvAim
	for range r.count(most) {
		a := mvAim{"stress", r.of(mvTypes), ""}
		switch r.IntN(3) {
		case 0:
			a = mvAim{"complication", r.of(mvNames), ""}
		case 1:
			a = mvAim{"asset", r.of(mvAssets), ""}
		}
		if r.one(4) {
			a.whom = r.of([]string{"Nova", "Brick", "Fang", "Gnaw"})
		}
		out = append(out, a)
	}
	return out
}

// mark draws something of somebody to aim at.
func (r mvDraw) mark(m *mvTable, c *mvCommand) {
	var all []mvMark
	for _, p := range m.people {
		for k := range p.assets {
			all = append(all, mvMark{kind: "asset", what: k, owner: p})
		}
		for k := range p.compl {
			all = append(all, mvMark{kind: "complication", what: k, owner: p})
		}
		all = append(all, mvMark{kind: "gear", what: "LAMP", owner: p})
	}
	slices.SortFunc(all, func(a, b mvMark) int { return strings.Compare(a.owner.name+a.kind+a.what, b.owner.name+b.kind+b.what) })
	k := all[r.IntN(len(all))]
	c.kind, c.what, c.ally = k.kind, k.what, k.owner.name
	if r.one(6) {
		c.kind, c.what, c.size = "scenery", "DOOR", r.die()
	}
	c.main = 12
	if r.one(2) {
		c.main = r.die()
	}
}

func (r mvDraw) command(m *mvTable) *mvCommand {
	who := m.people[r.IntN(len(m.people))]
	for range 4 {
		if who.out() {
			who = m.people[r.IntN(len(m.people))]
		}
	}
	c := &mvCommand{who: who.name, terms: r.terms(who), verb: r.of([]string{"roll", "roll", "attack", "attack", "support", "recover", "target", "target", "sweep", "escape"})}
	if c.verb == "support" && !who.hero && !r.one(20) {
		c.verb = "roll"
	}
	foes := []string{"Fang", "Gnaw"}
	if !who.hero {
		foes = []string{"Nova", "Brick"}
	}
	if r.one(30) {
		foes = []string{"Nova", "Fang"}
	}
	react := func(name string) mvRival {
		p := m.person(name)
		x := mvRival{who: name, terms: r.terms(p)}
		x.effort = r.effort(m, p, who, false, true, !who.hero)
		if r.one(8) {
			x.terms = nil
		}
		return x
	}
	doom := func() mvRival {
		x := mvRival{effort: r.effort(m, nil, who, false, true, false)}
		if r.one(3) {
			x.terms = []mvTerm{{die: r.die()}}
		}
		return x
	}
	nobody := mvRival{unopposed: true, effort: &mvEffort{pull: -1}}
	anybody := func() mvRival {
		switch {
		case r.one(8):
			return nobody
		case who.hero && r.one(2), r.one(60):
			return doom()
		}
		return react(r.of(foes))
	}
	ally := m.people[r.IntN(len(m.people))]
	c.ally = ally.name
	switch c.verb {
	case "roll":
		c.aims, c.rivals = r.aims(2), []mvRival{anybody()}
	case "attack":
		c.aims = r.aims(2)
		for i, f := range foes {
			if i == 1 && r.one(2) {
				break
			}
			x := react(f)
			x.unopposed = r.one(20)
			if x.unopposed || len(x.terms) == 0 {
				x.effort = &mvEffort{pull: -1}
			}
			c.rivals = append(c.rivals, x)
		}
	case "support":
		c.what, c.rivals = r.of(mvAssets), []mvRival{doom()}
		if r.one(3) {
			c.aims = []mvAim{{"asset", r.of(mvAssets), r.of([]string{"", "Nova"})}}
		}
	case "recover":
		for _, p := range m.people {
			if p.hero == who.hero && (len(p.passed) > 0 || len(p.stress)+len(p.compl) > 0) {
				ally = p
			}
		}
		c.ally, c.kind, c.what = ally.name, "stress", r.among(ally.stress)
		if c.what == "" || len(ally.compl) > 0 && r.one(3) {
			c.kind, c.what = "complication", r.among(ally.compl)
		}
		if c.what == "" {
			c.what = "GONE"
		}
		c.rivals = []mvRival{anybody()}
		if who.hero && !r.one(20) {
			c.rivals = []mvRival{doom()}
		}
		c.aims = r.aims(1)
	case "target":
		r.mark(m, c)
		c.aims, c.rivals = r.aims(1), []mvRival{anybody()}
		if who.hero && c.rivals[0].unopposed && !r.one(20) {
			c.rivals = []mvRival{doom()}
		}
	case "sweep":
		r.mark(m, c)
		c.rivals = []mvRival{nobody}
		c.withRow = r.of([]string{"HEAT", "READ", "READ", "READ"})
		if r.one(30) {
			c.withRow = "PILOT"
		}
		if !who.hero && len(m.doom) > 0 && r.one(2) || r.one(30) {
			c.coin = 6 + 2*r.IntN(4)
		}
	case "escape":
		c.rivals, c.aims = []mvRival{anybody()}, r.aims(1)
	}
	x := c.rivals[0]
	for i := range c.aims {
		if c.aims[i].kind != "asset" && x.who == "" && !r.one(20) {
			c.aims[i].whom = r.of(foes)
		}
	}
	var against *mvPerson
	if x.who != "" && (c.verb != "recover" || !who.hero) {
		against = m.person(x.who)
	}
	keeps := c.verb == "roll" || c.verb == "attack" || c.verb == "support" || len(c.aims) > 0
	c.effort = r.effort(m, who, against, true, keeps, !x.unopposed)
	return c
}

// Random actions with random clauses, options, sheets and faces, by the scripts and by the book.
func TestRefereeOfMarvel(t *testing.T) {
	refereed(t, 400, 50, 100, func(t *testing.T, r *rand.Rand) func() (string, int, []string) {
		draw := mvDraw{r}
		m := &mvTable{options: map[string]string{}, people: []*mvPerson{draw.person("Nova", true), draw.person("Brick", true), draw.person("Fang", false), draw.person("Gnaw", false)}}
		var set []string
		for _, o := range slices.Sorted(maps.Keys(mvOptions)) {
			m.options[o] = mvOptions[o][0]
			if draw.one(2) {
				m.options[o] = draw.of(mvOptions[o])
			}
			set = append(set, o+" = "+m.options[o])
		}
		text := "use marvel with " + strings.Join(set, ", ") + "\n"
		for _, p := range m.people {
			text += p.sheet()
		}
		arena := newArena(t, r, text)
		return func() (string, int, []string) {
			m.doom = nil
			for range draw.count(4) {
				m.doom = append(m.doom, 6+2*draw.IntN(4))
			}
			slices.Sort(m.doom)
			situation := "doom " + mvDice(m.doom) + "\n"
			for _, p := range m.people {
				situation += draw.fate(p)
			}
			c := draw.command(m)
			script, throws := arena.play(situation, c.text(), "Watcher", "Nova", "Brick", "Fang", "Gnaw")
			told := text + situation + c.text() + "\n" + fmt.Sprint(throws)
			m.guess = nil
			if script.refused != "" {
				m.guess = arena.fall
			}
			return told, 1, differences(script, m.judge(c, throws))
		}
	})
}

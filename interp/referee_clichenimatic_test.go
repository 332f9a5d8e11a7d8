package interp_test

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"sort"
	"strings"
	"testing"

	"setpiece/interp"
)

// A referee for Clichénimatic: whole Rounds told once more, from the book and its
// catalogue, not from the scripts. Two heroes, two villains and a group of mooks declare Run-offs, throw,
// act, counter, spend Resolve, fall out of line and try what is not allowed, for one Round or two; after every command
// both sides say how everybody stands. The numbers in brackets are those of the
// catalogue's rules.
//
// Not covered: teams, tasks and the Rounds around them, questions that somebody answers, Rounds that play
// themselves, prices of creation.

type clRunoff struct {
	name                        string
	adder, limited, charges     int
	left, reloads, stocked      int
	recharge, owed              int
	consecutive, fired, paid    bool
	rapid, area, haywire, again bool
	massive, anti               int
	lost                        bool
	item                        string // the vehicle it belongs to
	gear, vehicle               bool   // it is equipment itself
	essence, bonus              int
}

type clPerson struct {
	name                            string
	hero, mook                      bool
	count                           int // of mooks
	scale                           int
	essence, whole, resolve, mettle int
	tools                           []clRunoff // Run-offs, then equipment
	cliches, flaws, secrets, pips   []string
	phrases                         []string

	held, said                 map[string]bool // Flaws held off, Catch Phrases used
	seized                     bool
	improvised                 int
	fled, captive, lost        bool
	duel                       string
	refreshed, crushed, moved  bool
	jam                        bool
	burning                    []int // strikes that are done again
	set, failing, acted, faced bool
	reached, jammed            bool
	declared, ready            []string // names of Run-offs; "unskilled", "situational", "cliche Bard"
	mode                       map[string]string
	again                      map[string][]int
	helped                     map[string]bool // Pips used
	pool                       []int           // what the dice show, and 100 more where a Catch Phrase has doubled it
	bonuses                    []int
	stores                     map[string]int // what is left of the bonus die of each Cliché
	rough                      int
	twice                      int
}

func (p *clPerson) clone() *clPerson {
	q := *p
	q.tools = slices.Clone(p.tools)
	q.held, q.said, q.mode, q.helped = maps.Clone(p.held), maps.Clone(p.said), maps.Clone(p.mode), maps.Clone(p.helped)
	q.again, q.stores = maps.Clone(p.again), maps.Clone(p.stores)
	q.declared, q.ready = slices.Clone(p.declared), slices.Clone(p.ready)
	q.pool, q.bonuses = slices.Clone(p.pool), slices.Clone(p.bonuses)
	return &q
}

func (p *clPerson) tool(name string) *clRunoff {
	for i := range p.tools {
		if p.tools[i].name == name {
			return &p.tools[i]
		}
	}
	return nil
}

// lostTool: it was given up. What belongs to a vehicle stays when the vehicle's own Run-off goes [53].
func (p *clPerson) lostTool(t *clRunoff) bool { return t.lost }

func (p *clPerson) out() bool { return p.essence <= 0 || p.fled || p.captive || p.lost }

type clTable struct {
	r       mvDraw
	options map[string]string
	people  []*clPerson
	epic    bool
	thrown  bool
	dice    map[string][]int // what has fallen for whom and what for
	stock   map[string][]int // what will
	script  []string
	v       verdict
	log     []string
}

func (m *clTable) is(option, value string) bool { return m.options[option] == value }

func (m *clTable) person(name string) *clPerson {
	return m.people[slices.IndexFunc(m.people, func(p *clPerson) bool { return p.name == name })]
}

func refuseCl(format string, args ...any) { panic(notAllowed(fmt.Sprintf(format, args...))) }

func (m *clTable) spend(p *clPerson, n int) {
	if p.resolve < n {
		refuseCl("%s has %d Resolve, not %d", p.name, p.resolve, n)
	}
	if n > 0 {
		p.resolve -= n
		m.v.change(p.name+".resolve", fmt.Sprint(p.resolve))
	}
}

func (m *clTable) toEssence(p *clPerson, n int) {
	if p.essence != n {
		p.essence = n
		m.v.change(p.name+".essence", fmt.Sprint(n))
	}
}

func (m *clTable) toResolve(p *clPerson, n int) {
	if p.resolve != n {
		p.resolve = n
		m.v.change(p.name+".resolve", fmt.Sprint(n))
	}
}

// fall lets dice fall, and remembers them for the script.
func (m *clTable) fall(p *clPerson, what string, n int) []int {
	key := p.name + "/" + what
	m.coming(key, n)
	faces := slices.Clone(m.stock[key][:n])
	m.stock[key] = m.stock[key][n:]
	m.dice[key] = append(m.dice[key], faces...)
	return faces
}

// coming gives the dice that fall next.
func (m *clTable) coming(key string, n int) []int {
	for len(m.stock[key]) < n {
		m.stock[key] = append(m.stock[key], 1+m.r.IntN(6))
	}
	return m.stock[key][:n]
}

// deal gives a throw of the script what the referee has thrown.
func (m *clTable) deal(q interp.Request) []int {
	key := q.Who + "/" + q.For
	if len(m.dice[key]) < len(q.Sizes) {
		m.log = append(m.log, fmt.Sprintf("the script throws %d dice for %s, the referee has %d", len(q.Sizes), key, len(m.dice[key])))
		return slices.Repeat([]int{1}, len(q.Sizes))
	}
	faces := m.dice[key][:len(q.Sizes)]
	m.dice[key] = m.dice[key][len(q.Sizes):]
	return faces
}

func (m *clTable) outcome(who, verb, outcome string, fields ...any) {
	line := who + " " + verb + ": " + outcome
	for i := 0; i < len(fields); i += 2 {
		line += fmt.Sprintf(", %s %v", fields[i], fields[i+1])
	}
	m.v.change("outcomes", line)
}

// -- how everybody stands --

func clList[T any](list []T) string {
	var s []string
	for _, x := range list {
		s = append(s, fmt.Sprint(x))
	}
	return "[" + strings.Join(s, ", ") + "]"
}

func (m *clTable) adder(p *clPerson, tool string) int {
	switch {
	case tool == "unskilled":
		return 1 // [19]
	case tool == "situational":
		return map[string]int{"1": 1, "2": 2, "3": 3}[m.options["situational_adder"]] // [35]
	case strings.HasPrefix(tool, "cliche "):
		return map[string]int{"3": 3, "2": 2}[m.options["cliche_adder"]] // [9]
	}
	return p.tool(tool).adder
}

const clSee = `
rule see(x) "how somebody stands" = "{x.name}: {x.essence} {x.resolve} pool {[d.face for d in x.pool]} ready {[adder_of(r) for r in x.ready].sorted} bonus {x.bonuses} uses {[r.left for r in x.runoffs + x.items]} owed {[r.owed for r in x.runoffs + x.items]} lost {[r.name for r in x.runoffs + x.items where r.lost]} own {[i.bonus for i in x.items]} held {count f in x.flaws + x.secrets where f.cancelled} said {count p in x.phrases where p.used} {if x.fled then \"fled \" else \"\"}{if x.captive then \"captive \" else \"\"}{if x.lost then \"lost \" else \"\"}{if x.duel == none then \"\" else x.duel.name}{if x.jam then \" jam\" else \"\"}{if x.burning.empty then \"\" else \" burns {x.burning}\"}"
`

func clWord(b bool, word string) string {
	if b {
		return word
	}
	return ""
}

func (m *clTable) see(p *clPerson) string {
	var ready, uses, owed, own []int
	var lost []string
	for _, t := range p.ready {
		ready = append(ready, m.adder(p, t))
	}
	slices.Sort(ready)
	for _, t := range p.tools {
		uses, owed = append(uses, t.left), append(owed, t.owed)
		if t.lost {
			lost = append(lost, fmt.Sprintf("%q", t.name))
		}
		if t.gear {
			own = append(own, t.bonus)
		}
	}
	s := fmt.Sprintf("%s: %d %d pool %s ready %s bonus %s uses %s owed %s lost %s own %s held %d said %d ", p.name, p.essence, p.resolve, clList(clWorths(p.pool)), clList(ready),
		clList(p.bonuses), clList(uses), clList(owed), clList(lost), clList(own), len(p.held), len(p.said))
	s += clWord(p.fled, "fled ") + clWord(p.captive, "captive ") + clWord(p.lost, "lost ") + p.duel + clWord(p.jam, " jam")
	if len(p.burning) > 0 {
		s += " burns [" + strings.Trim(strings.ReplaceAll(fmt.Sprint(p.burning), " ", ", "), "[]") + "]"
	}
	return s
}

func (m *clTable) look() {
	for _, p := range m.people {
		m.v.change("seen", m.see(p))
	}
	m.script = append(m.script, "look()")
}

// do tells a command: it is played, or it is refused and nothing has changed.
func (m *clTable) do(text string, play func()) (refused bool) {
	before, epic, thrown, v := m.people, m.epic, m.thrown, m.v
	m.people = nil
	for _, p := range before {
		m.people = append(m.people, p.clone())
	}
	kept := v
	kept.changes = map[string][]string{}
	for k, list := range v.changes {
		kept.changes[k] = slices.Clone(list)
	}
	defer func() {
		if why := recover(); why != nil {
			if _, ok := why.(notAllowed); !ok {
				panic(why)
			}
			m.people, m.epic, m.thrown, m.v = before, epic, thrown, kept
			m.script = append(m.script, "refused \"\" { "+text+" }   # "+string(why.(notAllowed)))
			refused = true
		}
		m.look()
	}()
	play()
	m.script = append(m.script, text)
	return false
}

// -- before dice --

// holdOff is [31] and [34].
func (m *clTable) holdOff(p *clPerson, flaw string) {
	if p.mook || p.held[flaw] {
		refuseCl("%s cannot hold off %s", p.name, flaw)
	}
	if slices.Contains(p.secrets, flaw) {
		m.spend(p, 5)
	} else {
		m.spend(p, 2)
	}
	p.held[flaw] = true
}

// fails is [29]: a Dark Secret first, then Flaws, of which each Cliché that applies as
// well cancels one [32].
func (m *clTable) fails(p *clPerson, secrets, flaws, cliches []string) bool {
	for _, s := range secrets {
		if !p.held[s] {
			return true
		}
	}
	bad := 0
	for _, f := range clDistinct(flaws) {
		if !p.held[f] {
			bad++
		}
	}
	for _, c := range clDistinct(cliches) {
		if bad > 0 {
			bad--
			if at := slices.Index(p.bonuses, p.stores[c]); p.mode[c] == "bonus" && at >= 0 {
				p.bonuses = slices.Delete(p.bonuses, at, at+1)
			}
			p.mode[c] = "cancelled"
		}
	}
	return bad > 0
}

func clDistinct(list []string) []string { return slices.Compact(slices.Sorted(slices.Values(list))) }

// limit is [13], [38] and, of Clichés, [9].
func (m *clTable) limit(p *clPerson) int {
	if p.seized && m.is("seize_dice", "runoffs") {
		return 8
	}
	return 6
}

func (m *clTable) counted(p *clPerson) int {
	n := 0
	for _, t := range p.declared {
		if !strings.HasPrefix(t, "cliche ") || m.is("cliche_pool", "within") {
			n++
		}
	}
	return n
}

func (m *clTable) declare(p *clPerson, tool string) {
	if t := p.tool(tool); t != nil {
		if p.lostTool(t) || t.limited > 0 && t.left < t.charges || t.owed > 0 || slices.Contains(p.declared, tool) {
			refuseCl("%s cannot declare %s", p.name, tool) // [53] [133] [139]
		}
	}
	p.declared, p.ready = append(p.declared, tool), append(p.ready, tool)
	if m.counted(p) > m.limit(p) {
		refuseCl("too many Run-offs")
	}
}

type clPool struct {
	who                     string
	tools                   []string
	unskilled               bool
	forScene, once          int
	cliches                 []clUse
	secrets, flaws, cancels []string
}

// clUse is what a Cliché is used for.
type clUse struct {
	name, as string
	again    []int
}

func (c *clPool) text() string {
	s := c.who + ": pool " + strings.Join(c.tools, ", ")
	if len(c.tools) == 0 {
		s = c.who + ": pool nothing"
	}
	s += strings.Repeat(" situational scene \"a rope\"", c.forScene) + strings.Repeat(" situational \"a rug\"", c.once)
	for _, u := range c.cliches {
		s += fmt.Sprintf(" cliche %q", u.name)
		if u.as != "" {
			s += " as " + u.as
		}
		for i, f := range u.again {
			s += fmt.Sprintf("%s %d", clWord(i > 0, ","), f)
		}
	}
	s += clWord(c.unskilled, " unskilled")
	return s + clGiven(" secret", c.secrets) + clGiven(" flaw", c.flaws) + clGiven(" cancel", c.cancels)
}

func clGiven(word string, list []string) string {
	s := ""
	for _, x := range list {
		s += fmt.Sprintf("%s %q", word, x)
	}
	return s
}

// idle refuses words that could not count: they are no rule of the book, but a promise of the program.
func (m *clTable) idle(p *clPerson, secrets, flaws, cancels []string, cliches int) (thwarted bool) {
	bad := 0
	for _, f := range append(clDistinct(secrets), clDistinct(flaws)...) {
		switch {
		case p.held[f]:
			refuseCl("%s is held off", f)
		case slices.Contains(cancels, f):
		case slices.Contains(p.secrets, f):
			thwarted = true
		default:
			bad++
		}
	}
	return thwarted || bad > cliches
}

// idleReply is the same of an answer.
func (m *clTable) idleReply(x *clPerson, c *clReply, open, fails bool) {
	any := c.open || c.counter || c.reduce > 0 || c.lose != "" || c.vader
	if fails && any || open && (c.open || c.counter) || c.reduce > x.resolve {
		refuseCl("the answer cannot count")
	}
	if c.lose != "" {
		m.holding(x, c.lose)
	}
	if c.vader && (x.mook || m.epic && m.is("vader_in_epic", "barred") || x.resolve-c.reduce < 5) {
		refuseCl("no Vader Effect")
	}
	m.idleAid(x, c.with, true)
}

func (m *clTable) idleAid(p *clPerson, a clAid, counters bool) {
	if a.bonus > 0 && (counters && m.is("bonus_on_counter", "no") || len(p.bonuses) == 0 || p.bonuses[len(p.bonuses)-1] < a.bonus) {
		refuseCl("no bonus points")
	}
	for _, n := range a.pips {
		if p.helped[n] && m.is("pip_per", "roll") {
			refuseCl("%s has helped", n)
		}
	}
}

func (m *clTable) declarePool(c *clPool) {
	p := m.person(c.who)
	names := map[string]bool{}
	for _, u := range c.cliches {
		names[u.name] = true
		if u.as == "" && len(c.flaws) == 0 {
			refuseCl("what for?")
		}
	}
	if m.idle(p, c.secrets, c.flaws, c.cancels, len(names)) && (c.unskilled || c.forScene > 0 || c.once > 0) || c.once > 0 && m.is("situational_once", "action") {
		refuseCl("words that cannot count")
	}
	for _, f := range c.cancels {
		m.holdOff(p, f)
	}
	if m.thrown || p.out() || p.set {
		refuseCl("%s does not declare now", p.name)
	}
	if p.mook && (len(c.tools) > 0 || c.forScene > 0 || c.once > 0 || c.unskilled) {
		refuseCl("mooks declare nothing")
	}
	p.set = true
	if m.fails(p, c.secrets, c.flaws, slices.Collect(maps.Keys(names))) {
		p.failing = true
		m.outcome(p.name, "pool", "failure")
		return
	}
	for _, t := range c.tools {
		m.declare(p, t)
	}
	for range p.improvised { // [36]: one more to declare, if there is room
		if m.counted(p) < m.limit(p) {
			m.declare(p, "situational")
		}
	}
	for range c.forScene {
		m.spend(p, 3)
		p.improvised++
		m.declare(p, "situational")
	}
	for range c.once {
		if m.is("situational_once", "action") {
			refuseCl("bought when a die is used")
		}
		m.spend(p, 1)
		m.declare(p, "situational")
	}
	for _, u := range c.cliches {
		switch {
		case u.as == "" || p.mode[u.name] == "cancelled":
		case p.mode[u.name] != "":
			refuseCl("%s does one thing", u.name) // [4]
		default:
			p.mode[u.name], p.again[u.name] = u.as, u.again
			if u.as == "runoff" {
				m.declare(p, "cliche "+u.name)
			}
		}
	}
	if c.unskilled {
		if m.is("unskilled_limit", "alone") && len(p.declared) > 0 {
			refuseCl("not beside others") // [18]
		}
		m.declare(p, "unskilled")
	}
}

// declareUnasked is the catalogue's "all fitting, largest adders first".
func (m *clTable) declareUnasked(p *clPerson) {
	p.set = true
	for range p.improvised {
		if m.counted(p) < m.limit(p) {
			m.declare(p, "situational")
		}
	}
	tools := slices.Clone(p.tools)
	sort.SliceStable(tools, func(i, j int) bool { return tools[i].adder > tools[j].adder })
	for _, t := range tools {
		if t.gear && t.adder == 0 || p.lostTool(&t) || t.limited > 0 && t.left < t.charges || t.owed > 0 || m.counted(p) == m.limit(p) {
			continue
		}
		m.declare(p, t.name)
	}
	if len(p.declared) == 0 { // [17]
		m.declare(p, "unskilled")
	}
}

// -- the roll --

func clRough(face int) int { return max(1, face-2) } // [18]

func clDown(list []int) []int {
	slices.SortFunc(list, func(a, b int) int { return cmp.Or(clWorth(b)-clWorth(a), b-a) })
	return list
}

// clWorth is what a die counts for: a Catch Phrase may have doubled it [23].
func clWorth(d int) int {
	if d > 100 {
		return 2 * (d - 100)
	}
	return d
}

func clWorths(pool []int) []int {
	var list []int
	for _, d := range pool {
		list = append(list, clWorth(d))
	}
	return list
}

// clNamed is the die that a command means by a number: a plain one, or a doubled one by its face or by what it counts for.
func clNamed(pool []int, n int) int {
	switch at := slices.IndexFunc(pool, func(d int) bool { return clWorth(d) == n }); {
	case slices.Contains(pool, n):
		return n
	case slices.Contains(pool, 100+n):
		return 100 + n
	case at >= 0:
		return pool[at]
	}
	refuseCl("no %d", n)
	return 0
}

func clTake(list []int, x int) []int {
	i := slices.Index(list, x)
	if i < 0 {
		refuseCl("no %d", x)
	}
	return slices.Delete(slices.Clone(list), i, i+1)
}

func (m *clTable) mooksLeft(p *clPerson) int {
	if p.essence == 0 {
		return 0
	}
	if m.is("wushu", "on") {
		return p.count
	}
	return (p.essence + 4) / 5
}

// roll is [76], from (b) to (f).
func (m *clTable) roll() {
	if m.thrown {
		refuseCl("thrown")
	}
	for _, p := range m.people {
		if !p.out() && !p.mook && !p.set {
			m.declareUnasked(p)
		}
	}
	for _, p := range m.people {
		if p.out() {
			continue
		}
		m.throwPool(p)
		for _, c := range p.cliches { // [5]
			if p.mode[c] == "reroll" {
				m.throwAgain(p, p.again[c])
			}
		}
		if p.rough > 0 {
			p.pool = clDown(append(p.pool, p.rough))
			p.rough = 0
		}
		if p.jam { // [154]
			p.jam = false
			if len(p.pool) > 0 {
				p.pool, p.jammed = p.pool[1:], true
			}
		}
		for _, c := range p.cliches { // [6]
			if p.mode[c] == "bonus" {
				p.stores[c] = m.fall(p, c, 1)[0]
				p.bonuses = append(p.bonuses, p.stores[c])
				slices.Sort(p.bonuses)
			}
		}
	}
	m.thrown = true
	for _, p := range m.people { // [139], unattended with the lowest die
		for i := range p.tools {
			t := &p.tools[i]
			if !p.out() && t.owed > 0 && !t.fired && !t.paid && len(p.pool) > 0 {
				p.pool = p.pool[:len(p.pool)-1]
				t.owed, t.paid = t.owed-1, true
			}
		}
	}
}

func (m *clTable) throwPool(p *clPerson) {
	if p.failing {
		return
	}
	n := len(p.declared)
	unskilled := slices.Contains(p.declared, "unskilled")
	if unskilled {
		n--
	}
	if p.seized && m.is("seize_dice", "free") {
		n += 2
	}
	if p.mook { // [111]
		n = min(10, m.mooksLeft(p))
	}
	if n == 0 && !unskilled {
		return
	}
	p.pool = clDown(m.fall(p, "pool", n))
	if unskilled {
		p.rough = clRough(m.fall(p, "unskilled", 1)[0])
	}
	if p.seized && m.is("seize_dice", "free") {
		p.twice = 2
	}
}

func (m *clTable) throwAgain(p *clPerson, faces []int) {
	if faces == nil { // unattended: every face of 3 or less
		for _, f := range append(slices.Clone(p.pool), p.rough) {
			if f > 0 && f <= 3 {
				faces = append(faces, f)
			}
		}
	}
	rest, n, clumsy := slices.Clone(p.pool), 0, false
	for _, f := range faces {
		if slices.Contains(rest, f) {
			rest = clTake(rest, f)
			n++
		} else if p.rough == f && !clumsy {
			clumsy = true
		} else {
			refuseCl("no %d to throw again", f)
		}
	}
	p.pool = clDown(append(rest, m.fall(p, "again", n)...))
	if clumsy {
		p.rough = clRough(m.fall(p, "unskilled", 1)[0])
	}
}

// -- turns --

// pool of Run-offs that p may pair with a die now [16] [38].
func (m *clTable) open(p *clPerson) []string {
	from := p.ready
	if m.is("runoff_reuse", "free") || len(p.ready) == 0 && p.twice > 0 {
		from = p.declared
	}
	var list []string
	for _, t := range from {
		c, cliche := strings.CutPrefix(t, "cliche ")
		if x := p.tool(t); (x == nil || (x.limited == 0 || x.left >= x.charges) && x.owed == 0) && !(cliche && p.mode[c] == "cancelled") {
			list = append(list, t)
		}
	}
	return list
}

// powers: an Action needs an adder [15], and an Area one needs both parts to be divided [152].
func (m *clTable) powers(p *clPerson, tool string, face int) bool {
	t := p.tool(tool)
	return m.adder(p, tool) > 0 && (t == nil || !t.area || face > 1 && t.adder > 1)
}

func (m *clTable) able(p *clPerson) bool {
	if len(p.pool) == 0 || p.out() {
		return false
	}
	return p.mook || slices.ContainsFunc(m.open(p), func(t string) bool { return m.powers(p, t, p.pool[0]) })
}

func (m *clTable) waiting() bool {
	return slices.ContainsFunc(m.people, func(p *clPerson) bool { return p.hero && !p.acted && m.able(p) })
}

func (m *clTable) nextCycle() {
	for _, p := range m.people {
		p.acted, p.faced = false, false
	}
}

// turn is [80] and [81]; an Action of the GM is one against each hero that it is aimed at.
func (m *clTable) turn(p *clPerson, targets ...*clPerson) {
	if p.hero {
		if p.acted {
			if m.waiting() {
				refuseCl("somebody else has not acted")
			}
			m.nextCycle()
		}
		p.acted = true
		return
	}
	if !m.gmMayAct() {
		refuseCl("the players act first")
	}
	again := m.is("gm_actions", "per_npc") && p.acted || slices.ContainsFunc(targets, func(x *clPerson) bool { return x.hero && x.faced })
	if m.is("first_actor", "gm_acts") {
		if again && m.waiting() {
			refuseCl("the players come before the next")
		}
		again = again || m.playersActed()
	} else if again && slices.ContainsFunc(m.people, func(p *clPerson) bool { return p.hero && m.able(p) }) {
		refuseCl("the players come before the next")
	}
	if again {
		m.nextCycle()
	}
	p.acted = true
	for _, x := range targets {
		x.faced = true
		m.reach(p, x)
	}
}

// reach is [115].
func (m *clTable) reach(p, target *clPerson) {
	if !p.mook || !target.hero || slices.ContainsFunc(m.people, func(p *clPerson) bool { return p.hero && !p.out() && len(p.pool) > 0 }) {
		return
	}
	if target.reached {
		if m.is("mook_extra_attack", "none") {
			refuseCl("the last attack was made")
		}
		m.spend(p, 1)
	}
	target.reached = true
}

// gmMayAct is [80]: after all players, or before all of them.
func (m *clTable) gmMayAct() bool {
	return !m.waiting() || m.is("first_actor", "gm_acts") && !m.playersActed()
}

func (m *clTable) playersActed() bool {
	return slices.ContainsFunc(m.people, func(p *clPerson) bool { return p.hero && !p.out() && p.acted })
}

// -- Actions --

// clAid is what a die is used with.
type clAid struct {
	face  int // 0: not named
	tool  string
	bonus int
	store int // the bonus die it comes from, by its points; 0: the smallest
	pips  []string
}

func (a clAid) text() string {
	s := ""
	if a.face > 0 {
		s += fmt.Sprintf(" with %d", a.face)
	}
	if c, ok := strings.CutPrefix(a.tool, "cliche "); ok {
		s += fmt.Sprintf(" on cliche %q", c)
	} else if a.tool != "" {
		s += " on " + a.tool
	}
	if a.bonus > 0 {
		s += fmt.Sprintf(" bonus %d", a.bonus)
		if a.store > 0 {
			s += fmt.Sprintf(" from %d", a.store)
		}
	}
	return s + clGiven(" pip", a.pips)
}

type clReply struct {
	open, counter bool // uncountered; countered with
	with          clAid
	reduce        int
	lose          string
	vader         bool
}

func (r *clReply) text() string {
	s := clWord(r.open, " uncountered")
	if r.counter {
		s += " counter" + r.with.text()
	}
	if r.reduce > 0 {
		s += fmt.Sprintf(" reduce %d", r.reduce)
	}
	if r.lose != "" {
		s += " lose " + r.lose
	}
	return s + clWord(r.vader, " vader")
}

type clPart struct {
	target     string
	die, adder int // 0: not named
	reply      clReply
	saviour    string
	his        clReply
}

type clAttack struct {
	who                              string
	parts                            []clPart
	with                             clAid
	flaws, secrets, cancels, fitting []string
}

// text puts what the actor does before the targets: behind them an `on` would be the target's.
func (a *clAttack) text() string {
	s := a.who + ": attack"
	for i, t := range a.parts {
		s += clWord(i > 0, ",") + " " + t.target
		if t.die > 0 {
			s += fmt.Sprintf(" part %d adder %d", t.die, t.adder)
		}
		if i == len(a.parts)-1 {
			s += a.with.text() + clGiven(" cliche", a.fitting) + clGiven(" secret", a.secrets) + clGiven(" flaw", a.flaws) + clGiven(" cancel", a.cancels)
		}
		s += t.reply.text()
		if t.saviour != "" {
			s += " intercede by " + t.saviour + t.his.text()
		}
	}
	return s
}

// takeDie uses a die up; a mook's breaks [113].
func (m *clTable) takeDie(p *clPerson, face, by int) {
	p.pool = clTake(p.pool, face)
	if p.mook && face > by {
		p.pool = clDown(append(p.pool, face-by))
	}
}

// use gives a die's value: doubled, then Pips and bonus points [7] [8] [20] [21] [23].
func (m *clTable) use(p *clPerson, a clAid, d int, acting bool) int {
	m.takeDie(p, d, 1)
	doubled, face := d > 100, d%100
	if m.is("pip_stack", "no") && len(a.pips) > 1 {
		refuseCl("one Pip for one die")
	}
	for _, n := range a.pips {
		if p.helped[n] && m.is("pip_per", "roll") {
			refuseCl("%s has helped", n)
		}
		p.helped[n] = true
	}
	if a.bonus > 0 {
		if !acting && m.is("bonus_on_counter", "no") {
			refuseCl("no bonus points in a counter")
		}
		at := slices.IndexFunc(p.bonuses, func(b int) bool { return b >= a.bonus && (a.store == 0 || b == a.store) })
		if at < 0 {
			refuseCl("no bonus die has %d left", a.bonus)
		}
		for _, c := range p.cliches {
			if p.mode[c] == "bonus" && p.stores[c] == p.bonuses[at] {
				p.stores[c] -= a.bonus
				break
			}
		}
		if p.bonuses[at] -= a.bonus; p.bonuses[at] == 0 {
			p.bonuses = slices.Delete(p.bonuses, at, at+1)
		}
		slices.Sort(p.bonuses)
	}
	value := face + len(a.pips) + a.bonus
	switch {
	case doubled && m.is("catch_double", "value"):
		value *= 2
	case doubled:
		value += face
	}
	return value
}

// takeTool uses a Run-off up [16] [38] [132].
func (m *clTable) takeTool(p *clPerson, tool string) {
	switch at := slices.Index(p.ready, tool); {
	case at >= 0:
		p.ready = slices.Delete(p.ready, at, at+1)
	case !slices.Contains(p.declared, tool):
		refuseCl("%s was not declared", tool)
	case m.is("runoff_reuse", "free"):
	case p.twice > 0:
		p.twice--
	default:
		refuseCl("%s was used", tool)
	}
	if t := p.tool(tool); t != nil {
		if t.owed > 0 {
			refuseCl("%s has to recharge", tool) // [139]
		}
		if t.limited > 0 {
			if t.left < t.charges {
				refuseCl("%s has no uses left", tool)
			}
			t.left -= t.charges
		}
		if t.recharge > 0 {
			t.owed, t.fired = t.recharge, true
		}
	}
}

// buy is a situational Run-off bought when a die is used [37].
func (m *clTable) buy(p *clPerson, tool string) {
	if tool == "situational" && m.is("situational_once", "action") && !slices.Contains(m.open(p), tool) {
		m.spend(p, 1)
		p.declared, p.ready = append(p.declared, tool), append(p.ready, tool)
	}
	if c, ok := strings.CutPrefix(tool, "cliche "); ok && p.mode[c] == "cancelled" {
		refuseCl("%s is cancelled", c)
	}
}

// clBlow is a part of an Action at one target.
type clBlow struct {
	target            *clPerson
	die, adder, steps int
	flat, plain, open bool
	call              *clPart
	reply             *clReply
}

// measure is [96] to [101].
func (m *clTable) measure(p *clPerson, tool string, b *clBlow) {
	from := p.scale
	b.flat, b.plain = false, false
	if t := p.tool(tool); t != nil && t.massive > 0 {
		if from += t.massive; b.target.scale < from {
			b.plain, b.flat = m.is("massive_down", "penalty_only"), m.is("massive_down", "none")
		}
	} else if t != nil && t.anti > 0 && b.target.scale == from-t.anti {
		b.flat = true
	}
	b.steps = b.target.scale - from
}

func (m *clTable) attack(a *clAttack) {
	p := m.person(a.who)
	fails := m.idle(p, a.secrets, a.flaws, a.cancels, len(clDistinct(a.fitting)))
	if len(a.fitting) > 0 && len(a.flaws) == 0 {
		refuseCl("nothing to cancel")
	}
	m.idleAid(p, a.with, false)
	for i := range a.parts {
		c := &a.parts[i]
		m.idleReply(m.person(c.target), &c.reply, false, fails)
		if c.saviour != "" {
			m.idleReply(m.person(c.saviour), &c.his, m.is("intercede_counter", "no"), fails)
			if fails {
				refuseCl("nobody needs to step in")
			}
		}
	}
	for _, f := range a.cancels {
		m.holdOff(p, f)
	}
	if !m.thrown || p.out() || len(p.pool) == 0 {
		refuseCl("%s cannot act", p.name)
	}
	for _, t := range a.parts {
		if x := m.person(t.target); x.out() || x.duel != p.duel { // [63] [65]
			refuseCl("%s cannot be attacked", x.name)
		}
	}
	var targets []*clPerson
	for _, t := range a.parts {
		if x := m.person(t.target); !slices.Contains(targets, x) {
			targets = append(targets, x)
		}
	}
	m.turn(p, targets...)
	failing := m.fails(p, a.secrets, a.flaws, a.fitting)
	value, adder, tool := m.pair(p, a.with, targets)
	if failing { // [25]
		m.outcome(p.name, "attack on "+a.parts[0].target, "spoiled", "total", 0, "value", value, "damage", 0)
		return
	}
	var blows []*clBlow
	down := false
	for i := range a.parts {
		c := &a.parts[i]
		b := &clBlow{target: m.person(c.target), die: c.die, adder: c.adder, call: c, reply: &c.reply}
		m.measure(p, tool, b)
		down = down || b.steps < 0 && !b.flat
		blows = append(blows, b)
	}
	if down { // [99]
		value = max(map[bool]int{true: 0, false: 1}[m.is("down_floor", "0")], value-2)
	}
	if value == 0 {
		for _, c := range a.parts {
			if c.saviour != "" || c.reply.counter || c.reply.reduce > 0 || c.reply.lose != "" || c.reply.vader {
				refuseCl("nobody needs to answer it")
			}
		}
		m.outcome(p.name, "attack on "+a.parts[0].target, "spoiled", "total", 0, "value", 0, "damage", 0)
		return
	}
	for _, b := range m.split(p, tool, value, adder, blows) {
		if !b.target.out() {
			m.land(p, tool, b)
		}
	}
	m.endDuels()
}

// pair takes a die and a Run-off: unattended the highest die and the largest adder.
// An Area die that a smaller target makes too low to be divided [99] [152] is not sent by itself where another goes.
func (m *clTable) pair(p *clPerson, a clAid, targets []*clPerson) (value, adder int, tool string) {
	if p.mook { // [113] [117]
		if a.bonus > 0 || len(a.pips) > 0 || a.tool == "unskilled" || a.tool == "situational" {
			refuseCl("mooks have none")
		}
		face := p.pool[0]
		if a.face > 0 {
			face = clNamed(p.pool, a.face)
		}
		adder = 1
		if a.tool != "" {
			tool = a.tool
		} else {
			for _, t := range p.tools {
				if !t.lost && (m.is("mook_track_equipment", "no") || t.limited == 0 || t.left >= t.charges) && t.adder > adder {
					tool, adder = t.name, t.adder
				}
			}
		}
		if tool != "" {
			t := p.tool(tool)
			adder = t.adder
			if m.is("mook_track_equipment", "yes") && t.limited > 0 {
				if t.left < t.charges {
					refuseCl("no uses")
				}
				t.left -= t.charges
			}
		}
		m.takeDie(p, face, 2)
		return face, adder, tool
	}
	tool = a.tool
	m.buy(p, tool)
	face := 0
	if a.face > 0 {
		face = clNamed(p.pool, a.face)
	} else {
		for _, f := range p.pool {
			if (tool != "" || slices.ContainsFunc(m.open(p), func(t string) bool { return m.powers(p, t, clWorth(f)) })) && face == 0 {
				face = f
			}
		}
	}
	if face == 0 {
		refuseCl("nothing to act with")
	}
	if tool == "" {
		spoiled := func(t string) bool {
			r := p.tool(t)
			return r != nil && r.area && clWorth(face) <= 3 && slices.ContainsFunc(targets, func(x *clPerson) bool {
				b := &clBlow{target: x}
				m.measure(p, t, b)
				return b.steps < 0 && !b.flat
			})
		}
		for _, t := range m.open(p) {
			if !m.powers(p, t, clWorth(face)) {
				continue
			}
			better := tool == "" || m.adder(p, t) > m.adder(p, tool)
			if tool != "" && spoiled(t) != spoiled(tool) {
				better = spoiled(tool)
			}
			if better {
				tool = t
			}
		}
		if tool == "" {
			refuseCl("no Run-off")
		}
	}
	value = m.use(p, a, face, true)
	adder = m.adder(p, tool)
	m.takeTool(p, tool)
	if adder == 0 {
		refuseCl("no adder") // [15]
	}
	return value, adder, tool
}

// split is [151] and [152].
func (m *clTable) split(p *clPerson, tool string, value, adder int, blows []*clBlow) []*clBlow {
	t := p.tool(tool)
	rapid, area := t != nil && t.rapid, t != nil && t.area
	named := slices.ContainsFunc(blows, func(b *clBlow) bool { return b.die > 0 })
	n := len(blows)
	switch {
	case !rapid && !area:
		if n > 1 {
			refuseCl("one target")
		}
		blows[0].die, blows[0].adder = value, adder
		return blows
	case !area && n > 2:
		refuseCl("two parts")
	case named:
		d, a, equal := value, adder, true
		seen := map[*clPerson]bool{}
		for _, b := range blows {
			if b.die < 1 || b.adder < 1 || area && seen[b.target] {
				refuseCl("a part")
			}
			seen[b.target] = true
			equal = equal && b.die == b.adder
			d, a = d-b.die, a-b.adder
		}
		whole := d == 0 && a == 0
		if d < 0 || a < 0 || !whole && !area || area && m.is("area_pairs", "equal") && !equal {
			refuseCl("the parts")
		}
		if !whole && m.is("area_pairs", "free") && (d == 0 || a == 0) || area && whole && n < 2 {
			refuseCl("the part left over")
		}
		return blows
	case !area && n == 1:
		blows[0].die, blows[0].adder = value, adder
		return blows
	}
	twice := slices.ContainsFunc(blows[1:], func(b *clBlow) bool { return b.target == blows[0].target })
	parts := min(value, adder, max(2, n))
	if parts < 2 || parts < n || area && (twice || n > 2 && blows[1].target == blows[2].target) {
		refuseCl("cannot be split")
	}
	for i, b := range blows {
		b.die, b.adder = value/parts, adder/parts
		if area && m.is("area_pairs", "equal") {
			b.die = min(b.die, b.adder)
			b.adder = b.die
		} else if i == 0 {
			b.die, b.adder = value-b.die*(parts-1), adder-b.adder*(parts-1)
		}
	}
	return blows
}

// land is one part of an Action, from interceding to what it does.
func (m *clTable) land(p *clPerson, tool string, b *clBlow) {
	if s := b.call.saviour; s != "" { // [40]
		y := m.person(s)
		if y.mook || y.out() || y == b.target || y == p || y.duel != b.target.duel {
			refuseCl("%s cannot take that place", s)
		}
		m.spend(y, 2)
		b.target, b.reply, b.open = y, &b.call.his, m.is("intercede_counter", "no")
		m.measure(p, tool, b)
	}
	verb := "attack on " + b.target.name
	if answer, yes := m.counters(b); yes {
		m.outcome(p.name, verb, "countered", "total", b.die, "against", answer, "value", b.die, "damage", 0)
		return
	}
	damage, hit := m.strike(p, tool, b)
	m.outcome(p.name, verb, map[bool]string{true: "struck", false: "spoiled"}[hit], "total", damage, "value", b.die, "damage", damage)
}

// counters is [78]: unattended the smallest die that is enough, on the smallest adder.
func (m *clTable) counters(b *clBlow) (int, bool) {
	x, c := b.target, b.reply
	able := len(x.pool) > 0 && (x.mook || len(m.open(x)) > 0)
	other := c.open || c.reduce > 0 || c.lose != "" || c.vader // who answers otherwise does not counter
	if other && !c.counter || b.open && !c.counter || !able && !c.counter {
		return 0, false
	}
	if b.open || !able {
		refuseCl("%s cannot counter", x.name)
	}
	aid := clAid{}
	if c.counter {
		aid = c.with
	}
	d := 0
	if aid.face > 0 {
		d = clNamed(x.pool, aid.face)
	} else {
		for _, f := range x.pool { // from the highest down
			if clWorth(f) >= b.die {
				d = f
			}
		}
		if d == 0 && c.counter {
			refuseCl("no die is enough")
		}
		if d == 0 {
			return 0, false
		}
	}
	if x.mook {
		m.takeDie(x, d, 1)
		if d < b.die {
			refuseCl("not enough")
		}
		return d, true
	}
	m.buy(x, aid.tool)
	if aid.tool == "" {
		for _, t := range m.open(x) {
			if aid.tool == "" || m.adder(x, t) < m.adder(x, aid.tool) {
				aid.tool = t
			}
		}
	}
	answer := m.use(x, aid, d, false)
	m.takeTool(x, aid.tool)
	if answer < b.die {
		refuseCl("%d is not enough", answer)
	}
	return answer, true
}

// strike is what an Action does that was not countered [54] [97] [100] [42] [53] [55].
func (m *clTable) strike(p *clPerson, tool string, b *clBlow) (damage int, hit bool) {
	x, c := b.target, b.reply
	t := p.tool(tool)
	scaled := b.adder
	up, times := b.steps > 0 && !b.flat, b.steps < 0 && !b.flat && !b.plain
	if up || times {
		scaled = max(0, b.adder-b.steps)
	}
	bound := scaled
	if m.is("reduce_on", "printed") {
		bound = min(b.adder, scaled)
	}
	if c.reduce > bound {
		refuseCl("the adder is %d", bound)
	}
	m.spend(x, c.reduce)
	spoiled := scaled-c.reduce <= 0 || m.is("reduce_on", "printed") && b.adder-c.reduce <= 0
	if spoiled {
		c.answersDamage()
		return 0, false
	}
	full := func(adder int) int {
		switch {
		case up:
			return adder
		case times || m.is("damage", "multiply"):
			return b.die * adder
		}
		return b.die + adder
	}
	damage = full(scaled - c.reduce)
	haywire := t != nil && t.haywire
	idle := haywire && m.is("haywire_damage", "no")
	one := x.mook && m.is("wushu", "off") && m.is("mook_damage", "strike")
	if c.reduce > 0 && (idle || x.mook && m.mooksLose(x, damage) == m.mooksLose(x, full(scaled))) {
		refuseCl("that much less changes nothing")
	}
	if idle {
		damage = 0
	}
	if damage > 0 {
		damage = m.avoid(x, c, damage)
	} else {
		c.answersDamage()
	}
	again := damage
	if x.mook && m.is("mook_damage", "wounds") {
		again = m.mooksLose(x, damage)
	}
	if damage > 0 {
		m.suffer(x, damage)
	}
	if haywire {
		m.haywire(x)
	}
	if t != nil && t.again && damage > 0 && !x.out() { // [156]
		switch {
		case one && damage < 5: // which removes none
		case x.mook || len(x.burning) == 0:
			x.burning = append(x.burning, again)
		default:
			x.burning[0] += damage
		}
	}
	return damage, true
}

// answersDamage refuses what is given up for nothing.
func (c *clReply) answersDamage() {
	if c.lose != "" || c.vader {
		refuseCl("there is no damage")
	}
}

// avoid is lost equipment and the Vader Effect.
func (m *clTable) avoid(x *clPerson, c *clReply, damage int) int {
	if c.lose != "" {
		t := m.holding(x, c.lose)
		t.lost = true
		gone := func(name string) bool { return name == t.name }
		x.declared, x.ready = slices.DeleteFunc(x.declared, gone), slices.DeleteFunc(x.ready, gone)
		damage = 0
	}
	if c.vader && damage > 0 {
		m.flee(x)
		if m.is("vader_pending", "cancels") {
			damage = 0
		}
	}
	return damage
}

// holding is something that x could lose [53].
func (m *clTable) holding(x *clPerson, name string) *clRunoff {
	t := x.tool(name)
	if x.mook || t == nil || x.lostTool(t) || t.vehicle && t.adder == 0 || !t.gear && t.item == "" {
		refuseCl("%s cannot give up %s", x.name, name)
	}
	return t
}

func (m *clTable) flee(x *clPerson) {
	if x.mook || x.out() || m.epic && m.is("vader_in_epic", "barred") {
		refuseCl("%s cannot leave", x.name)
	}
	m.spend(x, 5)
	x.fled, x.pool, x.ready, x.burning = true, nil, nil, nil
}

// suffer is [50], [72], [116] and [122].
func (m *clTable) suffer(x *clPerson, n int) {
	if x.mook {
		m.mooksSuffer(x, n)
		return
	}
	for i := range x.tools {
		if t := &x.tools[i]; t.gear && (!t.lost || t.vehicle) {
			part := min(n, t.bonus)
			t.bonus -= part
			n -= part
		}
	}
	m.toEssence(x, max(0, x.essence-n))
	if x.essence == 0 {
		x.pool, x.ready = nil, nil
		x.lost = m.epic // [61]
	}
}

// mooksLose is what a strike takes from a group.
func (m *clTable) mooksLose(x *clPerson, n int) int {
	switch {
	case m.is("wushu", "on") || m.is("mook_damage", "group"):
		return n
	case m.is("mook_damage", "wounds"):
		wounded := x.essence % 5
		if wounded == 0 {
			wounded = 5
		}
		return min(n, wounded)
	case n >= 5:
		return 5
	}
	return 0
}

func (m *clTable) mooksSuffer(x *clPerson, n int) {
	before := m.mooksLeft(x)
	n = m.mooksLose(x, n)
	m.toEssence(x, max(0, x.essence-n))
	if m.mooksLeft(x) < before {
		m.trim(x)
	}
}

func (m *clTable) trim(x *clPerson) { // [114]
	for len(x.pool) > m.mooksLeft(x) {
		if m.is("mook_die_lost", "highest") {
			x.pool = x.pool[1:]
		} else {
			x.pool = x.pool[:len(x.pool)-1]
		}
	}
}

// haywire is [153].
func (m *clTable) haywire(x *clPerson) {
	switch {
	case len(x.pool) == 0:
		x.jam = x.jam || !x.out()
	case x.jammed:
	case m.is("haywire_die", "highest"):
		x.pool, x.jammed = x.pool[1:], true
	default:
		x.pool, x.jammed = x.pool[:len(x.pool)-1], true
	}
}

// endDuels is [65]: a duel is over when one side is out.
func (m *clTable) endDuels() {
	for _, c := range m.people {
		if c.duel != c.name {
			continue
		}
		foes := slices.ContainsFunc(m.people, func(x *clPerson) bool { return x.duel == c.name && x != c && !x.out() })
		if foes && !c.out() {
			continue
		}
		for _, x := range m.people {
			if x.duel == c.name {
				x.duel = ""
			}
		}
	}
}

// -- what else can be done --

func (m *clTable) phrase(p *clPerson, name string, face int) {
	if p.said[name] || m.is("catch_many", "one") && len(p.said) > 0 { // [22]
		refuseCl("said")
	}
	p.said[name] = true
	if face > 0 {
		p.pool = clDown(append(clTake(p.pool, face), 100+face))
		return
	}
	missing := max(0, p.mettle-p.resolve) // [24]
	if missing == 0 {
		refuseCl("nothing is missing")
	}
	half := missing / 2
	if m.is("catch_round", "up") {
		half = (missing + 1) / 2
	}
	m.toResolve(p, p.resolve+min(missing, max(1, half)))
}

func (m *clTable) callEpic(p *clPerson) { // [57] to [62]
	if p.mook || p.out() || m.epic && m.is("final_fantasy", "off") {
		refuseCl("no Epic Battle")
	}
	m.spend(p, 5)
	m.epic = true
	for _, x := range m.people {
		if !x.out() && (!x.mook || m.is("epic_scope", "all")) {
			m.toEssence(x, 40)
			if x.mook {
				m.trim(x)
			}
		}
	}
}

// callOut is [65] to [70], with one foe who may bid against it.
func (m *clTable) callOut(p, x *clPerson, bid, against int) {
	turn := !m.thrown || p.hero && (!p.acted || !m.waiting()) || !p.hero && m.gmMayAct()
	if p.mook || x.mook || p.out() || x.out() || !turn || bid < 1 || x.duel != "" || p.duel != "" && p.duel != p.name {
		refuseCl("no call")
	}
	if p.hero || !x.hero {
		m.spend(p, bid)
	} else {
		m.spend(p, bid-1)
	}
	m.spend(x, against)
	prevented := against > bid || against == bid && m.is("duel_counter", "reach")
	if prevented {
		m.outcome(p.name, "call out", "failure", "total", bid)
		return
	}
	p.duel, x.duel = p.name, p.name
	m.outcome(p.name, "call out", "success", "total", bid)
}

func (m *clTable) overpower(p, x *clPerson) { // [120]
	if !p.mook || p.out() || !x.hero || x.out() || x.duel != p.duel || !m.thrown {
		refuseCl("not overpowered")
	}
	m.turn(p, x)
	m.spend(p, 5)
	x.captive, x.pool, x.ready = true, nil, nil
	m.endDuels()
}

func (m *clTable) setAside(p *clPerson, face int) {
	if !m.thrown {
		refuseCl("no dice")
	}
	p.pool = clTake(p.pool, clNamed(p.pool, face))
}

func (m *clTable) recharge(p *clPerson, t *clRunoff, face int) { // [139]
	if t.owed == 0 || t.fired || t.paid {
		refuseCl("no recharge")
	}
	m.setAside(p, face)
	t.owed, t.paid = t.owed-1, true
}

func (m *clTable) reload(p *clPerson, t *clRunoff, face int) { // [134]
	if t.limited == 0 || t.reloads == 0 || t.left == t.limited || p.lostTool(t) {
		refuseCl("no reload")
	}
	m.setAside(p, face)
	t.reloads, t.left = t.reloads-1, t.limited
}

func (m *clTable) beginRound() {
	for _, p := range m.people { // [156]
		strikes := p.burning
		p.burning = nil
		for _, n := range strikes {
			if !p.out() {
				m.suffer(p, n)
			}
		}
	}
	m.endDuels()
}

func (m *clTable) endRound() {
	m.thrown = false
	for _, p := range m.people {
		for i := range p.tools {
			t := &p.tools[i]
			if t.owed > 0 && t.consecutive && !t.paid && !t.fired {
				t.owed = t.recharge
			}
			t.fired, t.paid = false, false
		}
		p.set, p.failing, p.acted, p.faced, p.reached, p.jammed, p.twice, p.rough = false, false, false, false, false, false, 0, 0
		p.declared, p.ready, p.pool, p.bonuses = nil, nil, nil, nil
		p.mode, p.again, p.helped, p.stores = map[string]string{}, map[string][]int{}, map[string]bool{}, map[string]int{}
	}
}

// -- what is played --

var clOptions = map[string][]string{
	"cliche_pool": {"beyond", "within"}, "cliche_adder": {"3", "2"}, "bonus_on_counter": {"yes", "no"}, "runoff_reuse": {"once", "free"},
	"unskilled_limit": {"one", "alone"}, "pip_per": {"roll", "action"}, "pip_stack": {"yes", "no"}, "catch_many": {"each", "one"},
	"catch_double": {"face", "value"}, "catch_round": {"down", "up"}, "situational_adder": {"1", "2", "3"}, "situational_once": {"roll", "action"},
	"seize_dice": {"runoffs", "free"}, "intercede_counter": {"yes", "no"}, "reduce_on": {"scaled", "printed"}, "full_change": {"one", "one_each"},
	"vader_pending": {"cancels", "suffers"}, "vader_in_epic": {"allowed", "barred"}, "epic_scope": {"own_essence", "all"}, "epic_after": {"cap", "keep"},
	"final_fantasy": {"off", "on"}, "duel_bids": {"sealed", "open"}, "duel_tie": {"first", "none"}, "duel_counter": {"reach", "exceed"},
	"damage": {"add", "multiply"}, "first_actor": {"gm_names", "gm_acts"}, "gm_actions": {"per_pc", "per_npc"}, "pass": {"allowed", "barred"},
	"massive_down": {"full", "penalty_only", "none"}, "down_floor": {"1", "0"}, "mook_resolve_round": {"down", "up"}, "mook_die_lost": {"lowest", "highest"},
	"mook_last_attack": {"one", "one_each"}, "mook_extra_attack": {"none", "1"}, "mook_damage": {"strike", "wounds", "group"}, "mook_track_equipment": {"no", "yes"}, "wushu": {"off", "on"},
	"area_pairs": {"free", "equal"}, "haywire_die": {"target", "highest"}, "haywire_damage": {"yes", "no"}, "persistent_defence": {"none", "resolve"},
	"task_counts": {"runoffs", "all"}, "goal": {"reach", "exceed"}, "trial_pass": {"more_than", "at_least"}, "cost_order": {"halve_first", "subtract_first"},
	"cost_round": {"up", "down", "exact"}, "equipment_pays": {"apart", "owner"}, "team": {"shared", "two_each"},
}

var clScales = []string{"", "small", "medium", "large", "giant", "huge", "colossal"}

// newTool makes a Run-off; no two of one owner have the same adder, so that the largest is one.
func (m *clTable) newTool(name string, adder int) clRunoff {
	r := m.r
	t := clRunoff{name: name, adder: adder, charges: 1}
	switch r.count(14) {
	case 0, 1:
		t.rapid = true
	case 2, 3:
		t.area = true
	case 4:
		t.massive = 1 + r.count(2)
	case 5:
		t.anti = 1 + r.count(1)
	}
	if r.one(6) {
		t.haywire = true
	}
	if r.one(6) {
		t.again = true
	}
	if r.one(4) {
		t.limited = []int{1, 3, 9}[r.IntN(3)]
		if t.charges = 1; t.limited == 3 && r.one(2) {
			t.charges = 2
		}
		t.stocked = r.count(1)
	} else if r.one(6) {
		t.recharge, t.consecutive = 1+r.count(2), r.one(2)
	}
	return t
}

func (t *clRunoff) declaration() string {
	s := fmt.Sprintf("%s +%d", t.name, t.adder)
	switch {
	case t.gear && t.adder == 0:
		s = "equipment " + t.name
	case t.gear:
		s = fmt.Sprintf("equipment %s +%d", t.name, t.adder)
	case t.adder == 0:
		s = t.name + " 0"
	}
	var effects []string
	for word, has := range map[string]bool{"rapid": t.rapid, "area": t.area, "haywire": t.haywire, "persistent": t.again} {
		if has {
			effects = append(effects, word)
		}
	}
	if t.massive > 0 {
		effects = append(effects, fmt.Sprintf("massive(%d)", t.massive))
	}
	if t.anti > 0 {
		effects = append(effects, fmt.Sprintf("anti(%d)", t.anti))
	}
	if slices.Sort(effects); len(effects) > 0 {
		s += " [" + strings.Join(effects, ", ") + "]"
	}
	if t.limited > 0 {
		s += fmt.Sprintf(" limited %d", t.limited)
	}
	if t.charges > 1 {
		s += fmt.Sprintf(" charges %d", t.charges)
	}
	if t.stocked > 0 {
		s += fmt.Sprintf(" reloads %d", t.stocked)
	}
	if t.recharge > 0 {
		s += fmt.Sprintf(" recharge %d", t.recharge) + clWord(t.consecutive, " consecutive")
	}
	if t.item != "" {
		s += fmt.Sprintf(" item %q", t.item)
	}
	s += clWord(t.vehicle, " vehicle")
	if t.essence > 1 {
		s += fmt.Sprintf(" { essence %d }", t.essence)
	}
	return s
}

// newPerson draws a sheet.
func (m *clTable) newPerson(name string, hero bool) *clPerson {
	r := m.r
	p := &clPerson{name: name, hero: hero, scale: 2, whole: 8 + r.count(32), mettle: 3 + r.count(9)}
	if r.one(3) {
		p.scale = 1 + r.count(4)
	}
	adders := []int{4, 5, 6, 7, 8, 9}
	r.Shuffle(len(adders), func(i, j int) { adders[i], adders[j] = adders[j], adders[i] })
	for i := range r.count(4) {
		p.tools = append(p.tools, m.newTool([]string{"AA", "BB", "CC", "DD"}[i], adders[i]))
	}
	if r.one(8) && len(p.tools) > 0 {
		t := &p.tools[0]
		*t = clRunoff{name: t.name, charges: 1}
	}
	if r.one(3) {
		t := clRunoff{name: "Lamp", charges: 1, gear: true, essence: 1 + r.count(6)}
		if r.one(2) {
			t.adder = adders[4]
		}
		p.tools = append(p.tools, t)
	}
	if r.one(4) {
		t := m.newTool("GUNS", adders[5])
		t.item = "Jet"
		at := slices.IndexFunc(p.tools, func(t clRunoff) bool { return t.gear })
		if at < 0 {
			at = len(p.tools)
		}
		p.tools = append(slices.Insert(p.tools, at, t), clRunoff{name: "Jet", charges: 1, gear: true, vehicle: true, essence: r.count(3), adder: 10 * r.IntN(2)})
	}
	p.cliches = []string{"Bard", "Thief"}[:1+r.count(1)]
	p.flaws, p.secrets = []string{"Proud", "Greedy"}[:1+r.count(1)], []string{"Traitor"}
	p.pips = []string{"Strong", "Quick"}[:r.count(2)]
	p.phrases = []string{"Aha", "Oho"}[:r.count(2)]
	return p
}

func (m *clTable) newMooks() *clPerson {
	r := m.r
	p := &clPerson{name: "Mob", mook: true, scale: 2, count: 1 + r.count(30)}
	p.whole = 5 * p.count
	share := 5
	if m.is("wushu", "on") {
		share = 8
	}
	if p.mettle = p.count / share; m.is("mook_resolve_round", "up") {
		p.mettle = (p.count + share - 1) / share
	}
	if r.one(3) {
		p.tools = append(p.tools, clRunoff{name: "Pike", adder: 2 + r.count(3), charges: 1, gear: true, essence: 1, limited: []int{0, 1, 3}[r.IntN(3)]})
	}
	return p
}

func (p *clPerson) declaration() string {
	var b strings.Builder
	if p.mook {
		fmt.Fprintf(&b, "mooks %s { mooks %d", p.name, p.count)
	} else {
		kind := map[bool]string{true: "hero", false: "villain"}[p.hero]
		fmt.Fprintf(&b, "%s %s { scale %s; essence %d; resolve %d", kind, p.name, clScales[p.scale], p.whole, p.mettle)
	}
	for _, c := range p.cliches {
		fmt.Fprintf(&b, "; cliche %q applies no", c)
	}
	for _, x := range []struct {
		word string
		list []string
	}{{"flaw", p.flaws}, {"dark_secret", p.secrets}, {"pip", p.pips}, {"catch_phrase", p.phrases}} {
		for _, n := range x.list {
			fmt.Fprintf(&b, "; %s %q", x.word, n)
		}
	}
	for i := range p.tools {
		b.WriteString("; " + p.tools[i].declaration())
	}
	return b.String() + " }\n"
}

// fate puts everybody into a state.
func (m *clTable) fate() string {
	var b strings.Builder
	m.stock = map[string][]int{}
	m.epic, m.thrown, m.dice, m.script, m.v, m.log = false, false, map[string][]int{}, nil, verdict{}, nil
	for i, old := range m.people {
		p := &clPerson{name: old.name, hero: old.hero, mook: old.mook, count: old.count, scale: old.scale, whole: old.whole, mettle: old.mettle, tools: slices.Clone(old.tools),
			cliches: old.cliches, flaws: old.flaws, secrets: old.secrets, pips: old.pips, phrases: old.phrases,
			held: map[string]bool{}, said: map[string]bool{}, mode: map[string]string{}, again: map[string][]int{}, helped: map[string]bool{}, stores: map[string]int{}}
		m.people[i] = p
		r := m.r
		if p.essence, p.resolve = p.whole, p.mettle; r.one(3) && !p.mook {
			p.essence, p.resolve = 1+r.count(p.whole-1), r.count(p.mettle)
			fmt.Fprintf(&b, "%s.essence = %d\n%s.resolve = %d\n", p.name, p.essence, p.name, p.resolve)
		} else if p.mook && r.one(3) {
			p.essence = 1 + r.count(p.whole-1)
			fmt.Fprintf(&b, "%s.essence = %d\n", p.name, p.essence)
		}
		for j := range p.tools {
			t := &p.tools[j]
			t.reloads = t.stocked
			t.left, t.lost, t.owed, t.fired, t.paid, t.bonus = t.limited, false, 0, false, false, max(0, t.essence-1)
			if t.limited > 0 && r.one(3) {
				t.left = r.count(t.limited)
				fmt.Fprintf(&b, "%s.%s.left = %d\n", p.name, t.name, t.left)
			}
		}
		if r.one(25) {
			p.fled = true
			fmt.Fprintf(&b, "%s.fled = yes\n", p.name)
		}
		if r.one(15) {
			p.jam = true
			fmt.Fprintf(&b, "%s.jam = yes\n", p.name)
		}
		if r.one(15) {
			p.burning = []int{1 + r.count(8)}
			fmt.Fprintf(&b, "%s.burning = %v\n", p.name, p.burning)
		}
	}
	return b.String()
}

// of draws some of a list.
func (m *clTable) some(list []string, odds int) []string {
	var out []string
	for _, x := range list {
		if m.r.one(odds) {
			out = append(out, x)
		}
	}
	return out
}

func (m *clTable) anybody() *clPerson { return m.people[m.r.IntN(len(m.people))] }

func (m *clTable) randomPool(p *clPerson) *clPool {
	r := m.r
	c := &clPool{who: p.name}
	for _, t := range p.tools {
		if t.gear && t.adder == 0 || p.mook {
			continue
		}
		if r.one(30) || !p.lostTool(&t) && (t.limited == 0 || t.left >= t.charges) && t.owed == 0 && !r.one(4) {
			c.tools = append(c.tools, t.name)
		}
	}
	if r.one(60) && len(c.tools) > 0 {
		c.tools = append(c.tools, c.tools[0])
	}
	c.unskilled = r.one(5) && (len(c.tools) == 0 || m.is("unskilled_limit", "one") || r.one(6))
	if !p.mook && r.one(6) {
		c.forScene = 1
	}
	if !p.mook && r.one(5) && (m.is("situational_once", "roll") || r.one(8)) {
		c.once = 1
	}
	for _, n := range p.cliches {
		if r.one(2) {
			u := clUse{name: n, as: r.of([]string{"runoff", "reroll", "bonus", "bonus"})}
			if u.as == "reroll" && r.one(2) {
				u.again = slices.Clone(m.coming(p.name+"/pool", 1))
			}
			c.cliches = append(c.cliches, u)
		}
	}
	if r.one(6) {
		c.flaws = m.some(p.flaws, 2)
	}
	if len(c.flaws) > 0 || r.one(30) {
		for i := range c.cliches {
			if r.one(2) {
				c.cliches[i] = clUse{name: c.cliches[i].name}
			}
		}
	}
	if r.one(25) {
		c.secrets = m.some(p.secrets, 1)
	}
	if r.one(8) && len(c.flaws) > 0 {
		c.cancels = c.flaws[:1]
	}
	return c
}

func (m *clTable) randomAid(p *clPerson, acting bool) clAid {
	r := m.r
	var a clAid
	if len(p.pool) > 0 && r.one(2) {
		if a.face = p.pool[r.IntN(len(p.pool))]; a.face > 100 {
			a.face = []int{a.face - 100, clWorth(a.face)}[r.IntN(2)]
		}
	}
	if r.one(40) {
		a.face = 1 + r.count(5)
	}
	if p.mook {
		if acting && len(p.tools) > 0 && r.one(3) {
			a.tool = p.tools[0].name
		}
		return a
	}
	if open := m.open(p); len(open) > 0 && r.one(2) {
		a.tool = r.of(open)
	} else if len(p.declared) > 0 && r.one(10) {
		a.tool = r.of(p.declared)
	} else if m.is("situational_once", "action") && r.one(6) {
		a.tool = "situational"
	}
	if n := len(p.bonuses); n > 0 && r.one(2) {
		a.bonus = 1 + r.count(p.bonuses[n-1]-1)
		if r.one(3) {
			a.store = p.bonuses[r.IntN(n)]
		}
	} else if r.one(60) {
		a.bonus = 1 + r.count(5)
	}
	for _, n := range p.pips {
		if r.one(4) && (!p.helped[n] || m.is("pip_per", "action") || r.one(6)) {
			a.pips = append(a.pips, n)
		}
	}
	return a
}

func (m *clTable) randomReply(x *clPerson) clReply {
	r := m.r
	var c clReply
	switch r.count(5) {
	case 0, 1:
		c.open = true
	case 2:
		if len(x.pool) > 0 || r.one(5) {
			c.counter = true
			c.with = m.randomAid(x, false)
			if c.with.face == 0 && r.one(2) {
				c.with = clAid{}
			}
		}
	}
	if c.counter {
		return c
	}
	switch {
	case x.resolve > 0 && r.one(4) || r.one(40):
		c.reduce = 1 + r.count(4)
	case !x.mook && r.one(5) && len(x.tools) > 0:
		if t := x.tools[r.IntN(len(x.tools))]; t.gear || t.item != "" || r.one(6) {
			c.lose = t.name
		}
	case !x.mook && (x.resolve >= 5 && r.one(6) || r.one(60)):
		c.vader = true
	}
	return c
}

func (m *clTable) randomAttack(p *clPerson) *clAttack {
	r := m.r
	a := &clAttack{who: p.name, with: m.randomAid(p, true)}
	var foes []*clPerson
	for _, x := range m.people {
		faced := x.faced && slices.ContainsFunc(m.people, func(p *clPerson) bool { return p.hero && m.able(p) })
		if x.hero != p.hero && (!x.out() && x.duel == p.duel && (!faced || r.one(5)) || r.one(40)) {
			foes = append(foes, x)
		}
	}
	if len(foes) == 0 {
		foes = []*clPerson{m.people[(slices.Index(m.people, p)+2)%len(m.people)]}
	}
	n := 1
	t := p.tool(a.with.tool)
	if t != nil && (t.area || t.rapid) && r.one(2) || r.one(40) {
		n = 2
		if t != nil && t.area && r.one(3) {
			n = 3
		}
	}
	r.Shuffle(len(foes), func(i, j int) { foes[i], foes[j] = foes[j], foes[i] })
	for i := range n {
		x := foes[i%len(foes)]
		if i == len(foes) && t != nil && t.area && !r.one(10) {
			break
		}
		c := clPart{target: x.name, reply: m.randomReply(x)}
		if r.one(12) {
			for _, y := range m.people {
				if y.hero == x.hero && y != x && !y.mook && r.one(2) {
					c.saviour, c.his = y.name, m.randomReply(y)
					c.reply = clReply{}
				}
			}
		}
		a.parts = append(a.parts, c)
	}
	if t != nil && (t.area || t.rapid) && r.one(2) && len(p.pool) > 0 {
		m.randomParts(p, t, a)
	}
	if r.one(12) && !p.mook {
		a.flaws = m.some(p.flaws, 1)
		if r.one(3) {
			a.fitting = m.some(p.cliches, 2)
		}
	}
	if r.one(40) {
		a.secrets = m.some(p.secrets, 1)
	}
	if r.one(3) && len(a.flaws) > 0 {
		a.cancels = a.flaws[:1]
	}
	return a
}

// randomParts divides the die and the adder, most often so that it comes out even.
func (m *clTable) randomParts(p *clPerson, t *clRunoff, a *clAttack) {
	r := m.r
	if a.with.face == 0 {
		a.with.face = clWorth(p.pool[0])
	}
	value, adder := clWorth(p.pool[max(0, slices.Index(p.pool, a.with.face))])+a.with.bonus+len(a.with.pips), t.adder
	for i := range a.parts {
		c := &a.parts[i]
		c.die, c.adder = 1+r.count(max(0, value-2)), 1+r.count(max(0, adder-2))
		if i == len(a.parts)-1 && !r.one(5) && value > 0 && adder > 0 {
			c.die, c.adder = value, adder
		}
		value, adder = value-c.die, adder-c.adder
		if r.one(3) && m.is("area_pairs", "equal") {
			c.adder = c.die
		}
	}
}

func (m *clTable) roundOfCommands() {
	r := m.r
	for i := range m.people {
		p := m.people[i]
		if r.one(2) && (!p.out() || r.one(10)) && (!p.mook || r.one(20)) {
			c := m.randomPool(p)
			m.do(c.text(), func() { m.declarePool(c) })
		}
		if r.one(8) {
			m.aside()
		}
	}
	m.do("roll", m.roll)
	for range 6 + r.count(12) {
		if r.one(6) {
			m.aside()
			continue
		}
		p := m.next()
		if p == nil {
			break
		}
		if r.one(8) && (m.is("pass", "allowed") || r.one(6)) {
			m.do(p.name+": pass", func() { m.pass(p.name) })
			continue
		}
		a := m.randomAttack(p)
		m.do(a.text(), func() { m.attack(a) })
	}
}

// next is somebody whose turn it may be, rarely anybody.
func (m *clTable) next() *clPerson {
	if m.r.one(15) {
		return m.anybody()
	}
	var list []*clPerson
	for _, p := range m.people {
		if m.able(p) && (p.hero && (!p.acted || !m.waiting()) || !p.hero && m.gmMayAct()) {
			list = append(list, p)
		}
	}
	if len(list) == 0 {
		return nil
	}
	return list[m.r.IntN(len(list))]
}

func (m *clTable) pass(who string) { // [82]
	p := m.person(who)
	if !m.thrown || p.out() || m.is("pass", "barred") && m.able(p) {
		refuseCl("%s must act", who)
	}
	if p.hero {
		m.turn(p)
	} else {
		p.acted = true
	}
}

// aside is something that is no Action.
func (m *clTable) aside() {
	r := m.r
	p := m.anybody()
	foe := m.anybody()
	if foe.hero == p.hero {
		foe = m.people[(slices.Index(m.people, p)+2)%len(m.people)]
	}
	who, other := p.name, foe.name
	switch r.count(11) {
	case 0:
		m.do(who+": seize", func() {
			p := m.person(who)
			if p.mook || p.seized || p.out() {
				refuseCl("no")
			}
			m.spend(p, 2)
			p.seized = true
		})
	case 1:
		if f := append(slices.Clone(p.flaws), p.secrets...); len(f) > 0 {
			name := r.of(f)
			m.do(fmt.Sprintf("%s: hold_off %q", who, name), func() { m.holdOff(m.person(who), name) })
		}
	case 2, 3:
		if len(p.phrases) > 0 {
			name, face, what := r.of(p.phrases), 0, "resolve"
			if len(p.pool) > 0 && r.one(2) {
				face = p.pool[r.IntN(len(p.pool))] % 100
				what = fmt.Sprint("double ", face)
			}
			m.do(fmt.Sprintf("%s: catch_phrase %q %s", who, name, what), func() { m.phrase(m.person(who), name, face) })
		}
	case 4:
		if r.one(2) {
			m.do(who+": retreat", func() { m.flee(m.person(who)); m.endDuels() })
		}
	case 5:
		if r.one(2) {
			m.do(who+": epic_battle", func() { m.callEpic(m.person(who)) })
		}
	case 6, 7:
		if r.one(2) {
			return
		}
		bid, against := 1+r.count(2), r.count(2)
		text := fmt.Sprintf("%s: call_out %s against %d bid %d", who, other, against, bid)
		m.do(text, func() { m.callOut(m.person(who), m.person(other), bid, against) })
	case 8:
		if p.name != "Mob" && !r.one(5) || p.resolve < 5 && !r.one(5) {
			return
		}
		m.do(who+": overpower "+other, func() { m.overpower(m.person(who), m.person(other)) })
	case 9:
		word := r.of([]string{"refresh", "crush", "surge"})
		m.do(word+" "+who, func() { m.change(m.person(who), word) })
	default:
		if len(p.tools) > 0 && len(p.pool) > 0 && r.one(2) {
			t, face := p.tools[r.IntN(len(p.tools))].name, clWorth(p.pool[r.IntN(len(p.pool))])
			if r.one(2) {
				m.do(fmt.Sprintf("%s: recharge %s with %d", who, t, face), func() { m.recharge(m.person(who), m.person(who).tool(t), face) })
			} else {
				m.do(fmt.Sprintf("%s: reload %s with %d", who, t, face), func() { m.reload(m.person(who), m.person(who).tool(t), face) })
			}
		}
	}
}

// change is [44] to [46] and [52].
func (m *clTable) change(p *clPerson, word string) {
	switch word {
	case "surge":
		most := p.whole
		if p.mook && (m.is("wushu", "off") || p.essence == 0) {
			most = min(most, 5*m.mooksLeft(p)) // who has fallen stays so [49]
		}
		if p.moved || p.lost || p.essence >= most {
			refuseCl("no surge")
		}
		p.moved = true
		m.toEssence(p, most)
		return
	case "refresh":
		if p.refreshed || p.crushed && m.is("full_change", "one") {
			refuseCl("once")
		}
		if p.resolve >= p.mettle {
			refuseCl("nothing is missing")
		}
		p.refreshed = true
		m.toResolve(p, p.mettle)
	default:
		if p.resolve == 0 || p.crushed || p.refreshed && m.is("full_change", "one") {
			refuseCl("once")
		}
		p.crushed = true
		m.toResolve(p, 0)
	}
}

// clNumbered is a script with the numbers of its lines, and without looking around.
func clNumbered(script string) string {
	var b strings.Builder
	for i, line := range strings.Split(script, "\n") {
		if strings.TrimSpace(line) != "look()" {
			fmt.Fprintf(&b, "%3d %s\n", i+1, line)
		}
	}
	return b.String()
}

// clHears notes what an Action came to, and what a look around shows.
func clHears(v *verdict, e *interp.Event) {
	if e.Kind == interp.EventPrint {
		v.change("seen", e.Value)
	}
	if e.Depth > 0 || e.Outcome == "" {
		return
	}
	line := e.Who + " " + e.Verb + ": " + e.Outcome
	for _, f := range e.Fields {
		if slices.Contains([]string{"total", "against", "value", "damage"}, f.Name) {
			line += ", " + f.Name + " " + f.Value
		}
	}
	v.change("outcomes", line)
}

// Random Rounds of random people, by the scripts and by the book: some seven Actions a Round, each of
// which is a contest.
func TestRefereeOfClichenimatic(t *testing.T) {
	refereed(t, 1000, 20, 25, func(t *testing.T, r *rand.Rand) func() (string, int, []string) {
		m := &clTable{r: mvDraw{r}, options: map[string]string{}}
		var set []string
		for _, o := range slices.Sorted(maps.Keys(clOptions)) {
			m.options[o] = clOptions[o][0]
			if m.r.one(3) {
				m.options[o] = m.r.of(clOptions[o])
			}
			set = append(set, o+" = "+m.options[o])
		}
		m.people = []*clPerson{m.newPerson("Ann", true), m.newPerson("Bob", true), m.newPerson("Vex", false), m.newPerson("Vox", false), m.newMooks()}
		text := "use clichenimatic with " + strings.Join(set, ", ") + "\n"
		for _, p := range m.people {
			text += p.declaration()
		}
		text += clSee + "rule look {\n"
		for _, p := range m.people {
			text += "  print see(" + p.name + ")\n"
		}
		text += "}\nscene \"Here\" action\nheroes Ann, Bob\nvillains Vex, Vox, Mob\n"
		arena := newArena(t, r, text)
		arena.deal, arena.hears = m.deal, clHears
		return func() (string, int, []string) {
			situation := m.fate()
			var script []string
			for range 1 + m.r.count(1) {
				m.script = nil
				m.beginRound()
				m.roundOfCommands()
				m.endRound()
				script = append(script, "round {\n  "+strings.Join(m.script, "\n  ")+"\n}")
				m.script = nil
				m.look()
				script = append(script, m.script...)
			}
			command := strings.Join(script, "\n")
			got, _ := arena.play(situation, command)
			for k := range got.changes {
				if k != "seen" && k != "outcomes" && !strings.HasSuffix(k, ".essence") && !strings.HasSuffix(k, ".resolve") {
					delete(got.changes, k)
				}
			}
			return text + situation + clNumbered(command), max(1, len(got.changes["outcomes"])), append(m.log, differences(got, m.v)...)
		}
	})
}

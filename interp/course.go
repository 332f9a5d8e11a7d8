package interp

import (
	"fmt"
	"slices"
	"strings"

	"setpiece/interp/internal/machine"
	"setpiece/interp/internal/value"
)

// What would have come of another command, or of another answer? Whoever asks that wants
// luck to stay what it was: the die that Ann's foe has thrown against her should show the
// same when she attacks with something else. With one sequence of dice a single re-roll
// more would change everything behind it. So dice are kept by their places: a throw is
// the same throw where the same one throws for the same purpose, in the same of somebody's
// turns or in the same command, and as many such throws came before. The streams that
// pairs of trials take their dice from (machine/streams.go) follow the same idea; here the
// faces themselves are kept, since people may have thrown them.

// A Course goes along with a run and notes what fell where. A run that goes along with a
// second one, whose Past is the first, has the same dice fall where the same throws come.
// Throws that the past has not are thrown anew, by whoever answers for chance.
type Course struct {
	Past *Course // whose dice fall again; nil: nobody's

	// Sited says that the text that runs is the one that ran in the past: a place is then
	// one in that text, too. Both courses have to agree in this.
	Sited bool

	// Other are faces that fall in a place instead of those of the past, in the order of
	// the dice asked for there.
	Other map[string][]int

	// Anew lists what the past did not have and was thrown, in order: "d12 for re-roll
	// (Ann)".
	Anew []string

	// Again counts the dice that fell as in the past.
	Again int

	s      *Session
	throws []thrown
	byName map[string]int // throws, by their places
	counts map[string]int // how often each place, but for its number, has been come to
	names  []string       // these, in order
	at     thrown         // that is being made
	label  string         // and what is said of it
	picks  bool           // it is a pick
	known  int            // so many of its dice, the first, fall as in the past; less than 0: so many are Other
	acts   string         // whose turn it is, and which of theirs; "" outside of turns
	depth  int            // how many functions were at work when it began
}

// thrown is what fell in one place.
type thrown struct {
	place string
	dice  []fallen
}

type fallen struct{ size, face int }

// along is the course that goes along, or one that only knows places.
func (s *Session) along() *Course {
	if s.course != nil {
		return s.course
	}
	return s.places
}

// Follow has a course go along with what runs from now on; nil ends that.
func (s *Session) Follow(c *Course) {
	s.course, s.run.M.Trail = c, nil
	if c != nil {
		c.s, c.counts = s, map[string]int{}
		s.run.M.Trail = c
	}
}

// Recall implements machine.Trail.
func (c *Course) Recall(m *machine.Machine, what string, sizes []int, pick bool) []int {
	who := ""
	if c.s.tell != nil {
		who = c.s.tell.who()
	}
	purpose := what
	if pick {
		purpose = "pick " + what
	}
	c.at = thrown{place: c.place(m, purpose, who)}
	c.label, c.picks = describe(what, who), pick
	if other := c.Other[c.at.place]; len(other) == len(sizes) {
		c.known = -len(other) // neither anew nor as they fell
		return other
	}
	faces := make([]int, len(sizes))
	c.known = 0
	had := c.Past.find(c.at.place)
	for i, size := range sizes {
		for k, d := range had {
			if d.size == size {
				faces[i] = d.face
				c.known++
				had = slices.Delete(had, k, k+1)
				break
			}
		}
	}
	return faces
}

func describe(what, who string) string {
	label := ""
	if what != "" {
		label += " for " + what
	}
	if who != "" {
		label += " (" + who + ")"
	}
	return label
}

// Record implements machine.Trail.
func (c *Course) Record(dice []value.V, from []machine.Source) {
	var anew []string
	for i, d := range dice {
		c.at.dice = append(c.at.dice, fallen{d.DieSize(), d.DieFace()})
		switch {
		case c.Past == nil || from[i] == machine.ByScript || i < -c.known:
		case i < c.known:
			c.Again++
		case !c.picks:
			anew = append(anew, fmt.Sprintf("d%d", d.DieSize()))
		}
	}
	if len(anew) > 0 {
		c.Anew = append(c.Anew, strings.Join(anew, " ")+c.label)
	}
	c.throws = append(c.throws, c.at)
	c.byName = nil
}

// find gives what fell in a place, as a list that may be changed.
func (c *Course) find(place string) []fallen {
	if c == nil {
		return nil
	}
	if c.byName == nil {
		c.byName = make(map[string]int, len(c.throws))
		for i, t := range c.throws {
			c.byName[t.place] = i
		}
	}
	if i, ok := c.byName[place]; ok {
		return slices.Clone(c.throws[i].dice)
	}
	return nil
}

// place names where a run stands for somebody and a purpose: the same in two courses
// where the same comes again.
func (c *Course) place(m *machine.Machine, what, who string) string {
	if c == nil {
		return ""
	}
	where := c.acts
	if where == "" || m.Depth() < c.depth {
		c.acts = ""
		where = c.site(m)
	}
	return c.numbered(where + "|" + who + "|" + what)
}

func (c *Course) site(m *machine.Machine) string {
	site, who := m.Site()
	if !c.Sited {
		site = ""
	}
	if who != value.None {
		site += m.NameOf(who)
	}
	return site
}

// turn notes that somebody's turn begins.
func (c *Course) turn(m *machine.Machine, who value.V) {
	if c == nil {
		return
	}
	name := ""
	if who.Kind() == value.Ref {
		name = m.NameOf(who)
	}
	c.acts, c.depth = c.numbered(c.site(m)+"|turn "+name), m.Depth()
}

// numbered adds to a name how often it has come.
func (c *Course) numbered(name string) string {
	c.counts[name]++
	c.names = append(c.names, name)
	return fmt.Sprintf("%s|%d", name, c.counts[name])
}

// courseMark is how far a course has come.
type courseMark struct {
	names, throws, anew, again int
	acts                       string
	depth                      int
}

func (c *Course) mark() courseMark {
	if c == nil {
		return courseMark{}
	}
	return courseMark{len(c.names), len(c.throws), len(c.Anew), c.Again, c.acts, c.depth}
}

// rewind takes back what came after a mark.
func (c *Course) rewind(to courseMark) {
	if c == nil {
		return
	}
	for _, name := range c.names[to.names:] {
		c.counts[name]--
	}
	c.names, c.throws, c.Anew, c.Again = c.names[:to.names], c.throws[:to.throws], c.Anew[:to.anew], to.again
	c.acts, c.depth = to.acts, to.depth
	c.byName = nil
}

// IndependentSeed gives a seed for a course that is only tried out. Its dice tell nothing of
// those that will fall, and are the same as long as none have.
func (s *Session) IndependentSeed() uint64 { return s.run.M.IndependentSeed() }

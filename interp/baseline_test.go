package interp_test

// The hand-written loops that the scripted rules are measured against: the
// same checks of the same state, in the plainest Go, with the same generator.

type rng struct {
	state uint64
	spare uint32
	has   bool
}

func (g *rng) next() uint32 {
	if g.has {
		g.has = false
		return g.spare
	}
	g.state += 0x9e3779b97f4a7c15
	z := g.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	z ^= z >> 31
	g.spare, g.has = uint32(z>>32), true
	return uint32(z)
}

func (g *rng) d12() int {
	x := uint64(g.next()) * 12
	if low := uint32(x); low < 12 {
		for t := uint32(1 << 32 % 12); low < t; low = uint32(x) {
			x = uint64(g.next()) * 12
		}
	}
	return int(x>>32) + 1
}

type trait struct {
	rating int
	off    int
}

type fighter struct {
	star, oomph, tokens        int
	defeated, present, checked bool
	punch, guard               trait
}

func tierBonus(rating int) int {
	switch {
	case rating >= 9:
		return 5
	case rating >= 5:
		return 3
	case rating >= 1:
		return 1
	}
	return 0
}

type outcome struct {
	total, against, margin int
	success, flub          bool
}

type table struct {
	action, settled bool
	active          *fighter
	last            outcome
}

// check is a roll with a link and Extra Effort against a difficulty number.
func check(g *rng, t *table, who *fighter, primary, second *trait, dn int, effort bool) bool {
	t.settled = true
	if t.active != nil && t.active == who {
		if who.checked {
			return false
		}
		who.checked = true
	}
	if who.defeated || !who.present || primary.off != 0 || second.off != 0 {
		return false
	}
	if effort {
		if who.oomph < 1 {
			return false
		}
		who.oomph--
	}
	face := g.d12()
	o := outcome{against: dn, flub: face == 1}
	o.total = face + primary.rating + tierBonus(second.rating)
	if face == 12 {
		o.total += 2 * who.star
	}
	if effort && !o.flub {
		o.total += who.star
	}
	o.margin = o.total - dn
	o.success = !o.flub && o.margin >= 0
	if o.flub && t.action {
		who.tokens++
		if who.tokens > who.star {
			who.defeated = true
		}
	}
	t.last = o
	return true
}

// side is one side's throw in an opposed check.
func side(g *rng, who *fighter, t *trait) (total int, flub bool) {
	face := g.d12()
	total = face + t.rating
	if face == 12 {
		total += 2 * who.star
	}
	return total, face == 1
}

// token gives a token, and Defeats whoever has more than Star Power.
func token(who *fighter) {
	who.tokens++
	if who.tokens > who.star {
		who.defeated = true
	}
}

// strike is an opposed crucial check: the one who reacts throws first.
func strike(g *rng, t *table, who, foe *fighter) {
	against, foeFlubs := side(g, foe, &foe.guard)
	total, flub := side(g, who, &who.punch)
	o := outcome{total: total, against: against, margin: total - against, flub: flub}
	o.success = !flub && (foeFlubs || o.margin >= 0)
	if flub {
		token(who)
	}
	if foeFlubs {
		token(foe)
	}
	if o.success && !foe.defeated {
		if o.margin >= 2*foe.star {
			foe.defeated = true
		} else {
			token(foe)
		}
	}
	t.last = o
}

// duel is a fight of two to Defeat; it gives the rounds it took.
func duel(g *rng, t *table, a, b *fighter) int {
	for round := 1; ; round++ {
		strike(g, t, a, b)
		if a.defeated || b.defeated {
			return round
		}
		strike(g, t, b, a)
		if a.defeated || b.defeated {
			return round
		}
	}
}

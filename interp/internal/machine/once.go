package machine

import "slices"

// Own is what statements of a script have given and nobody has taken yet, in order of each kind:
// first what dice, answers, picks and commands give, then what they give once. A refusal gives the
// first again. The rest is as if it came from outside: it waits until nothing else is given, and
// what fell has fallen. So a script can say how an evening went in which something was refused
// after dice had fallen.
type Own struct {
	Faces    []Ahead // that fall next
	Answers  []Ahead // see Nobody
	Picks    []Ahead // see ThrowInfo
	Commands []Ahead // in the order of their turns
}

// Ahead is a face, an answer, a pick or a command that a script gives.
type Ahead struct {
	N    int    // the face, or the option from 0; of a command that is done by hand its moment
	Text string // the command; of an answer the decision that tactics do not make then, "" for none
	From int    // of such an answer: once tactics have made that decision so often
	Once bool
}

// FacesAhead gives the faces that are given.
func (o Own) FacesAhead() (out []int) {
	for _, f := range o.Faces {
		out = append(out, f.N)
	}
	return out
}

// takeAnswer takes one of the answers.
func (o *Own) takeAnswer(at int) int {
	n := o.Answers[at].N
	o.Answers = slices.Delete(slices.Clone(o.Answers), at, at+1)
	return n
}

// firstOnce gives where what is given once begins.
func firstOnce(given []Ahead) int {
	if at := slices.IndexFunc(given, func(x Ahead) bool { return x.Once }); at >= 0 {
		return at
	}
	return len(given)
}

// giveAhead gives x behind all of its kind.
func giveAhead(given *[]Ahead, x Ahead) {
	at := len(*given)
	if !x.Once {
		at = firstOnce(*given)
	}
	*given = slices.Insert(slices.Clone(*given), at, x)
}

// again is what a refusal gives of what was given before, with what is left.
func (o Own) again(left Own) Own {
	of := func(before, left []Ahead) []Ahead {
		at, rest := firstOnce(before), left[firstOnce(left):]
		if at == len(before) && len(rest) == 0 {
			return before
		}
		return slices.Concat(before[:at], rest)
	}
	return Own{of(o.Faces, left.Faces), of(o.Answers, left.Answers), of(o.Picks, left.Picks), of(o.Commands, left.Commands)}
}

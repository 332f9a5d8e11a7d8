package evening_test

import (
	"context"
	"fmt"

	"setpiece/interp"
	"setpiece/interp/evening"
	"setpiece/lang"
)

// seat is a host at the other end of two channels, as a server is one: what it says is a question
// with its number, and what it hears an answer to that number.
type seat struct {
	guest
	says  chan string
	hears chan answer
}

type answer struct {
	id   int
	line string
}

func (s *seat) Ask(ctx context.Context, q *evening.Query) (interp.Answer, error) {
	s.says <- fmt.Sprint(q.ID, ": ", q.Title)
	for {
		select {
		case <-ctx.Done():
			return interp.Answer{}, evening.ErrLeft
		case said := <-s.hears:
			if said.id != q.ID {
				s.says <- fmt.Sprint(said.id, " is over")
				continue
			}
			a, err := q.Read(said.line)
			if err == nil {
				return a, nil
			}
			s.says <- err.Error()
		}
	}
}

// An evening runs on a goroutine of its own. Whoever is asked answers from elsewhere, by the number
// of the question; an old number is refused, and the end of the context leaves the question open.
func ExampleHost() {
	s := &seat{says: make(chan string), hears: make(chan answer)}
	e := evening.Begin(evening.Config{Session: interp.Config{Seed: 5}, Host: s})
	ctx, leave := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() { ended <- e.Play(ctx, lang.NewSource("try.scene", luck+"\ntry")) }()
	fmt.Println(<-s.says)
	for _, said := range []answer{{1, "maybe"}, {1, "no"}, {1, "no"}} {
		s.hears <- said
		fmt.Println(<-s.says)
	}
	leave()
	fmt.Println(<-ended)
	// Output:
	// 1: Ann: Throw the 4 again? 1 luck, 1 left after it.
	// type yes or no
	// 2: Ann: Throw the 4 again? 1 luck, 1 left after it.
	// 1 is over
	// the question is left open
}

package table

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"setpiece/cmd/internal/serve"
	"setpiece/interp"
)

// awayAfter is how long somebody may be without a stream before they count as away.
const awayAfter = 10 * time.Second

// seats is who sits where. It is kept beside the journal, so that pages go on when the program was
// ended and begun again.
type seats struct {
	Port   int     `json:"port,omitempty"` // of the last time, to be taken again
	Gm     string  `json:"gm"`             // the game master's token
	Screen string  `json:"screen"`         // of second screens
	Code   string  `json:"code"`           // with which players come in
	Seats  []*seat `json:"seats"`

	path  string
	epoch string
}

// seat is a hero with whoever plays them.
type seat struct {
	Who   string `json:"who"`
	Name  string `json:"name,omitempty"` // of the player
	Token string `json:"token,omitempty"`

	view  *view
	sheet []serve.SheetLine
	gone  bool // as it was shown last
	want  struct {
		how string // what became of it that they asked to take something back
		at  int    // while what was asked
	}
	there bool // the hero is among those of the script
}

// Seated is a seat as everybody sees it.
type Seated struct {
	Who  string `json:"who"`
	Name string `json:"name,omitempty"`
	Here bool   `json:"here"`
}

// secret gives so many random bytes as text.
func secret(n int) string {
	b := make([]byte, n)
	rand.Read(b)
	return base64.RawURLEncoding.EncodeToString(b)
}

// code makes two words that can be said aloud: one of 16 million.
func code() string {
	const consonants, vowels = "bdfgklmnprstvwzj", "aeio"
	b := make([]byte, 8)
	rand.Read(b)
	var out []byte
	for i := 0; i < 8; i += 2 {
		if i == 4 {
			out = append(out, '-')
		}
		out = append(out, consonants[b[i]%16], vowels[b[i+1]%4])
	}
	return string(out)
}

// openSeats reads who sat where, or begins anew.
func openSeats(path, epoch string) (*seats, error) {
	s := &seats{path: path, epoch: epoch}
	data, err := os.ReadFile(path)
	switch {
	case path == "" || errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, err
	default:
		if err := json.Unmarshal(data, s); err != nil {
			return nil, err
		}
	}
	if s.Gm == "" {
		s.Gm, s.Screen, s.Code = secret(16), secret(16), code()
	}
	for _, x := range s.Seats {
		x.view = newView(epoch)
	}
	return s, s.save()
}

// save writes who sits where, whole or not at all.
func (s *seats) save() error {
	if s.path == "" {
		return nil
	}
	f, err := os.CreateTemp(filepath.Dir(s.path), ".seats-*")
	if err != nil {
		return err
	}
	_, err = f.Write(encode(s))
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), s.path)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// hold makes a seat for each hero that there is.
func (s *seats) hold(who known, sheets map[string][]serve.SheetLine) {
	for _, x := range s.Seats {
		x.there = false
	}
	for _, p := range who.people {
		if p.Of != "" || p.Side != interp.ByPlayers {
			continue
		}
		x := s.of(p.Who)
		if x == nil {
			x = &seat{Who: p.Who, view: newView(s.epoch)}
			s.Seats = append(s.Seats, x)
		}
		x.sheet = slices.DeleteFunc(sheets[p.Who], func(l serve.SheetLine) bool { return l.Told == secretly })
		x.there = true
	}
}

func (s *seats) of(who string) *seat {
	for _, x := range s.Seats {
		if x.Who == who {
			return x
		}
	}
	return nil
}

func (s *seats) list() []Seated {
	list := []Seated{}
	for _, x := range s.Seats {
		x.gone = !x.view.here()
		if x.there || x.Token != "" {
			list = append(list, Seated{x.Who, x.Name, x.Token != "" && !x.gone})
		}
	}
	return list
}

// free are the heroes whom nobody plays.
func (s *seats) free() []string {
	list := []string{}
	for _, x := range s.Seats {
		if x.there && x.Token == "" {
			list = append(list, x.Who)
		}
	}
	return list
}

// moved says whether somebody has come or gone since it was shown last.
func (s *seats) moved() bool {
	for _, x := range s.Seats {
		if x.Token != "" && x.gone == x.view.here() {
			return true
		}
	}
	return false
}

// claim gives a seat to whoever has the code; one that is taken only the game master can free.
func (s *seats) claim(who, name string) (token string, err error) {
	x := s.of(who)
	switch {
	case x == nil || !x.there:
		return "", errNobody
	case x.Token != "":
		return "", errTaken
	}
	x.Name, x.Token = name, secret(16)
	return x.Token, s.save()
}

// empty takes a seat from whoever has it.
func (s *seats) empty(who string) error {
	x := s.of(who)
	if x == nil || x.Token == "" {
		return errNobody
	}
	x.Name, x.Token = "", ""
	x.view.end()
	return s.save()
}

var (
	errNobody = errors.New("there is no such seat")
	errTaken  = errors.New("somebody sits there already; the game master can free the seat")
)

// same compares what has to stay secret.
func same(a, b string) bool { return a != "" && subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

package sim

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/bits"
	"slices"
	"strings"

	"setpiece/interp"
	"setpiece/interp/internal/trials"
	"setpiece/lang"
)

// A simulation may be made in parts, elsewhere and by others. Each says of what it is a part, so that
// only what belongs together is joined.

// PartError says what is wrong with one of the parts that Merge is given.
type PartError struct {
	Part   int // its index
	Reason string
}

func (e *PartError) Error() string { return fmt.Sprintf("part %d: %s", e.Part+1, e.Reason) }

// MaxTrials and MaxShards bound a simulation.
const (
	MaxTrials = 1_000_000_000_000_000
	MaxShards = 1_000_000
)

// shardOf gives the trials of shard i of n: those from..to.
func shardOf(all, i, n int64) (from, to int64) {
	at := func(i int64) int64 {
		hi, lo := bits.Mul64(uint64(all), uint64(i))
		q, _ := bits.Div64(hi, lo, uint64(n))
		return int64(q)
	}
	return at(i), at(i + 1)
}

// sound says what in a part contradicts itself, "" if nothing does.
func (o *Sim) sound() string {
	switch {
	case o.Shards < 1 || o.Shards > MaxShards || o.Shard < 0 || o.Shard >= o.Shards:
		return fmt.Sprintf("it says that it is part %d of %d", o.Shard+1, o.Shards)
	case o.Planned < 1 || o.Planned > MaxTrials:
		return fmt.Sprintf("%d trials are planned", o.Planned)
	}
	from, to := shardOf(o.Planned, o.Shard, o.Shards)
	if o.Trials < 0 || o.Trials > to-from {
		return fmt.Sprintf("it has %d trials of %d", o.Trials, to-from)
	}
	if names := slices.Compact(slices.Sorted(slices.Values(o.Columns))); len(names) < len(o.Columns) {
		return "it has a column twice"
	}
	left := o.Trials
	for n, e := range o.Ends {
		switch {
		case len(e.Shown) != len(o.Columns) || len(e.Data) != len(o.Columns):
			return fmt.Sprintf("end %d has %d values for %d columns", n+1, min(len(e.Shown), len(e.Data)), len(o.Columns))
		case e.Count < 1 || e.Count > left:
			return "the counts do not add up to the trials"
		case e.First < from || e.First >= from+o.Trials:
			return fmt.Sprintf("end %d begins with trial %d, which is not among its trials", n+1, e.First)
		}
		left -= e.Count
	}
	if left != 0 {
		return "the counts do not add up to the trials"
	}
	for _, c := range o.Tactics {
		if c.Count < 1 || c.First < from || c.First >= from+o.Trials {
			return "its counts of refused tactics do not fit its trials"
		}
	}
	if len(trials.MergeEnds(o.Ends)) < len(o.Ends) {
		return "it has the same end twice"
	}
	return ""
}

// whole is what the parts of one simulation have in common.
type whole struct {
	text            string
	seed            uint64
	planned, shards int64
}

func (o *Sim) whole() whole { return whole{o.Text, o.Seed, o.Planned, o.Shards} }

// differs says in what o is of another simulation than most of the parts are, ""
// if in nothing.
func (o *Sim) differs(most whole) string {
	switch {
	case o.Text != most.text:
		return "it is of another script, or of other settings, than the rest"
	case o.Seed != most.seed:
		return fmt.Sprintf("its seed is %d, that of the rest is %d", o.Seed, most.seed)
	case o.Planned != most.planned:
		return fmt.Sprintf("it is of %d trials, the rest of %d", o.Planned, most.planned)
	case o.Shards != most.shards:
		return fmt.Sprintf("it is one of %d parts, the rest of %d", o.Shards, most.shards)
	}
	return ""
}

// MissingPartsError says which parts Merge was not given.
type MissingPartsError struct {
	Parts []int64 // counted from 1
	Of    int64
}

func (e *MissingPartsError) Error() string {
	var runs []string
	for i := 0; i < len(e.Parts); {
		j := i + 1
		for j < len(e.Parts) && e.Parts[j] == e.Parts[j-1]+1 {
			j++
		}
		run := fmt.Sprint(e.Parts[i])
		if j-i > 1 {
			run += fmt.Sprintf("..%d", e.Parts[j-1])
		}
		if runs = append(runs, run); len(runs) == 10 && j < len(e.Parts) {
			runs = append(runs, fmt.Sprintf("and %d more", len(e.Parts)-j))
			break
		}
		i = j
	}
	if len(e.Parts) == 1 {
		return fmt.Sprintf("part %d of %d is missing", e.Parts[0], e.Of)
	}
	return fmt.Sprintf("of %d parts %s are missing", e.Of, strings.Join(runs, ", "))
}

// Merge joins the parts of a simulation, in any order, to what the whole
// would have been. Otherwise the error joins a *PartError for each part that
// contradicts itself or most of the others, and a *MissingPartsError.
func Merge(parts []*Sim) (*Sim, error) {
	if len(parts) == 0 {
		return nil, errors.New("there are no parts")
	}
	var most whole
	alike := map[whole]int{}
	for _, p := range parts {
		if p.sound() == "" {
			w := p.whole()
			if alike[w]++; alike[w] > alike[most] {
				most = w
			}
		}
	}
	var errs []error
	byShard := map[int64]*Sim{}
	for i, p := range parts {
		reason := p.sound()
		if reason == "" {
			reason = p.differs(most)
		}
		if _, twice := byShard[p.Shard]; reason == "" && twice {
			reason = fmt.Sprintf("part %d of %d is given twice", p.Shard+1, p.Shards)
		}
		if reason != "" {
			errs = append(errs, &PartError{i, reason})
			continue
		}
		byShard[p.Shard] = p
	}
	missing := &MissingPartsError{Of: most.shards}
	for i := range most.shards {
		if byShard[i] == nil {
			missing.Parts = append(missing.Parts, i+1)
		}
	}
	if len(missing.Parts) > 0 {
		errs = append(errs, missing)
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	out := &Sim{Seed: most.seed, Planned: most.planned, Shards: 1, Text: most.text}
	var all []*trials.Worker
	for i := range most.shards {
		p := byShard[i]
		t := &trials.Worker{Tactics: p.Tactics}
		for _, e := range p.Ends {
			y := trials.Tally{Columns: p.Columns, End: e}
			if e.Stops != "" {
				y.Columns, y.Shown, y.Data = nil, nil, nil
			}
			t.Ends = append(t.Ends, y)
		}
		all = append(all, t)
		out.Trials += p.Trials
	}
	out.collect(all, out.Trials)
	return out, nil
}

// digest tells what was simulated apart from other things: the script, the files
// of its folder that it takes in, the systems from elsewhere, the rulings, and the limits that were set.
func digest(cfg interp.Config, src *lang.Source, files *watched, used []interp.System) string {
	h := sha256.New()
	h.Write([]byte(src.Text))
	for _, name := range slices.Sorted(maps.Keys(files.texts)) {
		fmt.Fprintf(h, "\x00%s\x00%d\x00%s", name, len(files.texts[name]), files.texts[name])
	}
	for _, k := range slices.Sorted(maps.Keys(cfg.Options)) {
		fmt.Fprintf(h, "\x00%s=%s", k, cfg.Options[k])
	}
	for _, u := range used {
		if u.Place != interp.Here && u.Place != interp.BuiltIn {
			fmt.Fprintf(h, "\x00%s %s", u.Name, u.Hash)
		}
	}
	if cfg.Limits != (interp.Limits{}) {
		fmt.Fprintf(h, "\x00limits %+v", cfg.Limits)
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// watched is a folder that remembers what was read of it.
type watched struct {
	fs.FS
	texts map[string][]byte
}

// ReadFile implements fs.ReadFileFS.
func (w *watched) ReadFile(name string) ([]byte, error) {
	text, err := fs.ReadFile(w.FS, name)
	if err == nil {
		w.texts[name] = text
	}
	return text, err
}

// Source implements lang.SourceFS.
func (w *watched) Source(name string) *lang.Source {
	f, ok := w.FS.(lang.SourceFS)
	if !ok {
		return nil
	}
	src := f.Source(name)
	if src != nil {
		w.texts[name] = []byte(src.Text)
	}
	return src
}

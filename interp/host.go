package interp

import (
	"context"
	"errors"

	"setpiece/interp/internal/compile"
	"setpiece/interp/internal/decl"
	"setpiece/interp/internal/language"
	"setpiece/interp/internal/machine"
	"setpiece/interp/internal/value"
	"setpiece/lang"
)

// host is whoever the run of a session asks and tells: it implements core.Host.
type host struct{ s *Session }

func (h host) Answer(ctx context.Context, st machine.Status) (err error) {
	s := h.s
	switch st {
	case machine.NeedChance:
		err = s.throw(ctx)
	case machine.NeedChoice:
		err = s.decide(ctx)
	case machine.NeedCommand:
		err = s.command(ctx)
	case machine.NeedHand:
		err = s.hand()
	case machine.Acted:
		s.acted()
	}
	if errors.Is(err, ErrTakeBack) && s.run.M.TakeBack("taken back") {
		return nil
	}
	return err
}

func (h host) Decides() bool { return h.s.cfg.Choice != nil }

func (h host) Begin() {
	if h.s.tell != nil {
		h.s.tell.stand()
	}
}

func (h host) Abandon() {
	if h.s.tell != nil {
		h.s.tell.abandon()
	}
}

func (h host) Loaded(l compile.Loaded) {
	if s := h.s; s.tell != nil {
		rules, verbs, options := language.Size(s.run.World, l.Module.Name)
		s.tell.emit(&Event{Kind: EventModule, Name: l.Module.Name, Text: l.Module.Title, Rules: rules, Verbs: verbs, OptionsN: options, At: l.At})
	}
}

func (h host) Broken(e *machine.Error) error {
	if m := h.s.run.M; h.s.holds() {
		all := m.Store
		m.Store = all[:m.Kept()]
		h.s.failed = h.s.Snapshot()
		m.Store = all
	}
	return h.s.runError(e)
}

func (h host) Stopped(err error) error                      { return h.s.stopped(err) }
func (h host) Uncompiled(src *lang.Source, err error) error { return Uncompiled(src, err) }
func (h host) Systems(w *decl.World) any                    { return systemsIn(w) }
func (h host) Recorded(log machine.Log) any                 { return recordOf(log) }
func (h host) Value(v value.V) any                          { return h.s.data(v) }

func (h host) Exec(ctx context.Context, src *lang.Source) error { return h.s.Exec(ctx, src) }

func (h host) Instead(choice any) (back func()) {
	s := h.s
	thrower, own, chooser, seeded := s.cfg.Chance, s.own, s.cfg.Choice, s.run.M.Seeded
	s.cfg.Chance, s.own, s.run.M.Seeded = nil, nil, true
	s.cfg.Choice, _ = choice.(Choice)
	return func() { s.cfg.Chance, s.own, s.cfg.Choice, s.run.M.Seeded = thrower, own, chooser, seeded }
}

func (h host) Silence() (back func()) {
	events := h.s.cfg.Events
	h.s.SetEvents(nil)
	return func() { h.s.SetEvents(events) }
}

func (h host) Unmet() (list []error) {
	for _, e := range h.s.unmet() {
		list = append(list, e)
	}
	return list
}

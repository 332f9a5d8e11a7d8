package compile

import (
	"embed"
	"maps"
	"slices"
	"sync"

	"setpiece/interp/internal/bind"
	"setpiece/interp/internal/code"
	"setpiece/interp/internal/decl"
	"setpiece/interp/internal/ir"
	"setpiece/interp/internal/resolve"
	"setpiece/interp/internal/value"
	"setpiece/lang"
)

// The systems that are embedded in the program never change, and most scripts begin by
// taking one of them into use. What comes of that is the same each time: so it is worked
// out once, in a world of its own that nobody runs, and a session whose first statement is
//
//	use SYSTEM
//
// begins with a Clone of that world, a copy of its heap and one of its store. A Clone grows
// without changing what it was made of, so sessions do not see what others declare or
// replace. Only what differs from world to world is made anew: functions, which are linked
// when they are called.
//
// Most of those functions are linked alike in all sessions, too. As long as a session has
// declared nothing that rules may refer to, its functions are linked in a world that only
// knows the system, and once for all sessions: each of them takes a copy in which texts,
// lists and fractions are those of its own heap. Whatever makes a World forget its code
// (World.refresh) ends that for this world: what is linked then is linked in it alone.
//
// A system is declared anew where something else could come of it: when files beside the
// script come first, options are set from outside, or somebody asks for references.

// New makes an empty world for a machine's store.
func New(h *value.Heap, store *[]ir.V) *decl.World {
	w := decl.NewWorld(h, store, link)
	w.Reader = bind.Binding{}
	return w
}

// link links a function when it is first called.
func link(w *decl.World, mf *code.Func) error {
	w.Heap.Refer(func() { mf.Code = nil }) // its constants; it is linked again when it is called
	if w.System != nil && w.System.Link(w, mf) {
		return nil
	}
	mf.Common = nil
	before := sizes(w)
	err := linkHere(w, mf)
	if sizes(w) != before {
		w.Added = append(w.Added, &decl.Added{Fn: mf})
	}
	return err
}

// sharedSystems are the worlds in which a system of an embedded file system is in use.
var sharedSystems struct {
	sync.Mutex
	of map[sharedKey]*sharedSystem
}

type sharedKey struct {
	fsys           embed.FS
	system         string
	prompt, traced bool
}

// maxSharedSystems is how many are kept. There are not many more systems and variants.
const maxSharedSystems = 64

// maxSharedLayers is for how many tactics over one another code is kept.
const maxSharedLayers = 4

// sharedSystem is a system that has been taken into use in a world of its own.
type sharedSystem struct {
	w     *decl.World // which is only cloned
	store []ir.V

	sync.Mutex             // guards what follows
	heap       *value.Heap // of the constants in code
	code       map[sharedCode]*linked
	linker     *decl.World // links functions; nil: not made yet

	named        sync.Once // guards what follows
	parts, known []string  // see World.traitNames
}

// sharedCode is a function, with or without code that tells what happens, and that asks for
// commands, where so many tactics may lie over one another.
type sharedCode struct {
	of               *resolve.FnSource
	traced, attended bool
	layered          int
}

// linked is the code of a function with what else the compiler notes of it.
type linked struct {
	fn    *code.Func
	spans map[decl.SpanKey]map[string]lang.Span
}

// begin takes a system into use as the first statement of a session. It does nothing and
// gives nil where that has to be done in the usual way.
func (c *collector) begin(name lang.Ident) *decl.Module {
	w := c.W
	fsys, ok := w.FS.(embed.FS)
	if !ok || !w.Heap.Empty() || w.RefersAll || len(w.Set) > 0 || len(w.Checked) > 0 || slices.ContainsFunc(*w.Store, func(v ir.V) bool { return v != value.None }) {
		return nil
	}
	key := sharedKey{fsys, name.Name, w.Prompt, w.Prog.Traced}
	sharedSystems.Lock()
	k := sharedSystems.of[key]
	sharedSystems.Unlock()
	if k == nil {
		if f, err := Find(w, name.Name, ""); err != nil || f == nil || !f.Shipped {
			return nil
		}
		if k = declareApart(w, name); k == nil {
			return nil
		}
		sharedSystems.Lock()
		if sharedSystems.of == nil || len(sharedSystems.of) >= maxSharedSystems {
			sharedSystems.of = map[sharedKey]*sharedSystem{}
		}
		sharedSystems.of[key] = k
		sharedSystems.Unlock()
	}
	for _, m := range k.w.Modules {
		if f, err := Find(w, m.Name, ""); err != nil || f == nil || !f.Shipped {
			return nil
		}
	}
	resume(w, k)
	return w.Module(name.Name)
}

// declareApart takes a system into use in a world of its own. It gives nil if there is
// any mistake in it.
func declareApart(w *decl.World, name lang.Ident) *sharedSystem {
	k := &sharedSystem{}
	k.w = New(value.NewHeap(), &k.store)
	k.w.FS, k.w.Program, k.w.Prompt, k.w.Prog.Traced = w.FS, w.Program, w.Prompt, w.Prog.Traced
	k.w.Effort = w.Effort
	c := &collector{Script: resolve.Script{W: k.w, IsScript: true, Module: &decl.Module{Script: true}}, cite: -1, cites: map[lang.Stmt]int{}}
	if c.load(name, lang.Ident{}, nil) == nil || len(c.Diags) > 0 || k.w.Spoilt {
		return nil
	}
	k.w.Effort = nil
	return k
}

// resume makes a world in which nothing has been declared a copy of one that was kept.
func resume(w *decl.World, k *sharedSystem) {
	n := k.w.Clone()
	n.Heap, n.Store = w.Heap, w.Store
	n.Folder, n.Systems, n.Versions, n.Program = w.Folder, w.Systems, w.Versions, w.Program
	n.Checked, n.Strict, n.Unrun, n.Set, n.Effort, n.References, n.Varies, n.Entries = w.Checked, w.Strict, w.Unrun, w.Set, w.Effort, w.References, w.Varies, w.Entries
	n.Start = nil
	for _, f := range k.w.Start {
		own := *f
		own.Code = slices.Clone(f.Code) // analysis notes in it where states may rest
		n.Start = append(n.Start, &own)
	}
	*w = *n
	w.Prog.Link = w.Link
	w.Renew()
	w.System = k
	w.Heap.Copy(k.w.Heap)
	*w.Store = append((*w.Store)[:0], k.store...)
}

// Link gives a function of the system its code.
func (k *sharedSystem) Link(w *decl.World, mf *code.Func) bool {
	src := mf.Source.(*resolve.FnSource)
	if src.Slot >= len(k.w.Prog.Slots) || k.w.Prog.Slots[src.Slot].Source != src || w.Layered > maxSharedLayers {
		return false // it is not of the system, or hardly anybody else would need it
	}
	k.Lock()
	defer k.Unlock()
	key := sharedCode{src, w.Prog.Traced, w.Prog.Attended, w.Layered}
	l, known := k.code[key]
	if !known {
		l = k.linkApart(key, mf)
		k.code[key] = l
	}
	if l == nil || keepsMore(w, k.w, l.fn) {
		return false
	}
	mf.Regs, mf.At, mf.Rule, mf.Inlined, mf.Infos, mf.Common = l.fn.Regs, l.fn.At, l.fn.Rule, l.fn.Inlined, l.fn.Infos, l.fn.Common
	mf.Code = slices.Clone(l.fn.Code)
	for i := range mf.Code {
		if in := &mf.Code[i]; in.HasConstant() {
			in.SetConstant(w.Heap.Import(k.heap, in.Constant()))
		}
	}
	maps.Copy(w.Spans, l.spans)
	return true
}

// linkApart links a function in a world that only knows the system. It gives nil where that
// fails, or declares something: then each session does it for itself.
func (k *sharedSystem) linkApart(key sharedCode, mf *code.Func) *linked {
	if k.heap == nil {
		k.heap, k.code = value.NewHeap(), map[sharedCode]*linked{}
		k.heap.Copy(k.w.Heap)
	}
	if k.linker == nil {
		store := slices.Clone(k.store)
		k.linker = k.w.Clone()
		k.linker.Heap, k.linker.Store = k.heap, &store
	}
	w := k.linker
	w.Prog.Traced, w.Prog.Attended, w.Layered, w.Spans = key.traced, key.attended, key.layered, map[decl.SpanKey]map[string]lang.Span{}
	before := sizes(w)
	fn := &code.Func{Name: mf.Name, Params: mf.Params, Region: mf.Region, Source: mf.Source, Common: &code.Common{}}
	if err := linkHere(w, fn); err != nil || sizes(w) != before {
		k.linker = nil // with what it has declared
		return nil
	}
	return &linked{fn, w.Spans}
}

// TraitNames gives the names of the traits that the system speaks of.
func (k *sharedSystem) TraitNames() (parts, known []string) {
	k.named.Do(func() { k.parts, k.known = resolve.TraitNames(k.w) })
	return k.parts, k.known
}

// worldSize is how much there is in a world of what linking a function may add.
type worldSize struct{ store, functions, types, tactics, live, holders, cells, kept, keys, records, symbols, initial, stated, scopes int }

func sizes(w *decl.World) worldSize {
	p := w.Prog
	return worldSize{
		len(*w.Store), len(p.Slots), len(p.Types), len(p.Tactics), len(p.Live), len(p.Holders), len(w.Cells),
		len(w.KeptKeys), len(w.KeyNames), len(w.Records), len(w.Symbols), len(w.Initial), len(p.Stated), w.Scopes,
	}
}

// keepsMore says whether a function sets a value of an outcome that w keeps and other does
// not, see World.Kept, or may give a text that only w asks for, see World.Ask.
func keepsMore(w *decl.World, other *decl.World, fn *code.Func) bool {
	for name, use := range w.Texts {
		if use == ir.Given|ir.Asked && other.Texts[name] != use && slices.ContainsFunc(fn.Code, func(in code.Ins) bool { return in.Op == code.Clear }) {
			return true
		}
	}
	if len(w.KeptKeys) == len(other.KeptKeys) {
		return false
	}
	return slices.ContainsFunc(fn.Code, func(in code.Ins) bool {
		if in.Op != code.SetLast {
			return false
		}
		for name := range w.KeptKeys {
			if _, also := other.KeptKeys[name]; !also && w.LastKeys[name] == int(in.B) {
				return true
			}
		}
		return false
	})
}

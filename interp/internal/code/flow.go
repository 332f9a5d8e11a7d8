package code

import "slices"

// Guards are, for each instruction, where a refusal at it comes back to: what is
// needed there must be kept as long as that may happen. It is empty where none does.
type Guards [][]int

func (g Guards) At(pc int) []int {
	if len(g) == 0 {
		return nil
	}
	return g[pc]
}

func (fn *Func) Guarded() Guards {
	var guarded Guards
	for pc := range fn.Code {
		in := &fn.Code[pc]
		from, to, back := pc, int(in.C), int(in.C)
		switch in.Op {
		case Try:
		case Act:
			from, to, back = pc+1, pc+2, pc // a command that is refused is asked for again
		default:
			continue
		}
		if guarded == nil {
			guarded = make(Guards, len(fn.Code))
		}
		for i := from; i < to; i++ {
			guarded[i] = append(guarded[i], back)
		}
	}
	return guarded
}

// ComesBack says whether control may come back to an instruction that it has left.
func (fn *Func) ComesBack() bool {
	for pc := range fn.Code {
		if in := &fn.Code[pc]; in.Op == Act || in.Op.Jumps() && int(in.C) <= pc {
			return true
		}
	}
	return false
}

// LoopAround gives where the innermost loop around an instruction begins, -1 where there is none, or it throws.
func (fn *Func) LoopAround(pc int32) int32 {
	head, end := int32(-1), 0
	for i, in := range fn.Code[pc:] {
		if in.Op == Jmp && in.C <= pc && in.C > head {
			head, end = in.C, int(pc)+i
		}
	}
	if head >= 0 && slices.ContainsFunc(fn.Code[head:end], func(in Ins) bool { return in.Op == Throw }) {
		return -1
	}
	return head
}

// Visit calls visit with the instructions that may come from one on, as long as it says
// to go on behind them.
func (fn *Func) Visit(pc int, visit func(pc int) (on bool)) {
	guarded := fn.Guarded()
	seen := make([]bool, len(fn.Code)+1)
	for todo := []int{pc}; len(todo) > 0; {
		pc := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[pc] || pc >= len(fn.Code) {
			continue
		}
		seen[pc] = true
		todo = append(todo, guarded.At(pc)...)
		if !visit(pc) {
			continue
		}
		in := &fn.Code[pc]
		if in.Op.Falls() {
			todo = append(todo, pc+1)
		}
		if in.Op.Jumps() {
			todo = append(todo, int(in.C))
		}
	}
}

// Package odds calculates everything a script can lead to, with the probability of
// each result.
//
// A script is a Markov chain. Its transitions are the pieces of deterministic
// computation from one draw (dice) or decision to the next. The machine that executes
// scripts in every other mode executes them here, too: it stops at each draw, its state
// is saved, and for each outcome of the draw it is restored and runs on. States whose
// saved words are equal are one node of the graph.
//
// Take a hero with 2 tokens left and a villain with 1 who strike in turn, each
// hitting on 4 or more of a d6:
//
//	(2,1) -1/2-> (2,0)   the hero has won
//	      -1/2-> (2,1)'  -1/2-> (1,1) -> …
//	                     -1/2-> (2,1)   where it began
//
// # From a throw to a fraction
//
// This is the way of the hero's d6, with the files in which each step stands.
//
//	if throw(d6).face >= 4 { villain.tokens -= 1 }           the rule
//	   |  gen/gen.go
//	   v
//	Throw r1; Builtin face r1; JLtI r1 4; … SubI r2 1; SetF  code/op.go
//	   |  machine/exec.go runs until the throw;
//	   |  machine/chance.go returns NeedChance
//	   v
//	the state before the throw                               state/codec.go
//	   |  equal states are one (graph.go, intern); what nobody will read is
//	   |  left out (analysis/future.go, words.go); creatures that differ only
//	   |  in name are exchanged (symmetry.go, canonical.go, state/watch.go)
//	   v
//	a node of a macro step, which waits for one die of 6     macrostep.go, node
//	   |  for each face: has a run from here asked the same before and been
//	   |  answered the same? (transition/cache.go)
//	   |     yes: its transition is applied to the words     words.go, apply
//	   |     no:  codec.DrawFace(face), and the machine      transition.go, execute
//	   |          runs on, with the face and the tokens as   symbolic/concolic.go
//	   |          unknown numbers beside the known ones      symbolic/instructions.go
//	   v
//	condition: face < 4                 writes nothing       symbolic/linear.go
//	condition: face >= 4, tokens >= 2   tokens <- tokens - 1
//	condition: face >= 4, tokens = 1    tokens <- 0, and the villain is out
//	   |  so three runs are executed, for six faces and any number of tokens;
//	   |  and the conditions of a whole macro step are put together, so that
//	   |  it serves other checkpoints, too (precondition.go, effect.go)
//	   v
//	edges from the node, 3 of 6 faces each                   order.go
//	   |  weights flow through a macro step in order, from checkpoint to
//	   |  checkpoint along the strongly connected components; a state that
//	   |  returns to itself keeps nothing (components.go)
//	   v
//	8/9, exactly or as a float                               solve.go, arithmetic.go
//
// Several dice that are thrown at once are not followed die by die: query finds out what
// the script reads of them, pool counts the throws for each answer, and the node has an
// edge for each (pools.go).
//
// # Words
//
//   - A transition is computation without chance, from one draw or decision to the next.
//   - A checkpoint is a state that the graph keeps: at the beginning of a statement, at the
//     head of a loop that throws, before a pool is thrown, and where one side of a contest is
//     complete, so that it is followed only once, whatever the other side has rolled.
//   - A macro step is all transitions from one checkpoint to the next: a small graph without
//     loops, whose leaves are checkpoints. Macro steps are cached as transitions are.
//   - A control state is where in the program a state is; its words are what the store holds
//     there that is not as usual. The frontier is the checkpoints that were not followed, the
//     remainder their weight.
//
// # Where to look
//
//	graph.go         checkpoints and edges: begin, expand, intern
//	queue.go         which checkpoint is followed next: the likeliest
//	bounds.go        what stops a graph that grows too large
//	memory.go        what the graphs of one session share
//	macrostep.go     all that may happen until the next checkpoint
//	precondition.go  on which words of its checkpoint a macro step depends
//	order.go         its nodes in topological order
//	effect.go        a macro step taken again from another checkpoint
//	transition.go    from one draw to the next: looked up, or executed
//	pools.go         what may be read of many dice that fall at once
//	words.go         states as words; what a transition makes of them
//	symmetry.go      states that differ in which of several equals are out
//	canonical.go     the one of them that stands for all
//	solve.go         the weight that comes to each end; arithmetic.go, components.go
//	linear.go        the same where checkpoints lead back to one another
//	best.go          open decisions: the best option at each, by backward induction
//	paths.go         the likeliest paths to an end
//	sample.go        what was not followed, shared out by trials; lumped.go
//	variety.go       which words tell the states apart
//	containers.go    lists and sets that cost the garbage collector little
//
// The likeliest checkpoints are followed first. If dice can explode without end,
// checkpoints below a least probability are not followed; their sum is the remainder,
// which is reported. Between checkpoints there may be cycles: the strongly connected
// components are solved one after the other. With a decision maker the graph is a Markov
// decision process.
//
// A graph that has grown too large keeps what it has solved. The weight that lies at checkpoints
// which were not followed bounds how far any chance can be off, and is shared out by trials that
// begin there (sample.go), where creatures were exchanged in one of the states that a checkpoint
// stands for (lumped.go).
package odds

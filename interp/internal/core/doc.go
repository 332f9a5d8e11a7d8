// Package core is a world and the machine that runs in it, beneath what a session tells and whom it
// asks.
//
// Package interp is the one host of a [Run]: it answers for dice and decisions, makes events, and words
// errors. The packages that ask questions of a session (odds, simulation, advice …) work on its Run,
// which [Of] gives them.
package core

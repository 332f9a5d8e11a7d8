// Package ir holds resolved code: nodes in which each name is a place, the kinds that a
// value can have, and the unit that code is made in.
package ir

// Package decl holds what has been declared: systems, names, sheets and their instances,
// verbs, outcomes. It words what is wrong with a name, with the nearest right one.
package decl

// Package lint warns of what a script says for nothing, or leaves out.
package lint

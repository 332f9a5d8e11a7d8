// Package gen emits instructions for the nodes of a function.
package gen

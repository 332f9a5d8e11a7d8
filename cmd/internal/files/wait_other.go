//go:build !unix

package files

// noWait is nothing where there are no pipes with a name.
const noWait = 0

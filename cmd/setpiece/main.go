// Setpiece prepares, plays and tests tabletop encounters. All it does is in
// package cli.
package main

import (
	"os"

	"setpiece/cmd/internal/cli"
)

func main() {
	os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

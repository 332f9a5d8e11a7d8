package stdlib

import "embed"

// A page in a browser prints nothing for the table.
//
//go:embed */*.rules
var files embed.FS

// Package scripts holds the encounters that come with setpiece.
package scripts

import "embed"

// FS is the encounters, SYSTEM/NAME.scene or SYSTEM/NAME.md.
//
//go:embed */*.scene */*.md
var FS embed.FS

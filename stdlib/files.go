//go:build !js

package stdlib

import "embed"

//go:embed */*.rules */quick.md
var files embed.FS

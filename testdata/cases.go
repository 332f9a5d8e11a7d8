//go:build !js

// Package testdata carries the cases of the rules: short scenes, each of which says
// which rules it shows. They are played by the tests; help and the handbook take
// their examples from them.
package testdata

import "embed"

// Cases holds SYSTEM/NAME.scene.
//
//go:embed */*.scene
var Cases embed.FS

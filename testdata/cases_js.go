package testdata

import "embed"

// Cases is empty: a page in a browser loads none.
var Cases embed.FS

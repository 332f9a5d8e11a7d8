//go:build !race

package cli

// every: each scene is tested.
const every = 1

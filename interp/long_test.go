package interp_test

import "setpiece/interp"

// Shorthands for what the tests of package interp have, too.
var (
	longTests = interp.LongTests
	some      = interp.Some
)

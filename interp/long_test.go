package interp_test

import "os"

// longTests has the tests run in their long form, as the continuous integration does.
var longTests = os.Getenv("SETPIECE_LONG") != ""

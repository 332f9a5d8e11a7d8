package interp

// Fan is fan, for tests.
var Fan = fan

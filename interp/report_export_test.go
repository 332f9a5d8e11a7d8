package interp

// Fan is fan, for tests.
var Fan = fan

// InCommon is inCommon, for tests.
var InCommon = inCommon

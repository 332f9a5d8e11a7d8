package interp

import "math"

// Fan is fan, for tests.
var Fan = fan

// InCommon is inCommon, for tests.
var InCommon = inCommon

// Sure says whether a move is more than luck does.
func (m *ReportMove) Sure() bool { return math.Abs(m.By) > m.Half }

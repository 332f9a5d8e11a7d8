//go:build !js

package serve

// ofTables are the methods that somebody needs who holds an evening for several people.
func ofTables() map[string]func(*server, *call) error {
	return map[string]func(*server, *call) error{
		"exec": on(exec), "dice": on(dice), "ask": on(ask), "auto": on(auto), "ahead": on(ahead), "asked": on(asked),
		"redo": on(redo), "what_if": on(whatIf), "keep": on(keep), "drop": on(drop),
		"state": on(state), "rule": on(explain), "outlook": on(outlook), "can": on(can), "meanwhile": on(meanwhile), "say": on(say), "pauses": on(pauses), "retell": on(retell),
	}
}

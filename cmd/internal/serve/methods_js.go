package serve

// ofTables: one person plays on a page that has its engine inside.
func ofTables() map[string]func(*server, *call) error { return nil }

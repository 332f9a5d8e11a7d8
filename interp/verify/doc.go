// Package verify runs the tests in a script, and checks a script more strictly than it needs to run: by
// playing it, and by the rules about its sheets.
package verify

// Package goals is about what somebody wants of a scene: which goals rules and scripts declare, and texts
// that report one.
package goals

// Package danger reports how dangerous a scene is: who wins, who falls and when, what is left, what
// turns it and what would change it.
package danger

// Package why says what a chance is made of, and what would move it.
package why

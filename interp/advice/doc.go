// Package advice says what each answer to a question and each command in a turn is worth, and which
// answers are best throughout a text.
package advice

package lang

import (
	"slices"
	"strings"
)

// DiceQuestion gives the question of the page of dice that speaks of a game, and how it is asked; "" where none does.
func DiceQuestion(game string) (question, ours string) {
	for line := range strings.Lines(dicePage) {
		cells := strings.Split(line, " | ")
		if game != "" && len(cells) == 6 && slices.Contains(strings.Fields(cells[0]), strings.ToUpper(game[:1])+game[1:]) {
			return strings.TrimPrefix(cells[0], "| "), strings.Trim(cells[3], "`")
		}
	}
	return "", ""
}

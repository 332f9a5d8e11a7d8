package lsp

// The messages of the protocol, as far as they are used. Names are those of the protocol.

type (
	textDocument struct {
		URI     string `json:"uri"`
		Version int    `json:"version,omitempty"`
		Text    string `json:"text,omitempty"`
	}
	documentParams struct {
		TextDocument textDocument `json:"textDocument"`
	}
	placeParams struct {
		TextDocument textDocument `json:"textDocument"`
		Position     position     `json:"position"`
		NewName      string       `json:"newName"`
	}
	rangeParams struct {
		TextDocument textDocument `json:"textDocument"`
		Range        span         `json:"range"`
	}
	changeParams struct {
		TextDocument   textDocument `json:"textDocument"`
		ContentChanges []struct {
			Range *span  `json:"range"`
			Text  string `json:"text"`
		} `json:"contentChanges"`
	}
	initializeParams struct {
		InitializationOptions struct {
			Strict  bool `json:"strict"`  // report what check --strict finds when a file is saved
			Results bool `json:"results"` // the editor shows what a command gives; it is no message
		} `json:"initializationOptions"`
	}
	commandParams struct {
		Command   string `json:"command"`
		Arguments []any  `json:"arguments"`
	}
	queryParams struct {
		Query string `json:"query"`
	}
	cancelParams struct {
		ID any `json:"id"`
	}

	diagnostic struct {
		Range    span      `json:"range"`
		Severity int       `json:"severity"`
		Code     string    `json:"code,omitempty"`
		About    *link     `json:"codeDescription,omitempty"`
		Source   string    `json:"source"`
		Message  string    `json:"message"`
		Related  []related `json:"relatedInformation,omitempty"`
	}
	link struct {
		Href string `json:"href"`
	}
	related struct {
		Location location `json:"location"`
		Message  string   `json:"message"`
	}
	publishParams struct {
		URI         string       `json:"uri"`
		Version     int          `json:"version,omitempty"`
		Diagnostics []diagnostic `json:"diagnostics"`
	}
	markup struct {
		Kind  string `json:"kind"`
		Value string `json:"value"`
	}
	hover struct {
		Contents markup `json:"contents"`
		Range    span   `json:"range"`
	}
	textEdit struct {
		Range   span   `json:"range"`
		NewText string `json:"newText"`
	}
	workspaceEdit struct {
		Changes map[string][]textEdit `json:"changes"`
	}
	completionItem struct {
		Label    string   `json:"label"`
		Kind     int      `json:"kind"`
		Detail   string   `json:"detail,omitempty"`
		Sort     string   `json:"sortText"`
		TextEdit textEdit `json:"textEdit"`
		Doc      *markup  `json:"documentation,omitempty"`
	}
	completionList struct {
		IsIncomplete bool             `json:"isIncomplete"`
		Items        []completionItem `json:"items"`
	}
	documentSymbol struct {
		Name           string           `json:"name"`
		Detail         string           `json:"detail,omitempty"`
		Kind           int              `json:"kind"`
		Range          span             `json:"range"`
		SelectionRange span             `json:"selectionRange"`
		Children       []documentSymbol `json:"children,omitempty"`
	}
	symbolInformation struct {
		Name     string   `json:"name"`
		Kind     int      `json:"kind"`
		Location location `json:"location"`
	}
	foldingRange struct {
		StartLine int `json:"startLine"`
		EndLine   int `json:"endLine"`
	}
	signatureHelp struct {
		Signatures []signature `json:"signatures"`
		Active     int         `json:"activeParameter"`
	}
	signature struct {
		Label         string      `json:"label"`
		Documentation string      `json:"documentation,omitempty"`
		Parameters    []parameter `json:"parameters,omitempty"`
	}
	parameter struct {
		Label string `json:"label"`
	}
	semanticTokens struct {
		Data []int `json:"data"`
	}
	command struct {
		Title     string `json:"title"`
		Command   string `json:"command"`
		Arguments []any  `json:"arguments,omitempty"`
	}
	codeLens struct {
		Range   span      `json:"range"`
		Command *command  `json:"command,omitempty"`
		Data    *oddsData `json:"data,omitempty"`
	}
	// oddsData says of what a codeLens is, for codeLens/resolve.
	oddsData struct {
		URI    string `json:"uri"`
		Offset int    `json:"offset"`
		Change int    `json:"change"` // of the text, as it was counted then
	}
	codeAction struct {
		Title       string         `json:"title"`
		Kind        string         `json:"kind"`
		Diagnostics []diagnostic   `json:"diagnostics,omitempty"`
		Edit        *workspaceEdit `json:"edit,omitempty"`
		Data        *actionData    `json:"data,omitempty"`
	}
	// actionData says which action it was, for codeAction/resolve.
	actionData struct {
		URI    string `json:"uri"`
		Offset int    `json:"offset"`
	}
	inlayHint struct {
		Position    position `json:"position"`
		Label       string   `json:"label"`
		PaddingLeft bool     `json:"paddingLeft"`
	}
	highlight struct {
		Range span `json:"range"`
	}
	number struct {
		Name   string   `json:"name"`
		Value  string   `json:"value"`
		Values []string `json:"values"` // that it may have, it among them
		Ranges []span   `json:"ranges"` // where it stands
	}
	showMessageParams struct {
		Type    int    `json:"type"`
		Message string `json:"message"`
	}
)

// capabilities are what the server says of itself.
func capabilities(kinds []string) map[string]any {
	return map[string]any{
		"textDocumentSync":           map[string]any{"openClose": true, "change": 2, "save": true},
		"completionProvider":         map[string]any{"triggerCharacters": []string{" ", ".", ":", "\""}},
		"signatureHelpProvider":      map[string]any{"triggerCharacters": []string{" ", "("}},
		"hoverProvider":              true,
		"definitionProvider":         true,
		"referencesProvider":         true,
		"documentHighlightProvider":  true,
		"documentSymbolProvider":     true,
		"workspaceSymbolProvider":    true,
		"documentFormattingProvider": true,
		"foldingRangeProvider":       true,
		"renameProvider":             map[string]any{"prepareProvider": true},
		"codeActionProvider":         map[string]any{"codeActionKinds": []string{"quickfix", "refactor.rewrite"}, "resolveProvider": true},
		"codeLensProvider":           map[string]any{"resolveProvider": true},
		"inlayHintProvider":          true,
		"executeCommandProvider":     map[string]any{"commands": commands},
		"semanticTokensProvider": map[string]any{
			"legend": map[string]any{"tokenTypes": kinds, "tokenModifiers": []string{}}, "full": true,
		},
		"workspace": map[string]any{"textDocumentContent": map[string]any{"schemes": []string{"setpiece"}}},
	}
}

var (
	completionKinds = map[string]int{"verb": 3, "rule": 3, "function": 3, "clause": 5, "field": 5, "trait": 10, "character": 6, "variable": 6, "sheet": 7, "value": 20, "option": 13, "word": 14, "module": 9, "variant": 9, "file": 17, "decision": 23, "moment": 23, "feature": 11}
	symbolKinds     = map[string]int{"system": 2, "option": 14, "words": 10, "table": 18, "sheet": 5, "rule": 12, "verb": 6, "clauses": 11, "special rule": 11, "moment": 24, "decision": 24, "goal": 14, "check": 12, "variable": 13, "test": 12, "tactics": 6}
)

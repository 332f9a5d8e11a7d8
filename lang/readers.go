// Code generated from grammar.go by go test ./lang -run Readers -update. DO NOT EDIT.

package lang

import "github.com/alecthomas/participle/v2"

func (p *parser) readFile(lex stream, g *fileG) match {
	if x, err := p.parseStatements(lex); err != nil {
		return missed(err)
	} else {
		g.Stmts = x
	}
	return matched
}

func (p *parser) readUse(lex stream, g *useG) match {
	if t := lex.Peek(); t.Value != "use" {
		return absent
	}
	lex.Next()
	if t := lex.Peek(); t.Type != kindWord {
		return mistaken
	}
	g.Name = *lex.Next()
	if t := lex.Peek(); t.Type == kindNum {
		if x := new(versionG); p.readVersion(lex, x) != matched {
			return mistaken
		} else {
			g.Version = x
		}
	}
	if t := lex.Peek(); t.Value == "with" {
		lex.Next()
		if x := new(settingG); p.readSetting(lex, x) != matched {
			return mistaken
		} else {
			g.With = append(g.With, x)
		}
		for t := lex.Peek(); t.Value == ","; t = lex.Peek() {
			lex.Next()
			if x := new(settingG); p.readSetting(lex, x) != matched {
				return mistaken
			} else {
				g.With = append(g.With, x)
			}
		}
	}
	return matched
}

func (p *parser) readInclude(lex stream, g *includeG) match {
	if t := lex.Peek(); t.Value != "include" {
		return absent
	}
	lex.Next()
	if t := lex.Peek(); t.Type != kindText {
		return mistaken
	}
	g.Path = *lex.Next()
	return matched
}

func (p *parser) readCast(lex stream, g *castG) match {
	if t := lex.Peek(); t.Value != "cast" {
		return absent
	}
	lex.Next()
	if t := lex.Peek(); t.Value != "from" {
		return mistaken
	}
	lex.Next()
	if t := lex.Peek(); t.Type != kindText {
		return mistaken
	}
	g.Path = *lex.Next()
	return matched
}

func (p *parser) readSystem(lex stream, g *systemG) match {
	if t := lex.Peek(); t.Value != "system" {
		return absent
	}
	lex.Next()
	if t := lex.Peek(); t.Type != kindWord {
		return mistaken
	}
	g.Name = *lex.Next()
	if t := lex.Peek(); t.Type == kindText {
		g.Doc = lex.Next()
	}
	for t := lex.Peek(); t.Value == "version" || t.Value == "by" || t.Value == "licence" || t.Value == "needs"; t = lex.Peek() {
		if x := new(factG); p.readFact(lex, x) != matched {
			return mistaken
		} else {
			g.Facts = append(g.Facts, x)
		}
	}
	return matched
}

func (p *parser) readVariant(lex stream, g *variantG) match {
	if t := lex.Peek(); t.Value != "variant" {
		return absent
	}
	lex.Next()
	if t := lex.Peek(); t.Type != kindWord {
		return mistaken
	}
	g.Name = *lex.Next()
	if t := lex.Peek(); t.Value != "of" {
		return mistaken
	}
	lex.Next()
	if t := lex.Peek(); t.Type != kindWord {
		return mistaken
	}
	g.Base = *lex.Next()
	if t := lex.Peek(); t.Type == kindNum {
		if x := new(versionG); p.readVersion(lex, x) != matched {
			return mistaken
		} else {
			g.Of = x
		}
	}
	if t := lex.Peek(); t.Type == kindText {
		g.Doc = lex.Next()
	}
	for t := lex.Peek(); t.Value == "version" || t.Value == "by" || t.Value == "licence" || t.Value == "needs"; t = lex.Peek() {
		if x := new(factG); p.readFact(lex, x) != matched {
			return mistaken
		} else {
			g.Facts = append(g.Facts, x)
		}
	}
	return matched
}

func (p *parser) readSpans(lex stream, g *spansG) match {
	if t := lex.Peek(); t.Value != "spans" {
		return absent
	}
	lex.Next()
	from := lex.RawCursor()
	if t := lex.Peek(); t.Type != kindWord {
		return mistaken
	}
	lex.Next()
	for t := lex.Peek(); t.Value == ">"; t = lex.Peek() {
		lex.Next()
		if t := lex.Peek(); t.Type != kindWord {
			return mistaken
		}
		lex.Next()
	}
	g.Names = lex.Range(from, lex.RawCursor())
	return matched
}

func (p *parser) readStandIn(lex stream, g *standInG) match {
	if t := lex.Peek(); t.Value != "standin" {
		return absent
	}
	lex.Next()
	if t := lex.Peek(); t.Type != kindWord {
		return mistaken
	}
	g.Sheet = *lex.Next()
	if t := lex.Peek(); t.Type != kindName && t.Type != kindText {
		return mistaken
	}
	g.Name = *lex.Next()
	return matched
}

func (p *parser) readOption(lex stream, g *optionG) match {
	if t := lex.Peek(); t.Value != "option" {
		return absent
	}
	lex.Next()
	if t := lex.Peek(); t.Type != kindWord {
		return mistaken
	}
	g.Name = *lex.Next()
	if t := lex.Peek(); t.Value == "=" {
		lex.Next()
		if x, err := p.parseChoice(lex); err != nil {
			return mistaken
		} else {
			g.Values = append(g.Values, x)
		}
		for t := lex.Peek(); t.Value == "|"; t = lex.Peek() {
			lex.Next()
			if x, err := p.parseChoice(lex); err != nil {
				return mistaken
			} else {
				g.Values = append(g.Values, x)
			}
		}
		if t := lex.Peek(); t.Type == kindText {
			g.Doc = lex.Next()
		}
	} else if t := lex.Peek(); t.Type == kindText {
		g.Asked = lex.Next()
		if x, err := p.parseChoices(lex); err != nil {
			return mistaken
		} else {
			g.Body = x
		}
	} else if x, err := p.parseChoices(lex); err == nil {
		g.Bare = x
	} else {
		return mistaken
	}
	return matched
}

func (p *parser) readWords(lex stream, g *wordsG) match {
	if t := lex.Peek(); t.Value != "words" {
		return absent
	}
	lex.Next()
	if t := lex.Peek(); t.Type != kindWord {
		return mistaken
	}
	g.Name = *lex.Next()
	if t := lex.Peek(); t.Type == kindText {
		g.Doc = lex.Next()
	}
	if x, err := p.parseChoices(lex); err != nil {
		return mistaken
	} else {
		g.Body = x
	}
	return matched
}

func (p *parser) readRemove(lex stream, g *removeG) match {
	if t := lex.Peek(); t.Value != "remove" {
		return absent
	}
	lex.Next()
	if t := lex.Peek(); t.Type != kindWord {
		return mistaken
	}
	g.Kind = *lex.Next()
	if t := lex.Peek(); t.Type != kindWord {
		return mistaken
	}
	g.Name = *lex.Next()
	if t := lex.Peek(); t.Value == "of" {
		lex.Next()
		if t := lex.Peek(); t.Type != kindWord {
			return mistaken
		}
		g.Of = lex.Next()
	}
	return matched
}

func (p *parser) readTable(lex stream, g *tableG) match {
	if t := lex.Peek(); t.Value != "table" {
		return absent
	}
	lex.Next()
	if t := lex.Peek(); t.Type != kindWord {
		return mistaken
	}
	g.Name = *lex.Next()
	if t := lex.Peek(); t.Value == "(" {
		lex.Next()
		if t := lex.Peek(); t.Type == kindWord {
			from := lex.RawCursor()
			lex.Next()
			for t := lex.Peek(); t.Value == ","; t = lex.Peek() {
				lex.Next()
				if t := lex.Peek(); t.Type != kindWord {
					return mistaken
				}
				lex.Next()
			}
			g.Params = lex.Range(from, lex.RawCursor())
		}
		if t := lex.Peek(); t.Value != ")" {
			return mistaken
		}
		lex.Next()
	}
	if t := lex.Peek(); t.Type == kindText {
		g.Doc = lex.Next()
	}
	if x, err := p.parseRows(lex); err != nil {
		return mistaken
	} else {
		g.Rows = x
	}
	return matched
}

func (p *parser) readSheet(lex stream, g *sheetG) match {
	if t := lex.Peek(); t.Value != "sheet" {
		return absent
	}
	lex.Next()
	if t := lex.Peek(); t.Type != kindWord {
		return mistaken
	}
	g.Name = *lex.Next()
	if t := lex.Peek(); t.Value == "is" {
		lex.Next()
		if t := lex.Peek(); t.Type != kindWord {
			return mistaken
		}
		g.Base = lex.Next()
	}
	if t := lex.Peek(); t.Type == kindText {
		g.Doc = lex.Next()
	}
	if t := lex.Peek(); t.Value == "of" {
		lex.Next()
		if t := lex.Peek(); t.Value != "players" {
			return mistaken
		}
		g.Mine = lex.Next()
	}
	if t := lex.Peek(); t.Value == "out" {
		lex.Next()
		if t := lex.Peek(); t.Value != "when" {
			return mistaken
		}
		lex.Next()
		if x, err := p.parseExpr(lex); err != nil {
			return mistaken
		} else {
			g.Out = x
		}
	}
	if x, err := p.parseSheet(lex); err != nil {
		return mistaken
	} else {
		g.Body = x
	}
	return matched
}

func (p *parser) readRule(lex stream, g *ruleG) match {
	if t := lex.Peek(); t.Value != "rule" {
		return absent
	}
	lex.Next()
	if t := lex.Peek(); t.Type != kindWord {
		return mistaken
	}
	g.Name = *lex.Next()
	if t := lex.Peek(); t.Value == "(" {
		if x := new(paramsG); p.readParams(lex, x) != matched {
			return mistaken
		} else {
			g.Params = x
		}
	}
	if t := lex.Peek(); t.Type == kindText {
		g.Doc = lex.Next()
	}
	if t := lex.Peek(); t.Value == "=" {
		lex.Next()
		if x, err := p.parseExpr(lex); err != nil {
			return mistaken
		} else {
			g.Value = x
		}
	} else if x, err := p.parseBlock(lex); err == nil {
		g.Body = x
	} else {
		return mistaken
	}
	return matched
}

func (p *parser) readVerb(lex stream, g *verbG) match {
	if t := lex.Peek(); t.Value != "verb" {
		return absent
	}
	lex.Next()
	if t := lex.Peek(); t.Type != kindWord {
		return mistaken
	}
	g.Name = *lex.Next()
	for t := lex.Peek(); t.Type == kindWord || t.Type == kindCaps || t.Value == "(" || t.Value == "["; t = lex.Peek() {
		if x, m := p.readPattern(lex); m != matched {
			return mistaken
		} else {
			g.Pattern = append(g.Pattern, x)
		}
	}
	if t := lex.Peek(); t.Type == kindText {
		g.Doc = lex.Next()
	}
	if t := lex.Peek(); t.Value == "without" {
		lex.Next()
		if t := lex.Peek(); t.Value != "actor" {
			return mistaken
		}
		g.Nobody = lex.Next()
	}
	if t := lex.Peek(); t.Value == "between" {
		lex.Next()
		if t := lex.Peek(); t.Value != "turns" {
			return mistaken
		}
		g.Between = lex.Next()
	}
	if t := lex.Peek(); t.Value == "as" {
		lex.Next()
		if t := lex.Peek(); t.Type != kindWord {
			return mistaken
		}
		g.As = lex.Next()
	}
	if x, err := p.parseVerbBody(lex); err != nil {
		return mistaken
	} else {
		g.Body = x
	}
	return matched
}

func (p *parser) readClauseSet(lex stream, g *clauseSetG) match {
	if t := lex.Peek(); t.Value != "clauses" {
		return absent
	}
	lex.Next()
	if t := lex.Peek(); t.Type != kindWord {
		return mistaken
	}
	g.Name = *lex.Next()
	if t := lex.Peek(); t.Value == "(" {
		if x := new(paramsG); p.readParams(lex, x) != matched {
			return mistaken
		} else {
			g.Params = x
		}
	}
	if t := lex.Peek(); t.Value == "is" {
		lex.Next()
		if t := lex.Peek(); t.Type != kindWord {
			return mistaken
		}
		g.Base = lex.Next()
	}
	if t := lex.Peek(); t.Type == kindText {
		g.Doc = lex.Next()
	}
	if x, err := p.parseClauses(lex); err != nil {
		return mistaken
	} else {
		g.Body = x
	}
	return matched
}

func (p *parser) readFeature(lex stream, g *featureG) match {
	if t := lex.Peek(); t.Value != "feature" {
		return absent
	}
	lex.Next()
	if t := lex.Peek(); t.Type != kindWord {
		return mistaken
	}
	g.Name = *lex.Next()
	if t := lex.Peek(); t.Value == "(" {
		if x := new(paramsG); p.readParams(lex, x) != matched {
			return mistaken
		} else {
			g.Params = x
		}
	}
	if t := lex.Peek(); t.Type == kindText {
		g.Doc = lex.Next()
	}
	if t := lex.Peek(); t.Value != "on" {
		return mistaken
	}
	lex.Next()
	if t := lex.Peek(); t.Value == "every" {
		lex.Next()
		g.Every = true
	}
	if t := lex.Peek(); t.Type != kindWord {
		return mistaken
	}
	g.On = *lex.Next()
	if x, err := p.parseFeature(lex); err != nil {
		return mistaken
	} else {
		g.Body = x
	}
	return matched
}

func (p *parser) readHook(lex stream, g *hookG) match {
	if t := lex.Peek(); t.Value != "hook" {
		return absent
	}
	lex.Next()
	if t := lex.Peek(); t.Type != kindWord {
		return mistaken
	}
	g.Name = *lex.Next()
	if t := lex.Peek(); t.Value == "(" {
		lex.Next()
		if t := lex.Peek(); t.Type == kindWord {
			from := lex.RawCursor()
			lex.Next()
			for t := lex.Peek(); t.Value == ","; t = lex.Peek() {
				lex.Next()
				if t := lex.Peek(); t.Type != kindWord {
					return mistaken
				}
				lex.Next()
			}
			g.Params = lex.Range(from, lex.RawCursor())
		}
		if t := lex.Peek(); t.Value != ")" {
			return mistaken
		}
		lex.Next()
	}
	if t := lex.Peek(); t.Type == kindText {
		g.Doc = lex.Next()
	}
	return matched
}

func (p *parser) readDecision(lex stream, g *decisionG) match {
	if t := lex.Peek(); t.Value != "decision" {
		return absent
	}
	lex.Next()
	if t := lex.Peek(); t.Type != kindWord {
		return mistaken
	}
	g.Name = *lex.Next()
	if t := lex.Peek(); t.Type == kindText {
		g.Doc = lex.Next()
	}
	if t := lex.Peek(); t.Value == "by" {
		lex.Next()
		if t := lex.Peek(); t.Type != kindText {
			return mistaken
		}
		g.By = lex.Next()
	}
	if t := lex.Peek(); t.Value == "from" {
		lex.Next()
		if t := lex.Peek(); t.Type != kindText {
			return mistaken
		}
		g.From = lex.Next()
	}
	if t := lex.Peek(); t.Value == "default" {
		lex.Next()
		if t := lex.Peek(); t.Type != kindText {
			return mistaken
		}
		g.Default = lex.Next()
	}
	if t := lex.Peek(); t.Value == "asks" || t.Value == "offers" || t.Value == "usual" {
		g.Manner = lex.Next()
	}
	return matched
}

func (p *parser) readHandler(lex stream, g *handlerG) match {
	if t := lex.Peek(); t.Value != "on" {
		return absent
	}
	lex.Next()
	if t := lex.Peek(); t.Type != kindWord {
		return mistaken
	}
	g.Hook = *lex.Next()
	if t := lex.Peek(); t.Value == "(" {
		lex.Next()
		if t := lex.Peek(); t.Type == kindWord {
			from := lex.RawCursor()
			lex.Next()
			for t := lex.Peek(); t.Value == ","; t = lex.Peek() {
				lex.Next()
				if t := lex.Peek(); t.Type != kindWord {
					return mistaken
				}
				lex.Next()
			}
			g.Params = lex.Range(from, lex.RawCursor())
		}
		if t := lex.Peek(); t.Value != ")" {
			return mistaken
		}
		lex.Next()
	}
	if t := lex.Peek(); t.Value == "when" {
		lex.Next()
		if x, err := p.parseExpr(lex); err != nil {
			return mistaken
		} else {
			g.When = x
		}
	}
	if x, err := p.parseBlock(lex); err != nil {
		return mistaken
	} else {
		g.Body = x
	}
	return matched
}

func (p *parser) readGoal(lex stream, g *goalG) match {
	if t := lex.Peek(); t.Value != "goal" {
		return absent
	}
	lex.Next()
	if t := lex.Peek(); t.Type != kindWord {
		return mistaken
	}
	g.Name = *lex.Next()
	if t := lex.Peek(); t.Value == "(" {
		lex.Next()
		if t := lex.Peek(); t.Type == kindWord {
			from := lex.RawCursor()
			lex.Next()
			for t := lex.Peek(); t.Value == ","; t = lex.Peek() {
				lex.Next()
				if t := lex.Peek(); t.Type != kindWord {
					return mistaken
				}
				lex.Next()
			}
			g.Params = lex.Range(from, lex.RawCursor())
		}
		if t := lex.Peek(); t.Value != ")" {
			return mistaken
		}
		lex.Next()
	}
	if t := lex.Peek(); t.Type == kindText {
		g.Doc = lex.Next()
	}
	if t := lex.Peek(); t.Value == "after" {
		lex.Next()
		from := lex.RawCursor()
		if t := lex.Peek(); t.Type != kindWord {
			return mistaken
		}
		lex.Next()
		for t := lex.Peek(); t.Value == ","; t = lex.Peek() {
			lex.Next()
			if t := lex.Peek(); t.Type != kindWord {
				return mistaken
			}
			lex.Next()
		}
		g.After = lex.Range(from, lex.RawCursor())
	}
	if t := lex.Peek(); t.Value != "=" {
		return mistaken
	}
	lex.Next()
	if x, err := p.parseExpr(lex); err != nil {
		return mistaken
	} else {
		g.Value = x
	}
	return matched
}

func (p *parser) readCheck(lex stream, g *checkG) match {
	if t := lex.Peek(); t.Value != "check" {
		return absent
	}
	lex.Next()
	if t := lex.Peek(); t.Type != kindWord {
		return mistaken
	}
	g.Name = *lex.Next()
	if t := lex.Peek(); t.Value != "of" {
		return mistaken
	}
	lex.Next()
	if t := lex.Peek(); t.Type != kindWord {
		return mistaken
	}
	g.Of = *lex.Next()
	if t := lex.Peek(); t.Type == kindText {
		g.Doc = lex.Next()
	}
	if t := lex.Peek(); t.Value == "always" {
		g.Always = lex.Next()
	}
	if x, err := p.parseBlock(lex); err != nil {
		return mistaken
	} else {
		g.Body = x
	}
	return matched
}

func (p *parser) readTest(lex stream, g *testG) match {
	if t := lex.Peek(); t.Value != "test" {
		return absent
	}
	lex.Next()
	if t := lex.Peek(); t.Type != kindText {
		return mistaken
	}
	g.Name = *lex.Next()
	if t := lex.Peek(); t.Value == "after" {
		lex.Next()
		if t := lex.Peek(); t.Type != kindText {
			return mistaken
		}
		g.After = lex.Next()
	}
	if x, err := p.parseBlock(lex); err != nil {
		return mistaken
	} else {
		g.Body = x
	}
	return matched
}

func (p *parser) readTactics(lex stream, g *tacticsG) match {
	if t := lex.Peek(); t.Value != "tactics" {
		return absent
	}
	lex.Next()
	from := lex.RawCursor()
	if t := lex.Peek(); t.Type == kindName {
		lex.Next()
	} else if t := lex.Peek(); t.Type == kindText {
		lex.Next()
	} else if t := lex.Peek(); t.Type == kindWord {
		lex.Next()
	} else {
		return mistaken
	}
	for t := lex.Peek(); t.Value == ","; t = lex.Peek() {
		lex.Next()
		if t := lex.Peek(); t.Type == kindName {
			lex.Next()
		} else if t := lex.Peek(); t.Type == kindText {
			lex.Next()
		} else if t := lex.Peek(); t.Type == kindWord {
			lex.Next()
		} else {
			return mistaken
		}
	}
	g.Who = lex.Range(from, lex.RawCursor())
	if x, err := p.parseTactics(lex); err != nil {
		return mistaken
	} else {
		g.Body = x
	}
	return matched
}

func (p *parser) readLet(lex stream, g *letG) match {
	if t := lex.Peek(); t.Value != "let" {
		return absent
	}
	lex.Next()
	if t := lex.Peek(); t.Type != kindWord {
		return mistaken
	}
	g.Name = *lex.Next()
	if t := lex.Peek(); t.Value != "=" {
		return mistaken
	}
	lex.Next()
	if x, err := p.parseExpr(lex); err != nil {
		return mistaken
	} else {
		g.Value = x
	}
	return matched
}

func (p *parser) readIf(lex stream, g *ifG) match {
	if t := lex.Peek(); t.Value != "if" {
		return absent
	}
	lex.Next()
	if x, err := p.parseExpr(lex); err != nil {
		return mistaken
	} else {
		g.Cond = x
	}
	if t := lex.Peek(); t.Value == "then" {
		lex.Next()
		if x, err := p.parseExpr(lex); err != nil {
			return mistaken
		} else {
			g.A = x
		}
		if t := lex.Peek(); t.Value != "else" {
			return mistaken
		}
		lex.Next()
		if x, err := p.parseExpr(lex); err != nil {
			return mistaken
		} else {
			g.B = x
		}
	} else if x, err := p.parseBlock(lex); err == nil {
		g.Then = x
		for t := lex.Peek(); t.Value == "else"; t = lex.Peek() {
			if x := new(elseG); p.readElse(lex, x) != matched {
				return mistaken
			} else {
				g.Else = append(g.Else, x)
			}
		}
	} else {
		return mistaken
	}
	return matched
}

func (p *parser) readFor(lex stream, g *forG) match {
	if t := lex.Peek(); t.Value != "for" {
		return absent
	}
	lex.Next()
	if t := lex.Peek(); t.Type != kindWord {
		return mistaken
	}
	g.Var = *lex.Next()
	if t := lex.Peek(); t.Value != "in" {
		return mistaken
	}
	lex.Next()
	if x, err := p.parseExpr(lex); err != nil {
		return mistaken
	} else {
		g.In = x
	}
	if t := lex.Peek(); t.Value == "where" {
		lex.Next()
		if x, err := p.parseExpr(lex); err != nil {
			return mistaken
		} else {
			g.Where = x
		}
	}
	if x, err := p.parseBlock(lex); err != nil {
		return mistaken
	} else {
		g.Body = x
	}
	return matched
}

func (p *parser) readWhile(lex stream, g *whileG) match {
	if t := lex.Peek(); t.Value != "while" {
		return absent
	}
	lex.Next()
	if x, err := p.parseExpr(lex); err != nil {
		return mistaken
	} else {
		g.Cond = x
	}
	if x, err := p.parseBlock(lex); err != nil {
		return mistaken
	} else {
		g.Body = x
	}
	return matched
}

func (p *parser) readRepeat(lex stream, g *repeatG) match {
	if t := lex.Peek(); t.Value != "repeat" {
		return absent
	}
	lex.Next()
	if x, err := p.parseExpr(lex); err != nil {
		return mistaken
	} else {
		g.Count = x
	}
	if x, err := p.parseBlock(lex); err != nil {
		return mistaken
	} else {
		g.Body = x
	}
	return matched
}

func (p *parser) readJump(lex stream, g *jumpG) match {
	if t := lex.Peek(); t.Value != "stop" && t.Value != "next" {
		return absent
	}
	g.Word = lex.Next().Value
	return matched
}

func (p *parser) readReturn(lex stream, g *returnG) match {
	if t := lex.Peek(); t.Value != "return" {
		return absent
	}
	g.Word = lex.Next().Value
	if x, err := p.parseExpr(lex); err == nil {
		g.Value = x
	} else if err != participle.NextMatch {
		return mistaken
	}
	return matched
}

func (p *parser) readSay(lex stream, g *sayG) match {
	if t := lex.Peek(); t.Value != "refuse" && t.Value != "fault" && t.Value != "warn" && t.Value != "note" && t.Value != "brief" && t.Value != "print" {
		return absent
	}
	g.Kind = lex.Next().Value
	if x, err := p.parseExpr(lex); err != nil {
		return mistaken
	} else {
		g.Text = x
	}
	if t := lex.Peek(); t.Value == "at" {
		lex.Next()
		if x, err := p.parseExpr(lex); err != nil {
			return mistaken
		} else {
			g.At = x
		}
	}
	if t := lex.Peek(); t.Value == "to" {
		lex.Next()
		if t := lex.Peek(); t.Value != "players" {
			return mistaken
		}
		lex.Next()
		g.To = true
	}
	return matched
}

func (p *parser) readOffer(lex stream, g *offerG) match {
	if t := lex.Peek(); t.Value != "offer" {
		return absent
	}
	lex.Next()
	if t := lex.Peek(); t.Type != kindWord {
		return mistaken
	}
	g.Name = *lex.Next()
	if t := lex.Peek(); t.Value != "to" {
		return mistaken
	}
	lex.Next()
	if x, err := p.parseExpr(lex); err != nil {
		return mistaken
	} else {
		g.To = x
	}
	if x, err := p.parseQuestion(lex); err == nil {
		g.Prompt = x
	} else if err != participle.NextMatch {
		return mistaken
	}
	for t := lex.Peek(); t.Value == "costs" || t.Value == "when" || t.Value == "answer" || t.Value == "default" || t.Value == "unasked" || t.Value == "usual"; t = lex.Peek() {
		if x := new(offerPartG); p.readOfferPart(lex, x) != matched {
			return mistaken
		} else {
			g.Parts = append(g.Parts, x)
		}
	}
	if x, err := p.parseBlock(lex); err != nil {
		return mistaken
	} else {
		g.Body = x
	}
	if t := lex.Peek(); t.Value == "else" {
		lex.Next()
		if x, err := p.parseBlock(lex); err != nil {
			return mistaken
		} else {
			g.Else = x
		}
	}
	return matched
}

func (p *parser) readSignal(lex stream, g *signalG) match {
	if t := lex.Peek(); t.Value != "signal" {
		return absent
	}
	lex.Next()
	if t := lex.Peek(); t.Type != kindWord {
		return mistaken
	}
	g.Hook = *lex.Next()
	if t := lex.Peek(); t.Value == "(" {
		lex.Next()
		if x, err := p.parseExpr(lex); err == nil {
			g.Args = append(g.Args, x)
			for t := lex.Peek(); t.Value == ","; t = lex.Peek() {
				lex.Next()
				if x, err := p.parseExpr(lex); err != nil {
					return mistaken
				} else {
					g.Args = append(g.Args, x)
				}
			}
		} else if err != participle.NextMatch {
			return mistaken
		}
		if t := lex.Peek(); t.Value != ")" {
			return mistaken
		}
		lex.Next()
	}
	if t := lex.Peek(); t.Value != "to" {
		return mistaken
	}
	lex.Next()
	if x, err := p.parseExpr(lex); err != nil {
		return mistaken
	} else {
		g.To = x
	}
	return matched
}

func (p *parser) readShow(lex stream, g *showG) match {
	if t := lex.Peek(); t.Value != "show" {
		return absent
	}
	lex.Next()
	if t := lex.Peek(); t.Type != kindWord {
		return mistaken
	}
	g.Kind = *lex.Next()
	if x, err := p.parseExpr(lex); err != nil {
		return mistaken
	} else {
		g.Label = x
	}
	if t := lex.Peek(); t.Value == "by" {
		lex.Next()
		if x, err := p.parseExpr(lex); err != nil {
			return mistaken
		} else {
			g.By = x
		}
	}
	if x, err := p.parseBlock(lex); err != nil {
		return mistaken
	} else {
		g.Body = x
	}
	return matched
}

func (p *parser) readOutcome(lex stream, g *outcomeG) match {
	if t := lex.Peek(); t.Value != "outcome" && t.Value != "stands" {
		return absent
	}
	g.Word = lex.Next().Value
	if x, err := p.parseExpr(lex); err != nil {
		return mistaken
	} else {
		g.Value = x
	}
	if t := lex.Peek(); t.Value == "," || t.Type == kindWord {
		if t := lex.Peek(); t.Value == "," {
			lex.Next()
		}
		if x := new(namedG); p.readNamed(lex, x) != matched {
			return mistaken
		} else {
			g.Fields = append(g.Fields, x)
		}
		for t := lex.Peek(); t.Value == ","; t = lex.Peek() {
			lex.Next()
			if x := new(namedG); p.readNamed(lex, x) != matched {
				return mistaken
			} else {
				g.Fields = append(g.Fields, x)
			}
		}
	}
	return matched
}

func (p *parser) readBoundary(lex stream, g *boundaryG) match {
	if t := lex.Peek(); t.Value != "begin" && t.Value != "end" {
		return absent
	}
	g.Word = lex.Next().Value
	if t := lex.Peek(); t.Type != kindWord {
		return mistaken
	}
	g.Name = *lex.Next()
	if t := lex.Peek(); t.Value == "as" {
		lex.Next()
		if x, err := p.parseExpr(lex); err != nil {
			return mistaken
		} else {
			g.Title = x
		}
	}
	if t := lex.Peek(); t.Value == "secret" {
		lex.Next()
		if t := lex.Peek(); t.Value != "when" {
			return mistaken
		}
		lex.Next()
		if x, err := p.parseExpr(lex); err != nil {
			return mistaken
		} else {
			g.Secret = x
		}
	}
	return matched
}

func (p *parser) readRun(lex stream, g *runG) match {
	if t := lex.Peek(); t.Value != "run" {
		return absent
	}
	g.Word = lex.Next().Value
	if t := lex.Peek(); t.Value != "block" {
		return mistaken
	}
	lex.Next()
	if t := lex.Peek(); t.Value == "for" {
		lex.Next()
		if x, err := p.parseExpr(lex); err != nil {
			return mistaken
		} else {
			g.For = x
		}
	}
	return matched
}

func (p *parser) readAct(lex stream, g *actG) match {
	if t := lex.Peek(); t.Value != "act" {
		return absent
	}
	lex.Next()
	if x, err := p.parseExpr(lex); err != nil {
		return mistaken
	} else {
		g.Who = x
	}
	if t := lex.Peek(); t.Value == "asked" {
		lex.Next()
		g.Asked = true
	}
	if t := lex.Peek(); t.Value == "until" {
		lex.Next()
		if x, err := p.parseExpr(lex); err != nil {
			return mistaken
		} else {
			g.Until = x
		}
	}
	return matched
}

func (p *parser) readExpect(lex stream, g *expectG) match {
	if t := lex.Peek(); t.Value != "expect" {
		return absent
	}
	lex.Next()
	if x, err := p.parseExpr(lex); err != nil {
		return mistaken
	} else {
		g.Cond = x
	}
	if t := lex.Peek(); t.Type == kindText {
		g.Text = lex.Next()
	}
	return matched
}

func (p *parser) readReport(lex stream, g *reportG) match {
	if t := lex.Peek(); t.Value != "report" {
		return absent
	}
	lex.Next()
	if x := new(reportedG); p.readReported(lex, x) != matched {
		return mistaken
	} else {
		g.Values = append(g.Values, x)
	}
	for t := lex.Peek(); t.Value == ","; t = lex.Peek() {
		lex.Next()
		if x := new(reportedG); p.readReported(lex, x) != matched {
			return mistaken
		} else {
			g.Values = append(g.Values, x)
		}
	}
	return matched
}

func (p *parser) readCommand(lex stream, g *commandG) match {
	if t := lex.Peek(); t.Type != kindWord && t.Type != kindCaps {
		return absent
	}
	g.Head = *lex.Next()
	if x, err := p.parseArgs(lex); err == nil {
		g.Args = x
	} else if err != participle.NextMatch {
		return mistaken
	}
	if x, err := p.parseBlock(lex); err == nil {
		g.Body = x
	} else if err != participle.NextMatch {
		return mistaken
	}
	return matched
}

func (p *parser) readActed(lex stream, g *actedG) match {
	if x, err := p.parseExpr(lex); err != nil {
		return missed(err)
	} else {
		g.Who = x
	}
	if t := lex.Peek(); t.Value != ":" {
		return mistaken
	}
	lex.Next()
	if x, err := p.parseCommand(lex); err != nil {
		return mistaken
	} else {
		g.Command = x
	}
	return matched
}

func (p *parser) readAssign(lex stream, g *assignG) match {
	if x, err := p.parseExpr(lex); err != nil {
		return missed(err)
	} else {
		g.Target = x
	}
	if t := lex.Peek(); t.Value == "=" || t.Value == "+=" || t.Value == "-=" {
		g.Op = lex.Next()
		if x, err := p.parseExpr(lex); err != nil {
			return mistaken
		} else {
			g.Value = x
		}
		if t := lex.Peek(); t.Value == "as" {
			lex.Next()
			if x, err := p.parseExpr(lex); err != nil {
				return mistaken
			} else {
				g.As = x
			}
		}
		if t := lex.Peek(); t.Value == "note" {
			lex.Next()
			if x, err := p.parseExpr(lex); err != nil {
				return mistaken
			} else {
				g.Note = x
			}
		}
	}
	return matched
}

func (p *parser) readField(lex stream, g *fieldG) match {
	if t := lex.Peek(); t.Type != kindWord {
		return absent
	}
	g.Name = *lex.Next()
	if x, err := p.parseType(lex); err != nil {
		return mistaken
	} else {
		g.Type = x
	}
	for t := lex.Peek(); t.Value == "=" || t.Value == "per" || t.Value == "as" || t.Value == "needed"; t = lex.Peek() {
		if x := new(fieldPartG); p.readFieldPart(lex, x) != matched {
			return mistaken
		} else {
			g.Parts = append(g.Parts, x)
		}
	}
	if t := lex.Peek(); t.Type == kindText {
		g.Doc = lex.Next()
	}
	return matched
}

func (p *parser) readSummary(lex stream, g *summaryG) match {
	if t := lex.Peek(); t.Value == "summary" {
		lex.Next()
	} else if t := lex.Peek(); t.Value == "reserves" {
		lex.Next()
	} else if t := lex.Peek(); t.Value == "at_hand" {
		lex.Next()
	} else {
		return absent
	}
	if x := new(summaryEntryG); p.readSummaryEntry(lex, x) != matched {
		return mistaken
	} else {
		g.List = append(g.List, x)
	}
	for t := lex.Peek(); t.Value == ","; t = lex.Peek() {
		lex.Next()
		if x := new(summaryEntryG); p.readSummaryEntry(lex, x) != matched {
			return mistaken
		} else {
			g.List = append(g.List, x)
		}
	}
	if t := lex.Peek(); t.Value == "when" {
		lex.Next()
		if x, err := p.parseExpr(lex); err != nil {
			return mistaken
		} else {
			g.When = x
		}
	}
	return matched
}

func (p *parser) readRow(lex stream, g *rowG) match {
	if t := lex.Peek(); t.Value == "else" {
		lex.Next()
		g.Else = true
	} else if x, err := p.parseExpr(lex); err == nil {
		g.Patterns = append(g.Patterns, x)
		for t := lex.Peek(); t.Value == ","; t = lex.Peek() {
			lex.Next()
			if x, err := p.parseExpr(lex); err != nil {
				return mistaken
			} else {
				g.Patterns = append(g.Patterns, x)
			}
		}
	} else if err != participle.NextMatch {
		return mistaken
	} else {
		return absent
	}
	if t := lex.Peek(); t.Value != "=>" {
		return mistaken
	}
	lex.Next()
	if x, err := p.parseExpr(lex); err != nil {
		return mistaken
	} else {
		g.Value = x
	}
	return matched
}

func (p *parser) readChoice(lex stream, g *choiceG) match {
	if x, err := p.parseChoice(lex); err != nil {
		return missed(err)
	} else {
		g.Value = x
	}
	if t := lex.Peek(); t.Type == kindText {
		g.Doc = lex.Next()
	}
	return matched
}

func (p *parser) readClause(lex stream, g *clauseG) match {
	if t := lex.Peek(); t.Value != "clause" {
		return absent
	}
	lex.Next()
	if t := lex.Peek(); t.Type != kindWord {
		return mistaken
	}
	g.Name = *lex.Next()
	if t := lex.Peek(); t.Type == kindText {
		g.Doc = lex.Next()
	}
	if t := lex.Peek(); t.Value == ":" || t.Value == "repeat" {
		if t := lex.Peek(); t.Value == ":" {
			lex.Next()
			if x, m := p.readPattern(lex); m != matched {
				return mistaken
			} else {
				g.Pattern = append(g.Pattern, x)
			}
			for t := lex.Peek(); t.Type == kindWord || t.Type == kindCaps || t.Value == "(" || t.Value == "["; t = lex.Peek() {
				if x, m := p.readPattern(lex); m != matched {
					return mistaken
				} else {
					g.Pattern = append(g.Pattern, x)
				}
			}
		} else if t := lex.Peek(); t.Value == "repeat" {
			lex.Next()
			g.Repeat = true
		} else {
			return mistaken
		}
	}
	if x, err := p.parseClauses(lex); err == nil {
		g.Nested = x
	} else if err != participle.NextMatch {
		return mistaken
	}
	return matched
}

func (p *parser) readUses(lex stream, g *usesG) match {
	if t := lex.Peek(); t.Value != "uses" {
		return absent
	}
	lex.Next()
	if t := lex.Peek(); t.Type != kindWord {
		return mistaken
	}
	g.Set = *lex.Next()
	if x, err := p.parseSlots(lex); err == nil {
		g.Args = x
	} else if err != participle.NextMatch {
		return mistaken
	}
	if t := lex.Peek(); t.Value != "as" {
		return mistaken
	}
	lex.Next()
	if t := lex.Peek(); t.Type != kindWord {
		return mistaken
	}
	g.As = *lex.Next()
	return matched
}

func (p *parser) readNeeds(lex stream, g *needsG) match {
	if t := lex.Peek(); t.Value == "needs" {
		lex.Next()
		if x, err := p.parseExpr(lex); err != nil {
			return mistaken
		} else {
			g.Cond = x
		}
		if x, err := p.parseExpr(lex); err != nil {
			return mistaken
		} else {
			g.Text = x
		}
	} else if t := lex.Peek(); t.Value == "excludes" {
		lex.Next()
		from := lex.RawCursor()
		if t := lex.Peek(); t.Type != kindWord {
			return mistaken
		}
		lex.Next()
		for t := lex.Peek(); t.Value == ","; t = lex.Peek() {
			lex.Next()
			if t := lex.Peek(); t.Type != kindWord {
				return mistaken
			}
			lex.Next()
		}
		g.Excludes = lex.Range(from, lex.RawCursor())
		if t := lex.Peek(); t.Type == kindText {
			g.Why = lex.Next()
		}
	} else if t := lex.Peek(); t.Value == "warns" {
		lex.Next()
		if x, err := p.parseExpr(lex); err != nil {
			return mistaken
		} else {
			g.Doubt = x
		}
		if x, err := p.parseExpr(lex); err != nil {
			return mistaken
		} else {
			g.Say = x
		}
	} else {
		return absent
	}
	if t := lex.Peek(); t.Value == "at" {
		lex.Next()
		if t := lex.Peek(); t.Type != kindWord {
			return mistaken
		}
		g.At = lex.Next()
	}
	return matched
}

func (p *parser) readAnswer(lex stream, g *answerG) match {
	if t := lex.Peek(); t.Value == "when" || t.Value == "otherwise" {
		if t := lex.Peek(); t.Value == "when" {
			lex.Next()
			if x, err := p.parseExpr(lex); err != nil {
				return mistaken
			} else {
				g.Cond = x
			}
			if t := lex.Peek(); t.Value != ":" {
				return mistaken
			}
			lex.Next()
		} else if t := lex.Peek(); t.Value == "otherwise" {
			lex.Next()
			g.Otherwise = true
			if t := lex.Peek(); t.Value != ":" {
				return mistaken
			}
			lex.Next()
		} else {
			return mistaken
		}
		if x, err := p.parseCommand(lex); err != nil {
			return mistaken
		} else {
			g.Do = x
		}
	} else if t := lex.Peek(); t.Value == "on" {
		lex.Next()
		if t := lex.Peek(); t.Type != kindWord {
			return mistaken
		}
		g.On = lex.Next()
		if t := lex.Peek(); t.Value != ":" {
			return mistaken
		}
		lex.Next()
		if x, err := p.parseExpr(lex); err != nil {
			return mistaken
		} else {
			g.Answer = x
		}
		if t := lex.Peek(); t.Value == "when" {
			lex.Next()
			if x, err := p.parseExpr(lex); err != nil {
				return mistaken
			} else {
				g.When = x
			}
		}
	} else {
		return absent
	}
	return matched
}

func (p *parser) readChoose(lex stream, g *chooseG) match {
	if t := lex.Peek(); t.Value != "choose" {
		return absent
	}
	lex.Next()
	if t := lex.Peek(); t.Type != kindWord {
		return mistaken
	}
	g.Name = *lex.Next()
	if t := lex.Peek(); t.Value != "by" {
		return mistaken
	}
	lex.Next()
	if x, err := p.parseExpr(lex); err != nil {
		return mistaken
	} else {
		g.By = x
	}
	if t := lex.Peek(); t.Value != "from" {
		return mistaken
	}
	lex.Next()
	if x, err := p.parseExpr(lex); err != nil {
		return mistaken
	} else {
		g.From = x
	}
	if t := lex.Peek(); t.Type == kindText {
		g.Prompt = lex.Next()
	}
	for t := lex.Peek(); t.Value == "costs" || t.Value == "notes" || t.Value == "answer" || t.Value == "default" || t.Value == "unasked" || t.Value == "usual"; t = lex.Peek() {
		if x := new(choosePartG); p.readChoosePart(lex, x) != matched {
			return mistaken
		} else {
			g.Parts = append(g.Parts, x)
		}
	}
	return matched
}

func (p *parser) readNew(lex stream, g *newG) match {
	if t := lex.Peek(); t.Value != "new" {
		return absent
	}
	lex.Next()
	if t := lex.Peek(); t.Type != kindWord {
		return mistaken
	}
	g.Sheet = *lex.Next()
	if x, err := p.parseSlots(lex); err != nil {
		return mistaken
	} else {
		g.Fields = x
	}
	return matched
}

func (p *parser) readSlot(lex stream, g *slotG) match {
	if t := lex.Peek(); t.Type != kindWord {
		return absent
	}
	g.Name = *lex.Next()
	if t := lex.Peek(); t.Value != ":" {
		return mistaken
	}
	lex.Next()
	if x, err := p.parseExpr(lex); err != nil {
		return mistaken
	} else {
		g.Value = x
	}
	return matched
}

func (p *parser) readVersion(lex stream, g *versionG) match {
	if t := lex.Peek(); t.Type != kindNum {
		return absent
	}
	g.Number = *lex.Next()
	if t := lex.Peek(); t.Value == "." {
		lex.Next()
		if t := lex.Peek(); t.Type != kindNum {
			return mistaken
		}
		g.Patch = lex.Next()
	}
	return matched
}

func (p *parser) readSetting(lex stream, g *settingG) match {
	if t := lex.Peek(); t.Type != kindWord {
		return absent
	}
	g.Name = *lex.Next()
	if t := lex.Peek(); t.Value == "." {
		from := lex.RawCursor()
		lex.Next()
		if t := lex.Peek(); t.Type != kindWord {
			return mistaken
		}
		lex.Next()
		for t := lex.Peek(); t.Value == "."; t = lex.Peek() {
			lex.Next()
			if t := lex.Peek(); t.Type != kindWord {
				return mistaken
			}
			lex.Next()
		}
		g.ID = lex.Range(from, lex.RawCursor())
	}
	if t := lex.Peek(); t.Value == "=" {
		lex.Next()
		if x, err := p.parseExpr(lex); err != nil {
			return mistaken
		} else {
			g.Value = x
		}
	}
	return matched
}

func (p *parser) readFact(lex stream, g *factG) match {
	if t := lex.Peek(); t.Value == "version" {
		lex.Next()
		if x := new(versionG); p.readVersion(lex, x) != matched {
			return mistaken
		} else {
			g.Version = x
		}
	} else if t := lex.Peek(); t.Value == "by" {
		lex.Next()
		if t := lex.Peek(); t.Type != kindText {
			return mistaken
		}
		g.By = lex.Next()
	} else if t := lex.Peek(); t.Value == "licence" {
		lex.Next()
		if t := lex.Peek(); t.Type != kindText {
			return mistaken
		}
		g.Licence = lex.Next()
	} else if t := lex.Peek(); t.Value == "needs" {
		lex.Next()
		if t := lex.Peek(); t.Value != "setpiece" {
			return mistaken
		}
		lex.Next()
		if x := new(versionG); p.readVersion(lex, x) != matched {
			return mistaken
		} else {
			g.Needs = x
		}
	} else {
		return absent
	}
	return matched
}

func (p *parser) readParams(lex stream, g *paramsG) match {
	if t := lex.Peek(); t.Value != "(" {
		return absent
	}
	g.Open = *lex.Next()
	if t := lex.Peek(); t.Type == kindWord {
		if x := new(paramG); p.readParam(lex, x) != matched {
			return mistaken
		} else {
			g.List = append(g.List, x)
		}
		for t := lex.Peek(); t.Value == ","; t = lex.Peek() {
			lex.Next()
			if x := new(paramG); p.readParam(lex, x) != matched {
				return mistaken
			} else {
				g.List = append(g.List, x)
			}
		}
	}
	if t := lex.Peek(); t.Value != ")" {
		return mistaken
	}
	lex.Next()
	return matched
}

func (p *parser) readPattern(lex stream) (pattern, match) {
	switch t := lex.Peek(); {
	case t.Type == kindWord || t.Type == kindCaps:
		g := &patWordG{}
		return g, p.readPatWord(lex, g)
	case t.Value == "(":
		g := &patSlotG{}
		return g, p.readPatSlot(lex, g)
	case t.Value == "[":
		g := &patOptG{}
		return g, p.readPatOpt(lex, g)
	}
	return nil, absent
}

func (p *parser) readElse(lex stream, g *elseG) match {
	if t := lex.Peek(); t.Value != "else" {
		return absent
	}
	lex.Next()
	if t := lex.Peek(); t.Value == "if" {
		g.If = lex.Next()
		if x, err := p.parseExpr(lex); err != nil {
			return mistaken
		} else {
			g.Cond = x
		}
		if x, err := p.parseBlock(lex); err != nil {
			return mistaken
		} else {
			g.Then = x
		}
	} else if x, err := p.parseBlock(lex); err == nil {
		g.Body = x
	} else {
		return mistaken
	}
	return matched
}

func (p *parser) readOfferPart(lex stream, g *offerPartG) match {
	if t := lex.Peek(); t.Value == "costs" {
		lex.Next()
		if x, err := p.parseExpr(lex); err != nil {
			return mistaken
		} else {
			g.Cost = x
		}
		if t := lex.Peek(); t.Type != kindWord {
			return mistaken
		}
		g.Field = lex.Next()
		if t := lex.Peek(); t.Value == "of" {
			lex.Next()
			if x, err := p.parseExpr(lex); err != nil {
				return mistaken
			} else {
				g.Payer = x
			}
		}
	} else if t := lex.Peek(); t.Value == "when" {
		lex.Next()
		if x, err := p.parseExpr(lex); err != nil {
			return mistaken
		} else {
			g.When = x
		}
	} else if t := lex.Peek(); t.Value == "answer" {
		lex.Next()
		if x, err := p.parseExpr(lex); err != nil {
			return mistaken
		} else {
			g.Answer = x
		}
	} else if t := lex.Peek(); t.Value == "default" {
		lex.Next()
		if x, err := p.parseExpr(lex); err != nil {
			return mistaken
		} else {
			g.Default = x
		}
	} else if t := lex.Peek(); t.Value == "unasked" {
		g.Unasked = lex.Next()
	} else if t := lex.Peek(); t.Value == "usual" {
		lex.Next()
		if t := lex.Peek(); t.Value != "when" {
			return mistaken
		}
		lex.Next()
		if x, err := p.parseExpr(lex); err != nil {
			return mistaken
		} else {
			g.Usual = x
		}
	} else {
		return absent
	}
	return matched
}

func (p *parser) readNamed(lex stream, g *namedG) match {
	if t := lex.Peek(); t.Type != kindWord {
		return absent
	}
	g.Name = *lex.Next()
	if x, err := p.parseExpr(lex); err != nil {
		return mistaken
	} else {
		g.Value = x
	}
	return matched
}

func (p *parser) readReported(lex stream, g *reportedG) match {
	if x, err := p.parseExpr(lex); err != nil {
		return missed(err)
	} else {
		g.Value = x
	}
	if t := lex.Peek(); t.Value == "as" {
		lex.Next()
		if x, err := p.parseExpr(lex); err != nil {
			return mistaken
		} else {
			g.As = x
		}
	}
	return matched
}

func (p *parser) readFieldPart(lex stream, g *fieldPartG) match {
	if t := lex.Peek(); t.Value == "=" {
		lex.Next()
		if x, err := p.parseExpr(lex); err != nil {
			return mistaken
		} else {
			g.Default = x
		}
	} else if t := lex.Peek(); t.Value == "per" {
		lex.Next()
		if t := lex.Peek(); t.Type != kindWord {
			return mistaken
		}
		g.Per = lex.Next()
	} else if t := lex.Peek(); t.Value == "as" {
		lex.Next()
		if t := lex.Peek(); t.Type != kindWord && t.Type != kindCaps {
			return mistaken
		}
		g.As = lex.Next()
		if t := lex.Peek(); t.Value == "until" {
			lex.Next()
			if x, err := p.parseExpr(lex); err != nil {
				return mistaken
			} else {
				g.Until = x
			}
		}
	} else if t := lex.Peek(); t.Value == "needed" {
		lex.Next()
		if t := lex.Peek(); t.Value != "by" {
			return mistaken
		}
		lex.Next()
		from := lex.RawCursor()
		if t := lex.Peek(); t.Type != kindWord {
			return mistaken
		}
		lex.Next()
		for t := lex.Peek(); t.Value == ","; t = lex.Peek() {
			lex.Next()
			if t := lex.Peek(); t.Type != kindWord {
				return mistaken
			}
			lex.Next()
		}
		g.Needed = lex.Range(from, lex.RawCursor())
	} else {
		return absent
	}
	return matched
}

func (p *parser) readSummaryEntry(lex stream, g *summaryEntryG) match {
	if t := lex.Peek(); t.Type != kindWord {
		return absent
	}
	g.Name = *lex.Next()
	if x, err := p.parseEntryValue(lex); err == nil {
		g.Value = x
	} else if err != participle.NextMatch {
		return mistaken
	}
	return matched
}

func (p *parser) readChoosePart(lex stream, g *choosePartG) match {
	if t := lex.Peek(); t.Value == "costs" {
		lex.Next()
		if x, err := p.parseExpr(lex); err != nil {
			return mistaken
		} else {
			g.Cost = x
		}
		if t := lex.Peek(); t.Type != kindWord {
			return mistaken
		}
		g.Field = lex.Next()
		if t := lex.Peek(); t.Value == "of" {
			lex.Next()
			if x, err := p.parseExpr(lex); err != nil {
				return mistaken
			} else {
				g.Payer = x
			}
		}
	} else if t := lex.Peek(); t.Value == "notes" {
		lex.Next()
		if x, err := p.parseExpr(lex); err != nil {
			return mistaken
		} else {
			g.Notes = x
		}
	} else if t := lex.Peek(); t.Value == "answer" {
		lex.Next()
		if x, err := p.parseExpr(lex); err != nil {
			return mistaken
		} else {
			g.Answer = x
		}
	} else if t := lex.Peek(); t.Value == "default" {
		lex.Next()
		if x, err := p.parseExpr(lex); err != nil {
			return mistaken
		} else {
			g.Default = x
		}
	} else if t := lex.Peek(); t.Value == "unasked" {
		g.Unasked = lex.Next()
	} else if t := lex.Peek(); t.Value == "usual" {
		lex.Next()
		if t := lex.Peek(); t.Value != "when" {
			return mistaken
		}
		lex.Next()
		if x, err := p.parseExpr(lex); err != nil {
			return mistaken
		} else {
			g.Usual = x
		}
	} else {
		return absent
	}
	return matched
}

func (p *parser) readParam(lex stream, g *paramG) match {
	if t := lex.Peek(); t.Type != kindWord {
		return absent
	}
	g.Name = *lex.Next()
	if t := lex.Peek(); t.Value == "=" {
		lex.Next()
		if x, err := p.parseExpr(lex); err != nil {
			return mistaken
		} else {
			g.Default = x
		}
	}
	return matched
}

func (p *parser) readPatWord(lex stream, g *patWordG) match {
	if t := lex.Peek(); t.Type != kindWord && t.Type != kindCaps {
		return absent
	}
	g.Word = *lex.Next()
	return matched
}

func (p *parser) readPatSlot(lex stream, g *patSlotG) match {
	if t := lex.Peek(); t.Value != "(" {
		return absent
	}
	g.Open = *lex.Next()
	if t := lex.Peek(); t.Type != kindWord {
		return mistaken
	}
	g.Name = *lex.Next()
	if x, err := p.parseType(lex); err != nil {
		return mistaken
	} else {
		g.Type = x
	}
	if t := lex.Peek(); t.Value == "=" {
		lex.Next()
		if x, err := p.parseExpr(lex); err != nil {
			return mistaken
		} else {
			g.Default = x
		}
	}
	if t := lex.Peek(); t.Value != ")" {
		return mistaken
	}
	g.Close = *lex.Next()
	return matched
}

func (p *parser) readPatOpt(lex stream, g *patOptG) match {
	if t := lex.Peek(); t.Value != "[" {
		return absent
	}
	g.Open = *lex.Next()
	if x, m := p.readPattern(lex); m != matched {
		return mistaken
	} else {
		g.Pattern = append(g.Pattern, x)
	}
	for t := lex.Peek(); t.Type == kindWord || t.Type == kindCaps || t.Value == "(" || t.Value == "["; t = lex.Peek() {
		if x, m := p.readPattern(lex); m != matched {
			return mistaken
		} else {
			g.Pattern = append(g.Pattern, x)
		}
	}
	if t := lex.Peek(); t.Value != "]" {
		return mistaken
	}
	g.Close = *lex.Next()
	return matched
}

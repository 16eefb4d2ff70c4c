package shellgate

import "strings"

// Programs and requests that commands are given as words.

// sqlRuns are words of SQL, in small letters, with which sqlite3 writes a file or
// runs a program though it was told to open the database for reading.
const sqlRuns = "writefile edit load_extension attach vacuum fts3_tokenizer zipfile"

// sqlDots are commands of sqlite3 that print something.
const sqlDots = ".tables .schema .fullschema .indexes .indices .databases .dump .dbinfo .headers .header .mode .width .nullvalue .separator .timer .eqp .help .show .version"

// sqlProblem looks at what sqlite3 is to do with its database: queries, and
// commands that print. Without any it reads them elsewhere.
func sqlProblem(s scanned) *problem {
	if hasOption(s, "-version") {
		return nil
	}
	if len(s.operands) < 2 {
		return &problem{reason: RunsCode, detail: "sqlite3"}
	}
	for _, o := range s.operands[1:] {
		text := strings.ToLower(strings.TrimSpace(o.text))
		first, _, _ := strings.Cut(text, " ")
		switch {
		case !o.known() || o.many:
			return &problem{reason: HiddenText, detail: o.src}
		case strings.HasPrefix(text, ".") && (!has(sqlDots, first) || strings.Contains(text, "\n")), strings.Contains(text, "\n."):
			return &problem{reason: RunsCode, detail: o.src}
		}
		for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return !isName("_" + string(r)) }) {
			if has(sqlRuns, word) && !strings.HasPrefix(text, ".") {
				return &problem{reason: RunsCode, detail: word}
			}
		}
	}
	return nil
}

// moduleProblem: a module is looked for in the working directory first, unless
// -I stands before it.
func moduleProblem(s scanned) *problem {
	isolated := false
	for _, o := range s.options {
		switch o.name {
		case "-I":
			isolated = true
		case "-m":
			if len(s.operands) > 1 { // the second is written
				return &problem{reason: WritesFile, detail: s.operands[1].src}
			}
			if !isolated {
				return &problem{reason: NeedsFlag, detail: "-I before -m", hint: "'jq .' reads, too."}
			}
		}
	}
	return nil
}

// requestProblem: fields of a request to GitHub make it one that changes
// something, unless it is said to be a GET, or a query of GraphQL.
func (j *judge) requestProblem(s scanned) *problem {
	graphql := len(s.operands) != 1 || strings.Contains(s.operands[0].text, "graphql")
	if _, get := s.option("-X --method"); get && !graphql && !j.mayAsk(s.operands[0]) {
		return j.fieldsProblem(s, func(name, value string) bool { return true })
	}
	return j.fieldsProblem(s, func(name, value string) bool {
		value = strings.TrimSpace(value)
		query := strings.HasPrefix(value, "query") || strings.HasPrefix(value, "{")
		return graphql && name != "operationName" && (name != "query" || query && !strings.Contains(value, "mutation") && !strings.ContainsAny(value, unknowns))
	})
}

// mayAsk reports whether a path of a request may be that of GraphQL.
func (j *judge) mayAsk(path arg) bool {
	all, ok := j.values(path, 0)
	for _, v := range all {
		begin := strings.IndexAny(v+unknowns, unknowns)
		ok = ok && !strings.Contains(v, "graphql") && (begin == len(v) || !strings.HasPrefix("graphql", strings.TrimLeft(v[:begin], "/")))
	}
	return !ok
}

// fieldsProblem checks each field of a request; a value from a file is sent.
func (j *judge) fieldsProblem(s scanned, may func(name, value string) bool) *problem {
	for _, o := range s.options {
		if !has("-f -F --field --raw-field", o.name) {
			continue
		}
		name, value, _ := strings.Cut(o.value.text, "=")
		file := has("-F --field", o.name) && j.mayBegin(o.value.from(len(o.value.text)-len(value)), "@")
		if file || strings.ContainsAny(name, unknowns) || !may(name, value) {
			return &problem{reason: Sends, detail: o.name + " " + o.value.src}
		}
	}
	return nil
}

// plainInstead is what may be done about an operand that is read as more than text.
const plainInstead = "As an operand of '%s' it is only text."

// formatProblem: %n in a format sets the variable that an operand names, and to zsh
// the operand of a number is arithmetic. A format that has an unknown part may hold
// either; then no operand may be such a name, or hold a subscript.
func (j *judge) formatProblem(s scanned) *problem {
	if len(s.operands) == 0 {
		return nil
	}
	const unsure = string(hole) + string(other) + string(solid)
	format := s.operands[0]
	takes := conversions(format.text)
	if strings.Contains(takes, "n") {
		return &problem{reason: Assigns, detail: "%n"}
	}
	hidden, moved := strings.ContainsAny(format.text, unsure), false
	for i, o := range s.operands[1:] {
		moved = moved || o.many || o.vanishes
		switch {
		case hidden && (strings.ContainsAny(o.text, unsure+"[$`") || obeys(o.text) || len(j.vars[o.text]) > 0):
			return &problem{reason: HiddenText, detail: format.src, hint: plainInstead}
		case hidden, takes == "", decimal(o.text):
		case moved && strings.Contains(takes, "d"), takes[i%len(takes)] == 'd':
			return &problem{reason: Evaluates, detail: o.src, hint: plainInstead}
		}
	}
	return nil
}

// decimal: a number as printf takes it, or a quotation mark and the character whose
// number it is.
func decimal(text string) bool {
	rest := strings.TrimLeft(text, "-+")
	return len(text)-len(rest) < 2 && strings.Trim(rest, "0123456789."+string(number)) == "" || isNumeral(rest) ||
		len(text) > 1 && (text[0] == '\'' || text[0] == '"')
}

// conversions are what a format of printf takes of its operands, in their order: d
// for a number, n for a variable, s for anything else.
func conversions(format string) string {
	var takes strings.Builder
	for {
		_, rest, found := strings.Cut(format, "%")
		if !found {
			return takes.String()
		}
		format = strings.TrimLeft(rest, "-+ #0'123456789.*$hjlLqtz"+string(number))
		for range strings.Count(rest[:len(rest)-len(format)], "*") {
			takes.WriteByte('d')
		}
		if _, after, ok := strings.Cut(format, ")T"); ok && format[0] == '(' { // a time
			format = "s" + after
		}
		if format == "" {
			continue
		}
		switch c := format[0]; {
		case c == '%':
			format = format[1:]
		case c == 'n':
			takes.WriteByte('n')
		case strings.IndexByte("diouxXeEfFgGaA", c) >= 0, strings.Contains(rest[:len(rest)-len(format)], "$"):
			takes.WriteByte('d')
		default:
			takes.WriteByte('s')
		}
	}
}

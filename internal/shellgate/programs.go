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
func requestProblem(s scanned) *problem {
	graphql := len(s.operands) != 1 || strings.Contains(s.operands[0].text, "graphql")
	if _, get := s.option("-X --method"); get && !graphql {
		return fieldsProblem(s, func(name, value string) bool { return true })
	}
	return fieldsProblem(s, func(name, value string) bool {
		value = strings.TrimSpace(value)
		query := strings.HasPrefix(value, "query") || strings.HasPrefix(value, "{")
		return graphql && name != "operationName" && (name != "query" || query && !strings.Contains(value, "mutation") && !strings.ContainsAny(value, unknowns))
	})
}

// fieldsProblem checks each field of a request; a value from a file is sent.
func fieldsProblem(s scanned, may func(name, value string) bool) *problem {
	for _, o := range s.options {
		if !has("-f -F --field --raw-field", o.name) {
			continue
		}
		name, value, _ := strings.Cut(o.value.text, "=")
		file := has("-F --field", o.name) && (strings.HasPrefix(value, "@") || strings.HasPrefix(value, Hole))
		if file || strings.ContainsAny(name, unknowns) || !may(name, value) {
			return &problem{reason: Sends, detail: o.name + " " + o.value.src}
		}
	}
	return nil
}

// formatProblem: %n in a format sets the variable that an operand names. A format
// that has an unknown part may hold one; then no operand may be such a name.
func formatProblem(s scanned) *problem {
	if len(s.operands) == 0 {
		return nil
	}
	format := s.operands[0]
	if setsVariable(format.text) {
		return &problem{reason: Assigns, detail: "%n"}
	}
	if !strings.ContainsAny(format.text, string(hole)+string(other)+string(solid)) {
		return nil
	}
	for _, o := range s.operands[1:] {
		if strings.ContainsAny(o.text, string(hole)+string(other)+string(solid)) || obeys(o.text) {
			return &problem{reason: HiddenText, detail: format.src, hint: "As an operand of '%s' it is only text."}
		}
	}
	return nil
}

// setsVariable reports whether a format of printf holds %n.
func setsVariable(format string) bool {
	for {
		_, rest, found := strings.Cut(format, "%")
		if !found {
			return false
		}
		if format = strings.TrimLeft(rest, "-+ #0'123456789.*hjlLqtz"+string(number)); strings.HasPrefix(format, "n") {
			return true
		}
		format = strings.TrimPrefix(format, "%")
	}
}

// fetching are schemes with which curl only fetches. With others, such as gopher,
// dict and telnet, the path is what it says to whatever listens there.
const fetching = "http https file ftp ftps sftp scp ws wss"

// urlProblem looks at the addresses that a command is to fetch.
func (j *judge) urlProblem(s scanned) *problem {
	urls := s.operands
	for _, o := range s.options {
		if o.name == "--url" {
			urls = append(urls[:len(urls):len(urls)], o.value)
		}
	}
	for _, u := range urls {
		if !fetchesOnly(u.text) {
			return &problem{reason: Sends, detail: u.src}
		}
		if u.text != "" && strings.ContainsAny(u.text[:1], unknowns) && j.elsewhere {
			return &problem{reason: Sends, detail: u.src}
		}
	}
	return nil
}

func fetchesOnly(url string) bool {
	text := strings.ToLower(strings.TrimLeft(url, unknowns))
	scheme, _, found := strings.Cut(text, ":")
	switch {
	case found && strings.HasPrefix(text[len(scheme):], "://"):
		return has(fetching, scheme) || scheme != "" && strings.ContainsAny(scheme, "/?") // that of a query
	}
	return !strings.HasPrefix(text, "dict.") // curl takes the scheme from such a name
}

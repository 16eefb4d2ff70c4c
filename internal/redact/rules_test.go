package redact

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// scripts/redaction-rules.sh sets these and so writes gitleaks.tsv anew.
var (
	gitleaks        = flag.String("gitleaks", "", "the directory of gitleaks' module; gitleaks.tsv is made of it")
	gitleaksVersion = flag.String("gitleaks-version", "", "its version")
)

// leftOut are gitleaks' rules that are not ours, and why.
var leftOut = map[string]string{
	"generic-api-key":  "findNamed and findRandom do that, without a list of words that every event holds",
	"curl-auth-header": "own.tsv, whoever sends the header",
	"curl-auth-user":   "own.tsv, which leave the name",
}

// gitleaks' patterns end a key so. In a sentence it may be followed by other marks.
const (
	ends         = `(?:[\x60'"\s;]|\\[nr]|$)`
	endsInSpeech = `(?:[\x60'"\s;,.:!?)\]}>\\]|$)`
)

// TestRules_asGitleaksHasThem makes gitleaks.tsv where -gitleaks says of what.
func TestRules_asGitleaksHasThem(t *testing.T) {
	if *gitleaks == "" {
		t.Skip("scripts/redaction-rules.sh runs it")
	}
	toml, err := os.ReadFile(filepath.Join(*gitleaks, "config", "gitleaks.toml"))
	if err != nil {
		t.Fatal(err)
	}
	source, err := convert(toml, *gitleaksVersion)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("gitleaks.tsv", source, 0o666); err != nil {
		t.Fatal(err)
	}
}

// convert makes our lines of gitleaks' rules; see rule.go.
func convert(toml []byte, version string) ([]byte, error) {
	read, err := readRules(toml)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "# Made by scripts/redaction-rules.sh from gitleaks %s, Copyright (c) 2019 Zachary Rice, "+
		"under the MIT license: see gitleaks.LICENSE.\n", version)
	for _, r := range read {
		if leftOut[r["id"].(string)] != "" || r["path"] != nil || r["regex"] == nil {
			continue // a rule about files of one kind is none for a line of text
		}
		pattern := strings.ReplaceAll(r["regex"].(string), ends, endsInSpeech)
		parsed, err := syntax.Parse(pattern, syntax.Perl)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", r["id"], err)
		}
		words := r["keywords"].([]string)
		for i := range words {
			words[i] = strings.ToLower(words[i])
		}
		slices.Sort(words)
		group, _ := r["secretGroup"].(float64)
		entropy, _ := r["entropy"].(float64)
		allowed, _ := r["allowed"].([]string)
		fields := append([]string{
			r["id"].(string), strings.Join(words, ","), strconv.Itoa(leastWord(parsed)), fmt.Sprint(group),
			fmt.Sprint(entropy), pattern,
		}, allowed...)
		for _, f := range fields {
			if strings.ContainsAny(f, "\t\n") {
				return nil, fmt.Errorf("%s: %q does not fit into a line", r["id"], f)
			}
		}
		fmt.Fprintln(&b, strings.Join(fields, "\t"))
	}
	return b.Bytes(), nil
}

// leastWord is how long a run without blanks a match holds at least: the longest
// that every match has.
func leastWord(re *syntax.Regexp) int {
	best, now := 0, 0
	var walk func(re *syntax.Regexp)
	walk = func(re *syntax.Regexp) {
		switch re.Op {
		case syntax.OpLiteral:
			for _, r := range re.Rune {
				if r == ' ' || r == '\t' || r == '\n' {
					now = 0
				} else {
					now++
				}
				best = max(best, now)
			}
		case syntax.OpCharClass:
			if classHasBlank(re) {
				now = 0
			} else {
				now++
			}
			best = max(best, now)
		case syntax.OpCapture, syntax.OpConcat:
			for _, sub := range re.Sub {
				walk(sub)
			}
		case syntax.OpRepeat:
			for range re.Min {
				walk(re.Sub[0])
			}
			if re.Max != re.Min {
				now = 0
			}
		case syntax.OpPlus:
			walk(re.Sub[0])
			now = 0
		case syntax.OpAlternate:
			least := -1
			for _, sub := range re.Sub {
				if l := leastWord(sub); least < 0 || l < least {
					least = l
				}
			}
			best, now = max(best, least), 0
		case syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText, syntax.OpWordBoundary,
			syntax.OpNoWordBoundary, syntax.OpEmptyMatch:
		default:
			now = 0
		}
	}
	walk(re)
	return best
}

func classHasBlank(re *syntax.Regexp) bool {
	for i := 0; i+1 < len(re.Rune); i += 2 {
		for _, blank := range " \t\r\n" {
			if re.Rune[i] <= blank && blank <= re.Rune[i+1] {
				return true
			}
		}
	}
	return false
}

// readRules reads as much of TOML as gitleaks' configuration has.
func readRules(toml []byte) ([]map[string]any, error) {
	var all []map[string]any
	target := "" // of the allow list under way
	in := ""
	lines := bufio.NewScanner(bytes.NewReader(toml))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		switch {
		case line == "" || line[0] == '#':
			continue
		case line[0] == '[' && strings.HasSuffix(line, "]") && !strings.Contains(line, "="):
			in, target = strings.Trim(line, "[]"), ""
			if in == "rules" {
				all = append(all, map[string]any{"keywords": []string(nil), "allowed": []string(nil)})
			}
			continue
		}
		key, value, ok := strings.Cut(line, "=")
		if !ok {
			return nil, fmt.Errorf("%q is none of what is read here", line)
		}
		key, value = strings.TrimSpace(key), strings.TrimSpace(value)
		for value[0] == '[' && !strings.HasSuffix(value, "]") {
			if !lines.Scan() {
				return nil, fmt.Errorf("%s has no end", key)
			}
			value += strings.TrimSpace(lines.Text()) + "\n"
			value = strings.TrimRight(value, "\n")
		}
		if len(all) == 0 || in != "rules" && in != "rules.allowlists" {
			continue
		}
		rule := all[len(all)-1]
		switch {
		case in == "rules.allowlists" && key == "regexTarget":
			target = value
		case in == "rules.allowlists" && key == "regexes":
			if target == "" {
				rule["allowed"] = append(rule["allowed"].([]string), texts(value)...)
			}
		case in == "rules.allowlists":
		case value[0] == '[':
			rule[key] = texts(value)
		case value[0] == '"' || value[0] == '\'':
			rule[key] = texts(value)[0]
		default:
			n, err := strconv.ParseFloat(value, 64)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", key, err)
			}
			rule[key] = n
		}
	}
	return all, lines.Err()
}

var anyText = regexp.MustCompile(`'''(?s:(.*?))'''|"((?:[^"\\]|\\.)*)"`)

func texts(value string) []string {
	var all []string
	for _, m := range anyText.FindAllStringSubmatch(value, -1) {
		if strings.HasPrefix(m[0], "'") {
			all = append(all, m[1])
		} else if text, err := strconv.Unquote(m[0]); err == nil {
			all = append(all, text)
		}
	}
	return all
}

package plumbing

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Signature is a person and an instant, which git keeps to the second and with
// its offset from UTC.
type Signature struct {
	Name  string
	Email string
	When  time.Time
}

// Commit is a commit's content. Headers that git brought later (encoding,
// signatures) are not kept.
type Commit struct {
	Tree      OID
	Parents   []OID
	Author    Signature
	Committer Signature
	Message   string
}

func EncodeCommit(c Commit) ([]byte, error) {
	author, err := c.Author.encode()
	if err != nil {
		return nil, fmt.Errorf("author: %w", err)
	}
	committer, err := c.Committer.encode()
	if err != nil {
		return nil, fmt.Errorf("committer: %w", err)
	}
	if strings.ContainsRune(c.Message, 0) {
		return nil, errors.New("message contains NUL")
	}
	var buf bytes.Buffer
	fmt.Fprintf(&buf, "tree %s\n", c.Tree)
	for _, parent := range c.Parents {
		fmt.Fprintf(&buf, "parent %s\n", parent)
	}
	fmt.Fprintf(&buf, "author %s\ncommitter %s\n\n%s", author, committer, c.Message)
	return buf.Bytes(), nil
}

func DecodeCommit(data []byte) (Commit, error) {
	header, message, ok := bytes.Cut(data, []byte("\n\n"))
	if !ok {
		header = bytes.TrimSuffix(data, []byte("\n"))
	}
	c := Commit{Message: string(message)}
	for i, line := range strings.Split(string(header), "\n") {
		key, value, _ := strings.Cut(line, " ")
		var err error
		switch {
		case i == 0 && key != "tree":
			return Commit{}, errors.New("malformed commit: no tree")
		case i == 0:
			c.Tree, err = ParseOID(value)
		case key == "parent" && c.Author == (Signature{}):
			var parent OID
			parent, err = ParseOID(value)
			c.Parents = append(c.Parents, parent)
		case key == "author" && c.Author == (Signature{}):
			c.Author, err = ParseSignature(value)
		case key == "committer" && c.Committer == (Signature{}):
			c.Committer, err = ParseSignature(value)
		}
		if err != nil {
			return Commit{}, fmt.Errorf("malformed commit: %w", err)
		}
	}
	return c, nil
}

// String is the form in which git writes a person and an instant.
func (s Signature) String() string {
	return fmt.Sprintf("%s <%s> %d %s", s.Name, s.Email, s.When.Unix(), s.When.Format("-0700"))
}

// encode leaves out what git leaves out of names and addresses.
func (s Signature) encode() (string, error) {
	s.Name, s.Email = CleanIdent(s.Name), CleanIdent(s.Email)
	if s.Name == "" {
		return "", errors.New("empty name")
	}
	if s.When.Unix() < 0 {
		return "", fmt.Errorf("time %s is before 1970", s.When.Format(time.RFC3339))
	}
	return s.String(), nil
}

func CleanIdent(s string) string {
	s = strings.Map(func(c rune) rune {
		if c == '\n' || c == '<' || c == '>' || c == 0 {
			return -1
		}
		return c
	}, s)
	return strings.TrimFunc(s, func(c rune) bool {
		return c <= ' ' || strings.ContainsRune(`.,:;<>"\'`, c)
	})
}

// ParseSignature reads "name <address> seconds zone". Old tools wrote odd
// times; those become the zero instant, since fsck is for judging them.
func ParseSignature(line string) (Signature, error) {
	open := strings.IndexByte(line, '<')
	end := strings.LastIndexByte(line, '>')
	if open < 0 || end < open {
		return Signature{}, fmt.Errorf("person %.100q", line)
	}
	s := Signature{Name: strings.TrimSpace(line[:open]), Email: line[open+1 : end]}
	seconds, zone, _ := strings.Cut(strings.TrimSpace(line[end+1:]), " ")
	if n, err := strconv.ParseInt(seconds, 10, 64); err == nil {
		s.When = time.Unix(n, 0).In(ParseZone(zone))
	}
	return s, nil
}

func ParseZone(s string) *time.Location {
	n, err := strconv.Atoi(s)
	if err != nil || len(s) != 5 || n == 0 {
		return time.UTC
	}
	return time.FixedZone("", (n/100*60+n%100)*60)
}

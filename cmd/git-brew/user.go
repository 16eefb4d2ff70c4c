package main

import (
	"os"
	"os/user"
	"strconv"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore/gitfile"
)

// userName is the login name of whoever runs this. The system says it, not the
// environment: an agent's hooks and its shell may differ in that, and a lock's
// holder is compared by it.
func userName() string {
	if name := nameOf(passwdFile, strconv.Itoa(os.Getuid())); name != "" {
		return name
	}
	if u, err := user.Current(); err == nil && u.Username != "" {
		return u.Username
	}
	return "user " + strconv.Itoa(os.Getuid())
}

// nameOf is the login name that a file in the form of passwd(5) has for a user id; ""
// where it has none.
func nameOf(file, uid string) string {
	data, err := gitfile.ReadFile(file)
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(data)) {
		if fields := strings.SplitN(line, ":", 4); len(fields) == 4 && fields[2] == uid &&
			!strings.ContainsAny(fields[0][:min(1, len(fields[0]))], "+-#") {
			return fields[0]
		}
	}
	return ""
}

// passwdFile is where package os/user looks first, too; ReadFile takes a fourth of
// the time.
const passwdFile = "/etc/passwd"

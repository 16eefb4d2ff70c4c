package main

import (
	"os"
	"os/user"
	"strconv"
)

// userName is the login name of whoever runs this. The system says it, not the
// environment: an agent's hooks and its shell may differ in that, and a lock's
// holder is compared by it.
func userName() string {
	if u, err := user.Current(); err == nil && u.Username != "" {
		return u.Username
	}
	return "user " + strconv.Itoa(os.Getuid())
}

package event

import "strings"

// flagForm is where the secret stands that an option has.
type flagForm int

const (
	flagValue  flagForm = iota // the next word, or behind =
	flagGlued                  // the rest of the word: mysql -psecret
	flagUser                   // NAME:secret
	flagScheme                 // pass:secret
)

// secretFlag is an option whose name does not say that it has a secret.
type secretFlag struct {
	program, flag string
	form          flagForm
}

var secretFlags = [...]secretFlag{
	{"curl", "-u", flagUser},
	{"curl", "--user", flagUser},
	{"curl", "--proxy-user", flagUser},
	{"curl", "-U", flagUser},
	{"mysql", "-p", flagGlued}, // mysqldump, mysqladmin
	{"mariadb", "-p", flagGlued},
	{"sshpass", "-p", flagGlued},
	{"sshpass", "-p", flagValue},
	{"login", "-p", flagValue}, // of docker, podman, helm registry, az, oc
	{"redis-cli", "-a", flagValue},
	{"ldap", "-w", flagValue}, // ldapsearch, ldapmodify
	{"sqlcmd", "-P", flagValue},
	{"mongo", "-p", flagValue},
	{"openssl", "-pass", flagScheme},
	{"openssl", "-passin", flagScheme},
	{"openssl", "-passout", flagScheme},
}

// maxFlagged is how far from the program, in bytes, an option may stand.
const maxFlagged = 300

// findFlags finds the secrets in such options.
func findFlags(s string, found *spans) {
	for i := range secretFlags {
		f := &secretFlags[i]
		occurrences(s, f.program, func(at int) {
			command := s[at:min(len(s), at+maxFlagged)]
			if end := strings.IndexAny(command, ";|&\n"); end >= 0 {
				command = command[:end]
			}
			occurrences(command, f.flag, func(from int) { f.find(s, at+from, found) })
		})
	}
}

// find looks at the option at s[at:].
func (f *secretFlag) find(s string, at int, found *spans) {
	from := at + len(f.flag)
	if at == 0 || !isSpace(s[at-1]) || from >= len(s) || (f.form == flagGlued) == (isSpace(s[from]) || s[from] == '=') {
		return
	}
	if f.form != flagGlued {
		if !isSpace(s[from]) && s[from] != '=' {
			return
		}
		from++
	}
	for from < len(s) && (isSpace(s[from]) || s[from] == '"' || s[from] == '\'') {
		from++
	}
	end := from
	for end < len(s) && !isSpace(s[end]) && s[end] != '"' && s[end] != '\'' {
		end++
	}
	switch f.form {
	case flagValue, flagGlued:
	case flagUser:
		colon := strings.IndexByte(s[from:end], ':')
		if colon < 0 {
			return
		}
		from += colon + 1
	case flagScheme:
		if !strings.HasPrefix(s[from:end], "pass:") {
			return
		}
		from += len("pass:")
	}
	if secretText(s[from:end]) && (f.form == flagUser || s[from] != '-') {
		found.add(from, end)
	}
}

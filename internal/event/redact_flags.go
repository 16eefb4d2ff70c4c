package event

import (
	"slices"
	"strings"
)

// Secrets that no name stands beside: values of options, and words at a place, of
// programs that are known to take them.

// flagForm is where the secret stands that an option has.
type flagForm int

const (
	flagValue  flagForm = iota // the next word, or behind =
	flagGlued                  // the rest of the word: mysql -psecret
	flagPart                   // behind a mark in the value, glued or not: NAME:secret
	flagScheme                 // pass:secret
	lastWord                   // the last word of the command, where the option is there
	behindWord                 // the word behind one that begins so
	thirdWord                  // the third word, where it is no option of Windows
)

// secretFlag is a row: options whose names don't say that they have a secret.
type secretFlag struct {
	programs string // with blanks between, as in knownPrograms
	sub      string // a word that stands between the program and the option
	flags    string // with blanks between; of lastWord letters, of behindWord beginnings
	form     flagForm
	mark     string // of flagPart
	once     bool   // the first only: what follows is another program's
	beside   string // an option that has to stand there too
	bundle   string // letters, options without a value: flags may stand behind them in one word
	words    bool   // all of it are words of prose, too: see begins and leastValue
}

var secretFlags = [...]secretFlag{
	{programs: "curl", flags: "-u --user -U --proxy-user", form: flagPart, mark: ":", bundle: "#012346BGIJLMNORSVZafgijklnpqsv"},
	{programs: "curl", flags: "-b --cookie", form: flagPart, mark: "=", bundle: "#012346BGIJLMNORSVZafgijklnpqsv"},
	{programs: "smbclient rpcclient", flags: "-U --user", form: flagPart, mark: "%"},
	{programs: "kubectl oc", sub: "secret", flags: "--from-literal", form: flagPart, mark: "="},
	{programs: "mysql mysqldump mysqladmin mysqlimport mysqlshow mysqlcheck mysqlpump mysqlslap mysqlsh mysqlbinlog mysql_upgrade mariadb mariadb-dump mariadb-admin mariadb-check mariadb-import mariadb-show mariadb-slap mariadb-binlog mariadb-upgrade mariadb-backup mariabackup xtrabackup 7z 7za 7zz", flags: "-p", form: flagGlued},
	{programs: "sshpass", flags: "-p", form: flagGlued, once: true},
	{programs: "sshpass", flags: "-p", once: true},
	{programs: "rar unrar", flags: "-p -hp", form: flagGlued},
	{programs: "xfreerdp", flags: "/p:", form: flagGlued},
	{programs: "mongo mongosh mongodump mongorestore mongoexport mongoimport mongostat mongotop mongofiles rdesktop", flags: "-p"},
	{programs: "docker podman podman-remote nerdctl helm az oc buildah skopeo oras crane regctl cf fly ibmcloud kubectl-login", sub: "login", flags: "-p"},
	{programs: "login", flags: "-p", beside: "-u --username"}, // of any program
	{programs: "redis-cli", flags: "-a"},
	{programs: "ldapsearch ldapmodify ldapadd ldapdelete ldapwhoami ldappasswd ldapmodrdn ldapcompare ldapexop", flags: "-w"},
	{programs: "sqlcmd bcp zip unzip", flags: "-P"},
	{programs: "snmpget snmpwalk snmpset", flags: "-A -X"},
	{programs: "pscp plink psftp", flags: "-pw"},
	{programs: "keytool jarsigner", flags: "-storepass -keypass"},
	{programs: "nmcli rclone", flags: "password pass", words: true},
	{programs: "aws", sub: "set", flags: "aws_secret_access_key aws_session_token"},
	{programs: "openssl", flags: "-pass -passin -passout", form: flagScheme},
	{programs: "openssl", sub: "enc", flags: "-k -K", words: true},
	{programs: "htpasswd", flags: "b", form: lastWord},
	{programs: "net", sub: "use", flags: `\\ // /user: /USER: /u:`, form: behindWord},
	{programs: "net", sub: "user", form: thirdWord, words: true},
}

// knownPrograms are those of all rows; a word that is none is looked at once.
const knownPrograms = " curl smbclient rpcclient kubectl oc mysql mysqldump mysqladmin mysqlimport mysqlshow mysqlcheck mysqlpump mysqlslap mysqlsh mysqlbinlog mysql_upgrade mariadb mariadb-dump mariadb-admin mariadb-check mariadb-import mariadb-show mariadb-slap mariadb-binlog mariadb-upgrade mariadb-backup mariabackup xtrabackup sshpass 7z 7za 7zz rar unrar xfreerdp " +
	"mongo mongosh mongodump mongorestore mongoexport mongoimport mongostat mongotop mongofiles rdesktop docker podman podman-remote nerdctl helm az buildah skopeo oras crane regctl cf fly ibmcloud kubectl-login login redis-cli " +
	"ldapsearch ldapmodify ldapadd ldapdelete ldapwhoami ldappasswd ldapmodrdn ldapcompare ldapexop sqlcmd bcp zip unzip snmpget snmpwalk snmpset pscp plink psftp keytool jarsigner " +
	"nmcli rclone aws openssl htpasswd net "

// maxFlagged is how far from the program, in bytes, an option may stand;
// maxQuoted how long a quoted value may be.
const (
	maxFlagged = 300
	maxQuoted  = 300
	leastValue = 4 // bytes, of a value behind words of prose
)

// findFlags finds the secrets in such options.
func findFlags(s string, found *spans) {
	for i := 0; i < len(s); {
		if !dotted(s[i]) {
			i++
			continue
		}
		end := run(s, i, dotted)
		program, behind := strings.TrimSuffix(s[i:end], ".exe"), end
		if i > 0 && end < len(s) && s[end] == s[i-1] && strings.IndexByte("\"'", s[end]) >= 0 {
			behind++ // "curl" -u
		}
		if behind < len(s) && isSpace(s[behind]) && (i == 0 || s[i-1] != '\\') && among(knownPrograms, program) {
			words := wordsOf(s, behind)
			for n := range secretFlags {
				if f := &secretFlags[n]; among(f.programs, program) && (!f.words || begins(s, i)) {
					f.find(s, words, found)
				}
			}
		}
		i = end
	}
}

// begins reports whether a command begins with the program at s[at:], by its path or
// without: what stands before it is none of its words.
func begins(s string, at int) bool {
	for at > 0 && (dotted(s[at-1]) || strings.IndexByte(`/\:`, s[at-1]) >= 0) {
		at--
	}
	before := strings.TrimRight(s[:at], " \t")
	if before == "" || strings.IndexByte("\n;|&({`\"'$#>%", before[len(before)-1]) >= 0 {
		return true
	}
	return strings.HasSuffix(before, "sudo")
}

// among reports whether a list with blanks between holds word.
func among(list, word string) bool {
	for at := 0; ; {
		i := strings.Index(list[at:], word)
		if i < 0 || word == "" {
			return false
		}
		from, to := at+i, at+i+len(word)
		if (from == 0 || list[from-1] == ' ') && (to == len(list) || list[to] == ' ') {
			return true
		}
		at = to
	}
}

// wordsOf are the words of the command that goes on at s[at:], with their quotes.
func wordsOf(s string, at int) []span {
	var words []span
	limit := min(len(s), at+maxFlagged)
	for at < limit {
		if isSpace(s[at]) && s[at] != '\n' {
			at++
			continue
		}
		if n := continued(s[at:]); n > 0 {
			at += n
			continue
		}
		end := at
		for end < len(s) && !isSpace(s[end]) && strings.IndexByte(";|&", s[end]) < 0 {
			end = max(end+1, quotedEnd(s, end))
		}
		if end == at || strings.IndexByte("<>", s[at]) >= 0 || strings.HasPrefix(s[at:], "2>") { // the end of the command
			break
		}
		words = append(words, span{from: at, to: end})
		at = end
	}
	return words
}

// continued is how long what stands at the beginning of s is that lets a command go
// on in the next line, also in JSON; 0: none does.
func continued(s string) int {
	for _, mark := range [...]string{"\\\n", "\\\r\n", `\\\n`} {
		if strings.HasPrefix(s, mark) {
			return len(mark)
		}
	}
	return 0
}

// quotedEnd is the place behind what is quoted from at on; at where nothing is, or
// no end of it on the line and near.
func quotedEnd(s string, at int) int {
	from := quote(s, at)
	if from == at {
		return at
	}
	near := s[from:min(len(s), from+maxQuoted)]
	if n := strings.IndexByte(near, '\n'); n >= 0 {
		near = near[:n]
	}
	if n := strings.Index(near, s[at:from]); n >= 0 {
		return from + n + (from - at)
	}
	return at
}

// unquoted is what a word says: what stands in its quotes, or all that stands
// before one.
func unquoted(s string, w span) span {
	if end := quotedEnd(s, w.from); end > w.from {
		from := quote(s, w.from)
		return span{from: from, to: min(w.to, end) - (from - w.from)}
	}
	from := quote(s, w.from)
	end := from
	for end < w.to && strings.IndexByte("\"'`", s[end]) < 0 {
		end++
	}
	return span{from: from, to: end}
}

// find looks at the words behind a program.
func (f *secretFlag) find(s string, words []span, found *spans) {
	if f.sub != "" {
		for len(words) > 0 && s[words[0].from:words[0].to] != f.sub {
			words = words[1:]
		}
	}
	if f.beside != "" && !slices.ContainsFunc(words, func(w span) bool {
		name, _, _ := strings.Cut(s[w.from:w.to], "=")
		return among(f.beside, name)
	}) {
		return
	}
	for i, w := range words {
		text, from := s[w.from:w.to], w.from
		if len(text) > 2 && text[0] == '-' { // -su as -u
			if n := len(text[1:]) - len(strings.TrimLeft(text[1:], f.bundle)); n > 0 && n < len(text)-1 {
				text, from = "-"+text[1+n:], from+n
			}
		}
		if f.form == lastWord || f.form == behindWord || f.form == thirdWord {
			if f.stands(s, words, i) {
				f.add(s, w, found)
			}
			continue
		}
		for flag := range strings.FieldsSeq(f.flags) {
			rest, ok := strings.CutPrefix(text, flag)
			switch {
			case !ok:
			case rest != "" && (f.form == flagGlued || f.form == flagPart && rest[0] != '=' && len(flag) == 2):
				f.add(s, span{from: from + len(flag), to: w.to}, found)
			case f.form == flagGlued:
				ok = false
			case rest == "" && i+1 < len(words):
				f.add(s, words[i+1], found)
			case rest != "" && rest[0] == '=':
				f.add(s, span{from: from + len(flag) + 1, to: w.to}, found)
			default:
				ok = false
			}
			if ok && f.once {
				return
			}
		}
	}
}

// stands reports whether words[i] is where a secret stands without an option.
func (f *secretFlag) stands(s string, words []span, i int) bool {
	text := func(i int) string { return s[words[i].from:words[i].to] }
	switch {
	case f.form == thirdWord:
		return i == 2 && text(i)[0] != '/' && text(i) != "*"
	case f.form == behindWord && i > 0:
		for begins := range strings.FieldsSeq(f.flags) {
			if strings.HasPrefix(text(i-1), begins) && text(i)[0] != '/' {
				return true
			}
		}
	case f.form == lastWord && i == len(words)-1:
		for n := range i - 1 {
			if text(n)[0] == '-' && strings.Contains(text(n), f.flags) {
				return true
			}
		}
	}
	return false
}

// add adds the secret of a value.
func (f *secretFlag) add(s string, w span, found *spans) {
	v := unquoted(s, w)
	text := s[v.from:v.to]
	switch f.form {
	case flagPart:
		i := strings.Index(text, f.mark)
		if i < 0 {
			return
		}
		v.from += i + len(f.mark)
	case flagScheme:
		if !strings.HasPrefix(text, "pass:") {
			return
		}
		v.from += len("pass:")
	case flagValue, lastWord, behindWord, thirdWord:
		if text != "" && text[0] == '-' {
			return
		}
	case flagGlued:
	}
	if v.from == v.to && v.from < w.to { // pass:'a b'
		v = unquoted(s, span{from: v.from, to: w.to})
	}
	if f.words && v.to-v.from < leastValue {
		return
	}
	if v.from < v.to && secretText(s[v.from:v.to]) {
		found.add(v.from, v.to)
	}
}

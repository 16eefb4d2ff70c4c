package event

import (
	"math"
	"slices"
	"strings"
)

// Redacted stands where a secret was.
const Redacted = "[redacted]"

// Redact replaces what looks like a secret: what gitleaks' rules know, keys and
// tokens of known forms, private keys, credentials in URLs and headers, values
// that are called a password, secret, token or key, and long random text near
// such a word. It errs towards redacting. What it returns is redacted for good:
// doing it again changes nothing.
func Redact(s string) string { return new(Redactor).Redact(s) }

// Redact is the function of that name, for many texts.
func (r *Redactor) Redact(s string) string { return redact(s, r) }

// redactName is for ids and names, which every event holds and which are as long
// as keys: only what has the form of a key by itself, or of credentials, is taken
// out. No pattern is compiled for it.
func redactName(s string) string { return redact(s, nil) }

func redact(s string, r *Redactor) string {
	// What is taken out brings words together that were apart: a name may now
	// stand near enough to a key. Twice is usual, the bound is for hostile text.
	for range 8 {
		next := redactOnce(s, r)
		if next == s {
			break
		}
		s = next
	}
	return s
}

func redactOnce(s string, r *Redactor) string {
	found := find(s, r)
	if len(found) == 0 {
		return s
	}
	var b strings.Builder
	end := 0
	for i := 0; i < len(found); {
		from, to := found[i].from, found[i].to
		for i++; i < len(found) && found[i].from <= to; i++ {
			to = max(to, found[i].to)
		}
		b.WriteString(s[end:from])
		b.WriteString(Redacted)
		end = to
	}
	b.WriteString(s[end:])
	return b.String()
}

// find finds what looks like a secret, in the order of the text.
func find(s string, r *Redactor) spans {
	var found spans
	if r != nil {
		r.findRules(s, &found)
	}
	by := func(kind string, in func(string, *spans)) {
		n := len(found)
		in(s, &found)
		for i := range found[n:] {
			found[n+i].kind = kind
		}
	}
	by("token", findTokens)
	by("private key", findPrivateKeys)
	by("credentials in an address", findURLs)
	if secretWordIn(s) {
		by("value of a password, secret, token or key", findAssigned)
		by("header with credentials", findHeaders)
		by("random text near a word such as key", findRandom)
	}
	by("bearer token", findBearers)
	by("password of a command", findFlags)
	by("password of a command", findPiped)
	by("signature of an address", findSigned)
	by("session cookie", findSessions)
	by("token of a Telegram bot", findTelegram)
	by("password of a netrc", findNetrc)
	by("password said in words", findSaid)
	by("key said in words", findSaidKeys)
	slices.SortStableFunc(found, func(a, b span) int { return a.from - b.from })
	return found
}

// span is a secret: s[from:to], of a kind, as people call it.
type span struct {
	from, to int
	kind     string
}

type spans []span

func (f *spans) add(from, to int) { *f = append(*f, span{from: from, to: to}) }

// A charset reports the bytes a token is made of.
type charset func(byte) bool

func upper(c byte) bool { return c >= 'A' && c <= 'Z' || isDigit(c) }

func alnum(c byte) bool { return upper(c) || c >= 'a' && c <= 'z' }

func word(c byte) bool { return alnum(c) || c == '_' || c == '-' }

func dotted(c byte) bool { return word(c) || c == '.' }

func base64(c byte) bool { return word(c) || c == '+' || c == '/' || c == '=' }

func credential(c byte) bool { return base64(c) || c == '.' || c == '~' }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

// run is the end of the bytes of set that begin at i.
func run(s string, i int, set charset) int {
	for i < len(s) && set(s[i]) {
		i++
	}
	return i
}

// startsAt reports whether a word can begin at i.
func startsAt(s string, i int) bool { return i == 0 || !alnum(s[i-1]) && s[i-1] != '_' }

// occurrences calls fn for each place of sub in s.
func occurrences(s, sub string, fn func(at int)) {
	for from := 0; ; {
		i := strings.Index(s[from:], sub)
		if i < 0 {
			return
		}
		fn(from + i)
		from += i + len(sub)
	}
}

// token is the form of a provider's keys: a prefix and at least size bytes of
// set behind it. Where the prefix may begin a usual word, the rest must hold a
// digit.
type token struct {
	prefix string
	size   int
	set    charset
	digit  bool
}

// tokens are the forms known, by their issuer.
var tokens = [...]token{
	{"AKIA", 16, upper, false},
	{"ASIA", 16, upper, false},
	{"ABIA", 16, upper, false},
	{"ACCA", 16, upper, false}, // AWS
	{"AIza", 30, word, false},
	{"ya29.", 20, dotted, false},
	{"GOCSPX-", 20, word, false}, // Google
	{"ghp_", 20, alnum, false},
	{"gho_", 20, alnum, false},
	{"ghu_", 20, alnum, false},
	{"ghs_", 20, dotted, false},
	{"ghr_", 20, alnum, false},
	{"github_pat_", 20, word, false}, // GitHub
	{"glpat-", 16, dotted, false},
	{"gldt-", 16, word, true},
	{"glptt-", 16, word, true},
	{"glrt-", 16, dotted, true},
	{"glsoat-", 16, word, true},
	{"glcbt-", 16, word, true},
	{"glimt-", 16, word, true},
	{"glagent-", 16, word, true}, // GitLab
	{"xoxb-", 10, word, false},
	{"xoxa-", 10, word, false},
	{"xoxp-", 10, word, false},
	{"xoxr-", 10, word, false},
	{"xoxs-", 10, word, false},
	{"xoxe", 10, dotted, true},
	{"xapp-", 10, word, false},
	{"hooks.slack.com/services/", 8, base64, false}, // Slack
	{"discord.com/api/webhooks/", 40, base64, true},
	{"discordapp.com/api/webhooks/", 40, base64, true}, // Discord
	{"sk-ant-", 16, word, false},
	{"sk-proj-", 16, word, false},
	{"sk-", 20, word, true}, // Anthropic, OpenAI
	{"sk_live_", 10, alnum, false},
	{"sk_test_", 10, alnum, false},
	{"rk_live_", 10, alnum, false},
	{"rk_test_", 10, alnum, false},
	{"whsec_", 16, base64, false}, // Stripe
	{"npm_", 30, alnum, false},
	{"pypi-AgE", 20, word, false},
	{"rubygems_", 30, alnum, false},
	{"dckr_pat_", 16, word, false},
	{"SG.", 30, dotted, true},
	{"hf_", 30, alnum, false},
	{"dop_v1_", 30, alnum, false},
	{"doo_v1_", 30, alnum, false},
	{"shpat_", 30, alnum, false},
	{"shpss_", 30, alnum, false},
	{"hvs.", 20, word, false},
	{"lin_api_", 20, alnum, false},
	{"AGE-SECRET-KEY-1", 40, upper, false},
	{"dapi", 32, alnum, true},
	{"PMAK-", 30, word, true},
	{"sntrys_", 30, base64, false},
	{"ops_eyJ", 16, base64, false}, // 1Password
	{"EAAC", 20, alnum, true},      // Facebook
	{"key-", 32, alnum, true},      // Mailgun
}

// tokenStarts are the first bytes of the prefixes, and of a JWT's.
const tokenStarts = "AEGPSdeghklnoprswxy"

// findTokens finds tokens, and JSON web tokens, whole or cut off, where a word
// begins.
func findTokens(s string, found *spans) {
	const jwt, least = "eyJ", 24
	for i := 0; i < len(s); i++ {
		if strings.IndexByte(tokenStarts, s[i]) < 0 || !startsAt(s, i) {
			continue
		}
		if end := run(s, i, dotted); strings.HasPrefix(s[i:], jwt) && end-i >= least {
			found.add(i, end)
		}
		for _, t := range &tokens {
			if s[i] != t.prefix[0] || !strings.HasPrefix(s[i:], t.prefix) {
				continue
			}
			body := i + len(t.prefix)
			end := run(s, body, t.set)
			if end-body >= t.size && (!t.digit || strings.ContainsAny(s[body:end], "0123456789")) {
				found.add(i, end)
			}
		}
	}
}

// findPrivateKeys finds PEM blocks; one that is cut off goes to the end.
func findPrivateKeys(s string, found *spans) {
	const begin, kind, end, dashes = "-----BEGIN ", "PRIVATE KEY", "-----END ", "-----"
	from := 0
	for {
		i := strings.Index(s[from:], begin)
		if i < 0 {
			return
		}
		at := from + i
		from = at + len(begin)
		if !strings.Contains(s[from:min(len(s), from+40)], kind) {
			continue
		}
		to := len(s)
		if e := strings.Index(s[from:], end); e >= 0 {
			to = from + e + len(end)
			if d := strings.Index(s[to:], dashes); d >= 0 {
				to += d + len(dashes)
			} else {
				to = len(s)
			}
		}
		found.add(at, to)
		from = to
	}
}

// findURLs finds credentials before the host of a URL. A short name alone,
// such as git, is none.
func findURLs(s string, found *spans) {
	const sep = "://"
	occurrences(s, sep, func(at int) {
		from := at + len(sep)
		host := from
		for host < len(s) && !isSpace(s[host]) && !strings.ContainsRune(`/?#"'<>`+"`", rune(s[host])) {
			host++
		}
		user := strings.LastIndexByte(s[from:host], '@')
		if user < 0 {
			return
		}
		name := s[from : from+user]
		if name != Redacted && (strings.Contains(name, ":") || len(name) > 16) {
			found.add(from, from+user)
		}
	})
}

// findBearers finds "Bearer TOKEN" anywhere.
func findBearers(s string, found *spans) {
	for _, scheme := range [...]string{"Bearer ", "bearer ", "BEARER "} {
		occurrences(s, scheme, func(at int) {
			from := at + len(scheme)
			if end := run(s, from, credential); startsAt(s, at) && end-from >= 12 {
				found.add(from, end)
			}
		})
	}
}

// findRandom finds long mixed text of high entropy with a word of secrecy
// shortly before it.
func findRandom(s string, found *spans) {
	const least, near = 24, 40
	for i := 0; i < len(s); {
		if !base64(s[i]) {
			i++
			continue
		}
		end := run(s, i, base64)
		if t := s[i:end]; end-i >= least && mixed(t) && random(t) && entropy(t) >= 3.7 && secretWordIn(s[max(0, i-near):i]) {
			found.add(i, end)
		}
		i = end
	}
}

// mixed reports capitals, small letters and digits together: names of people,
// paths and git's object ids are not.
func mixed(s string) bool {
	var capital, small, digit bool
	for i := range len(s) {
		switch c := s[i]; {
		case isDigit(c):
			digit = true
		case upper(c):
			capital = true
		case alnum(c):
			small = true
		}
	}
	return capital && small && digit
}

// entropy is Shannon's, in bits a byte.
func entropy(s string) float64 {
	var count [256]int
	for i := range len(s) {
		count[s[i]]++
	}
	var bits float64
	for _, n := range count {
		if n > 0 {
			p := float64(n) / float64(len(s))
			bits -= p * math.Log2(p)
		}
	}
	return bits
}

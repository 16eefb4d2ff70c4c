package redact

import (
	b64 "encoding/base64"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// drawn is random text of an alphabet, the same in each run. It is put together
// here so that no scanner takes this file for a leak.
func drawn(n int, alphabet string) string {
	r := rand.New(rand.NewPCG(7, uint64(n)*31+uint64(len(alphabet))))
	b := make([]byte, n)
	for i := range b {
		b[i] = alphabet[r.IntN(len(alphabet))]
	}
	return string(b)
}

const (
	digits  = "0123456789"
	hexa    = digits + "abcdef"
	lower   = "abcdefghijklmnopqrstuvwxyz"
	upperAZ = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	letters = lower + upperAZ + digits
	base32s = upperAZ + "234567"
)

// Made up, in the form that their issuers give them.
func TestRedact_S36_issuers(t *testing.T) {
	for name, s := range map[string]string{
		"AWS access key":      "AK" + "IA" + drawn(16, base32s),
		"AWS secret key":      "aws_secret_access_key = " + drawn(40, letters),
		"Azure client secret": drawn(3, letters) + "8Q" + "~" + drawn(34, letters),
		"GCP API key":         "AI" + "za" + drawn(35, letters),
		"GitHub token":        "gh" + "p_" + drawn(36, letters),
		"GitHub fine-grained": "github" + "_pat_" + drawn(82, letters),
		"GitLab token":        "glp" + "at-" + drawn(20, letters),
		"GitLab runner":       "GR" + "1348941" + drawn(20, letters),
		"Slack bot":           "xo" + "xb-" + drawn(12, digits) + "-" + drawn(12, digits) + "-" + drawn(24, letters),
		"Slack hook":          "https://hooks.slack" + ".com/services/" + drawn(44, letters),
		"Anthropic":           "sk-" + "ant-api03-" + drawn(93, letters) + "AA",
		"OpenAI":              "sk-" + drawn(20, letters) + "T3Blbk" + "FJ" + drawn(20, letters),
		"Hugging Face":        "h" + "f_" + drawn(34, lower),
		"Stripe":              "sk_" + "live_" + drawn(24, letters),
		"Twilio":              "S" + "K" + drawn(32, hexa),
		"SendGrid":            "S" + "G." + drawn(66, letters),
		"Mailgun":             "mailgun_key = 'key-" + drawn(32, hexa) + "'",
		"npm":                 "npm" + "_" + drawn(36, letters),
		"PyPI":                "pypi-" + "AgEIcHlwaS5vcmc" + drawn(60, letters),
		"RubyGems":            "rubygems" + "_" + drawn(48, hexa),
		"Shopify":             "shp" + "at_" + drawn(32, hexa),
		"DigitalOcean":        "dop" + "_v1_" + drawn(64, hexa),
		"Doppler":             "dp." + "pt." + drawn(43, letters),
		"Databricks":          "da" + "pi" + drawn(32, hexa),
		"Grafana":             "gl" + "sa_" + drawn(32, letters) + "_" + drawn(8, hexa),
		"Vault":               "hv" + "s." + drawn(95, letters),
		"Terraform cloud":     drawn(14, letters) + "." + "atlas" + "v1." + drawn(66, letters),
		"Heroku v2":           "HR" + "KU-AA" + drawn(58, letters),
		"Linear":              "lin" + "_api_" + drawn(40, letters),
		"Notion":              "nt" + "n_" + drawn(11, digits) + drawn(35, letters),
		"Okta":                "okta_token: '00" + drawn(40, letters) + "'",
		"Telegram":            "telegram_bot=" + drawn(9, "123456789") + ":A" + drawn(34, letters),
		"Postman":             "PM" + "AK-" + drawn(24, hexa) + "-" + drawn(34, hexa),
		"age":                 "AGE-" + "SECRET-KEY-1" + drawn(58, "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L"),
		"JWT":                 "e" + "yJ" + drawn(20, letters) + ".ey" + drawn(40, letters) + "." + drawn(43, letters),
		"1Password": "A3-" + drawn(6, upperAZ+digits) + "-" + drawn(11, upperAZ+digits) + "-" +
			drawn(5, upperAZ+digits) + "-" + drawn(5, upperAZ+digits) + "-" + drawn(5, upperAZ+digits),
		"Cloudflare with its name": "cloudflare_api_key = " + drawn(40, letters),
		"Datadog with its name":    "DATADOG_KEY=" + drawn(40, hexa),
		"private key": "-----BEGIN EC PRIV" + "ATE KEY-----" + drawn(64, letters) + "-----END EC PRIV" +
			"ATE KEY-----",
	} {
		t.Run(name, func(t *testing.T) {
			got := Text("ran it with " + s + " and it worked")
			words := regexp.MustCompile(`[A-Za-z0-9]{14,}`).FindAllString(s, -1)
			for _, w := range words {
				if strings.Contains(got, w) && w != "secret" {
					t.Errorf("Redact leaves %q of %q: %q", w, s, got)
				}
			}
			if !strings.Contains(got, Mark) || !strings.HasSuffix(got, "and it worked") ||
				!strings.HasPrefix(got, "ran it with ") {
				t.Errorf("Text(%q) = %q", s, got)
			}
		})
	}
}

// What agents' events are full of, and what is nobody's secret.
func TestRedact_leavesOrdinaryTexts(t *testing.T) {
	var random []byte
	for range 90 {
		random = append(random, drawn(3, letters)...)
	}
	image := "data:image/png;base64," + b64.StdEncoding.EncodeToString(random)
	ordinary := []string{
		"commit " + drawn(40, hexa) + " by Ada",
		"HEAD is now at 4f1c2aa auth: keys rotate",
		"sha256:" + drawn(64, hexa),
		"session 7f3a9c01-52d4-4e0a-9a93-0c7d2b1f6e55 resumed",
		"toolu_01A09q90qw90lq917835lq9",
		"<img src='" + image + "'>",
		"/home/ada/src/github.com/acme/twitter-client/internal/auth/token_store_integration_test.go",
		"internal/gitlab/api_v4_projects_merge_requests_discussions.go:1204",
		"go test ./internal/event -run 'TestRedact_leavesOrdinaryTexts' -count=1 -timeout 120s",
		"https://github.com/acme/widgets/pull/1204/files#diff-" + drawn(64, hexa),
		"https://docs.slack.dev/reference/methods/chat.postMessage?channel=general",
		"github.com/spf13/cobra v1.10.2 h1:DMTTonx5m65Ic0GOoRY2c16WCbHxOOw6xxezuLaBpcU=",
		"refs/brew/tasks/add-jwt-auth-k3v9q2m",
		"risk-management-and-task-runner-for-the-new-desk-7",
		"the okta and auth0 adapters, twitch, discord and heroku too, are next",
		"use strings.EqualFold, not strings.ToLower(a) == strings.ToLower(b)",
		"package-lock.json: sha512-" + b64.StdEncoding.EncodeToString(random[:64]) + "==",
		"SELECT id, email FROM users WHERE created_at > '2026-01-01' ORDER BY id LIMIT 50",
		"func (s *Service) SwitchMode(ctx context.Context, to string) (ModeState, error)",
		"2026-11-21T19:55:54.123456789Z level=info msg=\"listening\" addr=0.0.0.0:8080",
		"Fehler: Größe überschritten; 処理を続けますか?",
		"docker.io/library/postgres@sha256:" + drawn(64, hexa),
		"rgba(12, 24, 36, 0.5) #a1b2c3 0xdeadbeefcafebabe",
		"d41d8cd98f00b204e9800998ecf8427e  empty.txt",
		"0f8fad5b-d9cb-469f-a165-70867728950e",
		"edited AuthenticationServiceImplementationFactory.java and UserAccountRepository.kt",
		"Edit is not allowed: add-jwt-auth is in discussion mode",
	}
	var wrong []string
	for _, s := range ordinary {
		if got := Text(s); got != s {
			wrong = append(wrong, s+"\n\t"+got)
		}
	}
	if len(wrong) > 0 {
		t.Errorf("%d of %d ordinary texts are changed:\n%s", len(wrong), len(ordinary), strings.Join(wrong, "\n"))
	}
}

// Every pattern compiles, and every rule has a word that finds it.
func TestRules_whole(t *testing.T) {
	known := theTable()
	if len(known.lines) < 200 {
		t.Fatalf("%d rules", len(known.lines))
	}
	for _, line := range strings.Split(gitleaksRules+ownRules, "\n") {
		f := strings.Split(line, "\t")
		if len(f) < 6 && line != "" && line[0] != '#' {
			t.Fatalf("%q is no rule", line)
		}
		for _, number := range f[min(2, len(f)):min(5, len(f))] {
			if _, err := strconv.ParseFloat(number, 64); err != nil {
				t.Error(line, err)
			}
		}
	}
	hasWord := map[uint16]bool{}
	for _, k := range known.keywords[1:] {
		w := k.text
		if len(w) < 2 || w != strings.ToLower(w) || strings.ContainsFunc(w, func(r rune) bool { return r >= 0x80 }) {
			t.Errorf("%s: word %q can't be found", known.lines[k.line], w)
		}
		hasWord[k.line] = true
	}
	for i := range known.lines {
		r := readRule(known.lines[i])
		if !hasWord[uint16(i)] {
			t.Errorf("%s has no word", r.id)
		}
		for _, p := range append([]string{r.pattern}, r.allowed...) {
			re, err := regexp.Compile(p)
			if err != nil || re.NumSubexp() < r.group {
				t.Errorf("%s: %v", r.id, err)
			}
		}
	}
}

// What a rule of gitleaks' finds at the end of a line, it finds within a sentence.
func TestRules_S36_drawn(t *testing.T) {
	var r Redactor
	drawn, found, lost := 0, 0, []string{}
	for _, line := range theTable().lines[:strings.Count(gitleaksRules, "\n")-1] {
		of := readRule(line)
		pattern := strings.NewReplacer(`\b`, "", endsInSpeech, "").Replace(of.pattern)
		drawnOf := rapid.StringMatching(pattern)
		for seed := range 5 {
			s := drawnOf.Example(seed)
			drawn++
			if !strings.Contains(r.Text(s), Mark) {
				continue // of too little entropy, or behind a letter
			}
			found++
			for _, behind := range []string{" and more", ".", ", ok", ")", "'", "\\n"} {
				if got := r.Text(s + behind); !strings.Contains(got, Mark) {
					lost = append(lost, of.id+": "+s+behind)
				}
			}
		}
	}
	// A key of Azure may hold a dot, so the one behind it may be its own.
	if found < drawn*9/10 || len(lost) > 3 {
		t.Errorf("%d of %d secrets found; lost %q", found, drawn, lost)
	}
}

// What every event holds compiles nothing: a pattern takes longer than all the
// rest of recording.
func TestRedactor_BW43_compilesNothingForPlainEvents(t *testing.T) {
	var r Redactor
	for _, s := range []string{
		"Bash", "mcp__github__create_pull_request", "general-purpose", "make it so",
		"mode discussion -> implementation: go ahead",
		"Write is not allowed: fix-okta-login is in discussion mode. Agree on the change with the user first",
		"startup", "compact", "permission_prompt", "token: the lexer's unit", "prompt_input_exit",
	} {
		r.Text(s)
	}
	if len(r.compiled) > 0 {
		t.Errorf("%d patterns compiled", len(r.compiled))
	}
}

func BenchmarkTable(b *testing.B) {
	for b.Loop() {
		t := ruleTable{keywords: make([]keyword, 1)}
		t.add(gitleaksRules)
		t.add(ownRules)
	}
}

package redact

// A value as commands have it: in quotes, also escaped ones, or one word.
const value = `(?:\\?["']([^"'\\\n]+)|([^\s"'\x60\\;|&<>]+))`

// ownRules are forms that gitleaks has no rule for, or asks of more than people write.
var ownRules = [...]rule{
	{
		id: "private key", words: []string{"private key"},
		pattern: `(?s)-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY.*?(?:-----END [A-Z0-9 ]{0,40}-----|\z)`,
	},
	{id: "JSON web token", words: []string{"eyj"}, pattern: `\beyJ[\w.-]{21,}`, least: 24},
	{
		id: "API key", words: []string{"sk-"}, least: 23, entropy: 3.5, // of many issuers
		pattern: `\bsk-(?:[a-z0-9]+-){0,3}[A-Za-z0-9_]{20,}[\w-]*`,
	},
	{id: "webhook secret", words: []string{"whsec_"}, pattern: `\bwhsec_[\w+/=-]{16,}`, least: 22},
	{
		id: "webhook of Discord", words: []string{"api/webhooks/"}, least: 60,
		pattern: `discord(?:app)?\.com/api/webhooks/\d+/[\w-]{40,}`,
	},
	{
		id: "token of a Telegram bot", words: []string{"/bot", ":aa"}, least: 40,
		pattern: `(?:/bot|\b)(\d{6,12}:A[\w-]{30,})`,
	},
	{
		id: "signature of an address", words: []string{"sig=", "signature="}, entropy: 3,
		pattern: `[?&;-](?i:sig|signature)=([\w%+/=.~-]{16,})`, least: 21,
	},
	{id: "bearer token", words: []string{"bearer "}, pattern: `\b(?i:bearer) +([\w.~+/=-]{12,})`, least: 12, entropy: 3.2},
	{
		id: "header with credentials", words: []string{"authorization"},
		pattern: `\b(?i:authorization)["'\\]{0,3}\s*[:=]\s*["'\\]{0,3}` +
			`(?:(?i:basic|bearer|token|digest|negotiate|apikey|ntlm)\s+([^\s"',;\\]*[^a-z\s"',;\\-][^\s"'\\]*)|` +
			`([\w.~+/=-]{16,}|[\w.~+/=-]*\d[\w.~+/=-]{7,}))`,
	},
	{
		id: "header with credentials", words: []string{"cookie:", "cookie\""},
		pattern: `\b(?i:cookie)["'\\]{0,3}\s*:\s*["'\\]{0,3}([^\n"'\\]*?=[^;\s"'\\<$]{8,}[^\n"'\\]*)`,
	},
	{
		id: "password of a command", words: []string{"curl"},
		pattern: `\bcurl\b[^|;&]{0,300}?\s(?:-[a-zA-Z#]*?[uU]|--user|--proxy-user)[\s=]*` +
			`(?:"[^\s:"]+:([^"\n]+)"|'[^\s:']+:([^'\n]+)'|\\?["']?[^\s:"'\\]+:([^\s"'\\;|&<>]+))`,
	},
	{
		id: "password of a command", words: []string{"mysql", "mariadb"},
		pattern: `\b(?:mysql|mariadb)[\w.-]*(?:\s[^|;&]{0,300}?)?\s-p` + value,
	},
	{id: "password of a command", words: []string{"sshpass"}, pattern: `\bsshpass\s+-p\s*` + value},
	{
		id: "password of a command", words: []string{"docker", "podman", "nerdctl", "helm", "buildah", "skopeo"},
		pattern: `\b(?:docker|podman|nerdctl|helm|buildah|skopeo)\s(?:[^|;&\n]{0,200}\s)?login\s[^|;&\n]{0,300}?-p\s+` +
			value,
	},
	{id: "password of a command", words: []string{"redis-cli"}, pattern: `\bredis-cli\s[^|;&\n]{0,300}?-a\s+` + value},
	{id: "password of a command", words: []string{"openssl"}, pattern: `\bopenssl\s[^|;&\n]{0,300}?\bpass:` + value},
	{
		id: "password of a command", words: []string{"--password-stdin", "--with-token"},
		pattern: `\b(?:echo|printf)(?:\s+(?:-\w+|["']%s["']))*\s+` + value +
			`["']?\s*\|[^|;&\n]*(?:--password-stdin|--with-token)`,
	},
	{
		id: "password of a netrc", words: []string{"machine"},
		pattern: `\bmachine\s+\S+\.\S+\s+login\s+\S+\s+password\s+([^\s"']+)`,
	},
}

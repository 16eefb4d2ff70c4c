package redact

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestRedact_S36_places(t *testing.T) {
	const r = Mark
	body, bot := drawn(84, letters+"+/"), drawn(34, letters)
	for in, want := range map[string]string{
		"DefaultEndpointsProtocol=https;AccountName=x;AccountKey=" + body +
			"==;EndpointSuffix=core.windows.net": "DefaultEndpointsProtocol=https;AccountName=x;AccountKey=" + r +
			";EndpointSuffix=core.windows.net",
		"Endpoint=sb://x.net/;SharedAccessKeyName=Root;SharedAccessKey=" + body +
			"=": "Endpoint=sb://x.net/;SharedAccessKeyName=Root;" + r,
		"https://x.blob.core.windows.net/c?sv=2022-11-02&se=2026-01-01&sig=" + drawn(40, letters) +
			"%3D&spr=https": "https://x.blob.core.windows.net/c?sv=2022-11-02&se=2026-01-01&sig=" + r + "&spr=https",
		"https://b.s3.amazonaws.com/k?X-Amz-Expires=60&X-Amz-Signature=" +
			drawn(64, hexa): "https://b.s3.amazonaws.com/k?X-Amz-Expires=60&X-Amz-Signature=" + r,
		"Set-Cookie: id=" + drawn(32, letters) + "; Max-Age=2592000": "Set-Cookie: " + r,
		"curl https://api.telegram.org/bot" + "123456789" + ":A" + bot +
			"/getMe": "curl https://api.telegram.org/bot" + r + "/getMe",
		"the bot has " + "123456789" + ":A" + bot + ".": "the bot has " + r + ".",
		"machine github.com login jo password hunter2": "machine github.com login jo " +
			"password " + r,
		"machine h.org\n  login jo\n  password hunter\nmachine i.org login k password l": "machine h.org\n  login jo\n  " +
			"password " + r + "\nmachine i.org login k password " + r,
		"echo 'machine h.org login jo password hunter2' >>~/.netrc": "echo 'machine h.org login jo password " + r +
			"' >>~/.netrc",
	} {
		if got := Text(in); got != want {
			t.Errorf("Text(%q)\n= %q\nwant %q", in, got, want)
		}
	}
}

func TestRedact_S36_plain(t *testing.T) {
	const r = Mark
	hook, key := "discord"+".com/api/webhooks/123456789012345678/"+drawn(68, letters), drawn(32, hexa)
	for in, want := range map[string]string{
		"POST https://" + hook + " ok":                           "POST https://" + r + " ok",
		"echo hunter2 | docker login --password-stdin":           "echo " + r + " | docker login --password-stdin",
		"printf '%s' hunter2 | gh auth login --with-token":       "printf '%s' " + r + " | gh auth login --with-token",
		"password=changeme in the compose file is a placeholder": "password=" + r + " in the compose file is a placeholder",
		"Passwort: letmein":                                      "Passwort: " + r,
		"pw = hunter2":                                           "pw = " + r,
		"password: letmein, user: jo":                            "password: " + r + ", user: jo",
		"{password: letmein, user: jo}":                          "{password: " + r + ", user: jo}",
		"password= letmein\nnext line":                           "password= " + r + "\nnext line",
		"Set-Cookie: Secure; sid=" + key:                         "Set-Cookie: " + r,
		"Authorization: Basic dXNlcjpwYXNz -v":                   "Authorization: Basic " + r + " -v",
		"PWD=hunter2 and DB_PWD=/tmp/x":                          "PWD=" + r + " and DB_PWD=" + r,
	} {
		if got := Text(in); got != want {
			t.Errorf("Text(%q)\n= %q\nwant %q", in, got, want)
		}
	}
}

// What developers write of passwords all day.
func TestRedact_leavesTalkOfPasswords(t *testing.T) {
	for _, s := range []string{
		"the password is stored hashed",
		"password is required",
		"reset the password is broken",
		"the password is 12 characters long",
		"the password is 8-64 characters",
		"the password is base64-encoded, the token is sha256",
		"the password is hashed with argon2id and salted",
		"the password is sha256 of the salt",
		"the password is in config2.yaml",
		"the password is $PASSWORD, or <password>",
		"API_KEY=your-api-key-here, TOKEN=your_token_here and password: YOUR_PASSWORD",
		"the password is user@example.org's",
		"the secret is s3-backed, the secret is v2",
		"the secret is kept in k8s",
		"password for the second user is wrong",
		"the password is wrong for jo",
		"passwords are hashed; the password is never logged",
		"with password hashing done, use password reset",
		"use password authentication, not oauth2",
		"test login with password and without",
		"Das Passwort ist erforderlich und wird gehasht",
		"pw is short for password",
		"log in as admin, then look",
		"log in with Google/OAuth2 or GitHub",
		"sign in with SSO / SAML",
		"login with user/pass works",
		"session=abc in docs, session=<id>, session=7f3a9c01-52d4-4e0a-9a93-0c7d2b1f6e55",
		"git brew --session=s1 and session_id=s2, CLAUDE_CODE_SESSION_ID=7f3a9c01-52d4-4e0a-9a93-0c7d2b1f6e55",
		"https://example.org/?sig=none&signature=required and kill -sig=TERM",
		"the machine needs login and password first",
		"machine learning password policy; default login page",
		"the machine host1 login page password field",
		"at 12:30:45 port 127.0.0.1:8080, 123456:abc",
		"AccountName=x;AccountKey=;EndpointSuffix=y",
		"the passphrase is read from the agent; its secret is what ssh2 has",
		"a pwd is printed, the pwd is /home/jo2",
		"the field `password:` holds it, 'token=' + x, and `mysql -p…` asks",
		".exe files and .exe names",
		"curl -b cookies.txt -c cookies.txt https://x",
		`password = os.environ["DB_PASSWORD"]`,
		`password = os.environ.get("DB_PASSWORD")`,
		"self.password = getpass.getpass()",
		`dbPassword := os.Getenv("DB_PASSWORD")`,
		"secret = base64.b64encode(raw)",
		"password = req.body.password",
		"AccountKey= must come from the vault",
		"machine learning login flow password reset",
		"machine x login y password from the vault",
		"secret: keep it simple",
		"Password: letters and digits only",
		"pwd: /home/me/project",
		"PWD=/tmp/x make",
		"OLDPWD=.. PWD=~/src make",
		"Cookie: SameSite=Lax; Secure",
		"Set-Cookie: session=; Max-Age=0",
		"Set-Cookie: must be HttpOnly",
		"Set-Cookie: session=<id>; Path=/",
		"X-Api-Key: <key>",
		"X-Api-Key: is sent with each call",
		"Authorization: Bearer <token>",
		"Authorization: Bearer $TOKEN",
		"Authorization: Basic auth is off",
		"Password: 8 to 64 characters, with a digit",
		"Password: 8-64 characters",
		`echo "$TOKEN" | docker login --password-stdin; cat f | docker login --password-stdin`,
		"printf '%s' $P | gh auth login --with-token; pass --password-stdin, or --with-token",
		"use openssl enc -k with care; openssl s_client -k",
		"https://discord.com/api/webhooks/123456789012345678/<token> and discord.com/developers",
		"the cache key is 9f8e7d6c5b4a39281706f5e4d3c2b1a0",
		"the token is 7f3a9c01-52d4-4e0a-9a93-0c7d2b1f6e55, the token 4f1c2aa9",
		"the token test_redact_2024_and_more is one of ours",
		"use argon2id as the password hash, use sha256 as the password.",
		"use base64url2 as the password encoding",
		"user admin, pass on; the user can pass param1, and the tests pass test42",
		"password field2. password policy, password step10",
		"the user's password's length matters",
	} {
		if got := Text(s); got != s {
			t.Errorf("Text(%q) = %q", s, got)
		}
	}
}

func TestRedact_isForGood(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{
			"password", "is", "hunter2", "machine", "login", "default", "session=", "&sig=", "/bot123456789:A", "x1!y", "\"",
			"'", "`",
			"log in with", "/", ".", ",", "\n", " ", "for", "use", "a1b2c3d4e5f6g7h8", "Passwort", Mark, "[", "=", ":",
		}), 0, 16).Draw(t, "words"), rapid.SampledFrom([]string{" ", ""}).Draw(t, "between"))
		if got := Text(s); Text(got) != got {
			t.Fatalf("Text(%q) = %q, again %q", s, got, Text(got))
		}
	})
}

func TestRedactor_secrets(t *testing.T) {
	var r Redactor
	text := "# Plan\npassword: the user's own\nDB_PASSWORD=hunter2 and TOKEN=abcd1234\n\ncurl -u jo:hunter2 x\n" +
		"password: letmein\n" +
		secret("-----BEGIN RSA PRIV", "ATE KEY-----\nMIIEow\n-----END RSA PRIV", "ATE KEY-----") + "\n" + secret("npm", "_") +
		drawn(36, letters)
	got := r.Secrets(text)
	want := []Secret{
		{3, "value of a password, secret, token or key", "hunter2"},
		{5, "password of a command", "hunter2"},
		{6, "value of a password, secret, token or key", "letmein"},
		{7, "private key", ""},
		{10, "npm-access-token", ""},
	}
	if len(got) != len(want) {
		t.Fatalf("%+v", got)
	}
	for i, w := range want {
		if got[i].Line != w.Line || got[i].Kind != w.Kind || w.Text != "" && got[i].Text != w.Text {
			t.Errorf("%+v, want %+v", got[i], w)
		}
	}
}

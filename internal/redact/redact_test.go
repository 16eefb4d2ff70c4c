package redact

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// Parts are joined here so that no scanner takes this file for a leak.
func secret(parts ...string) string { return strings.Join(parts, "") }

func TestRedact_S36_forms(t *testing.T) {
	const r = Mark
	body := "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0dF3gH6"
	key := secret("-----BEGIN RSA PRIV", "ATE KEY-----\nMIIEow\nIBAAK\n-----END RSA PRIV", "ATE KEY-----")
	jwt := secret("eyJhbGciOiJIUzI1NiJ9", ".eyJzdWIiOiIxMjM0In0.", "dBjftJeZ4CVP")
	for in, want := range map[string]string{
		"x=" + secret("AIza", body[:35]):                         "x=" + r,
		secret("ghp_", body) + ".":                               r + ".",
		"(" + secret("github_pat_", body, body, body[:10]) + ")": "(" + r + ")",
		secret("glpat-", body[:20]):                              r,
		secret("xoxb-", "123456789012-", body[:24]):              r,
		"use " + secret("sk-ant-api03-", body):                   "use " + r,
		secret("sk-proj-", body) + " and " + secret("sk-", body): r + " and " + r,
		secret("sk_live_", body[:24]):                            r,
		secret("npm_", body):                                     r,
		"jwt " + jwt + " end":                                    "jwt " + r + " end",
		"cut " + jwt[:30]:                                        "cut " + r,
		"a " + key + " b":                                        "a " + r + " b",
		"a " + key[:50]:                                          "a " + r,
		"https://jo:hunter2@example.org/x":                       "https://" + r + "@example.org/x",
		"https://" + body + "@github.com/x":                      "https://" + r + "@github.com/x",
		"postgres://app:p%40ss@db:5432/x?y=1":                    "postgres://" + r + "@db:5432/x?y=1",
		"password=hunter2":                                       "password=" + r,
		"DB_PASSWORD='two words' next":                           "DB_PASSWORD='" + r + "' next",
		`{"password": "a b\nc", "user": "jo"}`:                   `{"password": "` + r + `", "user": "jo"}`,
		`{\"api_key\":\"abcdef\"}`:                               `{\"api_key\":\"` + r + `\"}`,
		"Password: letmein":                                      "Password: " + r,
		"--db-password hunter2 --verbose":                        "--db-password " + r + " --verbose",
		"--token=abcdefgh":                                       "--token=" + r,
		"export AWS_SECRET_ACCESS_KEY=" + "abc/def+ghi":          "export AWS_SECRET_ACCESS_KEY=" + r,
		"token: 9f8e7d6c5b4a":                                    "token: " + r,
		"clientSecret := \"s\"":                                  "clientSecret := \"" + r + "\"",
		"Authorization: Bearer abc.def":                          "Authorization: Bearer " + r,
		"-H 'Authorization: Basic dXNlcjpwYXNz' -v":              "-H 'Authorization: Basic " + r + "' -v",
		"bearer " + body[:20]:                                    "bearer " + r,
		"curl -u jo:hunter2 https://x":                           "curl -u jo:" + r + " https://x",
		"the signing key is " + body:                             "the signing key is " + r,
		"mysql -uroot -phunter2 db":                              "mysql -uroot -p" + r + " db",
		"sshpass -p hunter2 ssh x":                               "sshpass -p " + r + " ssh x",
		"docker login -u me -p 'hunter2' x":                      "docker login -u me -p '" + r + "' x",
		"redis-cli -h x -a hunter2 ping":                         "redis-cli -h x -a " + r + " ping",
		"openssl enc -pass pass:hunter2 -in f":                   "openssl enc -pass pass:" + r + " -in f",
		"openssl enc -pass pass:'a b' -in f":                     "openssl enc -pass pass:'" + r + "' -in f",
		"sshpass -p 'a b' ssh -p 2222 x":                         "sshpass -p '" + r + "' ssh -p 2222 x",
		"mysql -p'a b' db":                                       "mysql -p'" + r + "' db",
		"curl -u 'jo:a b' https://x":                             "curl -u 'jo:" + r + "' https://x",
		"curl -sujo:x; curl -ujo:hunter2 x":                      "curl -sujo:x; curl -ujo:" + r + " x",
		`{"command":"sshpass -p \"a b\" ssh x"}`:                 `{"command":"sshpass -p \"` + r + `\" ssh x"}`,
		"mysqlcheck -phunter2 db":                                "mysqlcheck -p" + r + " db",
		"mariadb-backup --backup -phunter2":                      "mariadb-backup --backup -p" + r,
		"curl -su jo:hunter2 https://x":                          "curl -su jo:" + r + " https://x",
		"curl -sSLu 'jo:a b' https://x":                          "curl -sSLu 'jo:" + r + "' https://x",
		"curl -sujo:hunter2 https://x":                           "curl -sujo:" + r + " https://x",
		"curl \\\n  -u jo:hunter2 \\\n  https://x":               "curl \\\n  -u jo:" + r + " \\\n  https://x",
		`{"command":"curl \\\n -u jo:hunter2 x"}`:                `{"command":"curl \\\n -u jo:` + r + ` x"}`,
		`"curl" -u jo:hunter2 x`:                                 `"curl" -u jo:` + r + ` x`,
		"mysql.exe -phunter2":                                    "mysql.exe -p" + r,
		"db_pw: hunter22":                                        "db_pw: " + r,
		`{"db_pw":"x9y8"}`:                                       `{"db_pw":"` + r + `"}`,
		"DB_PASS=hunter2 make":                                   "DB_PASS=" + r + " make",
		"LDAP_BIND_PW=hunter2":                                   "LDAP_BIND_PW=" + r,
		"pass: `hunter2`":                                        "pass: `" + r + "`",
		"SOME_TOKEN=hunter2...x":                                 "SOME_TOKEN=" + r,
		"CREDENTIALS=hunter2x":                                   "CREDENTIALS=" + r,
		"pw=hunter2":                                             "pw=" + r,
		"STRIPE_KEY=hunter2hunter2":                              "STRIPE_KEY=" + r,
	} {
		if got := Text(in); got != want {
			t.Errorf("Text(%q)\n= %q\nwant %q", in, got, want)
		}
	}
}

func TestRedact_leavesProseAndCode(t *testing.T) {
	for _, s := range []string{
		"",
		"Token ids are strings, never ints",
		"token: the lexer's unit",
		"maxTokens=500 tokens: 12, token=42",
		"git@github.com:git-brew/git-brew.git and ssh://git@github.com/x",
		"commit 4f1c2aa9be01d3c02d1f8a77e0c35c41d7e28a90b1f00 is the key change",
		"password=$DB_PASSWORD and password: ${SECRET} and --password <value>",
		"password: null, secret: required",
		"risk-management-and-disk-usage-2 of the task-runner-that-never-stops-1",
		"passwords are hashed; secrets: redacted first",
		"Authorization: only admins may purge",
		"the secretary's report",
		"- [x] All tests pass: `npm test`, accuracy pass: `docs/cli.md`",
		`OPENAI_API_KEY="sk-..." GITHUB_TOKEN=ghp_xxx "XAI_API_KEY": "XAI_API_KEY_HERE" PRIVATE_KEY=0x...  # yours`,
		"a guess at `?token=` in the URL; the `?token=` of `x` was one",
		"GOOGLE_APPLICATION_CREDENTIALS=./dev-service-account.json",
		"'password' => Hash::make('password'), const token = process.env.INTERNAL_TOKEN!;",
		"https://example.org/@user/file?x=1",
		"docker run -u 1000:1000 image",
		"rclone copy works, tests pass now",
		"I ran rclone, and all tests pass today",
		"net use Z: \\\\srv\\share /user:jo; net user jo /delete",
		"htpasswd -c file jo; unzip -p x.zip member",
		"the net user growth was 20%, the net user count stayed",
		"the login -p PATH is wrong; curl -sSL host:8080/x",
		"keyboard shortcuts in /usr/share/doc/Package1/README",
		"eyJ is how they begin",
		"a key: value pair",
		"GIT_BREW_BYPASS=true and a compass=north",
		"SORT_KEY=name PRIMARY_KEY=id",
		"mysql -p db; docker login -p; redis-cli -a",
		"mkdir -p src/a; mysql -u root",
		"key-value-pairs-of-the-configuration-file",
		"ssh login.example.com -p 2222",
		"fix-login and then cp -p PATH",
		"the login page takes -p PATH",
		"PARTITION_KEY=user_id_2024 CACHE_KEY=v2-linux-node18-abc SSH_KEY=/home/jo/.ssh/id_2024",
		"kubectl get secret x -o yaml; docker run -p 8080:80 x",
	} {
		if got := Text(s); got != s {
			t.Errorf("Text(%q) = %q", s, got)
		}
	}
}

func FuzzRedact(f *testing.F) {
	for _, s := range []string{
		"password=hunter2 token: abc12345", "https://a:b@c", "Authorization: Bearer x", "-----BEGIN PRIVATE KEY",
		"eyJhbGciOiJIUzI1NiJ9.x",
		`{"secret":"a\"b"}`, "curl -u a:b", "key " + "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0dF3gH6", "--token 'x y'",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := Text(s)
		if utf8.ValidString(s) && !utf8.ValidString(got) {
			t.Fatalf("Text(%q) = %q", s, got)
		}
		if again := Text(got); again != got {
			t.Fatalf("Text(%q) = %q, again %q", s, got, again)
		}
	})
}

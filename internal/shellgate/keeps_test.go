package shellgate

import (
	"strings"
	"testing"
)

// TestJudge_BW8_whatKeepsTheGate: found whatever the mode, since an agent that
// may write could open the gate for the next discussion.
func TestJudge_BW8_whatKeepsTheGate(t *testing.T) {
	for command, want := range map[string]bool{
		"echo x > .git/config":                       true,
		"echo x > ~/.gitconfig":                      true,
		"printf x >> .claude/settings.json":          true,
		"tee .claude/settings.local.json":            true,
		"sed -i s/a/b/ ./.git//config":               true,
		"cp x /repo/.git/config":                     true,
		"dd if=x of=.git/config":                     true,
		"sort --output=.git/config f":                true,
		"rm -rf .git/brew":                           true,
		"sh -c 'rm -rf .git/brew'":                   true,
		"env X=1 rm -rf .GIT/brew":                   true,
		"ls | xargs rm .git/config":                  true,
		"git config brew.gate off":                   true,
		"git config --global BREW.gate off":          true,
		"git -C . config --unset brew.gate":          true,
		"git config --remove-section brew":           true,
		"git config include.path x":                  true,
		"git update-ref refs/brew/x HEAD":            true,
		"git push origin :refs/brew/x":               true,
		`git brew {"config",set,gate,off}`:           true,
		"echo config set gate off | xargs git brew":  true,
		"git brew $x":                                true,
		"git -c alias.b='!git brew toggle' b":        true,
		"git config --get brew.gate":                 false,
		"git config brew.gate":                       false,
		"git config user.name x":                     false,
		"git for-each-ref refs/brew":                 false,
		"git add config include/x.h":                 false,
		"git commit -m 'of refs/brew'":               false,
		"git commit -m config -- brew.go":            false,
		"git -C . config include.path x":             true,
		"rm -rf .git":                                true,
		"rm -rf ./.git/ build":                       true,
		"mv .git /tmp/x":                             true,
		"rm -rf .claude":                             true,
		"find .git -delete":                          true,
		"cd /tmp/scratch && rm -rf .git":             false,
		"rm -rf vendor/x/.git":                       false,
		"rm -rf /tmp/scratch/.git":                   false,
		"rm -f .git/index.lock .github/x":            false,
		"git rm .claude/settings.json":               true,
		"git rm -rf .opencode":                       true,
		"git mv .cursor/ x":                          true,
		"git add .cursor .github":                    false,
		"git commit -m .claude":                      false,
		"rm -rf .gemini build":                       true,
		"rm .codex/hooks.json":                       true,
		"echo x > ~/.codex/config.toml":              true,
		"ln -sf /dev/null .gemini/settings.json":     true,
		"cp x .github/hooks/git-brew.json":           true,
		"tee .github/copilot/settings.local.json":    true,
		"mv .opencode/plugins x":                     true,
		"rm -rf .github/workflows .cursor/rules":     false,
		"cp x .github/hooks/other.json":              false,
		"cat .codex/hooks.json":                      false,
		"git checkout main -- .claude/settings.json": true,
		"git restore .claude/settings.json":          true,
		"git mv .claude/settings.json x":             true,
		"git clean -fdx":                             true,
		"git clean -xdf .":                           true,
		"git clean -fdX":                             true,
		"git clean -fdx -e .claude":                  false,
		"git clean -fdx --exclude=.claude":           false,
		"git clean -fdx -e node_modules":             true,
		"git clean -fd":                              false,
		"git clean -fdx build":                       true,
		"git clean -ndx":                             false,
		"git checkout main":                          false,
		"git commit -m 'git config brew.gate'":       false,
		"gh pr create --title 'git config brew.x'":   false,
		"cat .git/config .claude/settings.json":      false,
		"rm .git/index.lock":                         false,
		"git add .claude/settings.json":              false,
		"echo x > notes/gitconfig":                   false,
		`git brew -C "$dir" list`:                    false,
	} {
		v := Judge(command, Options{Brew: func([]string) Brew { return BrewIsChange }})
		if got := v.Persons != nil; got != want {
			t.Errorf("%q: %t, want %t", command, got, want)
		}
	}
}

// TestJudge_BW8_whereTheShellWent: what keeps the gate is found from where a cd led, and
// from where the shell starts.
func TestJudge_BW8_whereTheShellWent(t *testing.T) {
	for _, c := range []struct {
		at, command string
		want        bool
	}{
		{"", "cd .git && printf x >> config", true},
		{"", "cd .claude && rm settings.local.json", true},
		{"", "cd .git && rm -rf brew", true},
		{"", "(cd .git && sed -i s/a/b/ config)", true},
		{"", "pushd .git; echo x > config", true},
		{"", "cd .git/refs && rm -rf brew", true},
		{"", "cd .github && rm -rf hooks", true},
		{"", "cd .git && rm -rf *", true},
		{"", "cd docs && rm -rf ../.git", true},
		{"", "cd ~ && echo x > .gitconfig", true},
		{"", "cd .claude && git rm settings.json", true},
		{"", "(cd .git && ls); echo x > config", false},
		{"", "cd .git && ls && cd .. && echo x > config", false},
		{"", "cd .git; cd \"$(git rev-parse --show-toplevel)\"; echo x > brew.go", false},
		{"", "cd .git && cat config", false},
		{"", "cd .claude && echo x > agents/a.md", false},
		{"", "cd /tmp/x && rm -rf .git build", false},
		{"", "cd docs && echo x > config", false},
		{".git", "echo x > config", true},
		{".git", "rm -rf brew", true},
		{".claude", "rm settings.local.json", true},
		{".codex", "tee hooks.json", true},
		{"/elsewhere/.git", "echo x > config", true},
		{".git", "cd .. && echo x > config", false},
		{"docs", "echo x > config", false},
		{"", "git stash --all", true},
		{"", "git stash -a", true},
		{"", "git stash push -ua", true},
		{"", "git stash push -u -m all", false},
		{"", "git stash list", false},
		{"", "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=brew.gate GIT_CONFIG_VALUE_0=off git brew next", true},
		{"", "env GIT_CONFIG_PARAMETERS=\"'brew.gate'='off'\" git brew next", true},
		{"", "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=user.name GIT_CONFIG_VALUE_0=x git commit", false},
		{"", "GIT_EDITOR='cp x' git config -e", true},
		{"", "git config edit", true},
		{"", "git config user.name edit", false},
		{"", "git -c edit config", false},
		{"", "cp config .git/", true},
		{"", "cp -r d/. .git", true},
		{"", "cp settings.json .claude", true},
		{"", "cp -r x/.claude .", true},
		{"", "cp x.md .claude/skills/", false},
		{"", "cp -r .git /tmp/backup", false},
		{"", "tar -C .git -xf x.tar", true},
		{"", "tar -xf x.tar --directory=.claude", true},
		{"", "tar -czf x.tgz .git", false},
		{"", "perl -pi -e s/a/b/ .git/config", true},
		{"", "perl -ne print .git/config", false},
	} {
		v := Judge(c.command, Options{At: c.at, Brew: func([]string) Brew { return BrewPasses }})
		if got := v.Persons != nil; got != c.want {
			t.Errorf("%q in %q: %t, want %t", c.command, c.at, got, c.want)
		}
	}
}

// TestJudge_BW8_BW9_whatIsNotParsed: a shell runs the lines before an error, and has
// marks and forms of its own; what says by name what it does is found there, too.
func TestJudge_BW8_BW9_whatIsNotParsed(t *testing.T) {
	for command, want := range map[string]bool{
		"git config brew.gate off\n)":                             true,
		"git config brew.gate off #\x07":                          true,
		"git config \\\n brew.gate off\n)":                        true,
		"# a \\\ngit config brew.gate off\n)":                     true,
		"echo \\\x07\ngit config brew.gate off":                   true,
		"sh -c 'ls; git config brew.gate off'\n)":                 true,
		"git config brew.gate off <<E\nx":                         true,
		"for x ({1..3}) { git config brew.gate off }":             true, // zsh
		"{ git config brew.gate off; echo $((echo a); (echo b))}": true,
		"echo $\\\nx; git config brew.gate off":                   true,
		"git brew uninit\n)":                                      true,
		"git brew uninit\r\nls":                                   true,
		"rm -rf ~\n)":                                             true,
		"rm -rf ~ #\x1b":                                          true,
		"rm -rf ~ #\xff":                                          true,
		"printf '\x1b[0m'; rm -rf build":                          false,
		"ls (":                                                    false,
		"git commit -m 'git config brew.gate off #\x07'":          false,
	} {
		v := Judge(command, Options{Brew: func([]string) Brew { return BrewIsPersons }})
		if got := v.Danger != nil || v.Persons != nil; got != want || v.ReadOnly || v.Finding.Reason != Parses {
			t.Errorf("%q: %t, want %t, %v", command, got, want, v.Finding)
		}
	}
	if d := Judge(strings.Repeat("a;", 100_000)+"\n)", Options{}); d.ReadOnly {
		t.Error("read-only")
	}
}

func TestJudge_BW6_interpretersAreNotOffered(t *testing.T) {
	for command, want := range map[string]string{
		"perl": "", "perl -lane x": "", "ruby -rx y": "", "sqlite3 -readonly x.db": "", "psql -c x": "", "make": "",
		"make -n": "make -n", "npm run lint": "npm run lint", "perl build.pl": "perl build.pl",
	} {
		if got := Judge(command, Options{}).Finding.Allow; got != want {
			t.Errorf("%q: %q, want %q", command, got, want)
		}
	}
}

// TestJudge_BW5_anotherGitBrew: a program beside the work is only called so.
func TestJudge_BW5_anotherGitBrew(t *testing.T) {
	for command, want := range map[string]bool{
		"git brew list": true, "/usr/local/bin/git-brew list": true,
		"~/go/bin/git-brew list": false, "./x/git-brew list": false,
	} {
		v := Judge(command, Options{Brew: func([]string) Brew { return BrewPasses }})
		if v.ReadOnly != want {
			t.Errorf("%q: %t", command, v.ReadOnly)
		}
	}
}

// TestFinding_hintsHelp: what a refusal advises passes.
func TestFinding_hintsHelp(t *testing.T) {
	for command, want := range map[string][2]string{
		`git log "$b"`:              {"After --end-of-options it can't.", `git log --end-of-options "$b"`},
		`git log $b`:                {"After --end-of-options it can't.", `git log --end-of-options $b`},
		`git diff main...$b`:        {"After --end-of-options it can't.", `git diff --end-of-options main...$b`},
		`sed -n 1p "$f"`:            {"After --, or with ./ in front, it can't.", `sed -n 1p -- "$f"`},
		`sort "$f"`:                 {"After --, or with ./ in front, it can't.", `sort ./"$f"`},
		"eval ls":                   {"Without eval the command can be checked.", "ls"},
		"git fetch":                 {"'git ls-remote' shows what the remote has.", "git ls-remote"},
		"ls | python3 -m json.tool": {"With -I before -m it reads, and so does 'jq .'.", "ls | python3 -I -m json.tool"},
		"sort -o f f":               {"Without it, output goes to you.", "sort f"},
		"ls > f":                    {"Output to /dev/null, or none, is reading.", "ls > /dev/null"},
	} {
		f := Judge(command, Options{}).Finding
		if f == nil || f.Hint != want[0] {
			t.Errorf("%q: %+v, want %q", command, f, want[0])
		}
		if v := Judge(want[1], Options{}); !v.ReadOnly {
			t.Errorf("%q, as advised: %+v", want[1], v.Finding)
		}
	}
}

// TestFinding_quotesRedirectionsAsTyped: whoever looks for it in the command finds it.
func TestFinding_quotesRedirectionsAsTyped(t *testing.T) {
	for command, want := range map[string]string{
		"echo x >> f":           `">> f" writes a file`,
		"echo x >>f":            `">>f" writes a file`,
		"echo x > f 2>&1":       `"> f" writes a file`,
		"echo x 2> 'a b'":       `"2> 'a b'" writes a file`,
		"echo x &> f":           `"&> f" writes a file`,
		"cat 3<< E; ls\none\nE": `"3<< E" writes a file`,
	} {
		if f := Judge(command, Options{}).Finding; f == nil || f.Why != want {
			t.Errorf("%q: %+v", command, f)
		}
	}
}

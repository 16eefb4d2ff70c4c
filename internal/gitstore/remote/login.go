package remote

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore/gitcmd"
)

// login is what a person answered to git's question for a name and a password. It
// lives as long as the handle, and in the environment of git processes that talk to
// a remote: nothing is written, nothing is left to end.
type login struct {
	site   string // as "https://host:port"
	answer string // for git, two lines
}

// loginVariable begins the names of the variables that hold logins.
const loginVariable = "GIT_BREW_LOGIN_"

// keptLogins are the settings by which git asks for the logins that are kept, each
// for its own site and behind the person's credential helpers, and the variables
// that hold them.
func (r *Client) keptLogins() (settings, variables []string) {
	r.loginMu.Lock()
	defer r.loginMu.Unlock()
	for i, l := range r.logins {
		name := loginVariable + strconv.Itoa(i)
		settings = append(settings, "-c", "credential."+l.site+`.helper=!f() { if test "$1" = get; then printf '%s\n' "$`+
			name+`"; fi; }; f`)
		variables = append(variables, name+"="+l.answer)
	}
	return settings, variables
}

// loginWanted is the address for which git wanted a name or a password of a person
// and was not allowed to ask; "" where that is not why it failed.
func loginWanted(err error) string {
	var command *gitcmd.CommandError
	if !errors.As(err, &command) {
		return ""
	}
	for line := range strings.Lines(command.Stderr) {
		what, is := strings.CutPrefix(line, "fatal: could not read ") // "Username for '…': …"
		at, off := strings.CutSuffix(strings.TrimSpace(what), "': terminal prompts disabled")
		if _, at, in := strings.Cut(at, " for '"); is && off && in {
			return at
		}
	}
	return ""
}

// askLogin has git ask the person, and whom they set to answer for them, for the login
// to an address, for as long as that takes. Kept: it is known now. Asks: it could
// not be kept, so that git has to ask when it needs it.
func (r *Client) askLogin(ctx context.Context, at string) (kept, asks bool) {
	if askpass, set := r.at.Git.Env.Lookup("GIT_ASKPASS"); set && askpass == "" &&
		r.at.Git.Env.Get("GIT_TERMINAL_PROMPT") == "0" {
		return false, false // see Silent: nobody may be asked
	}
	if !strings.HasPrefix(at, "http://") && !strings.HasPrefix(at, "https://") {
		return false, true
	}
	out, err := r.at.Git.Input(ctx, []byte("url="+at+"\n\n"), "credential", "fill")
	if err != nil {
		return false, false
	}
	said := map[string]string{}
	for line := range strings.Lines(string(out)) {
		key, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
		said[key] = value
	}
	if said["username"] == "" && said["password"] == "" {
		return false, false
	}
	r.loginMu.Lock()
	defer r.loginMu.Unlock()
	r.logins = append(r.logins, login{
		site:   said["protocol"] + "://" + said["host"],
		answer: "username=" + said["username"] + "\npassword=" + said["password"],
	})
	return true, false
}

package gitstore

import (
	"context"
	"strings"
)

// Partial tells whether objects may be missing here that a remote has promised
// (a partial clone).
func (r *Repo) Partial(ctx context.Context) bool {
	config, err := r.Config(ctx)
	if err != nil {
		return false
	}
	for _, s := range config.settings {
		promisor := strings.HasPrefix(s.key, "remote.") && strings.HasSuffix(s.key, ".promisor")
		if yes, ok := parseBool(s.value); promisor && ok && yes || s.key == "extensions.partialclone" {
			return true
		}
	}
	return false
}

// Offline gives another handle on the same repository that never asks a remote
// for what is missing here. The caller closes it.
func (r *Repo) Offline() *Repo {
	other := r.again()
	other.noLazyFetch = true
	return other
}

// Silent gives another handle on the same repository whose git asks nobody for a
// password, a passphrase or a yes: where that is wanted, it fails. The person's
// own way to run ssh stays as it is. The caller closes it.
func (r *Repo) Silent(ctx context.Context) *Repo {
	other := r.again()
	other.env = other.env.with(r.silence(ctx)...)
	return other
}

// silence are the variables that keep git, and what it asks for credentials,
// from asking a person.
func (r *Repo) silence(ctx context.Context) []string {
	variables := []string{"GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=", "SSH_ASKPASS_REQUIRE=never", "GCM_INTERACTIVE=never"}
	config, err := r.Config(ctx)
	if err != nil {
		return variables
	}
	own, _ := config.Get("core.sshcommand")
	if own == "" && r.env.get("GIT_SSH_COMMAND") == "" && r.env.get("GIT_SSH") == "" {
		variables = append(variables, "GIT_SSH_COMMAND=ssh -o BatchMode=yes")
	}
	return variables
}

func (r *Repo) again() *Repo {
	return &Repo{layout: r.layout, dir: r.dir, env: r.env, name: r.name, noLazyFetch: r.noLazyFetch, now: r.now}
}

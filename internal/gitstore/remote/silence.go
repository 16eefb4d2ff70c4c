package remote

import (
	"context"
)

// Silence are the variables that keep git, and what it asks for credentials,
// from asking a person.
func (r *Client) Silence(ctx context.Context) []string {
	variables := []string{"GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=", "SSH_ASKPASS_REQUIRE=never", "GCM_INTERACTIVE=never"}
	config, err := r.config.Read(ctx)
	if err != nil {
		return variables
	}
	own, _ := config.Get("core.sshcommand")
	if own == "" && r.at.Git.Env.Get("GIT_SSH_COMMAND") == "" && r.at.Git.Env.Get("GIT_SSH") == "" {
		variables = append(variables, "GIT_SSH_COMMAND=ssh -o BatchMode=yes")
	}
	return variables
}

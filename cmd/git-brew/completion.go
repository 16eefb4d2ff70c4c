package main

import (
	"bytes"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/cli/build"
)

func completionCommand() cli.Command {
	return cli.Command{
		Use:   "completion bash|zsh|fish",
		Short: "print a shell's completion script",
		Bare: func(c *cli.Call) (cli.Answer, error) {
			script, err := completionScript(c.Cmd.Root(), c.Args[0])
			return cli.Answer{Text: func() { _, _ = c.Out.Write(script) }}, err // the flush reports what can't be written
		},
	}
}

// completionScript is cobra's script for a shell, fitted to a program that git
// calls as one of its own commands.
func completionScript(root *cobra.Command, shell string) ([]byte, error) {
	var b bytes.Buffer
	var err error
	switch shell {
	case "bash":
		err = root.GenBashCompletionV2(&b, true)
		b.WriteString(bashForGit)
	case "zsh":
		err = root.GenZshCompletion(&b)
	case "fish":
		// fish's own completion of git asks git-brew's.
		err = root.GenFishCompletion(&b, true)
	default:
		return nil, &cli.UsageError{Msg: fmt.Sprintf("no completion for %q", shell), Hint: "one of bash, zsh, fish"}
	}
	if err != nil {
		return nil, fmt.Errorf("make the %s completion: %w", shell, err)
	}
	// Called through git's own completion, the first word is "brew": another
	// program altogether on many machines.
	return bytes.ReplaceAll(b.Bytes(), []byte("${words[1]} __complete"), []byte("git-brew __complete")), nil
}

// bashForGit lets git's own bash completion complete `git brew`: it calls
// _git_brew, with the words of the line in words, and cword and cur set.
const bashForGit = `
_git_brew() {
    local at=${__git_cmd_idx:-1} out
    out=$(git-brew __completeNoDesc ${__git_C_args[@]+"${__git_C_args[@]}"} \
        "${words[@]:at+1:cword-at}" 2>/dev/null) || return
    __gitcomp_nl "${out%:*}"
}
`

func versionCommand() cli.Command {
	return cli.Command{Use: "version", Short: "print the version", Bare: version}
}

func version(c *cli.Call) (cli.Answer, error) {
	v := build.Current()
	return cli.Answer{JSON: v, Records: cli.Record(v.Version, v.Commit, v.Go), Text: func() {
		c.Line("git-brew version " + v.Version + " (" + v.Detail() + ")")
	}}, nil
}

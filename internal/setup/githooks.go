package setup

// gitHook is one of git's own hooks that calls git brew.
type gitHook struct {
	name string
	// about says what it is for, lost what is missed without it, for people.
	about, lost string
	// alone is the hook where there was none. chained runs the hook that was
	// there, and then ours: git sees the first one's status.
	alone, chained string
}

const hookMark = "# Made by 'git brew init'; 'git brew uninit' takes it out again.\n"

// gitHooks are the hooks of git that init puts in. What they say is known by
// heart: uninit takes out what is the same, byte for byte.
func gitHooks() []gitHook {
	return []gitHook{
		{
			name:  "post-rewrite",
			about: "notes move along when commits are rewritten",
			lost:  "git does not run git brew after it rewrote commits: notes stay with the old ones",
			alone: "#!/bin/sh\n" + hookMark + `command -v git-brew >/dev/null 2>&1 || exit 0
exec git-brew hook post-rewrite "$@"
`,
			// Both get the same arguments and the same standard input.
			chained: "#!/bin/sh\n" + hookMark + `input=$(cat; printf x)
input=${input%x}
status=0
if test -x "$0.before-git-brew"; then
	printf '%s' "$input" | "$0.before-git-brew" "$@"
	status=$?
fi
if command -v git-brew >/dev/null 2>&1; then
	printf '%s' "$input" | git-brew hook post-rewrite "$@" || :
fi
exit $status
`,
		},
		{
			name:  "pre-push",
			about: "tasks follow when you push",
			lost:  "git does not run git brew when you push: tasks follow with the next 'git brew sync'",
			// Whatever becomes of ours, the push is the person's.
			alone: "#!/bin/sh\n" + hookMark + `command -v git-brew >/dev/null 2>&1 || exit 0
git-brew hook pre-push "$@" </dev/null >/dev/null 2>&1 || :
exit 0
`,
			chained: "#!/bin/sh\n" + hookMark + `if test -x "$0.before-git-brew"; then
	"$0.before-git-brew" "$@" || exit $?
fi
if command -v git-brew >/dev/null 2>&1; then
	git-brew hook pre-push "$@" </dev/null >/dev/null 2>&1 || :
fi
exit 0
`,
		},
	}
}

package shellgate

// shellTable: builtins of the shell, and programs that run the command in their words.
var shellTable = []row{
	{"echo, true, false, :, times, sleep, type, ulimit -a, umask, printenv", 0, "*", ""},
	{"cd, pushd, popd", moves, "*", ""},
	{"break, continue, exit, return, shift, wait", counts, "-#", ""},
	{"tee", 0, "-ai", quietFiles},
	{"printf", stops | formats, "", ""},
	{"test, [", testWords, "*", ""},
	{"read", stops | setsNames, "-rse -a: -d: -p:", ""},
	{"mapfile, readarray", stops | setsNames, "-t -d:", ""},
	{"set", stops, "!-e !-u !-x !-o=pipefail,errexit,nounset,xtrace", "=pipefail"},
	{"set +e, set +x, set +u, set +o pipefail, exec", stops, "", "0"},
	{"shopt -s, shopt -u", stops, "", "globstar nullglob dotglob"},
	{"command", stops | runsRest, "-pvV", ""},
	{"env, genv", stops | runsEnv, "-i0 -u: --null --unset:", ""},
	{"time, gtime", stops | runsRest, "-pvl --verbose", ""},
	{"timeout, gtimeout", stops | runsRest | skipsOne, "-v -s: -k: --signal: --kill-after: --foreground", ""},
	{"nice", stops | runsRest, "-n: -#", ""},
	{"stdbuf, gstdbuf", stops | runsRest, "-i: -o: -e: --input: --output:", ""},
	{"xargs, gxargs", stops | runsXargs, "-0rtx -n: -L: -P: -s: -d: -I: -a: -E: --null --no-run-if-empty --max-args: " +
		"--max-procs: --delimiter:", ""},
	{"sh, bash, zsh, dash, ash, ksh", stops | runsShell, "-ceuxl -o=pipefail,errexit,nounset --version --help", ""},
	{"git-brew", brewWords | inGit, "*", ""},
}

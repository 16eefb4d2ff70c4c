package shellgate

import "strings"

// refusal says why commands are refused that are known to do more than read.
type refusal struct {
	names string
	why   *Reason
	hint  string
}

// refusals change or run something. "go *" are the commands of go that no row names.
var refusals = []refusal{
	{"rm, mv, cp, ln, mkdir, rmdir, touch, install, truncate, shred, unlink, link, mktemp, mkfifo, mknod, rename, " +
		"trash, dd, split, csplit, patch, ed, ex, zip, rsync, sponge, dos2unix, unix2dos, chmod, chown, chgrp, " +
		"sqlite3", Changes, ""},
	{"vi, vim, nvim, view, nano, pico, emacs, code, subl, open, xdg-open, tig, lazygit, fzf, screen, tmux", Waits, ""},
	{"kill, pkill, killall, killall5, reboot, shutdown, halt, poweroff, useradd, userdel, usermod, passwd, modprobe, " +
		"insmod, apt install, apt remove, apt-get, yum, dnf, brew, snap, service, systemctl *, launchctl, umount, " +
		"losetup, mkfs, mkswap, swapon, swapoff, renice, stty, ldconfig, chattr, setfacl, visudo, at, batch, pip *, " +
		"pip3 *", ChangesHost, ""},
	{"alias -g, hash -p, set -o, set -a, set --, source, ., trap, unalias, enable, builtin, unset, shopt, setopt, " +
		"unsetopt, complete, bind, fc, zmodload, autoload, zle, emulate, functions, disable, bindkey, zstyle, exec, " +
		"getopts, let", Redefines, ""},
	{"ssh, scp, sftp, telnet, nc, ncat, netcat, socat, ftp, mail, sendmail", Sends, ""},
	{"sudo, doas, su, pkexec, runuser, gosu", AsRoot, ""},
	{"eval", Redefines, "Without eval the command can be checked."},
	{"watch, parallel, script, unbuffer, expect, strace, chroot, unshare, nsenter, flock, busybox, toybox, setsid, " +
		"ionice, chrt, taskset, doppler, direnv, ack, ug, nix-shell, systemd-run", RunsProgram, ""},
	{"python, python2, python3, node, nodejs, deno, bun, ruby, perl, php, lua, java, Rscript, julia, osascript, " +
		"tclsh, pypy, pypy3, ts-node, tsx, swift, scala, groovy, elixir, erl, ghci, psql, mysql, mongosh, npx, bunx, " +
		"uvx, pipx, yarn, pnpm, uv, poetry, pipenv, hatch, rye, gem, bundle, composer, corepack, make, gmake, cmake, " +
		"ninja, gradle, mvn, ant, bazel, just, task, rake, tox, nox, meson, mix, dotnet, xcodebuild, pytest, jest, " +
		"vitest, mocha, eslint, prettier, tsc, ruff, black, mypy, golangci-lint, pre-commit, flutter, dart, gcc, g++, " +
		"cc, c++, clang, clang++, ld, as, rustc, javac, kotlinc, ldd, terraform, tofu, ansible, pulumi, vagrant, cargo, " +
		"fish, csh, tcsh, nu, pwsh, powershell, claude, codex, gemini, aider, opencode, copilot, ollama, go *, npm *, " +
		"npm run, docker exec, docker run, docker compose exec, kubectl exec, kubectl run, kubectl debug", RunsCode, ""},
	{"python -m json.tool, python3 -m json.tool", RunsHeld, "With -I before -m it reads, and so does 'jq .'."},
	{"npm view, npm info, npm show, npm search, pip freeze, pip3 freeze, cargo --version, rustc --version, dotnet " +
		"--version, vagrant --version, terraform version, bundle --version, rustup show, rustup --version, nslookup, " +
		"cargo tree, cargo metadata, cargo search, cargo version, cargo info, cargo locate-project, cargo owner, cargo " +
		"help, pnpm outdated, yarn outdated, poetry check, uv tool, terraform show, terraform output, terraform state, " +
		"terraform providers, pnpm list, pnpm ls, pnpm why, yarn list, yarn why, npm outdated, uv pip, uv tree, uv " +
		"version, uv python, poetry show, poetry env, yarn --version, pnpm --version, mvn --version, gradle --version, " +
		"docker compose config, git submodule foreach, just --list, rustc --print, terraform fmt, make -n", RunsHeld, ""},
	{"git add -n, git add --dry-run, git remote prune, git fetch --dry-run, git apply --check, git apply --stat, " +
		"sqlite3 -readonly, ldconfig -p, tmux ls, npm help, npm version, npm audit, npm pkg get, snap list, ssh -V, nc " +
		"-z, nc -zv, alias, set, hash, brew info, go tool nm", UnknownSub, ""},
	{"git fetch", ChangesRepo, "'git ls-remote' shows what the remote has."},
	{"git stash *, git remote *, git worktree *, git submodule *, git bisect *, git notes *, git stash, git reset, " +
		"git add, git commit, git push, git pull, git merge, git rebase, git restore, git checkout, git switch, git " +
		"revert, git cherry-pick, git rm, git mv, git init, git clone, git am, git apply, git gc, git prune, git " +
		"update-ref, git update-index, git filter-branch, git repack, git pack-refs, git write-tree, git commit-tree, " +
		"git read-tree, git checkout-index, git fast-import, git merge-tree, git replace, git rerere, git " +
		"sparse-checkout, git lfs, hg, svn", ChangesRepo, ""},
}

// refusalOf finds why a command is refused by the longest name, of more than own
// words, that its words begin with; else by what is said of all below its name.
func refusalOf(names []string, own int) refusal {
	for n := len(names); n > own; n-- {
		for _, r := range refusals {
			if name := strings.Join(names[:n], " "); listed(r.names, name) {
				return refusal{name, r.why, r.hint}
			}
		}
	}
	if own == 0 {
		return refusal{names[0], Unknown, ""}
	}
	sub := strings.Join(names[:own+1], " ")
	for _, r := range refusals {
		if listed(r.names, strings.Join(names[:own], " ")+" *") {
			return refusal{sub, r.why, ""}
		}
	}
	return refusal{sub, UnknownSub, ""}
}

// problem is that a command is refused; names are its leading words.
func (r refusal) problem(names []string, src string) problem {
	p := problem{reason: r.why, detail: r.names, command: src, hint: r.hint, allow: allowable(names)}
	if r.why == RunsCode {
		p.detail = p.allow
	} else if r.why == Unknown {
		p.allow = r.names
	}
	return p
}

// allowable are the words of a command that a user could list: a name, and a short word.
func allowable(names []string) string {
	n := 1
	if len(names) > 1 && len(names[1]) < 20 && !strings.ContainsAny(names[1], " \t\n") {
		n = 2
	}
	if len(names) > 2 && names[0] == "npm" && names[1] == "run" {
		n = 3
	}
	return strings.Join(names[:n], " ")
}

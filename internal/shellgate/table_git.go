package shellgate

// Options that commands of git share. Those that write (--output) or run what is
// configured for it (--ext-diff, --textconv) are in none.
const (
	gitDiffOpts = "^--output ^--output-directory -abcDpRswWuz0 -# -U: -S: -G: -O: -l: -M? -C? -X? -B? --patch -p --no-patch --stat? --numstat --shortstat --dirstat? --summary --name-only " +
		"--name-status --raw --patch-with-stat --patch-with-raw --unified: --color? --no-color --word-diff? --color-words? --word-diff-regex: --color-moved? " +
		"--check --full-index --binary --abbrev? --find-renames? --find-copies? --find-copies-harder --no-renames --diff-filter: --pickaxe-all " +
		"--pickaxe-regex --relative? --text --ignore-all-space --ignore-space-change --ignore-space-at-eol --ignore-blank-lines --ignore-cr-at-eol " +
		"--inter-hunk-context: --function-context --exit-code --quiet --no-ext-diff --no-textconv --ignore-submodules? --submodule? --src-prefix: " +
		"--dst-prefix: --no-prefix --minimal --patience --histogram --diff-algorithm: --indent-heuristic --no-indent-heuristic --compact-summary " +
		"--cached --staged --merge-base --no-index --stat-width: --stat-count: --stat-name-width: --line-prefix: --ita-invisible-in-index --anchored: "
	gitLogOpts = gitDiffOpts + "-gimEFPqrt -L: --oneline --merge --format: --pretty? --graph --all --branches? --tags? --remotes? --glob: --exclude: " +
		"--decorate? --no-decorate --decorate-refs: --decorate-refs-exclude: --abbrev-commit --no-abbrev-commit --max-count: --skip: --since: --after: " +
		"--until: --before: --author: --committer: --grep: --all-match --invert-grep --regexp-ignore-case --extended-regexp --fixed-strings --perl-regexp " +
		"--merges --no-merges --first-parent --not --reverse --date: --date-order --topo-order --author-date-order --follow --simplify-by-decoration " +
		"--full-history --ancestry-path? --left-right --left-only --right-only --cherry-pick --cherry-mark --cherry --boundary --parents --children " +
		"--walk-reflogs --reflog --show-pulls --source --stdin --no-walk? --show-signature --notes? --no-notes --relative-date --mailmap --use-mailmap " +
		"--diff-merges: --no-diff-merges --remerge-diff --cc --root --full-diff --name-only --count --objects --no-patch --min-parents: --max-parents: " +
		"--encoding: --expand-tabs? --no-expand-tabs --dense --sparse --log-size --clear-decorations --numbered --email --group: --no-commit-id --no-mailmap"
	gitListOpts = "--format: --sort: --contains: --no-contains: --merged: --no-merged: --points-at: --color? --no-color --column? --no-column " +
		"--ignore-case --omit-empty "
)

var gitTable = []row{
	{
		"git", stops | group | bare | inGit, "-Pph -v -C: --no-pager --paginate --no-optional-locks --literal-pathspecs --glob-pathspecs --noglob-pathspecs " +
			"--icase-pathspecs --no-replace-objects --no-lazy-fetch --version --help --exec-path --html-path --man-path --info-path " +
			"-c=color.*,core.pager=cat,core.pager=,core.quotepath=*,core.quotePath=*,log.*,diff.renames=*,diff.renameLimit=*,diff.algorithm=*," +
			"diff.context=*,status.*,column.*,blame.*,advice.*,core.abbrev=*,core.fsmonitor=false,i18n.*,pager.log=false,pager.diff=false", "",
	},
	{"git log, git show, git diff, git whatchanged, git diff-tree, git diff-index, git diff-files", anywhere | inGit, gitLogOpts + " -n:", ""},
	{"git shortlog", anywhere | inGit, gitLogOpts + " -ne", ""},
	{"git rev-list, git range-diff, git stash list, git stash show, git reflog show", anywhere | inGit, gitLogOpts + " -n:", ""},
	{"git reflog", anywhere | inGit, gitLogOpts + " -n:", "!expire !delete !drop !write"},
	{"git reflog list, git reflog exists", anywhere | inGit, "", ""},
	{"git blame, git annotate", anywhere | inGit, "-bcltfnsewp -L: -S: -C? -M? --root --porcelain --line-porcelain --incremental --show-name " +
		"--show-number --show-email --since: --date: --color-lines --color-by-age --ignore-rev: --ignore-revs-file: --abbrev: --reverse --first-parent", ""},
	// No option of these writes, or runs anything.
	{"git status, git rev-parse, git describe, git name-rev, git merge-base, git for-each-ref, git show-ref, git ls-files", anywhere | inGit, "*", ""},
	{"git ls-tree, git count-objects, git check-ignore, git check-attr, git check-mailmap, git version", anywhere | inGit, "*", ""},
	{"git cherry, git var, git show-branch, git verify-pack, git check-ref-format, git stripspace", anywhere | inGit, "*", ""},
	{
		"git grep", anywhere | inGit, "-aiIwvhHEFPGnlLzocpWqr -# -A: -B: -C: -m: -e: -f: --cached --no-index --untracked --text --ignore-case --word-regexp " +
			"--invert-match --extended-regexp --basic-regexp --perl-regexp --fixed-strings --line-number --column --files-with-matches --name-only " +
			"--files-without-match --count --all-match --context: --after-context: --before-context: --max-depth: --color? --no-color --break " +
			"--heading --show-function --function-context --recurse-submodules --and --or --not --only-matching --quiet --threads: --max-count: " +
			"--exclude-standard --no-exclude-standard --full-name", "",
	},
	{"git cat-file", anywhere | inGit, "-tsepZz --batch? --batch-check? --batch-all-objects --unordered --buffer --allow-unknown-type --follow-symlinks", ""},
	{"git hash-object", anywhere | inGit, "-t: --stdin --no-filters --literally", ""},
	{"git ls-remote", anywhere | inGit | known, "-hqt --heads --branches --tags --refs --quiet --exit-code --get-url --symref --sort:", "!*::* !-*"},
	{"git symbolic-ref", inGit, "-q --quiet --short --recurse --no-recurse", "1"},
	{"git branch", anywhere | inGit, gitListOpts + "-arvil -vv --all --remotes --verbose --list --show-current --abbrev?", "0/-l,--list"},
	{"git tag", anywhere | inGit, gitListOpts + "-il -n? --list", "0/-l,--list"},
	{"git config --get, git config --get-all, git config --get-regexp, git config --get-urlmatch", inGit, "", "2"},
	{"git config", stops | inGit, "-lz --list --get --get-all --get-regexp --get-urlmatch --show-origin --show-scope --name-only --null --global --local " +
		"--system --worktree --includes --bool --int --path -f: --file: --blob: --type: --default:", "1 *.*"},
	{"git config list, git config get", inGit, "-z --all --regexp --show-origin --show-scope --show-names --name-only --null --global --local --system " +
		"--worktree --includes --type: --default: --url: --value: -f: --file:", "1"},
	{"git remote", stops | inGit | group | bare, "-v --verbose", ""},
	{"git remote -v, git remote --verbose", inGit, "", "0"},
	{"git remote show", anywhere | inGit | known, "-n", "!*::*"},
	{"git remote get-url", anywhere | inGit, "--push --all", ""},
	{"git stash", stops | group, "", ""},
	{"git submodule, git notes", stops | inGit | group | bare, "-q --quiet", ""},
	{"git worktree, git bisect", stops | group, "-q --quiet", ""},
	{"git worktree list, git submodule status, git notes list, git notes show, git bisect log", anywhere | inGit, "-vz --porcelain --verbose --recursive --cached", ""},
	{"git clean", inGit, "!-n !--dry-run -dxXfq -e: --exclude:", ""},
	{"git brew", brewWords, "*", ""},
}

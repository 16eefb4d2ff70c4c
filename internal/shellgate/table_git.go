package shellgate

// Options that commands of git share. Those that write (--output) or run what is
// configured for it (--ext-diff, --textconv) are in none.
const (
	gitLogOpts = "^--output ^--output-directory -abcDpRswWuz0 -# -U: -S: -G: -M? -C? --patch --no-patch --stat? " +
		"--numstat --shortstat --summary --name-only --name-status --unified: --color? --no-color --word-diff? --check " +
		"--abbrev? --find-renames? --diff-filter: --text --ignore-all-space --exit-code --quiet --no-renames " +
		"--color-words? --histogram --raw --no-ext-diff --cached --staged --no-index -gimEFPqrt -L: --oneline --merge " +
		"--format: --pretty? --graph --all --tags? --remotes? --decorate? --abbrev-commit --max-count: --since: --until: " +
		"--before: --author: --grep: --merges --no-merges --first-parent --reverse --date: --follow --branches? --skip: " +
		"--after: --committer: --topo-order --not --no-walk? --diff-merges: --count --objects --no-commit-id"
	gitListOpts = "--format: --sort: --contains: --merged: --no-merged: --points-at: --color? --ignore-case "
)

var gitTable = []row{
	{"git", stops | group | bare | inGit, "-Pph -v -C: --no-pager --no-optional-locks --version --help -c=color.*," +
		"core.pager=cat,core.pager=,core.quotepath=*,core.quotePath=*,log.*,diff.renames=*,diff.renameLimit=*,status.*," +
		"diff.algorithm=*,advice.*,core.abbrev=*,core.fsmonitor=false,pager.log=false,pager.diff=false", ""},
	{"git log, git show, git diff, git whatchanged, git diff-tree, git diff-index, git diff-files, git rev-list, " +
		"git range-diff, git stash list, git stash show, git reflog show", anywhere | inGit, gitLogOpts + " -n:", ""},
	{"git shortlog", anywhere | inGit, gitLogOpts + " -ne", ""},
	{"git reflog", anywhere | inGit, gitLogOpts + " -n:", "!expire !delete !drop !write"},
	{"git reflog list, git reflog exists", anywhere | inGit, "", ""},
	{"git blame, git annotate", anywhere | inGit, "-bcltfnsewp -L: -C? -M? --porcelain --since: --date:", ""},
	// No option of these writes, or runs anything.
	{"git status, git rev-parse, git describe, git name-rev, git merge-base, git for-each-ref, git show-ref, " +
		"git ls-files, git ls-tree, git count-objects, git check-ignore, git check-attr, git version, git cherry, " +
		"git var, git show-branch, git verify-pack, git check-ref-format", anywhere | inGit, "*", ""},
	{"git grep", anywhere | inGit, "-aiIwvhHEFPGnlLzocpWqr -# -A: -B: -C: -m: -e: -f: --cached --ignore-case " +
		"--word-regexp --fixed-strings --line-number --files-with-matches --name-only --count --context: --and --quiet", ""},
	{"git cat-file", anywhere | inGit, "-tsepZz --batch-check?", ""},
	{"git hash-object", anywhere | inGit, "-t:", ""},
	{"git ls-remote", anywhere | inGit | known, "-hqt --heads --tags --refs --quiet --symref", "!*::* !-*"},
	{"git symbolic-ref", inGit, "-q --quiet --short", "1"},
	{"git branch", anywhere | inGit, gitListOpts + "-arvil --all --list --show-current --abbrev?", "0/-l,--list"},
	{"git tag", anywhere | inGit, gitListOpts + "-il -n? --list", "0/-l,--list"},
	{"git config --get, git config --get-all, git config --get-regexp, git config --get-urlmatch", inGit, "", "2"},
	{"git config", stops | inGit, "-lz --list --get --get-all --get-regexp --get-urlmatch --show-origin --name-only " +
		"--null --global --local --system -f: --file: --type:", "1 *.*"},
	{"git config list, git config get", inGit, "-z --all --show-origin --name-only --global --local --file:", "1"},
	{"git remote", stops | inGit | group | bare, "-v --verbose", ""},
	{"git remote -v, git remote --verbose", inGit, "", "0"},
	{"git remote show", anywhere | inGit | known, "-n", "!*::*"},
	{"git remote get-url", anywhere | inGit, "--push --all", ""},
	{"git stash, git worktree, git bisect", stops | group, "", ""},
	{"git submodule, git notes", stops | inGit | group | bare, "-q --quiet", ""},
	{"git worktree list, git submodule status, git notes list, git notes show, git bisect log", anywhere | inGit, "-vz " +
		"--porcelain --verbose --recursive --cached", ""},
	{"git clean", inGit, "!-n !--dry-run -dxXfq -e: --exclude:", ""},
	{"git brew", brewWords | inGit, "*", ""},
}

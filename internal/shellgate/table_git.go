package shellgate

// Options that the commands of the log family share: which of them take a value
// in the next word, and what never passes. A diff driver or textconv filter that
// the user configured runs where git runs it by itself; asking for one does not
// pass.
const (
	logValues = "-n -S -G -L -U -O -l --max-count --skip --since --after --until --before --author --committer --grep --format --date --decorate-refs " +
		"--decorate-refs-exclude --diff-filter --glob --exclude --encoding --unified --inter-hunk-context --word-diff-regex --anchored --stat-width --find-object --src-prefix --dst-prefix --line-prefix"
	logNever = "--output --output-directory"
	logRuns  = "--ext-diff --textconv"
)

// gitTable: git. What may be read of a repository, form by form.
var gitTable = []rule{
	{
		names: "git", as: group, posix: true, why: RunsProgram,
		flags: "--no-pager -P -p --paginate --no-optional-locks --no-replace-objects --bare --literal-pathspecs --glob-pathspecs --noglob-pathspecs --icase-pathspecs " +
			"--no-lazy-fetch --no-advice --version -v --help -h --html-path --man-path --info-path --exec-path --list-cmds",
		values: "-C -c --git-dir --work-tree --namespace",
		limits: "--exec-path:/nowhere -c:color.*,core.quotepath=*,core.quotePath=*,core.pager=cat,core.pager=,pager.log=false,pager.diff=false,pager.show=false,pager.branch=false,log.*=*,diff.renames=*,diff.renameLimit=*,diff.algorithm=*,diff.context=*,diff.noprefix=*,diff.mnemonicPrefix=*,status.*=*,column.*=*,blame.*=*,advice.*=*,core.abbrev=*,core.autocrlf=*,core.safecrlf=*,core.precomposeunicode=*,grep.linenumber=*,grep.lineNumber=*,i18n.*=*,versionsort.*=*,submodule.recurse=*,core.fsmonitor=false,core.untrackedCache=*,core.preloadindex=*,protocol.version=*,init.defaultBranch=*,tag.sort=*,branch.sort=*",
	},
	{
		names: "git log, git show, git diff, git whatchanged, git shortlog, git range-diff, git rev-list, git diff-tree, git diff-index, git diff-files, git blame, git annotate, git cherry, git show-branch, git rev-parse, git status",
		never: logNever, runs: logRuns, exact: "--text", values: logValues, why: WritesFile, revisions: true,
	},
	{names: "git verify-commit, git verify-tag, git describe, git name-rev, git merge-base, git for-each-ref, git show-ref, git count-objects, git check-ignore, git check-attr, git check-mailmap, git check-ref-format, git var, git version, git verify-pack, git show-index, git ls-files, git ls-tree, git patch-id, git stripspace, git column, git get-tar-commit-id, git fmt-merge-msg, git cherry-mark, git last-modified"},
	{names: "git help", never: "-w --web -i --info", why: RunsProgram},
	{names: "git cat-file", never: "--textconv --filters", why: RunsProgram},
	{names: "git fsck", never: "--lost-found", why: ChangesRepo},
	{names: "git hash-object", never: "-w", why: ChangesRepo, values: "-t --path"},
	{names: "git grep", runs: "-O --open-files-in-pager --textconv --ext-grep", values: "-e -f -A -B -C -m --max-depth --max-count --threads"},
	{names: "git ls-remote", runs: "--upload-pack --exec", values: "-o --server-option --sort", operands: "!::"},
	{names: "git archive", never: "-o --output", runs: "--remote --exec", why: WritesFile, values: "--format --prefix"},
	{names: "git symbolic-ref", most: 1, flags: "-q --quiet --short --recurse --no-recurse", why: ChangesRepo},
	{
		names: "git branch", why: ChangesRepo, lists: "-l --list --contains --no-contains --merged --no-merged --points-at",
		flags:  "-a -r -v -vv -l -i -q --all --remotes --verbose --list --show-current --ignore-case --color --no-color --column --no-column --no-abbrev --omit-empty --merged --no-merged --contains --no-contains --abbrev",
		values: "--points-at --sort --format",
	},
	{
		names: "git tag", why: ChangesRepo, lists: "-l -v --list --verify --contains --no-contains --merged --no-merged --points-at",
		flags:  "-l -i -v --list --verify --ignore-case --color --no-color --column --no-column --omit-empty --merged --no-merged --contains --no-contains -n",
		glued:  "-n",
		values: "--points-at --sort --format",
	},
	{names: "git remote", as: group, why: ChangesRepo, flags: "-v --verbose"},
	{names: "git remote show", flags: "-n", operands: "!::"},
	{names: "git remote prune", needs: "-n --dry-run", never: "--no-dry-run", flags: "-n --dry-run", operands: "!::", why: ChangesRepo},
	{names: "git add, git rm, git mv", needs: "-n --dry-run", never: "--no-dry-run", flags: "-n --dry-run -v --verbose -A --all -u --update -f --force -r --cached --ignore-missing --ignore-unmatch", why: ChangesRepo},
	{
		names: "git merge-tree", least: 3, needs: "--trivial-merge", flags: "--trivial-merge -z --name-only --messages --no-messages --allow-unrelated-histories", values: "-X --strategy-option --merge-base",
		why: ChangesRepo, instead: "With the merge base before the two it writes no objects.",
	},
	{names: "git fetch", as: refuses, why: ChangesRepo, instead: "'git ls-remote' shows what the remote has."},
	{names: "git remote get-url", flags: "--push --all"},
	{
		names: "git config", as: either, most: 1, freely: "--get --get-all --get-regexp --get-urlmatch --get-color --get-colorbool", never: "-e --edit --add --unset --unset-all --replace-all --rename-section --remove-section", why: ChangesRepo,
		flags:  "-l -z --list --get --get-all --get-regexp --get-urlmatch --get-color --get-colorbool --show-origin --show-scope --name-only --null --global --local --system --worktree --includes --no-includes --bool --int --bool-or-int --path --fixed-value",
		values: "-f --file --blob --type --default",
	},
	{
		names: "git config list, git config get", why: ChangesRepo,
		flags:  "-z --all --regexp --show-origin --show-scope --name-only --null --global --local --system --worktree --includes --show-names --no-show-names --fixed-value",
		values: "-f --file --blob --type --default --url --value",
	},
	{names: "git config set, git config unset, git config edit, git config rename-section, git config remove-section", as: refuses, why: ChangesRepo},
	{names: "git stash", as: group, bare: ChangesRepo, why: ChangesRepo},
	{names: "git stash list, git stash show, git diff-pairs, git diff-blob", never: logNever, runs: logRuns, exact: "--text", values: logValues, why: WritesFile},
	{names: "git worktree, git notes, git bisect, git submodule, git sparse-checkout, git bundle, git lfs, git maintenance, git refs, git repo, git multi-pack-index, git commit-graph", as: group, why: ChangesRepo, flags: "-q --quiet --cached --recursive", values: "--ref"},
	{names: "git replace", lists: "-l --list", flags: "-l --list", values: "--format", why: ChangesRepo},
	{names: "git rerere", as: group, bare: ChangesRepo, why: ChangesRepo},
	{names: "git submodule foreach", inner: runsJoined, posix: true, flags: "-q --quiet --recursive", why: RunsProgram},
	{names: "git worktree list, git bisect log, git bisect terms, git submodule status, git submodule summary, git sparse-checkout list, git sparse-checkout check-rules, git bundle verify, git bundle list-heads, git rerere status, git rerere diff, git rerere remaining, git lfs ls-files, git lfs status, git lfs env, git lfs version, git notes list, git notes show, git notes get-ref, git refs list, git refs exists, git repo info, git multi-pack-index verify, git commit-graph verify"},
	{names: "git reflog, git reflog show", as: either, never: logNever, runs: logRuns, values: logValues, why: WritesFile, exact: "--text"},
	{names: "git reflog list, git reflog exists"},
	{names: "git reflog expire, git reflog delete, git reflog drop, git reflog write", as: refuses, why: ChangesRepo},
	{names: "git apply", needs: "--check --stat --numstat --summary", why: ChangesRepo, flags: "--check --stat --numstat --summary --cached --index -v -R --reverse --verbose --recount --unidiff-zero --whitespace", values: "-p -C --directory --include --exclude"},
	{names: "git clean", needs: "-n --dry-run", never: "--no-dry-run -i --interactive", why: ChangesRepo, values: "-e --exclude"},
	{names: "git interpret-trailers", never: "--in-place", why: WritesFile, flags: "--parse --only-trailers --only-input --unfold --no-divider --trim-empty"},
	{
		names: "git format-patch", needs: "--stdout", never: "-o --output-directory --output", why: WritesFile, // an option that takes a value might take --stdout for one
		flags:  "--stdout -k --keep-subject -s --signoff --numbered -N --no-numbered -M -C -p --no-stat --no-signature --zero-commit --full-index --binary --no-binary --root --attach --inline --no-renames --minimal --patience --histogram",
		values: "--subject-prefix --start-number --suffix --signature --base --in-reply-to --to --cc --reroll-count",
	},
	{names: "git brew", inner: brewCommand},
	{
		names: "git am, git bugreport, git checkout, git checkout-index, git cherry-pick, git clone, git commit, git commit-tree, git credential, git diagnose, git difftool, git fast-export, git fast-import, git filter-branch, git gc, git gui, git gitk, git index-pack, git init, git instaweb, git merge, git merge-file, git merge-index, git mergetool, git mktag, git mktree, git pack-objects, git pack-redundant, git pack-refs, git prune, git prune-packed, git pull, git push, git read-tree, git rebase, git receive-pack, git repack, git request-pull, git reset, git restore, git revert, git send-email, git send-pack, git subtree, git svn, git switch, git unpack-file, git unpack-objects, git update-index, git update-ref, git update-server-info, git upload-archive, git upload-pack, git write-tree, git filter-repo, git history, git replay, git backfill, git citool, git daemon, git shell, git hook",
		as:    refuses, why: ChangesRepo,
	},
	{names: "gitk, tig, lazygit, gitui", as: refuses, why: Waits},
	{names: "hg, svn, bzr, fossil, cvs", as: group, flags: "--version", why: ChangesRepo},
	{names: "hg status, hg log, hg diff, hg summary, hg id, hg annotate, svn status, svn log, svn info, svn diff, svn blame, svn list, svn cat", never: "--config --diff-cmd --config-option --config-dir -o --output --tool", why: RunsProgram},
}

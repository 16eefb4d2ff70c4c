package shellgate

// textTable: searching and reshaping text.
var textTable = []rule{
	{names: "grep, egrep, fgrep, ggrep, pgrep, agrep, cut, paste, tr, fold, fmt, expand, unexpand, column, join, pr, look, tsort, numfmt, factor, ascii, banner, figlet, col, colrm, ul, colcrt"},
	{names: "uniq", posix: true, most: 1, why: WritesFile, values: "-f -s -w --skip-fields --skip-chars --check-chars"},
	{
		names: "sort, gsort", never: "-o -T --output --compress-program --temporary-directory", why: WritesFile,
		values: "-k -t -S --key --field-separator --buffer-size --parallel --batch-size --files0-from --random-source --sort",
	},
	{names: "shuf", never: "-o --output", why: WritesFile, values: "-i -n --input-range --head-count --random-source"},
	{names: "iconv", never: "-o --output", why: WritesFile, values: "-f -t --from-code --to-code"},
	{
		names: "rg, ripgrep", runs: "--pre --hostname-bin",
		values: "-e -f -g -t -T -A -B -C -m -M -d -j -r -E --regexp --file --glob --iglob --type --type-not --type-add --after-context --before-context --context --max-count --max-columns --max-depth --threads --replace --encoding --sort --sortr --color --colors --engine --max-filesize --path-separator --pre-glob --field-match-separator",
	},
	{names: "ag, ack, pt, ugrep", never: "--pager --filter --output --save-config --create-ackrc --dump --ackrc --config --view --query -Q", why: RunsProgram},
	{names: "ug", as: refuses, why: RunsProgram, unless: "--version", instead: "'ugrep' reads no settings of the project."},
	{names: "procs", as: refuses, why: RunsProgram, unless: "--version", instead: "'ps' shows processes, too."},
	{
		names: "sed, gsed", inner: sedProgram, never: "-i -I --in-place", why: WritesFile, values: "-e -f --expression --file --line-length",
		flags: "-n -E -r -s -u -z -b -a --quiet --silent --regexp-extended --separate --unbuffered --null-data --zero-terminated --binary --posix --debug --sandbox --follow-symlinks --help --version",
	},
	{
		names: "awk, gawk, mawk, nawk, bwk", inner: awkProgram, posix: true, why: RunsCode, values: "-F -v --field-separator --assign -e --source",
		flags: "-n -N -b -c -C -S -s -M -P -r -t -k --posix --sandbox --traditional --re-interval --csv --bignum --version --help -V -h --characters-as-bytes --non-decimal-data",
	},
	{names: "tee", operands: "/dev/null /dev/stdout /dev/stderr /dev/tty", why: WritesFile},
	{names: "dd", operands: "if=* bs=* ibs=* obs=* cbs=* count=* skip=* status=* conv=* iflag=* of=/dev/null of=/dev/stdout", why: WritesFile},
	{names: "perl, ruby, php", as: refuses, why: RunsCode, unless: "--version -v"},
	{names: "lua, luajit, tclsh, Rscript, julia, swift, scala, groovy, ghci, guile, racket, elixir, erl, iex, osascript", as: refuses, why: RunsCode},
	{names: "units", never: "-L --log", why: WritesFile},
	{names: "bc, expr, seq, jot, yes, cal, ncal"},
	{names: "man", plus: true, never: "-r --prompt -P -C -H -X -T -t -Z --pager --config-file --html --gxditview --troff --ditroff", why: RunsProgram, values: "-s -S -k -f -M -L -m -e -E"},
	{names: "apropos, whatis, help"},
	{names: "csplit, split", as: refuses, why: Changes},
	{names: "envsubst, gettext, ngettext"},
	{names: "clear, reset, tput"},
	{
		names: "scc", flags: "-a -c -d -l -p -v -w -z --no-complexity --no-cocomo --no-duplicates --no-gen --no-min --no-size --by-file --ci --debug --dryness --languages --min --gen --uloc --percent --verbose --version --wide --help",
		values: "-f -i -x -s -M -n --format --include-ext --exclude-ext --exclude-dir --exclude-file --sort --not-match --include-symlinks --large-line-count --count-as --avg-wage", why: WritesFile,
	},
	{names: "dust, duf, colordiff, icdiff, htmlq, pup, mdcat, choose, hexyl, difft, datamash, soxi", never: "-o --output", why: WritesFile},
	{names: "delta", most: none, flags: "-s -n --side-by-side --line-numbers --color-only --diff-so-fancy --diff-highlight --dark --light --no-gitconfig --raw --version -V --navigate --keep-plus-minus-markers", values: "-w --width --syntax-theme --paging --true-color --tabs", limits: "--paging:never", why: RunsProgram, instead: "'git diff --no-index' compares two files."},
	{names: "glow", as: either, runs: "-p --pager -t --tui", values: "-s -w --style --width"},
	{names: "glow config, glow stash", as: refuses, why: Waits},
	{names: "pdfgrep", never: "--cache"},
	{names: "csvsort, csvjson, csvformat, csvjoin, lzcat, pbpaste, getcap, getenforce, sestatus, lslogins, ssh-keyscan, ipcalc, systemd-detect-virt"},
	{names: "xsv", as: group, flags: "--version --list"},
	{names: "xsv headers, xsv count, xsv stats, xsv select, xsv search, xsv slice, xsv sort, xsv table, xsv frequency, xsv sample, xsv flatten, xsv cat, xsv join", never: "-o --output"},
	{names: "xmlstarlet", as: group, flags: "--version"},
	{names: "xmlstarlet sel, xmlstarlet el, xmlstarlet val"},
	{
		names: "cloc", why: RunsProgram, flags: "--git --json --csv --yaml --md --by-file --by-file-by-lang --quiet --hide-rate --skip-uniqueness --version",
		values: "--exclude-dir --include-lang --exclude-lang --include-ext --exclude-ext --vcs --timeout --match-d --not-match-d --match-f --not-match-f", limits: "--vcs:git,auto",
	},
}

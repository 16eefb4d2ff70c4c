package shellgate

// textTable: searching and reshaping text.
var textTable = []rule{
	{names: "grep, egrep, fgrep, ggrep, pgrep, agrep, cut, paste, tr, fold, fmt, expand, unexpand, column, join, pr, look, tsort, numfmt, factor, ascii, banner, figlet, col, colrm, ul, colcrt"},
	{names: "uniq", most: 1, why: WritesFile, values: "-f -s -w --skip-fields --skip-chars --check-chars"},
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
	{names: "scc, dust, duf, colordiff, icdiff, htmlq, mdcat, choose, hexyl", never: "-o --output --format-multi", why: WritesFile},
	{names: "delta, difft", never: "--pager --config --diff-args -@", why: RunsProgram},
}

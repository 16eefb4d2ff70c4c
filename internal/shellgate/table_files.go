package shellgate

// fileTable: looking at files, searching and reshaping text.
var fileTable = []row{
	// No option of these, GNU's, BSD's or busybox's, writes or runs anything.
	{"ls, eza, exa, tokei, dir, vdir, pwd, stat, du, df, realpath, readlink, basename, dirname, cat, tac, nl, head, tail, wc, rev", 0, "*", ""},
	{"grep, egrep, fgrep, ggrep, cut, paste, tr, fold, fmt, expand, unexpand, column, comm, cmp, join, od, hexdump, hd", 0, "*", ""},
	{"diff, jq, seq, expr, cal, factor, numfmt, tsort, which, whereis, md5sum, md5, sha1sum, sha224sum", 0, "*", ""},
	{"sha256sum, sha384sum, sha512sum, shasum, b2sum, cksum, sum, crc32, getfacl, lsattr, ghead, gstat, namei", 0, "*", ""},

	{"strings", 0, "-# -af -n: -t: -e: --all --bytes: --radix:", "!@*"},
	{"nm", 0, "-gDCuapnrSAP --defined-only --dynamic --demangle --extern-only --undefined-only --size-sort", "!@*"},
	{"objdump", 0, "-adDfhprRsStTxCw -j: -M: --no-show-raw-insn --demangle --disassemble --section:", "!@*"},
	{"readelf", 0, "-aehlSsdnrWVc -p: -x: --dyn-syms --wide", "!@*"},
	{"size", 0, "-ABdtx", "!@*"},
	{"otool", 0, "-LlhDvt", ""},

	{
		"sort, gsort", 0, "^-o ^--output -bcdfghimMnrRsuVzC -k: -t: -S: --key: --field-separator: --numeric-sort --reverse --unique --human-numeric-sort " +
			"--version-sort --stable --ignore-case --general-numeric-sort --month-sort --zero-terminated --check --parallel:", "",
	},
	{"uniq, guniq", 0, "-cduiDz -f: -s: -w: --count --repeated --unique --ignore-case --all-repeated?", "1"},
	{"shuf, gshuf", 0, "-erz -n: -i: --head-count: --input-range:", ""},
	{"iconv", 0, "-cls -f: -t: --from-code: --to-code:", ""},
	{"base64, gbase64", 0, "-dDi -w: --decode --wrap:", ""},
	{"xxd", dashed, "-a -b -e -i -u -p -ps -l: -s: -c: -g: -len: -cols: -seek:", "1"},
	{"file", 0, "-bikLhNprs0 --brief --mime --mime-type --mime-encoding --dereference --keep-going --version", ""},
	{
		"tree", 0, "^-o -adfilnpsughDFCNQqrtUxXJSAv -L: -I: -P: --dirsfirst --noreport --gitignore --prune --du --filelimit: --charset: " +
			"--ignore-case --matchdirs --filesfirst --sort: --inodes --device --si --version --timefmt:", "",
	},
	{"bc", 0, "-lq --mathlib --quiet", ""},
	{"less, more, zless", stops, "-NRSFXiIMmnsrEeqQuUw -#", "!+*"},
	{"bat, batcat", anywhere, "-pnAPu -l: -r: --plain --number --show-all --line-range: --language: --style: --color: --theme: --paging=never", "!cache"},
	{"man", 0, "-kf -s: -S:", "!*/* !+*"},
	{"sed, gsed", sedWords, "^-i ^-I ^--in-place -nErsuza -e: --expression: --quiet --silent --regexp-extended --null-data --posix --debug --separate", ""},
	{"awk, gawk, mawk, nawk", stops | awkWords, "^-i -F: -v: --field-separator: --assign: --version --csv --posix", ""},
	{
		"rg", anywhere, "-abcFhHiIlLnNopPqsSuUvVwxz0 -e: -f: -g: -t: -T: -A: -B: -C: -m: -M: -d: -j: -r: -E: -# " +
			"--files --hidden --no-ignore --no-ignore-vcs --no-ignore-parent --follow --glob: --iglob: --type: --type-not: --type-list --type-add: " +
			"--regexp: --fixed-strings --ignore-case --smart-case --case-sensitive --word-regexp --line-regexp --invert-match --count " +
			"--count-matches --files-with-matches --files-without-match --only-matching --line-number --no-line-number --column " +
			"--no-heading --heading --no-filename --with-filename --context: --after-context: --before-context: --max-count: " +
			"--max-columns: --max-depth: --max-filesize: --multiline --multiline-dotall --pcre2 --null --null-data --json --stats --sort: " +
			"--sortr: --color: --colors: --text --binary --unrestricted --replace: --passthru --trim --vimgrep --pretty --quiet --no-messages " +
			"--encoding: --engine: --no-config --version --help --path-separator: --one-file-system --max-columns-preview", "",
	},
	{
		"fd, fdfind", anywhere, "-HIuisgFalLp01qhV -e: -E: -t: -d: -S: -c: -j: --hidden --no-ignore --no-ignore-vcs --unrestricted " +
			"--case-sensitive --ignore-case --glob --regex --fixed-strings --absolute-path --list-details --follow --full-path --print0 " +
			"--extension: --exclude: --type: --max-depth: --min-depth: --size: --changed-within: --changed-before: --color: --max-results: " +
			"--version --strip-cwd-prefix? --base-directory:", "",
	},
	{"find, gfind", runsFind, "*", ""},
	{"tar, gtar, bsdtar", bundled, "^-x ^-c ^-r ^-u ^--extract ^--create !-t !--list -vzjJaO -f=!*:* -C: --file=!*:* --gzip --bzip2 --xz --zstd --verbose --exclude: --wildcards", ""},
	{"tar -xOf, tar xOf, tar -xzOf, tar xzOf", 0, "", "!*:*"},
	{"unzip", stops, "!-l !-v !-p !-t !-Z -q1", ""},
	{"zipinfo", stops, "-12smlvhTtz", ""},
	{"gzip, gunzip, xz, unxz, bzip2, bunzip2, zstd, unzstd", 0, "!-c !--stdout -dkvqf --decompress --keep", ""},
	{"gzip -l, gzip -t, xz -l, xz -t, bzip2 -t, zstd -l, zstd -t, gzip -lv, gzip -tv", 0, "-vq", ""},
	{"zcat, gzcat, bzcat, xzcat, zstdcat", 0, "-fqv", ""},
	{
		"yq", anywhere, "^-i ^--inplace ^--in-place -rPCMeNjcy -o: -p: -I: --output-format: --input-format: --raw-output --colors --no-colors --null-input --prettyPrint " +
			"--indent: --version --unwrapScalar", "",
	},
	{"xmllint", dashed, "-xpath: -noout -format -html -nonet -recover -version", ""},
	{"sdiff", 0, "-silbBEt -w:", "2"},
	{"openssl x509", dashed, "-in: -noout -text -subject -issuer -dates -startdate -enddate -serial -fingerprint -sha256 -checkend: -ext: -pubkey", "0"},
	{"openssl version", dashed, "-a -v", "0"},
}

package shellgate

// fileTable: looking at files, searching and reshaping text.
var fileTable = []row{
	// No option of these, GNU's, BSD's or busybox's, writes or runs anything.
	{"ls, eza, exa, tokei, pwd, stat, du, df, realpath, readlink, basename, dirname, cat, tac, nl, head, tail, wc, " +
		"rev, grep, egrep, fgrep, ggrep, cut, paste, tr, fold, fmt, expand, unexpand, column, comm, cmp, join, od, " +
		"hexdump, hd, diff, jq, seq, expr, cal, factor, numfmt, tsort, which, whereis, md5sum, md5, sha1sum, sha224sum, " +
		"sha256sum, sha384sum, sha512sum, shasum, b2sum, cksum, sum, getfacl, lsattr, ghead, gstat, namei", 0, "*", ""},

	{"strings", 0, "-# -af -n: -t: -e: --all --bytes: --radix:", "!@*"},
	{"nm", 0, "-gDCuapnrSAP --undefined-only", "!@*"},
	{"objdump", 0, "-adDfhprRsStTxCw -j: -M: --disassemble", "!@*"},
	{"readelf", 0, "-aehlSsdnrWVc -p: -x:", "!@*"},

	{"sort, gsort", 0, "^-o ^--output -bcdfghimMnrRsuVzC -k: -t: -S: --numeric-sort --reverse --unique", ""},
	{"uniq, guniq", 0, "-cduiDz -f: -s: -w: --count --unique --ignore-case", "1"},
	{"shuf, gshuf", 0, "-erz -n: -i:", ""},
	{"iconv", 0, "-cls -f: -t:", ""},
	{"base64, gbase64", 0, "-dDi -w:", ""},
	{"xxd", dashed, "-a -b -e -i -u -p -ps -l: -s: -c: -g: -len: -cols: -seek:", "1"},
	{"file", 0, "-bikLhNprs0 --brief --mime --mime-type --dereference --version", ""},
	{"tree", 0, "^-o -adfilnpsughDFCNQqrtUxXJSAv -LIP; --dirsfirst --gitignore --prune --version", ""},
	{"bc", 0, "-lq --quiet", ""},
	{"less, more, zless", stops, "-NRSFXiIMmnsrEeqQuUw -#", "!+*"},
	{"bat, batcat", anywhere, "-pnAPu -l: -r: --number --show-all --color: --paging=never", "!cache"},
	{"man", 0, "-kf -s: -S:", "!*/* !+*"},
	{"sed, gsed", sedWords, "^-i ^-I ^--in-place -nErsuza -e: --expression: --quiet --silent", ""},
	{"awk, gawk, mawk, nawk", stops | awkWords, "^-i -F: -v: --version", ""},
	{"rg", anywhere, "-abcFhHiIlLnNopPqsSuUvVwxz0 -e: -f: -g: -t: -T: -A: -B: -C: -m: -M: -j: -r: -# --files --hidden " +
		"--no-ignore --follow --glob: --type: --type-list --fixed-strings --ignore-case --smart-case --count " +
		"--count-matches --files-with-matches --only-matching --line-number --column --no-heading --no-filename " +
		"--context: --max-count: --max-depth: --multiline --json --stats --sort: --color: --quiet --version --help", ""},
	{"fd, fdfind", anywhere, "-HIuisgFalLp01qhV -e: -E: -t: -d: -S: -c: -j: --hidden --no-ignore --glob --follow " +
		"--full-path --extension: --exclude: --type: --max-depth: --color: --version", ""},
	{"find, gfind", runsFind, "*", ""},
	{"tar, gtar, bsdtar", bundled, "^-x ^-c ^-r ^-u ^--extract ^--create !-t !--list -vzjJaO -f=!*:* -C: --file=!*:* " +
		"--gzip --verbose --exclude: --wildcards", ""},
	{"tar -xOf, tar xOf, tar -xzOf, tar xzOf", 0, "", "!*:*"},
	{"unzip", stops, "!-l !-v !-p !-t !-Z -q1", ""},
	{"zipinfo", stops, "-12smlvhTtz", ""},
	{"gzip, gunzip, xz, unxz, bzip2, bunzip2, zstd, unzstd", 0, "!-c !--stdout -dkvqf --decompress --keep", ""},
	{"gzip -l, gzip -t, xz -l, xz -t, bzip2 -t, gzip -lv, zcat, gzcat, bzcat, xzcat, zstdcat", 0, "-vq", ""},
	{"yq", anywhere, "^-i ^--inplace ^--in-place -rPCMeNjcy -o: -p: -I: --output-format: --raw-output --version", ""},
	{"xmllint", dashed, "-xpath: -noout -format -html -nonet -recover -version", "!*://*"},
	{"sdiff", 0, "-silbBEt -w:", "2"},
	{"openssl x509", dashed, "-in=!*://* -noout -text -subject -issuer -dates -enddate -serial -fingerprint", "0"},
	{"openssl version", dashed, "-a -v", "0"},
}

package shellgate

// devTable: the pure readers among the tools of languages and packages. What builds, tests,
// installs or obeys a configuration that the directory holds runs code of the project.
var devTable = []row{
	{"go version", dashed | stops, "-m -v", ""},
	{"go env", dashed | stops, "-json -changed", ""},
	{"go doc, go help", dashed | stops, "-all -c -cmd -short -src -u", ""},
	{
		"go list", dashed | stops | known | inGit, "-m -json -deps -test -e -u -versions -f: -tags: -mod=readonly,vendor",
		"",
	},
	{"go", stops | group, "-C:", ""},
	{"go mod", stops | group, "", ""},
	{"go mod graph, go mod why, go mod verify", dashed | stops | known, "-m -vendor", ""},
	{"gofmt", dashed | stops, "!-l !-d -e -s", ""},
	{"npm", stops | group, "-v --version", ""},
	{
		"npm ls, npm list, npm ll, npm explain, npm why, npm root, npm prefix", anywhere,
		"-aglp --all --global --json --depth:", "",
	},
	{"npm config get, npm config list, npm config ls, npm get", anywhere, "-lg --json --global", ""},
	{"npm run", anywhere, "--json", "0"},
	{"pip, pip3", stops | group, "-V --version", ""},
	{"pip list, pip show, pip check, pip3 list, pip3 show, pip3 check", anywhere, "-oul " +
		"--outdated --format: --user --files --verbose --local --all --exclude:", ""},
	{"pip config list, pip config get, pip config debug, pip3 config list, pip3 config get", 0, "", "1"},
	{"pip index versions, pip3 index versions", anywhere | known, "--pre --json", ""},
	{"python -I -m json.tool, python3 -I -m json.tool", 0, "--sort-keys --indent:", "1"},
	// Which version they are; those that look into the project for it are not here.
	{"ruby, deno, make, cmake, gcc, g++, cc, c++, clang, clang++, ninja, swift, tsc, eslint, prettier, ruff, black, " +
		"mypy, uv, pipx, gem, brew, helm, aws, gcloud, az, psql, mysql, redis-cli, sqlite3, code, nvim, vim, emacs, " +
		"nginx, claude, codex, gemini, shellcheck", 0, "!--version", "0"},
	{"python, python2, python3", 0, "!--version !-V", "0"},
	{"node, php, bun, perl", 0, "!--version !-v", "0"},
	{"java, javac, kotlinc, ffmpeg", dashed, "!-version", "0"},
}

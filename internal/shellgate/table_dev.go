package shellgate

// devTable: the pure readers among the tools of languages and packages. What
// builds, tests or installs runs code of the project, and so does what obeys a
// configuration that the directory holds.
var devTable = []row{
	{"go version", dashed | stops, "-m -v", ""},
	{"go env", dashed | stops, "-json -changed", ""},
	{"go doc, go help", dashed | stops, "-all -c -cmd -short -src -u", ""},
	{"go list", dashed | stops, "-m -json -deps -test -e -u -versions -find -retracted -f: -tags: " +
		"-mod=readonly,vendor", ""},
	{"go", stops | group, "-C:", ""},
	{"go mod", stops | group, "", ""},
	{"go mod graph, go mod why, go mod verify", dashed | stops, "-m -vendor", ""},
	{"gofmt", dashed | stops, "!-l !-d -e -s", ""},
	{"npm", stops | group, "-v --version", ""},
	{"npm ls, npm list, npm ll, npm root, npm prefix", anywhere, "-agl --all --global --json --depth: --include: " +
		"-p", ""},
	{"npm view, npm info, npm show, npm v, npm explain, npm why", anywhere | packages, "--json", ""},
	{"npm config get, npm config list, npm config ls, npm get", anywhere, "-lg --json --global", ""},
	{"npm run", anywhere, "--json", "0"},
	{"npm search", anywhere | known | packages, "--json", ""},
	{"pip, pip3", stops | group, "-V --version", ""},
	{"pip list, pip show, pip freeze, pip check, pip3 list, pip3 show, pip3 freeze, pip3 check", anywhere, "-oufl " +
		"--outdated --format: --user --files --verbose --local --all --exclude:", ""},
	{"pip config list, pip config get, pip config debug, pip3 config list, pip3 config get", 0, "", "1"},
	{"pip index versions, pip3 index versions", anywhere | packages, "--pre --json", ""},
	{"gem list", anywhere, "-la --local --all", ""},
	{"brew list, brew ls, brew leaves", anywhere, "-1", ""},
	{"rustup show, rustup toolchain list, rustup target list, rustup component list", 0, "-v --installed", ""},
	{"python -I -m json.tool, python3 -I -m json.tool", 0, "--sort-keys --indent:", "1"},
	// Which version they are; those that look into the project for it are not here.
	{"python, python2, python3, ruby, perl, php, node, deno, bun, rustc, cargo", 0, "!--version !-V !-v !-VV !-vV", "0"},
	{"make, cmake, gcc, g++, cc, c++, clang, clang++, ninja, dotnet, java, javac, kotlinc, " +
		"swift", dashed, "!-version", "0"},
	{"tsc, eslint, prettier, ruff, black, mypy, uv, pipx, rustup, gem, bundle, composer, brew", 0, "!--version !-V " +
		"!-v", "0"},
	{"java -version, dotnet --info, dotnet --list-sdks, dotnet --list-runtimes, node -p process.version", 0, "", "0"},
	{"terraform, tofu, helm, ansible, vagrant, minikube, aws, gcloud, az, ffmpeg, psql, mysql, redis-cli, " +
		"sqlite3", dashed, "!-version", "0"},
	{"terraform version, helm version", dashed, "-json -short", "0"},
	{"code, nvim, vim, emacs, nginx, claude, codex, gemini, shellcheck, hadolint", dashed, "!-version !-v", "0"},
}

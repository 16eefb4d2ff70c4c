package shellgate

// devTable: tools of languages and packages. What builds, tests or installs
// runs code of the project, and does not pass unless the user lists it.
var devTable = []rule{
	{names: "go", as: group, why: RunsCode, values: "-C", single: true},
	{names: "go version, go help, go doc", never: "-http", single: true},
	{names: "go env", single: true, never: "-w -u", flags: "-json -changed", why: ChangesHost},
	{names: "go list", single: true, why: RunsCode, flags: "-m -json -deps -test -e -u -versions -find -retracted -mod=readonly -mod=vendor", values: "-f -tags -mod", limits: "-mod:readonly,vendor"},
	{names: "go mod, go work, go tool", as: group, why: RunsCode},
	{names: "go mod graph, go mod why, go mod verify", single: true, flags: "-m -vendor", why: RunsCode, values: "-go"},
	{names: "go tool nm, go tool objdump, go tool buildid", single: true, flags: "-n -size -type -S -gnu", values: "-s -sort", why: WritesFile},
	{names: "gofmt, goimports, gofumpt", why: WritesFile, single: true, never: "-w", flags: "-l -d -e -s -extra -v", values: "-r -local -lang -modpath"},
	{names: "npm", as: group, why: RunsCode, flags: "--version -v --help -h -l -g", values: "--prefix"},
	{
		names:  "npm ls, npm list, npm ll, npm la, npm view, npm info, npm show, npm v, npm outdated, npm search, npm root, npm prefix, npm bin, npm whoami, npm ping, npm explain, npm why, npm help, npm help-search, npm query, npm diff, npm sbom",
		flags:  "-l -g -a -p -s -q -d -h -v --json --long --parseable --all --global --prod --production --dev --only --link --workspaces --no-workspaces --include-workspace-root --package-lock-only --unicode --silent --quiet --verbose --offline --prefer-offline --color --no-color --description --no-description --expect-results --sbom-format --diff --diff-name-only --diff-unified --help --version",
		values: "-w --workspace --depth --omit --include --registry --loglevel --searchlimit --searchopts --sbom-format --diff --diff-unified --tag", why: RunsProgram,
	},
	{names: "npm fund", most: none, why: Waits, flags: "--json --silent"},
	{names: "npm audit", first: "signatures", flags: "--json --silent --omit", why: RunsCode},
	{names: "npm run, npm run-script", most: none, why: RunsCode, flags: "--json --workspaces -ws"},
	{names: "npm config, npm c", first: "list ls get", flags: "-l -g --json --long --global", values: "--location -L", why: ChangesHost},
	{names: "npm pkg, npm cache", first: "get ls", flags: "--json --workspaces -ws", values: "-w --workspace", why: Changes},
	// These run plugins, hooks (.pnpmfile.cjs) or a copy of their own that the
	// project has, whatever they are asked.
	{names: "yarn, yarnpkg, pnpm, pnpx", as: refuses, why: RunsCode},
	{names: "bun", as: group, why: RunsCode, bare: RunsCode, unless: "--version -v --help", flags: "--version -v --help"},
	{names: "npx, bunx, uvx, pipx, dlx, corepack", as: refuses, why: RunsCode, unless: "--version"},
	{names: "npm version", most: none, flags: "--json", why: RunsCode},
	{names: "npm dist-tag, npm dist-tags, npm owner", first: "ls list", flags: "--json", why: ChangesHost},
	// Of these even the version is said by what they find in the project: a copy in
	// node_modules, a conftest.py, plugins, .rspec, .mvn.
	{
		names: "jest, mocha, webpack, gulp, grunt, gatsby, ng, expo, storybook, air, lerna, nx, turbo, rush, serverless, sls, wrangler, pytest, tox, flake8, pdm, rubocop, rspec, rails, jekyll, phpstan, composer, " +
			"bazel, buck, buck2, mvn, mvnw, gradlew, configure, waf, premake, scons, sbt, lein, rebar3",
		as: refuses, why: RunsCode,
	},
	{
		names: "python, python2, python3, pypy, pypy3", inner: pythonModule, most: none, freely: "-m", needs: "--version -V --help -h -VV -m", why: RunsCode, values: "-m --indent", limits: "-m:json.tool",
		flags: "--version -V --help -h -VV -I -E -s -B --sort-keys --no-ensure-ascii --json-lines --tab --no-indent --compact",
	},
	{names: "node, nodejs, deno, py, ipython", most: none, needs: "--version -V -v --help -h -VV", why: RunsCode, flags: "--version -V -v --help -h -VV"},
	{names: "tsc, eslint, prettier, ruff, black, mypy", as: refuses, why: RunsCode, unless: "--version"},
	{
		names: "ts-node, tsx, vitest, vite, rollup, esbuild, babel, next, playwright, cypress, nox, isort, pylint, pyright, pre-commit, invoke, fab, coverage, unittest, rake, bundler, phpunit, swiftlint, ktlint, checkstyle, golangci-lint, actionlint, markdownlint, vale, staticcheck, govulncheck, shfmt, ginkgo, mage, task, earthly, dagger, act, buf, protoc, tsgo, biome, oxlint, dprint, alembic, django-admin, flask, uvicorn, gunicorn, jupyter, hugo, mkdocs, sphinx-build, doxygen, pandoc, latexmk, pdflatex, ffmpeg, convert, magick",
		as:    refuses, why: RunsCode, unless: "--version -version",
	},
	{names: "shellcheck, hadolint, yamllint, jsonlint", never: "--fix --write -w -i --in-place", why: WritesFile},
	{
		names: "make, gmake, cmake, ctest, ninja, meson, gradle, ant, xcodebuild, xcrun, msbuild, autoconf, automake, mix, stack, cabal, dune, opam, zig, nim, crystal, dart, flutter, pub, ocaml, ghc, nix, nix-build, guix, conan, vcpkg",
		as:    refuses, why: RunsCode, unless: "--version",
	},
	{names: "cargo", as: group, why: RunsCode, flags: "--version -V --list -v -q --help --offline --locked --frozen"},
	{names: "cargo version, cargo search, cargo locate-project, cargo read-manifest, cargo info, cargo help", never: "--config", why: RunsProgram},
	{names: "cargo metadata, cargo tree, cargo pkgid", needs: "--locked --frozen", never: "--config", flags: "--locked --frozen --offline --no-deps -d --duplicates -q --quiet -v --verbose --all-features --no-default-features --workspace --no-dedupe --all -i --invert -p --package", why: RunsProgram, values: "--charset --color -F --edges --manifest-path --format-version --features -e --depth --prefix --filter-platform --target"},
	{names: "rustc", most: none, why: RunsCode, single: true, flags: "--version -V -vV -v -verbose -version", values: "-print", limits: "-print:sysroot,target-list,cfg,target-cpus,target-features,host-tuple"},
	{names: "rustup", as: group, why: ChangesHost, flags: "--version -V"},
	{names: "rustup show, rustup which, rustup check, rustup help", most: 2, first: "active-toolchain home profile cargo rustc clippy rustfmt", why: ChangesHost},
	{names: "rustup toolchain, rustup target, rustup component, rustup override", first: "list", why: ChangesHost},
	{names: "pip, pip3, uv", as: group, why: ChangesHost, flags: "--version -V --help -h --disable-pip-version-check"},
	{
		names: "pip list, pip show, pip freeze, pip check, pip help, pip debug, pip inspect, pip3 list, pip3 show, pip3 freeze, pip3 check, pip3 inspect",
		never: "--log --log-file --local-log --python --config-settings --cache-dir", why: WritesFile,
	},
	{names: "pip config, pip3 config", first: "list get debug", why: ChangesHost},
	{names: "pip index, pip3 index, pip cache, pip3 cache", first: "versions list info dir", never: "--log --python", why: ChangesHost},
	{names: "uv pip", first: "list show freeze check tree", never: "--python -p --cache-dir", why: ChangesHost},
	{names: "uv version", most: none, flags: "--short --output-format --no-color", why: ChangesHost},
	{names: "uv python", first: "list find dir", flags: "--only-installed --all-versions --all-platforms --only-downloads --show-urls --system --offline --no-color", operands: "list find dir 2* 3* cpython* pypy* graalpy* !/", why: ChangesHost},
	{names: "poetry", as: group, why: RunsProgram, bare: RunsProgram, unless: "--no-plugins"},
	{names: "hatch, pipenv, rye, conda, mamba", as: group, why: ChangesHost, flags: "--version -V"},
	{names: "poetry show, poetry check, poetry about", needs: "--no-plugins", why: RunsProgram}, // a project may have its own, that run for each command
	{names: "conda list, conda info, conda search, mamba list"},
	{names: "poetry env", first: "list info", needs: "--no-plugins", why: RunsProgram},
	{names: "conda env", first: "list info", why: ChangesHost},
	{names: "poetry config", most: none, needs: "--list", beside: "--list:--no-plugins", flags: "--list --local --no-plugins", why: ChangesHost},
	{names: "gem, bundle", as: group, why: RunsCode, bare: RunsCode, unless: "--version -v -V", flags: "--version -v -V"},
	{names: "gem list, gem search, gem info, gem specification, gem environment, gem which, gem dependency, gem outdated, gem contents, gem help"},
	{names: "dotnet", as: group, why: RunsCode, flags: "--info --version --list-sdks --list-runtimes"},
	{names: "java, javac, kotlin, kotlinc, scalac, groovyc", most: none, needs: "-version", single: true, flags: "-version --version", why: RunsCode},
	{names: "javap, jps, jstack", flags: "-c -p -v -s -l -public -private -verbose -m -q", values: "-cp -classpath", single: true, why: RunsCode},
	{
		names: "gcc, g++, cc, c++, clang, clang++, ld, tcc, nvcc, gfortran", most: none, single: true, why: Changes,
		flags: "-version --version -v -dumpversion -dumpmachine -dumpfullversion -print-search-dirs -print-sysroot -print-libgcc-file-name -print-resource-dir --help",
	},
	{names: "asdf, mise, nvm, fnm, volta, pyenv, rbenv, sdk, jenv, tfenv, goenv, nodenv", as: group, why: ChangesHost, flags: "--version -v"},
	{names: "asdf list, asdf current, asdf where, asdf which, mise ls, mise list, mise current, mise where, nvm ls, nvm list, nvm current, nvm version, fnm list, fnm current, pyenv versions, pyenv version, pyenv which, pyenv root, rbenv versions, rbenv version, jenv versions"},
	{names: "code, codium", as: refuses, why: Waits, unless: "--version --list-extensions"},
	{names: "just", needs: "-l --list --summary --dump -s --show", most: none, flags: "-l --list --summary --dump --unsorted", values: "-s --show", why: RunsCode},
	{names: "subl, atom, open, xdg-open, start, explorer.exe, idea, goland, pycharm, webstorm, zed, cursor, windsurf", as: refuses, why: Waits},
	{names: "claude, codex, gemini, aider, copilot, llm, ollama, opencode", as: refuses, why: RunsCode, unless: "--version"},
}

# What there is to do here. No logic: scripts/ and the tests have it.

PREFIX ?= /usr/local
DESTDIR ?=
BIN := bin/git-brew
LINT_VERSION := v2.15.0
# Where .ci/run puts the linter on a machine that has none.
export PATH := $(CURDIR)/bin:$(PATH):$(shell go env GOPATH)/bin

.PHONY: build install uninstall snapshot try test lint torture bench man fuzz lint-version

# Static: with cgo, which comes in with pflag's use of package net, every start
# would pay for the dynamic linker (docs/inside/decisions.md). Without what only a
# debugger reads, which is a quarter of the file; a panic still names its lines.
build:
	CGO_ENABLED=0 go build -buildvcs=auto -trimpath -ldflags='-s -w' -o bin/ ./cmd/...

# The manual page, and the completion of bash, zsh and fish.
SHARED := $(addprefix $(DESTDIR)$(PREFIX)/share/,man/man1/git-brew.1 bash-completion/completions/git-brew \
	zsh/site-functions/_git-brew fish/vendor_completions.d/git-brew.fish)

install: build
	./scripts/completions.sh bin/completions
	install -d $(DESTDIR)$(PREFIX)/bin $(dir $(SHARED))
	install -m 755 bin/git-brew bin/git-brew-mcp $(DESTDIR)$(PREFIX)/bin
	install -m 644 docs/git-brew.1 $(word 1,$(SHARED))
	install -m 644 bin/completions/git-brew.bash $(word 2,$(SHARED))
	install -m 644 bin/completions/git-brew.zsh $(word 3,$(SHARED))
	install -m 644 bin/completions/git-brew.fish $(word 4,$(SHARED))

uninstall:
	rm -f $(DESTDIR)$(PREFIX)/bin/git-brew $(DESTDIR)$(PREFIX)/bin/git-brew-mcp $(SHARED)

# What a release would be, in dist/. Needs goreleaser.
snapshot:
	goreleaser release --snapshot --clean --skip=sbom

# The main job in a scratch repository, which stays to be looked at.
try: build
	./scripts/try.sh

# All but the torture, which has its own target, and go vet, which is lint's. RACE=1, as
# .ci/run has it, looks for data races too, which takes thrice as long.
test:
	go test -short -vet=off $(if $(RACE),-race) ./...

lint:
	golangci-lint run ./...

# Many writers, many kills, races for locks, pairs of branches as git merge has them, random
# histories on many clones and on the fold alone. SHORT=1 for a minute or two of what takes
# hours.
torture:
	go test ./internal/torture -count=1 -timeout 120m -v $(if $(SHORT),,-args -full)
	go test ./internal/torture/fleet -count=1 -timeout 300m $(if $(SHORT),,-args -full)
	go test ./internal/gitstore -count=1 -timeout 20m -run Conflicts
	go test ./internal/operation ./internal/task/rules ./internal/knowledge -count=1 -timeout 120m \
		-run 'S9|Void|Arbiter' -rapid.checks=$(if $(SHORT),2000,100000)
	go test ./internal/ledger -count=1 -timeout 120m -run 'asFromTheRoot|everyClone' -rapid.checks=$(if $(SHORT),100,3000)

# Everything that design and issue promise of speed, measured in one run.
# Writes docs/reference/benchmarks.md. SHORT=1 runs less and writes nothing.
bench:
	go test ./internal/bench -count=1 -timeout 120m -v -args -measure=$(if $(SHORT),short,full)

# Writes docs/git-brew.1 from docs/man/git-brew.1.in and the commands' help.
man:
	go test ./cmd/git-brew -run 'TestManual$$' -update

# FUZZTIME for each fuzz target of the project.
FUZZTIME ?= 30s
fuzz:
	./scripts/fuzz.sh $(FUZZTIME)

lint-version:
	@echo $(LINT_VERSION)

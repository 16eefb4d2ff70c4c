package main

import (
	"bytes"
	"crypto/rand"
	"encoding/binary"
	"encoding/hex"
	"os"
	"os/signal"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/git-brew/git-brew/internal/cli"
	"github.com/git-brew/git-brew/internal/cli/build"
	"github.com/git-brew/git-brew/internal/cli/terminal"
	"github.com/git-brew/git-brew/internal/gitstore/gitfile"
	"github.com/git-brew/git-brew/internal/hooks"
)

// systemEnv is the real outside world.
func systemEnv() *cli.Env {
	dir, err := os.Getwd()
	if err != nil {
		dir = "." // opening the repository will say what is wrong with it
	}
	columns, _, isTerminal := terminal.Size(os.Stdout)
	_, _, errTerminal := terminal.Size(os.Stderr)
	_, _, inTerminal := terminal.Size(os.Stdin)
	host, err := os.Hostname()
	if err != nil {
		host = "localhost"
	}
	return &cli.Env{
		In: os.Stdin, Out: os.Stdout, Err: os.Stderr,
		Getenv: os.Getenv, Environ: os.Environ(), Now: time.Now,
		Dir: dir, Terminal: isTerminal, Columns: columns, ErrTerminal: errTerminal, Attended: isTerminal || errTerminal ||
			inTerminal, Window: window, Host: host, User: userName(),
		Above:           sync.OnceValue(func() string { return hooks.AgentAbove(os.Getppid(), processOf) }),
		IgnoreInterrupt: func() { signal.Ignore(os.Interrupt) },
		Machine:         func() string { return machineID(systemMachineID, ownMachineID()) },
		Program:         build.Program,
		Version:         func() string { return build.Current().Version },
	}
}

// window is how large the terminal is now that the output is shown on.
func window() (columns, rows int) {
	columns, rows, is := terminal.Size(os.Stdout)
	if !is {
		columns, rows, _ = terminal.Size(os.Stderr)
	}
	return columns, rows
}

// userName is the login name of whoever runs this. The system says it, not the
// environment: an agent's hooks and its shell may differ in that, and a lock's
// holder is compared by it.
func userName() string {
	if u, err := user.Current(); err == nil && u.Username != "" {
		return u.Username
	}
	return "user " + strconv.Itoa(os.Getuid())
}

// systemMachineID is where systemd, and most of Linux, keeps the machine's id.
const systemMachineID = "/etc/machine-id"

// ownMachineID is where the id is kept that was drawn for a machine whose system
// has none; "" where there is no place for it.
func ownMachineID() string {
	dir, err := os.UserConfigDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "git-brew", "machine-id")
}

// machineID tells machines apart, whatever they are called: the system's id,
// else one that is drawn once; "" where it can't be kept.
func machineID(system, own string) string {
	id := readMachineID(system)
	if id == "" && own != "" {
		id = readMachineID(own)
	}
	if id != "" || own == "" {
		return id
	}
	var drawn [16]byte
	_, _ = rand.Read(drawn[:]) // never fails
	id = hex.EncodeToString(drawn[:])
	// The file is whole from the first moment, and of several that are drawn the first counts.
	if os.MkdirAll(filepath.Dir(own), 0o700) == nil && os.WriteFile(own+id, []byte(id+"\n"), 0o600) == nil {
		_ = os.Link(own+id, own)
		_ = os.Remove(own + id)
	}
	return readMachineID(own)
}

// readMachineID reads 128 bits in hexadecimal, as systemd writes them. What else
// stands there ("uninitialized", say) is no id.
func readMachineID(path string) string {
	data, err := gitfile.ReadFile(path)
	if err != nil {
		return ""
	}
	id := strings.TrimSpace(string(data))
	if raw, err := hex.DecodeString(id); err != nil || len(raw) != 16 {
		return ""
	}
	return id
}

// environOf is the environment in what macOS tells of a process's arguments: their
// number, the program's path, zeros, the arguments, the environment; each text ends
// with a zero. It is nil where none is told.
func environOf(args []byte) []string {
	if len(args) < 4 {
		return nil
	}
	count := int64(binary.NativeEndian.Uint32(args))
	_, rest, _ := bytes.Cut(args[4:], []byte{0})
	texts := strings.Split(string(bytes.TrimLeft(rest, "\x00")), "\x00")
	if count >= int64(len(texts)) {
		return nil
	}
	return texts[count:]
}

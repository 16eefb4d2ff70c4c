package main

import (
	"crypto/rand"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"

	"github.com/git-brew/git-brew/internal/gitstore/gitfile"
)

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
	if id := readMachineID(system); id != "" || own == "" {
		return id
	}
	if id := readMachineID(own); id != "" {
		return id
	}
	if drawMachineID(own) != nil {
		return ""
	}
	return readMachineID(own) // of two processes that drew one, the first
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

// drawMachineID writes a new id where there is no file yet. The file is whole
// from the first moment.
func drawMachineID(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	var id [16]byte
	if _, err := rand.Read(id[:]); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), "machine-id-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(tmp.Name()) }()
	_, err = tmp.WriteString(hex.EncodeToString(id[:]) + "\n")
	if cerr := tmp.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return err
	}
	if err := os.Link(tmp.Name(), path); err != nil && !os.IsExist(err) {
		return err
	}
	return nil
}

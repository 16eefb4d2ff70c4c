package gitstoretest

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// WriteProgram makes a file that can be run at once, and the directories above
// it. os.WriteFile makes one that the system may refuse to run ("text file busy"):
// a process that another test starts meanwhile has it open for writing too, until
// it becomes the program that it is to be (https://go.dev/issue/22315).
func WriteProgram(t testing.TB, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	if err := os.WriteFile(path, []byte(content), 0o755); err != nil { //nolint:gosec // a program
		t.Fatal(err)
	}
}

// Signer is somebody whose commits are signed.
type Signer struct {
	f *Fixture
	// Key is the private key's file, Allowed the list of allowed signers.
	Key, Allowed string
}

// Sign makes the fixture's person sign commits with an SSH key that nothing
// protects, and git accept it. Without ssh-keygen the test is skipped.
func (f *Fixture) Sign() *Signer {
	f.T.Helper()
	if _, err := exec.LookPath("ssh-keygen"); err != nil {
		f.T.Skip("no ssh-keygen to sign with")
	}
	s := &Signer{f: f, Key: filepath.Join(f.Root, "key"), Allowed: filepath.Join(f.Root, "allowed-signers")}
	f.Git("config", "--global", "gpg.format", "ssh")
	f.Git("config", "--global", "gpg.ssh.allowedSignersFile", s.Allowed)
	f.Git("config", "--global", "commit.gpgSign", "true")
	out, err := exec.Command("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", s.Key).CombinedOutput()
	if err != nil {
		f.T.Fatalf("ssh-keygen: %v\n%s", err, out)
	}
	f.Git("config", "--global", "user.signingKey", s.Key)
	s.Allow()
	return s
}

// Allow makes git accept the key of now, and no other, as the person's.
func (s *Signer) Allow() {
	s.f.T.Helper()
	public, err := os.ReadFile(s.Key + ".pub")
	if err == nil {
		err = os.WriteFile(s.Allowed, append([]byte("ada@example.com "), public...), 0o666)
	}
	if err != nil {
		s.f.T.Fatal(err)
	}
}

// Program makes git sign with a shell script instead.
func (s *Signer) Program(script string) {
	s.f.T.Helper()
	path := filepath.Join(s.f.Root, "sign.sh")
	WriteProgram(s.f.T, path, "#!/bin/sh\n"+script)
	s.f.Git("config", "--global", "gpg.ssh.program", path)
}

package odb

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/git-brew/git-brew/internal/gitstore/gitcmd"
	"github.com/git-brew/git-brew/internal/gitstore/plumbing"
)

// ErrNotSigned: git could not sign; the error has its words.
var ErrNotSigned = errors.New("git could not sign it")

// Signs tells whether the person wants commits to be signed (commit.gpgSign).
func (r *Store) Signs(ctx context.Context) (bool, error) {
	config, err := r.config.Read(ctx)
	if err != nil {
		return false, err
	}
	return config.Bool("commit.gpgsign", false), nil
}

// SignedCommit adds a commit that git has signed as it signs the person's own:
// gpg.format, user.signingKey, gpg.program and what else it looks at. The
// signature is part of the commit, so that it is asked for at once, and not by
// Flush. ErrNotSigned: nothing was added.
//
// Without patience it waits for as long as the person needs to unlock the key.
// With patience nobody is there who could: it must be done in that time, and
// without a question.
//
// git signs a commit whose tree and parents are stored: what the Writer holds is
// stored before. The commit that git made is read, and belongs to the Writer like
// every other, so that it is made durable and guarded against a collection.
func (w *Writer) SignedCommit(ctx context.Context, c plumbing.Commit, patience time.Duration) (plumbing.OID, error) {
	if w.err != nil {
		return plumbing.OID{}, w.err
	}
	data, err := w.signed(ctx, c, patience)
	if ctx.Err() != nil {
		return plumbing.OID{}, context.Cause(ctx)
	}
	if err != nil {
		return plumbing.OID{}, fmt.Errorf("%w: %w", ErrNotSigned, err)
	}
	return w.add(plumbing.KindCommit, data), nil
}

func (w *Writer) signed(ctx context.Context, c plumbing.Commit, patience time.Duration) ([]byte, error) {
	want, err := plumbing.EncodeCommit(c)
	if err != nil {
		return nil, err
	}
	files, err := w.files()
	if err == nil {
		err = w.repo.storeObjects(ctx, files)
	}
	if err != nil {
		return nil, err
	}
	args := []string{"-c", "i18n.commitEncoding=UTF-8", "commit-tree", "-S"}
	for _, parent := range c.Parents {
		args = append(args, "-p", parent.String())
	}
	args = append(args, c.Tree.String())
	out, err := w.repo.commitTree(ctx, args, c, patience)
	if err != nil {
		return nil, err
	}
	id, err := plumbing.ParseOID(strings.TrimSpace(string(out)))
	if err != nil {
		return nil, err
	}
	made, err := w.repo.object(ctx, id, MaxObjectSize)
	if err != nil {
		return nil, err
	}
	// What was asked for, and a signature in front of the message.
	head, message, _ := bytes.Cut(want, []byte("\n\n"))
	rest, ok := bytes.CutPrefix(made.data, append(head, '\n'))
	if !ok || !bytes.HasPrefix(rest, []byte("gpgsig")) || !bytes.HasSuffix(rest, append([]byte("\n\n"), message...)) {
		return nil, errors.New("git commit-tree made another commit than it was asked for")
	}
	return made.data, nil
}

func (r *Store) commitTree(ctx context.Context, args []string, c plumbing.Commit,
	patience time.Duration,
) ([]byte, error) {
	if patience > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, patience, fmt.Errorf("it took longer than %s", patience))
		defer cancel()
	}
	cmd := r.at.Git.Command(ctx, args...)
	env := gitcmd.Environ(cmd.Env)
	if patience > 0 {
		// Nobody is asked: not on a terminal, not in a window.
		env = slices.DeleteFunc(slices.Clone(env), func(pair string) bool {
			name, _, _ := strings.Cut(pair, "=")
			return slices.Contains([]string{"GPG_TTY", "DISPLAY", "WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS", "SSH_ASKPASS"},
				name)
		}).With("SSH_ASKPASS_REQUIRE=never", "GIT_TERMINAL_PROMPT=0")
		gitcmd.OwnSession(cmd)
		cmd.Cancel = func() error { return gitcmd.EndSession(cmd) }
		cmd.WaitDelay = 50 * time.Millisecond
	}
	env = env.With("LC_ALL=C")
	for role, who := range map[string]plumbing.Signature{"AUTHOR": c.Author, "COMMITTER": c.Committer} {
		env = env.With(
			"GIT_"+role+"_NAME="+who.Name, "GIT_"+role+"_EMAIL="+who.Email,
			"GIT_"+role+"_DATE=@"+strconv.FormatInt(who.When.Unix(), 10)+" "+who.When.Format("-0700"))
	}
	cmd.Env = env
	out, err := gitcmd.Output(ctx, cmd, []byte(c.Message), args)
	if command, ok := errors.AsType[*gitcmd.CommandError](err); ok {
		return nil, fmt.Errorf("%s", strings.Join(strings.Fields(strings.TrimPrefix(command.Stderr, "error: ")), " "))
	}
	return out, err
}

// Package shellgate says whether a shell command only reads. It walks the syntax tree of
// the command, never its text, and judges every simple command, every redirection and
// every assignment in it. What it has no rule for does not pass.
//
// The rules are rows (rows.txt): a row names a command, how it reads its
// words, the options that read, and what its operands may be. An option that a row does
// not name does not pass, wherever it stands and whatever stands before it; so a row that
// is wrong about what takes a value still lets no option through.
//
// Words are followed through literal text, simple assignments and the words of a for
// loop. What a branch or a loop sets is unknown behind it.
//
// It answers for bash, and for zsh where the two mean the same. What "sh -c" is given has
// to pass as POSIX shell, too. The package knows no file, no environment and no git; what
// depends on a directory it hands back to be asked (Verdict.Repositories).
package shellgate

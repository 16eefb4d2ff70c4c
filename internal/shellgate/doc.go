// Package shellgate says whether a shell command only reads. It decides on the
// syntax tree of the command, never on its text: every simple command wherever
// it stands, every redirection, every assignment. What is in quotes is text.
//
// The rules are tables (the files table_*.go): one row for a command or a form
// of it, with the options that make it a writer and why. A command that no row
// knows does not pass. Rows are data; options that are glued, abbreviated or
// combined are the business of one reader of options, for all of them. Programs
// that are arguments, of sed and awk, have small readers of their own.
//
// It answers for bash, and for zsh where the two mean the same; what only zsh
// gives a meaning to (qualifiers of patterns, arrays that define aliases) does
// not pass. What "sh -c" is given has to pass as POSIX shell, too.
//
// It knows no file, no environment and no git, and cannot be run by mistake: it
// only looks. Two things it does not promise: that a reader reads nothing
// private, and that programs which the user configured themselves (a pager, a
// diff driver) behave.
//
// Glossary
//
//	simple command  a program or builtin with its words, redirections aside
//	wrapper         a command that runs the command in its words: env, xargs
//	operand         a word that is no option and no option's value
//	row             a rule of the tables
//	hole            a part of a word that only the running shell knows
package shellgate

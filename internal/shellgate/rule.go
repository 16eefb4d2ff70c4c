package shellgate

import "strings"

// as says what a row makes of its commands.
type as int

const (
	reads   as = iota // reads, but for the options and operands that the row names
	group             // its first operand is a subcommand with a row of its own
	either            // the same, where such a row is; else it is a row by itself
	refuses           // never reads; why says what it does instead
)

// inner says what looks into a command's words where options don't tell.
type inner int

const (
	plainWords   inner = iota
	runsRest           // the operands are another command: nice, timeout
	runsMore           // the same, and words that nobody knows yet follow: xargs
	runsEnv            // the same, after assignments: env
	runsText           // -c holds a program of the shell
	runsJoined         // the operands are: eval
	runsFound          // find's -exec
	runsTails          // the words behind one of tails, up to a semicolon, are
	countWords         // the operands are counts, which zsh reads as arithmetic
	sedProgram         // the first operand, or -e, is a program of sed
	awkProgram         // the first operand is a program of awk
	testWords          // a condition: [ and test
	namesOnly          // the operands are names of variables that it sets
	brewCommand        // a command of git brew
	sqlProgram         // operands behind the first are SQL, or commands of sqlite3
	pythonModule       // -m names a module
	ghRequest          // fields of a request are a query, or are sent
	exportsNames       // NAME=VALUE for all commands that follow
	formatText         // the first operand is a format of printf
	fetchedURL         // operands, and what --url names, are addresses
	awsOperation       // a service of aws and what is asked of it
)

// rule is a row: what is known of a command. Lists are words with blanks
// between; options stand there as they are typed, "-o" and "--output".
type rule struct {
	// names of the commands, with their subcommands, separated by commas: "git log, git show".
	names string
	as    as
	// why it does not read, or why the options in never make it a writer.
	why Reason
	// flags: where it is not empty, options beside these and those in values
	// don't pass. "*" alone: the command takes no options at all.
	flags string
	// values are options that take the next word, if nothing is glued to them.
	values string
	// glued are one-letter options that take the rest of their own word only.
	glued string
	// never are options that don't pass. Here and in needs an abbreviation
	// counts as what it may stand for. runs and sends are the same for options
	// that run a program or send something.
	never, runs, sends string
	// exact are options that would otherwise pass for abbreviations.
	exact string
	// needs: without one of these options it does not pass.
	needs string
	// lists: operands pass only beside one of these options.
	lists string
	// limits are values that options may have: "-o:/dev/null,-". A value that
	// begins with ! must not stand anywhere in it, a final * is anything.
	limits string
	// numbers are options whose values have to be plain numbers.
	numbers string
	// beside are options that pass only beside others: "-d:-G,--get".
	beside string
	// requests are limits, too; beyond them the command sends something.
	requests string
	// most is how many operands it may have: 0 is any number, none is none; beside
	// one of the options in freely it is no bound. With least or more of them it
	// needs none of needs.
	most, least int
	freely      string
	// operands are patterns that each operand has to fit one of; ! refuses.
	operands string
	// first are the words that may be the first operand.
	first string
	// single: options are words with one hyphen: -name. bundled: the first word
	// holds option letters, with a hyphen or without. posix: options end at the
	// first operand. plus: a word that begins with + counts as an option.
	single, bundled, posix, plus bool
	// lone: a word with one hyphen is one option, whatever follows its letter: -ps is
	// -p, and so is -pc.
	lone bool
	// endless: -- does not end the options.
	endless bool
	// numberless: a number with a hyphen, such as -9, does not pass.
	numberless bool
	// revisions: --end-of-options ends options, too, and leaves -- to paths.
	revisions bool
	inner     inner
	// instead is what reads in its place, in a sentence.
	instead string
	// bare is why a group without a subcommand does not read; unless are options
	// with which a wrapper, or alone a program that is refused, runs nothing.
	bare   Reason
	unless string
	// skip is how many operands stand before the command that runsRest runs.
	skip int
	// tails are options whose value are all words behind them, up to a semicolon.
	tails string
}

// none is a count of operands.
const none = -1

// listed reports whether a list of names, with commas between, holds name.
func listed(names, name string) bool {
	for {
		one, rest, more := strings.Cut(names, ",")
		if strings.TrimSpace(one) == name {
			return true
		}
		if !more {
			return false
		}
		names = rest
	}
}

// rowOf finds the row of a command by its whole name.
func rowOf(name string) (rule, bool) {
	for _, table := range tables() {
		for i := range table {
			if strings.Contains(table[i].names, name) && listed(table[i].names, name) {
				return table[i], true
			}
		}
	}
	return rule{}, false
}

func tables() [][]rule {
	return [][]rule{fileTable, textTable, shellTable, systemTable, gitTable, devTable, netTable, cloudTable, writerTable}
}

// has reports whether a list of words holds word.
func has(list, word string) bool {
	for list != "" {
		one, rest, _ := strings.Cut(list, " ")
		if one == word {
			return true
		}
		list = rest
	}
	return false
}

// fits reports whether text fits a pattern, in which a star is any text.
func fits(pattern, text string) bool {
	start, rest, star := strings.Cut(pattern, "*")
	if !star {
		return pattern == text
	}
	if !strings.HasPrefix(text, start) {
		return false
	}
	for i := len(start); i <= len(text); i++ {
		if rest == "" || fits(rest, text[i:]) {
			return true
		}
	}
	return false
}

// refusing goes through the options that never pass, with the reason.
func (r *rule) refusing(yield func(option string, why Reason) bool) {
	for _, list := range []struct {
		options string
		why     Reason
	}{{r.never, r.why.or(WritesFile)}, {r.runs, RunsProgram}, {r.sends, Sends}} {
		for option := range strings.FieldsSeq(list.options) {
			if !yield(option, list.why) {
				return
			}
		}
	}
}

// Package report makes texts from states: the sentence and the trailers of an
// operation's commit, the summary of an iteration, the final report.
package report

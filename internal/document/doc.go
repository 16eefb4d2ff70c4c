// Package document reads the texts of a task: front matter, sections, lists,
// tables and code, each with its line, and says what is missing in them.
//
//   - Text: a document as it was written; nothing here changes a byte of one.
//   - Block: a heading, paragraph, table, piece of code, and so on. Section: a
//     heading and what stands under it, as far as the next one.
//   - Subject: the documents of a task, and its phases. Finding: what Check has
//     to say about them. Rule: a row of the table that findings come from.
//   - Requirement: something that the specification asks for, and the phases
//     that cover it.
//
// The reader is CommonMark's block structure with GitHub's tables and boxes, but for
// what stands in quotes and for HTML, which are text. The tests compare it with
// goldmark's, which would cost every hook 0.7 ms (docs/inside/decisions.md). Each byte is
// looked at a bounded number of times, whatever the text is.
//
// What a task's state depends on is not read here: the boxes of questions are
// counted by package task, under the law that an operation was made under.
package document

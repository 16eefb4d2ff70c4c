// Package question reads and changes what people and agents write of questions and
// constraints into the texts of a task. It is pure: it gets texts and returns texts.
package question

package workflow

// Documents keeps the texts of a task.
type Documents struct {
	clone   *Clone
	code    *Code
	engine  *Engine
	records *Records
	trust   *Trust
}

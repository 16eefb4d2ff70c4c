package workflow

// Trust lists what is used here on trust, and takes the person's word.
type Trust struct {
	clone     *Clone
	config    *Config
	pipelines *Pipelines
	records   *Records
}

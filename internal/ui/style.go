package ui

// Style emphasises text, or leaves it as it is. The zero Style has no colour.
// Colour marks state and never carries it alone.
type Style struct{ colour bool }

// NewStyle returns a style with or without colour.
func NewStyle(colour bool) Style { return Style{colour} }

// Colour says whether the style has any.
func (s Style) Colour() bool { return s.colour }

// Bright marks what can be typed next: ids, commands.
func (s Style) Bright(text string) string { return s.sgr("1", text) }

// Dim marks hints and what matters less.
func (s Style) Dim(text string) string { return s.sgr("2", text) }

// Good marks what is done.
func (s Style) Good(text string) string { return s.sgr("32", text) }

// Warn marks what waits for somebody.
func (s Style) Warn(text string) string { return s.sgr("33", text) }

// Bad marks what failed.
func (s Style) Bad(text string) string { return s.sgr("31", text) }

// Busy marks what goes on now.
func (s Style) Busy(text string) string { return s.sgr("36", text) }

func (s Style) sgr(code, text string) string {
	if !s.colour || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + plainAgain
}

// plainAgain ends every colour.
const plainAgain = "\x1b[m"

// ColorQuestion is what ColorWanted looks at.
type ColorQuestion struct {
	// Setting is color.brew, or color.ui, or the --color option: a boolean
	// as git reads it, "always", or "auto"; empty is "auto".
	Setting string
	// Terminal: the output goes to one, or to git's pager.
	Terminal bool
	// NoColor: the person has set NO_COLOR (no-color.org).
	NoColor bool
	// Dumb: the terminal says that it can't.
	Dumb bool
}

// ColorWanted decides about colour as git does: "always" colours in any case,
// everything else only on a terminal that can, and never with NO_COLOR.
func ColorWanted(q ColorQuestion) bool {
	switch q.Setting {
	case "always":
		return true
	case "never", "false", "no", "off", "0":
		return false
	}
	return q.Terminal && !q.NoColor && !q.Dumb
}

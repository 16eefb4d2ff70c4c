package ui

import (
	"io"
	"strings"
)

// fieldEscapes keeps a record on its line, and its fields apart.
var fieldEscapes = []string{`\`, `\\`, "\t", `\t`, "\n", `\n`, "\r", `\r`, "\x00", `\0`}

// Record prints one record of porcelain: the fields parted by tabs, a line end.
// In a field, a backslash, tab, line end and NUL are written \\, \t, \n, \r
// and \0; everything else stays as it is.
func Record(w io.Writer, fields ...string) error {
	escaped := make([]string, len(fields))
	for i, field := range fields {
		if strings.ContainsAny(field, "\\\t\n\r\x00") {
			field = strings.NewReplacer(fieldEscapes...).Replace(field)
		}
		escaped[i] = field
	}
	_, err := io.WriteString(w, strings.Join(escaped, "\t")+"\n")
	return err
}

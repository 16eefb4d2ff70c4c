package place

import (
	"testing"
)

func FuzzParseConfigFile(f *testing.F) {
	f.Add([]byte("[core]\n\tbare = true ; c\n[a \"B\\\"c\"] x = \"q \\n\" y\n"))
	f.Add([]byte("[a]x\n[b.C]\ny=1\\\n2\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		settings, err := parseConfigFile(data)
		if err != nil {
			return
		}
		for _, s := range settings {
			if s.Key == "" {
				t.Errorf("%q gave an empty key", data)
			}
		}
	})
}

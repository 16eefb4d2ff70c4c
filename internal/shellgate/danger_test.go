package shellgate

import "testing"

func TestJudge_BW9_falseAlarms(t *testing.T) {
	for _, command := range []string{
		"rm -rf build", "rm -rf /tmp/build", "rm -rf /tmp/build/*", "rm -rf ./node_modules dist", "rm -rf ~/.cache/x",
		`rm -rf "$HOME/x"`, `rm -rf "$DIR"`, `rm -rf "$DIR"/*`, "rm -rf *", "rm -rf .",
		"rm -rf /var/lib/apt/lists/*", "rm -rf /home/me/x", "rm -rf /usr/local/go", "rm -f /etc/x.conf",
		"sudo rm -rf /opt/x", "rm -rf ~x", "rm -rf '~'",
		"cd ~ && cd x && rm -rf *", "cd /tmp/x && rm -rf *", `echo "rm -rf /"`, "grep -rn 'rm -rf /' .",
		"git commit -m 'never rm -rf /'", "cat <<'EOF'\nrm -rf /\nEOF", "# rm -rf /",
		"chmod -R 755 .", "chown -R me /home/me/x", "sudo chown -R me /usr/local", "mv a ~",
		"mv x /usr/local/bin", "mv ~/a ~/b",
		"dd if=/dev/zero of=disk.img bs=1M count=10", "dd if=/dev/sda of=backup.img", "mkfs.ext4 disk.img", "cp /dev/sda x",
		"echo x > /dev/null", "kill -9 1234", "kill -1 1234", "tee /dev/stderr",
		"find . -delete", "find / -name x -delete", "find ~ -name '*.pyc' -exec rm {} +", "find /tmp/x -delete", "format x",
		"diskutil list",
		"f() { ls; }; f & f", "f() { g | g; }; g() { ls; }; f",
	} {
		if v := Judge(command, Options{}); v.Danger != nil {
			t.Errorf("%q: %s", command, v.Danger.Reason)
		}
	}
}

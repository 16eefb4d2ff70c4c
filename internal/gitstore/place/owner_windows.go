package place

import (
	"golang.org/x/sys/windows"

	"github.com/git-brew/git-brew/internal/gitstore/gitcmd"
)

// ownedByCaller compares the owner with the caller; git knows more cases, and
// is asked then.
func ownedByCaller(path string, _ gitcmd.Environ) bool {
	what, err := windows.GetNamedSecurityInfo(path, windows.SE_FILE_OBJECT, windows.OWNER_SECURITY_INFORMATION)
	if err != nil {
		return false
	}
	owner, _, err := what.Owner()
	if err != nil || owner == nil {
		return false
	}
	caller, err := windows.GetCurrentProcessToken().GetTokenUser()
	return err == nil && owner.Equals(caller.User.Sid)
}

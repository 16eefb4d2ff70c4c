package workflow_test

import (
	"context"

	"github.com/git-brew/git-brew/internal/workflow"
)

// examine is what the doctor finds.
func examine(ctx context.Context, s *workflow.Service, fix bool) ([]workflow.Finding, error) {
	report, err := s.Doctor(ctx, workflow.DoctorRequest{Fix: fix})
	return report.Findings, err
}

package document

// The names of sections, ours first. The others are what Brewcode, brainworm,
// Brigade and Specdacular, and people, call the same thing.
var (
	goalNames = []string{
		"Goal", "Goals", "Objective", "Overview", "Summary", "Problem", "Problem Statement", "Problem / Goal",
		"Description", "What This Is", "What We're Building", "What We Build", "Why",
	}
	scopeNames = []string{"Scope"}
	inNames    = []string{"In", "In Scope", "Included", "Includes", "This Feature Includes", "What Is In"}
	outNames   = []string{
		"Out", "Out of Scope", "Excluded", "Excludes", "This Feature Does NOT Include", "Non-Goals",
		"Not in Scope",
	}
	requirementNames = []string{
		"Original Requirements", "Requirements", "User Requirements", "Functional Requirements",
		"Technical Requirements", "Success Criteria", "Acceptance Criteria", "User Stories",
	}
	questionNames = []string{
		"User Q&A", "Q&A", "Questions and Answers", "Clarifying Questions", "Clarifications", "Questions",
		"User Notes", "Interview",
	}
	analysisNames = []string{"Analysis", "Technical Analysis", "Context Manifest", "Architecture", "Design"}
	filesNames    = []string{
		"Context Files", "Relevant Files", "Key Files", "References", "Files", "Integration Points",
	}
	riskNames = []string{
		"Risks", "Risks and Mitigations", "Risks and Assumptions", "Risk Assessment", "Constraints",
	}
	decisionNames = []string{"Decisions", "Key Decisions", "Design Decisions", "Resolved Questions"}
	researchNames = []string{"Research", "Research Findings", "Findings"}

	findingNames = []string{
		"Findings", "Research Findings", "Key Findings", "Results", "Summary", "Overview", "Recommendations",
		"Recommendation", "Approach", "Technical Approach", "Architecture Patterns", "Codebase Integration",
	}
	sourceNames = []string{"Sources", "References", "Links", "Context Files", "Key Files", "Files"}

	completionNames = []string{
		"Completion Criteria", "Success Criteria", "Exit Criteria", "Acceptance Criteria", "Definition of Done",
		"Done When",
	}
	choiceNames = []string{
		"Technology Choices", "Technical Choices", "Technology Decisions", "Tech Choices", "Tech Stack",
	}
	roleNames  = []string{"Role Constraints", "Agents", "Roles", "Agents and Roles", "Workers"}
	traceNames = []string{
		"Traceability", "Traceability Matrix", "Requirements Traceability", "Requirement Coverage",
		"Requirements Coverage", "Coverage", "Coverage Matrix",
	}

	objectiveNames = []string{"Objective", "Goal", "Purpose", "Overview", "Summary", "What"}
	taskNames      = []string{"Tasks", "Steps", "Work", "Implementation", "What to Do", "Instructions", "Checklist"}
	exitNames      = []string{
		"Exit Criteria", "Completion Criteria", "Success Criteria", "Acceptance Criteria", "Done When",
		"Definition of Done", "Verification",
	}
	reviewNames   = []string{"Files to Review", "Review Scope", "Files"}
	checkNames    = []string{"Checklist", "Checks", "Tasks", "What to Check"}
	verdictNames  = []string{"Verdict", "Result", "Outcome"}
	evidenceNames = []string{"References", "Verification Report", "Findings", "Source", "Issues", "What Was Found"}
)

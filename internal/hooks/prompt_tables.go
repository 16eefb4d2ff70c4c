package hooks

// The words by which a prompt is read. Two words that belong together are joined
// by a line. Phrases of people's own may be in other languages, so the usual
// words of some stand here, too.

const (
	// negations turn around what follows them in the sentence, harmless are words
	// that take that from a "no".
	negations = "never without cannot nor neither avoid refrain stop nobody none noone " +
		"dont doesnt didnt wont cant shouldnt mustnt wouldnt couldnt neednt isnt " +
		"nicht kein keine nie niemals niemand nunca nadie jamais pas personne"
	turning      = "nicht niet pas não" // right behind what they turn around
	negatedPairs = "instead_of rather_than hold_off before_you before_we before_i before_it"
	harmless     = "problem problems worries objection objections doubt question questions concerns issues changes need"

	// askingWords begin a question, direct or not.
	askingWords = "how what which who whom whose where when why whether"

	// leading words stand right before an order: politeness, agreement, "let's".
	leading = "please pls plz ok okay k yes yeah yep yup yea sure alright right great good fine perfect cool nice lgtm agreed approved " +
		"correct excellent awesome absolutely definitely certainly thanks thx cheers so let's lets claude " +
		"bitte jetzt dann ja gut sí si vale ahora oui alors maintenant bon"
	// joining words lead to one where nobody is told about before them.
	joining  = "and but also finally und y et"
	subjects = "i we they he she it you who people users everybody everyone somebody someone anybody anyone i'd we'd they'd he'd she'd you'd " +
		"i'll we'll they'll he'll she'll you'll i've we've they've to let's lets let will would should could might must shall want wants need needs"
	// adverbs are passed over.
	adverbs = "now then just again simply really actually immediately directly finally do"
	// assents, alone or in pairs, end a clause without a mark before an order of
	// several words.
	assents     = "works idea plan agree agrees understood exactly done"
	assentPairs = "like_it love_it with_it of_it about_it like_this love_this with_this like_that love_that with_that for_me to_me by_me with_me thank_you"
	// invitations before an order hand it to the agent.
	invitations = "you_can you_may you_to free_to"
	opinions    = "think guess believe suppose that's then now and want like feel"
	// conclusions stand before a colon.
	conclusions = "decision answer verdict conclusion result"

	// conditions make an order wait for something.
	conditions = "if unless until till when whenever once after wait provided assuming supposing wenn sobald falls bevor"
	// otherTimes and spans ("next week", "another way") are not now, or not so.
	otherTimes = "differently instead later tomorrow afterwards eventually someday sometime monday tuesday wednesday thursday friday saturday sunday später morgen"
	spans      = "week month quarter year sprint release time day way"
	// mentions follow a phrase that is talked about.
	mentions = "is was are were isn't wasn't means meant switches will would should does did has"

	// goingOn words follow an order, right behind it; ways say how it is to be
	// followed, or how something is done; objects what an order of one word is about.
	goingOn = "and then now please pls but thanks asap today again immediately everywhere right"
	ways    = "with as for"
	objects = "it that this these those them the all both everything step steps phase phases"

	// permissions are phrases that are no step of a plan themselves; granting are
	// those of them that leave it to what follows what is allowed.
	permissions = "make_it_so go_ahead lets_do_it do_it proceed continue go_on carry_on go engage"
	granting    = "go_ahead proceed continue go_on carry_on"
	// talking and talks are what a discussion is made of.
	talking = "explain describe discuss outline summarize summarise propose suggest tell show list ask answer analyse analyze investigate " +
		"research explore study review read check look think consider compare estimate evaluate brainstorm sketch draft plan design search find inspect examine"
	// composing are verbs for texts of a discussion, too.
	composing = "write update refine revise finish prepare create complete improve"
	talks     = "analysis research discussion investigation review explanation question questions summary comparison estimate exploration " +
		"proposal design planning interview brainstorming"
	determiners = "the a an your our this that more another further some first next"
	// changing are what nothing may be done with.
	changing = "change changing edit editing modify modifying touch touching write writing alter altering"
)

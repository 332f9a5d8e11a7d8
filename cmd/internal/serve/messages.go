package serve

import (
	"encoding/json"

	"setpiece/interp"
	"setpiece/interp/evening"
	"setpiece/interp/transcript"
)

// Version is the version of the protocol.
const Version = 1

// The codes of errors, besides those of JSON-RPC itself.
const (
	CodeScript    = -32000 // a script is wrong, or stopped: Trouble says where
	CodeRefused   = -32001 // this cannot be done now, and nothing was done
	CodeNoEvening = -32002 // there is no such evening
	CodeVersion   = -32003 // a version of the protocol that is none
	CodeLimit     = -32004 // too many evenings, or calls that wait for one
	CodeFault     = -32005 // a fault of setpiece: this evening is closed, others go on
	CodeOver      = -32009 // that question is not open, or not any more: Trouble says which one is
	CodeNoAnswer  = -32010 // that is no answer to the question, which is still open
	CodeCancelled = -32800 // the caller has cancelled it
)

// Trouble is the data of an error.
type Trouble struct {
	Problems []transcript.Problem `json:"problems,omitempty"` // of CodeScript
	Meant    string               `json:"meant,omitempty"`    // of CodeNoAnswer: a command that the line means
	Which    []string             `json:"which,omitempty"`    // of CodeNoAnswer: commands of which the line means one
	// Stays says that the entry counts: only expectations were not met. Redo says that redo goes on
	// with it: with the answers that were given.
	Stays    bool  `json:"stays,omitempty"`
	Redo     bool  `json:"redo,omitempty"`
	Question *int  `json:"question,omitempty"` // of CodeOver: the one that is open
	Versions []int `json:"versions,omitempty"` // of CodeVersion
}

// What a client says: the parameters of its calls.
type (
	// Open begins an evening with a script, in File or as Text, or with nothing. V is the latest version
	// that the client speaks; the answer says the one that is spoken.
	Open struct {
		V       int               `json:"v"`
		Evening string            `json:"evening,omitempty"` // its name from now on; "": the server gives one
		File    string            `json:"file,omitempty"`    // within the folder of the server; NOTE.md#PART is a script of a note
		Text    string            `json:"text,omitempty"`
		Name    string            `json:"name,omitempty"` // of the text, for messages
		Seed    *uint64           `json:"seed,string,omitempty"`
		Faces   []int             `json:"faces,omitempty"`      // that fall first
		Dice    string            `json:"dice,omitempty"`       // "ask": the client throws the dice; "roll"
		Set     map[string]string `json:"set,omitempty"`        // options of the rules
		Auto    []string          `json:"auto,omitempty"`       // who acts and decides by tactics
		Ask     []string          `json:"ask,omitempty"`        // who is asked though they have tactics
		Quiet   interp.Quiet      `json:"quiet,omitempty"`      // which decisions are asked: "usual", "must"; all
		Forms   bool              `json:"forms,omitempty"`      // questions have what comes next to the same person: Question.Also
		Told    bool              `json:"transcript,omitempty"` // what happens is told as text, too: Told
	}
	// Load takes an evening up that was saved, at the same question.
	Load struct {
		V       int    `json:"v"`
		Evening string `json:"evening,omitempty"`
		Data    string `json:"data"`
		Forms   bool   `json:"forms,omitempty"`
		Told    bool   `json:"transcript,omitempty"`
	}
	// On names the evening that a call is about. It is all that keep, drop, save and close say.
	On struct {
		Evening string `json:"evening"`
	}
	// Exec evaluates a text as if it were typed at the prompt; of meanwhile it is what the game master does by
	// hand while somebody is asked something; of say it is a line as it is typed at the terminal beside a question, which
	// is answered by the notification reply.
	Exec struct {
		On
		Text string `json:"text"`
	}
	// Answer answers the question of that number: in words as somebody types them; or by the place of
	// the option, from 0; or by the faces that the dice show. Also answers what the question has with
	// it in a form, in order, by the place of the option; null is the usual one.
	Answer struct {
		On
		Question int     `json:"question"`
		Text     *string `json:"text,omitempty"`
		Option   *int    `json:"option,omitempty"`
		Faces    []int   `json:"faces,omitempty"`
		Also     []*int  `json:"also,omitempty"`
		Plain    bool    `json:"plain,omitempty"` // Text is a stranger's: of a command only one verb of the rules is taken
	}
	// Dice has the client throw the dice from now on ("ask"), or the server ("roll").
	Dice struct {
		On
		Dice string `json:"dice"`
	}
	// Who is of ask and auto: who is asked from now on, or acts by tactics; and of state: whose sheet.
	Who struct {
		On
		Who string `json:"who"`
	}
	// Times is of undo and redo: so many answers at a question, else so many entries; 0 is 1.
	Times struct {
		On
		Times int `json:"times,omitempty"`
	}
	// WhatIf tries another line, in the place of one that was: see evening.Change.
	WhatIf struct {
		On
		evening.Change
	}
	// Pauses says where the evening waits from now on: "beginning", "scene", "ending" of a script, and where it has "stopped".
	Pauses struct {
		On
		At []string `json:"at"`
	}
	// Advise works out what each answer to the open question is worth.
	Advise struct {
		On
		Question int    `json:"question"`
		Goal     string `json:"goal,omitempty"`
		Trials   int    `json:"trials,omitempty"`
		Progress bool   `json:"progress,omitempty"` // send figures as they come, until cancelled or good enough
	}
	// Outlook works out what the goals of the scene come to from the open question, if everybody goes on as usual.
	Outlook struct {
		On
		Question int  `json:"question"`
		Trials   int  `json:"trials,omitempty"` // the most, where it is not exact
		Progress bool `json:"progress,omitempty"`
	}
	// At is about the open question.
	At struct {
		On
		Question int `json:"question"`
	}
	// Complete lists what may stand at byte At of a text; its end, if At is not there.
	Complete struct {
		On
		Text   string `json:"text"`
		At     *int   `json:"at,omitempty"`
		ByHand bool   `json:"by_hand,omitempty"` // of a line that is nobody's turn, as for say
		Plain  bool   `json:"plain,omitempty"`   // for a stranger, as in Answer: nothing that the game master decides
	}
	// Odds works out what a text can lead to from here, between entries. Seconds bounds the time.
	Odds struct {
		On
		Text    string  `json:"text"`
		Seconds float64 `json:"seconds,omitempty"` // 0: 10
	}
	// Ahead answers a decision in advance: of Who, of everybody if nobody is named, and only while the
	// condition When holds, if there is one. No answer takes back all that was said of it so.
	Ahead struct {
		On
		Decision string `json:"decision"`
		Who      string `json:"who,omitempty"`
		Answer   string `json:"answer"`
		When     string `json:"when,omitempty"`
	}
	// Cancel ends a call that is not answered yet.
	Cancel struct {
		ID json.RawMessage `json:"id"`
	}
)

// What the server says.
type (
	// Where says where an evening stands. It is the result of each call that moves it, when it
	// stands still again.
	Where struct {
		Evening  string    `json:"evening"`
		Question *Question `json:"question,omitempty"` // that is open; none: an entry may come
		Steps    int       `json:"steps"`              // entries that can be undone
		Course   bool      `json:"course,omitempty"`   // another course was tried: keep it or drop it
	}
	// Opened is the result of open and load.
	Opened struct {
		V       int    `json:"v"`
		Records int    `json:"records"` // the version of the records
		Seed    uint64 `json:"seed,string"`
		Where
	}
	// Question is a question that is open. It is told once as the notification question, and again
	// by each Where.
	Question struct {
		ID      int             `json:"id"`
		Kind    evening.Kind    `json:"kind"`
		Who     string          `json:"who,omitempty"`
		Title   string          `json:"title"`
		Options []string        `json:"options,omitempty"` // of a decision; where it has stopped, commands by hand that may help
		Notes   []string        `json:"notes,omitempty"`   // what is said of each of them
		Default *int            `json:"default,omitempty"` // the usual one of them, from 0; none where a person has to say it
		Usual   string          `json:"usual,omitempty"`   // the command that "" stands for
		Dice    []int           `json:"dice,omitempty"`    // the sizes of the dice to throw
		Cost    string          `json:"cost,omitempty"`    // of a yes, or of an answer that is not the default
		Left    string          `json:"left,omitempty"`    // after it
		Manner  interp.Manner   `json:"manner,omitempty"`  // of a decision
		Also    []Row           `json:"also,omitempty"`    // with Forms: what comes next to the same person if all takes its default
		On      []string        `json:"on,omitempty"`      // of a command, and where it has stopped: scene and round
		Line    string          `json:"line,omitempty"`    // of the script, where it has stopped
		Aside   bool            `json:"aside,omitempty"`   // it belongs to a course that is only tried out
		Record  json.RawMessage `json:"record"`            // the question as a record, with what led to it
	}
	// Row is a further decision in a form.
	Row struct {
		Name    string        `json:"name"`
		Title   string        `json:"title"`
		Options []string      `json:"options"`
		Notes   []string      `json:"notes,omitempty"`
		Default int           `json:"default"`
		Cost    string        `json:"cost,omitempty"`
		Left    string        `json:"left,omitempty"`
		Manner  interp.Manner `json:"manner,omitempty"`
	}
	// State is the result of state.
	State struct {
		Where
		Seed   uint64        `json:"seed,string"`
		Dice   string        `json:"dice"` // who throws: "ask" or "roll"
		Done   []string      `json:"done"` // the entries, in a few words
		Sheet  []SheetLine   `json:"sheet"`
		People []Person      `json:"people"`
		Pauses []string      `json:"pauses,omitempty"`
		Turn   string        `json:"turn,omitempty"`  // whose turn it is
		Order  *interp.Order `json:"order,omitempty"` // who acts when
		Last   string        `json:"last,omitempty"`  // the answer that undo takes back at a question, in a line
		Back   int           `json:"back,omitempty"`  // how many undo can take back there
	}
	// Person is somebody, or a part of somebody, with how they stand.
	Person struct {
		Who   string      `json:"who"`
		Of    string      `json:"of,omitempty"` // of whom they are a part
		Side  interp.Side `json:"side"`
		Here  bool        `json:"here,omitempty"` // the rules have a word for them as things stand, such as heroes
		Out   bool        `json:"out,omitempty"`  // they take no part any more
		Facts []Fact      `json:"facts,omitempty"`

		Asked  bool `json:"asked,omitempty"`  // a person gives their commands
		Throws bool `json:"throws,omitempty"` // they throw their own dice
	}
	// Fact is one thing to say of somebody: a name, with a value, or a remark alone.
	Fact struct {
		Name  string `json:"name,omitempty"`
		Key   string `json:"key,omitempty"`
		Value string `json:"value,omitempty"`
		Told  string `json:"told,omitempty"` // "open", "secret": the rules say who may know
	}
	// SheetLine is a field of a sheet.
	SheetLine struct {
		Who    string `json:"who"`
		Field  string `json:"field"`
		Value  string `json:"value"`
		Usual  bool   `json:"usual,omitempty"`  // it is as where nobody says anything
		Points bool   `json:"points,omitempty"` // it is among what is told of them at a glance
		Told   string `json:"told,omitempty"`   // "open", "secret": the rules say who may know
	}
	// Moved is a record for pages alone: who stands otherwise than before, with what is new.
	Moved struct {
		Event string `json:"event"`
		Depth int    `json:"depth,omitempty"`
		Who   string `json:"who"`
		Out   bool   `json:"out,omitempty"`
		Facts []Fact `json:"facts,omitempty"`
	}
	// Decisions is the result of asked: the decisions that came up, and what is answered in advance.
	Decisions struct {
		Decisions []Decided `json:"decisions"`
		Ahead     []Advance `json:"ahead"`
	}
	// Decided is a decision that somebody had to make, with the options that it had so far and how it was answered.
	Decided struct {
		Decision string   `json:"decision"`
		Prompt   string   `json:"prompt,omitempty"` // as the rules ask, with … for what only the moment knows
		Who      string   `json:"who,omitempty"`
		Options  []string `json:"options"`
		Given    []Given  `json:"given"`
		Told     string   `json:"told,omitempty"` // "open", "secret": the rules say who may know
	}
	// Given is an answer that a decision got so many times.
	Given struct {
		Answer string `json:"answer"`
		By     string `json:"by"` // as in the record of a decision
		Times  int    `json:"times"`
	}
	// Advance is an answer that is said in advance; see Ahead.
	Advance struct {
		Decision string `json:"decision"`
		Who      string `json:"who"`
		Answer   string `json:"answer"`
		When     string `json:"when,omitempty"`
	}
	// Rule is a rule of the systems in use: the parameters of rule have its ID, the result what it says.
	Rule struct {
		On
		ID string `json:"rule"`
	}
	// Explained is the result of rule.
	Explained struct {
		Rule string `json:"rule"`
		Text string `json:"text"`
	}
	// Saved is the result of save: the whole evening as text, which load takes.
	Saved struct {
		Data string `json:"data"`
	}
	// Can is the result of can: what whoever has the turn can do.
	Can struct {
		Verbs    []string `json:"verbs"`    // that the rules allow them now
		Commands []string `json:"commands"` // that can be given as they stand, the likeliest first
		Likely   int      `json:"likely"`   // how many of them somebody might give now; the others stand behind
	}
	// Completions is the result of complete: what may stand at byte From and after.
	Completions struct {
		From int          `json:"from"`
		List []Completion `json:"list"`
	}
	// Completion is one thing that may stand there.
	Completion struct {
		Text string `json:"text"`
		Doc  string `json:"doc,omitempty"`
		Kind string `json:"kind"`
	}
	// Records is the result of advise and odds: records, as the commands write them with --json.
	Records struct {
		Records []json.RawMessage `json:"records"`
	}
	// Nothing is the result of what has none.
	Nothing struct{}

	// Event is the notification event: what happened, a record.
	Event struct {
		Evening string          `json:"evening"`
		Record  json.RawMessage `json:"record"`
	}
	// Told is the notification transcript: what happened, as text to show behind what was told so far.
	Told struct {
		Evening string `json:"evening"`
		Text    string `json:"text"`
	}
	// Asked is the notification question.
	Asked struct {
		Evening  string   `json:"evening"`
		Question Question `json:"question"`
	}
	// Progress is the notification progress: the figures so far of the call with that id.
	Progress struct {
		Evening string          `json:"evening"`
		ID      json.RawMessage `json:"id"`
		Record  json.RawMessage `json:"record"`
	}
	// Reply is the notification reply: what there is to tell of a line that was said.
	Reply struct {
		Evening string `json:"evening"`
		Line    string `json:"line"`
		Text    string `json:"text"`
	}
	// Notice is the notification notice: something about the evening itself, in words.
	Notice struct {
		Evening string `json:"evening"`
		Text    string `json:"text"`
	}
)

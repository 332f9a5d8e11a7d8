package systems

import (
	"embed"
	"strings"

	"setpiece/lang/late"
)

// template is a small system that plays. NAME stands for its name, Title for its title.
//
//go:embed template
var template embed.FS

// File is a file of a new system.
type File struct{ Name, Text string }

var isName = late.Regexp(`^[a-z][a-z0-9_]*$`)

// New gives the files of a new system of that name.
func New(name string) ([]File, error) {
	if !isName().MatchString(name) {
		return nil, refuse("such as  lanterns", "a system has a name of small letters, digits and _")
	}
	title := strings.ToUpper(name[:1]) + strings.ReplaceAll(name[1:], "_", " ")
	entries, err := template.ReadDir("template")
	if err != nil {
		return nil, err
	}
	var out []File
	for _, e := range entries {
		text, err := template.ReadFile("template/" + e.Name())
		if err != nil {
			return nil, err
		}
		put := strings.NewReplacer("NAME", name, "Title", title)
		out = append(out, File{put.Replace(e.Name()), put.Replace(string(text))})
	}
	return out, nil
}

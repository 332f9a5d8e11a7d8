package interp_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"setpiece/interp"
	"setpiece/lang"
	"setpiece/stdlib"
)

// A source that NewSource did not make runs, and says where a mistake is, like any other.
func ExampleSession_Exec_source() {
	s := interp.NewSession(interp.Config{})
	fmt.Println(s.Exec(context.Background(), &lang.Source{Text: "let x = 1\nprint y"}))
	// Output:
	// 2:7: nothing here is called y
}

// A run that its context has ended is found as such.
func ExampleRunError_Unwrap() {
	ctx, stop := context.WithTimeout(context.Background(), time.Millisecond)
	defer stop()
	err := interp.NewSession(interp.Config{}).Exec(ctx, lang.NewSource("", "while yes { let x = 1 }"))
	fmt.Println(errors.Is(err, context.DeadlineExceeded))
	// Output: true
}

// Each session says which version of a system it uses; two of one process need not use the same.
func ExampleConfig_versions() {
	home := fstest.MapFS{
		"tiny/1.0/tiny.rules": {Data: []byte("system tiny \"Tiny\" version 1.0\nrule best = 6\n")},
		"tiny/1.1/tiny.rules": {Data: []byte("system tiny \"Tiny\" version 1.1\nrule best = 8\n")},
	}
	for _, version := range []string{"1.0", "1.1"} {
		s := interp.NewSession(interp.Config{
			Systems:  []interp.Place{{Name: "home", FS: home}},
			Versions: map[string]string{"tiny": version},
			Events: func(e *interp.Event) {
				if e.Kind == interp.EventPrint {
					fmt.Println(version, e.Value)
				}
			},
		})
		if err := s.Exec(context.Background(), lang.NewSource("", "use tiny\nprint best()")); err != nil {
			fmt.Println(err)
		}
	}
	// Output:
	// 1.0 6
	// 1.1 8
}

// A cancelled run, and one that its own limit has ended, are no deadline.
func TestUnwrap(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	stop()
	err := interp.NewSession(interp.Config{}).Exec(ctx, lang.NewSource("", "print 1"))
	if !errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a cancelled run ends with %v", err)
	}
	s := interp.NewSession(interp.Config{Limits: interp.Limits{Time: time.Millisecond}})
	if err := s.Exec(context.Background(), lang.NewSource("", "while yes { let x = 1 }")); err == nil || errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a limit of the session ends with %v", err)
	}
}

// The limit of the source is about what somebody writes, and not about the rules that it uses.
func TestSourceLimitIsForScripts(t *testing.T) {
	for _, text := range []string{"use cah", "print 1\nuse cah"} {
		s := interp.NewSession(interp.Config{Modules: stdlib.FS, Limits: interp.Limits{Source: 64}})
		if err := s.Exec(context.Background(), lang.NewSource("", text)); err != nil {
			t.Errorf("%s: %v", text, err)
		}
		err := s.Exec(context.Background(), lang.NewSource("", "# "+strings.Repeat("x", 64)))
		if err == nil || !strings.Contains(err.Error(), "longer than 64 bytes") {
			t.Errorf("a long script: %v", err)
		}
	}
}

package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"setpiece/cmd/internal/files"
	"setpiece/cmd/internal/report"
)

// browsers are the names under which a Chromium may be installed.
var browsers = []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "microsoft-edge", "msedge"}

// browser finds a Chromium.
func browser() (string, error) {
	for _, name := range browsers {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", wrong("--pdf", "--pdf needs Chromium or Chrome, and none is installed", "write the page with -o and print it from any browser")
}

// quietly are the flags with which a Chromium opens a page and nothing else.
func quietly(profile string) []string {
	return []string{
		"--headless", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update",
		"--disable-sync", "--disable-extensions", "--user-data-dir=" + profile,
	}
}

// writePDF has a Chromium print the page.
func (a *app) writePDF(ctx context.Context, path string, page *report.Page) error {
	program, err := browser()
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "setpiece-report-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	from, to := filepath.Join(dir, "report.html"), filepath.Join(dir, "report.pdf")
	f, err := os.Create(from)
	if err != nil {
		return err
	}
	if err := errors.Join(report.HTML(f, page), f.Close()); err != nil {
		return err
	}
	args := append(quietly(filepath.Join(dir, "profile")), "--no-pdf-header-footer", "--print-to-pdf="+to, "file://"+filepath.ToSlash(from))
	if os.Geteuid() == 0 {
		args = append([]string{"--no-sandbox"}, args...) // it refuses to run as root otherwise
	}
	// Some versions complain and print all the same: what counts is the file.
	said, _ := exec.CommandContext(ctx, program, args...).CombinedOutput()
	if e := ctx.Err(); e != nil {
		return e
	}
	pdf, missing := os.Open(to)
	if missing != nil {
		if lines := strings.TrimSpace(string(said)); lines != "" {
			a.note(lines)
		}
		return wrong("--pdf", program+" did not print the page", "write the page with -o and print it from any browser")
	}
	defer pdf.Close()
	if err := files.Write(path, &a.seen, func(o *files.Output) error { _, err := io.Copy(o, pdf); return err }); err != nil {
		return badFile(path, err)
	}
	return nil
}

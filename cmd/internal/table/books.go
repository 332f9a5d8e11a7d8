package table

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"mime"
	"net/http"
	"path"
	"regexp"
	"strings"
	"sync"
)

// books are what there is to read besides the evening: the handbook, for everybody, and the report on how
// dangerous the script is, at an address that only the game master knows. Each is made when it is first asked for.
type books struct {
	handbook func() (map[string][]byte, error)
	report   func() ([]byte, error)
	key      string
}

func newBooks(cfg Config, ctx context.Context) *books {
	b := &books{key: secret(16)}
	if cfg.Handbook != nil {
		b.handbook = sync.OnceValues(func() (map[string][]byte, error) { return cfg.Handbook(ctx) })
	}
	if cfg.Report != nil {
		b.report = sync.OnceValues(func() ([]byte, error) { return cfg.Report(ctx) })
	}
	return b
}

// links are the addresses of those that there are.
func (b *books) links() map[string]string {
	all := map[string]string{}
	if b.handbook != nil {
		all["handbook"] = "/handbook/index.html"
	}
	if b.report != nil {
		all["report"] = "/report/" + b.key
	}
	return all
}

var styles = regexp.MustCompile(`(?s)<style>(.*?)</style>`)

// page answers with a page of a book; no where there is none of that address.
func (b *books) page(w http.ResponseWriter, address string) bool {
	var data []byte
	var err error
	file, of := strings.CutPrefix(address, "/handbook/")
	switch {
	case of && b.handbook != nil:
		var all map[string][]byte
		all, err = b.handbook()
		data = all[file]
	case address == "/report/"+b.key && b.report != nil:
		file = "report.html"
		if data, err = b.report(); err == nil {
			allowed := "'none'"
			for _, s := range styles.FindAllSubmatch(data, -1) {
				sum := sha256.Sum256(s[1])
				allowed += " 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
			}
			w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src "+strings.TrimPrefix(allowed, "'none' ")+"; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
		}
	}
	switch {
	case err != nil:
		fail(w, http.StatusInternalServerError, fmt.Sprint("this could not be made: ", err), nil)
		return true
	case data == nil:
		return false
	}
	w.Header().Set("Content-Type", mime.TypeByExtension(path.Ext(file)))
	w.Write(data)
	return true
}

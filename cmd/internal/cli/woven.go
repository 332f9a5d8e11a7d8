package cli

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"setpiece/cmd/internal/files"
)

// weave is honest about old results: a result is out of date if it would be another one if
// it was made again, and nothing else makes it so. A changed comment or rule that changes no
// result leaves the note alone, and a check needs no mark that says what a result was made of.
//
// Making all results of a note again takes a minute at worst. So weave keeps what it has made
// in the user's cache folder, a file for each result. It depends on nothing but the program,
// the words of the fence and the texts of the script, so their digest is its name: what was
// made once is never made again, neither by the next --check nor after Ctrl-C.

// wovenCache keeps results that weave has made. One without a folder keeps nothing: that
// costs time and changes no result.
type wovenCache struct {
	dir  string
	seen *files.Seen
	old  sync.Once
}

// unusedFor is how long a result is kept that nobody asks for.
const unusedFor = 60 * 24 * time.Hour

// openWoven opens the cache in the user's folder for such things.
func openWoven(seen *files.Seen) *wovenCache {
	base, err := os.UserCacheDir()
	if err != nil || !filepath.IsAbs(base) {
		return &wovenCache{}
	}
	dir := filepath.Join(base, "setpiece", "woven")
	if os.MkdirAll(dir, 0o700) != nil {
		return &wovenCache{}
	}
	return &wovenCache{dir: dir, seen: seen}
}

// program is a digest of the program itself: of its code and of the rules in it.
var program = sync.OnceValues(func() ([]byte, error) {
	path, err := os.Executable()
	if err != nil {
		return nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	h := sha256.New()
	_, err = io.Copy(h, f)
	return h.Sum(nil), err
})

// path names the file for what the program makes of a text, "" if nothing can be kept.
func (c *wovenCache) path(of string) string {
	if c.dir == "" {
		return ""
	}
	self, err := program()
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(append(self, of...))
	return filepath.Join(c.dir, hex.EncodeToString(sum[:])+".md")
}

// get gives what was made before. Its first line is the digest of the rest.
func (c *wovenCache) get(of string) (result string, ok bool) {
	path := c.path(of)
	if path == "" {
		return "", false
	}
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > files.MaxScript {
		return "", false // a pipe would have to be waited for
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return "", false
	}
	digest, result, _ := strings.Cut(string(text), "\n")
	now := time.Now()
	_ = os.Chtimes(path, now, now) // it was used
	return result, digest == digestOf(result)
}

// put keeps a result. Where it cannot, the result is made again the next time.
func (c *wovenCache) put(of, result string) {
	path := c.path(of)
	if path == "" {
		return
	}
	_ = files.Write(path, c.seen, func(o *files.Output) error {
		_ = o.Chmod(0o600)
		_, err := o.WriteString(digestOf(result) + "\n" + result)
		return err
	})
	c.old.Do(c.sweep)
}

// sweep removes what was not used for long.
func (c *wovenCache) sweep() {
	entries, _ := os.ReadDir(c.dir)
	for _, e := range entries {
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > unusedFor {
			_ = os.Remove(filepath.Join(c.dir, e.Name()))
		}
	}
}

func digestOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

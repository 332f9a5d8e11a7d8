package playground

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"errors"
	"fmt"
)

// Bounds of a link. The page has the same.
const (
	mostLetters = 1 << 18
	mostText    = 1 << 20
)

// Link gives a script as the end of an address: "#1." and the text, deflated and in base64url. 1 is the
// version: a link of it can be read for ever.
func Link(text string) (string, error) {
	if len(text) > mostText {
		return "", errors.New("it is longer than 1 MiB")
	}
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.BestCompression)
	if err == nil {
		_, err = w.Write([]byte(text))
		err = errors.Join(err, w.Close())
	}
	link := "#1." + base64.RawURLEncoding.EncodeToString(b.Bytes())
	if len(link) > mostLetters {
		return "", fmt.Errorf("its link would have %d letters, and a page reads %d", len(link), mostLetters)
	}
	return link, err
}

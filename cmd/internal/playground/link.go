package playground

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
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

// Text gives the script of a link.
func Text(link string) (string, error) {
	rest, ok := strings.CutPrefix(link, "#1.")
	if !ok || len(link) > mostLetters {
		return "", errors.New("this is no link of version 1")
	}
	data, err := base64.RawURLEncoding.DecodeString(rest)
	if err != nil {
		return "", err
	}
	text, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(data)), mostText+1))
	switch {
	case err != nil:
		return "", err
	case len(text) > mostText:
		return "", errors.New("the script of this link is longer than 1 MiB")
	case !utf8.Valid(text):
		return "", errors.New("the script of this link is no text")
	}
	return string(text), nil
}

package journal

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"strconv"
)

// A record is one JSON object on a line of its own. Its last member is a
// checksum of everything before it in the line, and of the record before:
//
//	{"v":2,"journal":"setpiece","seed":7,"folder":"/games","crc":"a41e0b93"}
//	{"input":"use cah","crc":"07c3d5f2"}
//
// Since each checksum goes on from the last, a reader notices a line that was
// damaged, taken out, put in, or moved. The sum is CRC-32C, which guards against
// faults, not against somebody who means to deceive.
type chain struct{ sum uint32 }

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// The member that ends a record; between its two halves are eight hex digits.
const (
	sumKey = `"crc":"`
	sumEnd = `"}`
	sumLen = len(sumKey) + 8 + len(sumEnd)
)

// maxFile bounds a log, a journal or a part that is read.
const maxFile = 1 << 30

// next is v as the next record, newline included. It counts as written only
// when the chain is set to what is returned with it.
func (c chain) next(v any) ([]byte, chain, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, c, err
	}
	body := bytes.TrimSuffix(b.Bytes(), []byte("}\n"))
	if len(body) > len("{") {
		body = append(body, ',')
	}
	c.sum = crc32.Update(c.sum, castagnoli, body)
	return fmt.Appendf(body, "%s%08x%s\n", sumKey, c.sum, sumEnd), c, nil
}

var errSum = errors.New("the checksum is wrong")

// read decodes a line without its newline into v, which has to have a field for
// each of its members: a record of a newer program is not half understood.
func (c *chain) read(line []byte, v any) error {
	at := len(line) - sumLen
	if at < 1 || string(line[at:at+len(sumKey)]) != sumKey || string(line[len(line)-len(sumEnd):]) != sumEnd {
		return errors.New("it has no checksum")
	}
	body := line[:at]
	digits := string(line[at+len(sumKey) : len(line)-len(sumEnd)])
	sum := crc32.Update(c.sum, castagnoli, body)
	if want, err := strconv.ParseUint(digits, 16, 32); err != nil || uint32(want) != sum {
		return errSum
	}
	dec := json.NewDecoder(io.MultiReader(bytes.NewReader(bytes.TrimSuffix(body, []byte(","))), bytes.NewReader([]byte("}"))))
	dec.DisallowUnknownFields()
	if err := dec.Decode(v); err != nil {
		return fmt.Errorf("this program does not understand it (%w)", err)
	}
	c.sum = sum
	return nil
}

// Seal is v as a file of one record.
func Seal(v any) ([]byte, error) {
	line, _, err := chain{}.next(v)
	return line, err
}

// Unseal decodes what Seal has made.
func Unseal(data []byte, v any) error {
	line, rest, whole := bytes.Cut(data, []byte("\n"))
	switch {
	case !whole:
		return errors.New("it is cut off")
	case len(rest) > 0:
		return errors.New("something follows its end")
	}
	return new(chain).read(line, v)
}

// readFile reads all of r, which has to end some time.
func readFile(r io.Reader) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxFile+1))
	if err == nil && len(data) > maxFile {
		err = fmt.Errorf("it is longer than %d MiB", maxFile>>20)
	}
	return data, err
}

package sheetfile

import (
	"bytes"
	"encoding/json"
)

// JSON writes a node.
func (n *Node) JSON() ([]byte, error) {
	var b bytes.Buffer
	if err := n.json(&b); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err := json.Indent(&out, b.Bytes(), "", "  ")
	out.WriteByte('\n')
	return out.Bytes(), err
}

func (n *Node) json(b *bytes.Buffer) error {
	switch n.Kind {
	case Null:
		b.WriteString("null")
	case Scalar:
		if n.Bare {
			b.WriteString(n.Text)
			return nil
		}
		enc := json.NewEncoder(b)
		enc.SetEscapeHTML(false)
		return enc.Encode(n.Text)
	case List, Map:
		b.WriteByte("[{"[n.Kind-List])
		for i, kid := range n.Kids {
			if i > 0 {
				b.WriteByte(',')
			}
			if n.Kind == Map {
				if err := n.Keys[i].json(b); err != nil {
					return err
				}
				b.WriteByte(':')
			}
			if err := kid.json(b); err != nil {
				return err
			}
		}
		b.WriteByte("]}"[n.Kind-List])
	}
	return nil
}

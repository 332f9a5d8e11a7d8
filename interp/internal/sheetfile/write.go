package sheetfile

import (
	"bytes"
	"encoding/json"

	"go.yaml.in/yaml/v3"
)

// YAML writes a node.
func (n *Node) YAML() ([]byte, error) {
	var b bytes.Buffer
	enc := yaml.NewEncoder(&b)
	enc.SetIndent(2)
	err := enc.Encode(n.yaml(0))
	return b.Bytes(), err
}

// inner is how deep what stands in one line is nested: what a part has, and lists in a sheet.
const inner = 3

func (n *Node) yaml(depth int) *yaml.Node {
	y := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: n.Text}
	switch n.Kind {
	case Null:
		y.Tag, y.Value = "!!null", "null"
	case List:
		y.Kind, y.Tag = yaml.SequenceNode, "!!seq"
	case Map:
		y.Kind, y.Tag = yaml.MappingNode, "!!map"
	case Scalar:
		if n.Bare {
			y.Tag = ""
		}
	}
	if n.Kind >= List && depth >= inner {
		y.Style = yaml.FlowStyle
	}
	for i, kid := range n.Kids {
		if n.Kind == Map {
			y.Content = append(y.Content, n.Keys[i].yaml(depth+1))
		}
		y.Content = append(y.Content, kid.yaml(depth+1))
	}
	return y
}

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

package lang

import (
	"fmt"
	"reflect"
	"strings"
)

// dump shows a tree as one line, without its spans: (Command Word:roll …).
func dump(n any) string {
	var b strings.Builder
	dumpValue(&b, reflect.ValueOf(n))
	return b.String()
}

func dumpValue(b *strings.Builder, v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			b.WriteString("-")
			return
		}
		dumpValue(b, v.Elem())
	case reflect.Slice:
		b.WriteString("[")
		for i := range v.Len() {
			if i > 0 {
				b.WriteString(" ")
			}
			dumpValue(b, v.Index(i))
		}
		b.WriteString("]")
	case reflect.Struct:
		dumpStruct(b, v)
	default:
		fmt.Fprintf(b, "%v", v)
	}
}

func dumpStruct(b *strings.Builder, v reflect.Value) {
	t := v.Type()
	switch t.Name() {
	case "Ident", "Caps", "Name":
		b.WriteString(v.FieldByName("Name").String())
		return
	case "Word":
		b.WriteString("'" + v.FieldByName("Name").String())
		return
	case "Num":
		b.WriteString(v.FieldByName("Text").String())
		return
	case "Lit":
		fmt.Fprintf(b, "%q", v.FieldByName("Value").String())
		return
	}
	b.WriteString("(" + t.Name())
	for i := range v.NumField() {
		f := t.Field(i)
		if f.Type == reflect.TypeFor[Span]() || v.Field(i).IsZero() {
			continue
		}
		fmt.Fprintf(b, " %s=", strings.ToLower(f.Name))
		dumpValue(b, v.Field(i))
	}
	b.WriteString(")")
}

package lang
import ("testing";"os";"fmt")
func TestZZ(t *testing.T){
 b,_:=os.ReadFile(os.Getenv("F"))
 f,ds:=Parse(NewSource("x",string(b)))
 if os.Getenv("D")!="" {for _,s:=range f.Stmts { fmt.Println(s.Range().Src.Position(int(s.Range().Start)).Line, dump(s)) }}
 for _,d:=range ds { fmt.Print(d.Format(Palette{})) ; if d.Incomplete {fmt.Println("INC")}}
}

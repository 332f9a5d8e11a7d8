package lang
import ("testing";"os";"fmt";"path/filepath")
func TestStd(t *testing.T){
 ps,_:=filepath.Glob("../stdlib/*/*.rules")
 for _,p:=range ps { b,_:=os.ReadFile(p)
 f,ds:=Parse(NewSource(p,string(b)))
 fmt.Print(ds.Format(Palette{}))
 printLaws(t,string(b))
 if os.Getenv("P")!="" && filepath.Base(p)==os.Getenv("P") {fmt.Print(Print(f))}
 }
}

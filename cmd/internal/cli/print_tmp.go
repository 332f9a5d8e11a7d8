package cli

import "setpiece/lang"

func printed(f *lang.File) string { return f.Src.Text } // until lang.Print is there

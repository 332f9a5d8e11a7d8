package lang

// Guide, Codes and dicePage are empty: a page in a browser shows none of them.
const Guide, Codes, dicePage = "", "", ""

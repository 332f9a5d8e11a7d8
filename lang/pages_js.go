package lang

// Codes and dicePage are empty: a page in a browser shows neither.
const Codes, dicePage = "", ""

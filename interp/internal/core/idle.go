package core

// MaxIdle is after how many entries of tactics of which none did anything a trial is given up:
// nobody will ever do anything again.
const MaxIdle = 20_000

// IdleHelp is what to do where nobody does anything.
const IdleHelp = "no line of their tactics works; end them with  otherwise: COMMAND"

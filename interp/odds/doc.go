// Package odds works out exactly what can come of a text: each end and its chance. What is too much to be
// followed is shared out by trials, and the bounds say so.
package odds

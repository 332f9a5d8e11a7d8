// Package vary lists the values in a script that may be changed, and makes the change in the text.
package vary

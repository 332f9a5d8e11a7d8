// Package tune finds the smallest changes of a script with which a goal has a chance that somebody wants.
package tune

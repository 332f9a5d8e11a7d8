// Package sim makes trials of a text, and says how often each end came; and of two texts, with the same
// dice for both, in what they differ.
package sim

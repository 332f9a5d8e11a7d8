// Package trials makes trials of a text, each with the dice of its seed: how they end (Worker), what each comes
// to (Series), and by how much two texts with the same dice differ (Sums). Whoever asks a question that is too
// much for exact odds asks it here.
package trials

// Seed gives the seed of a trial: a run with it, from the same state, is
// that trial. (It is the counter mixed as by the generator itself, see
// machine.Generator.)
func Seed(seed uint64, trial int64) uint64 {
	z := seed + uint64(trial+1)*0xd1342543de82ef95
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

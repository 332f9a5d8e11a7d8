package cli

import (
	"fmt"
	"strconv"
	"strings"

	"setpiece/interp/sim"
)

// scheduler names the variables in which a batch system tells a job which part of
// an array it is.
type scheduler struct {
	name        string
	index       string // this part
	first, step string // of the indices; none: they go from 0 by 1
	count       string // how many parts there are
}

// Slurm: https://slurm.schedmd.com/job_array.html. Kubernetes sets only the index
// of an Indexed Job; its manifest repeats completions as JOB_COMPLETIONS.
var schedulers = []scheduler{
	{name: "Slurm", index: "SLURM_ARRAY_TASK_ID", first: "SLURM_ARRAY_TASK_MIN", step: "SLURM_ARRAY_TASK_STEP", count: "SLURM_ARRAY_TASK_COUNT"},
	{name: "Kubernetes", index: "JOB_COMPLETION_INDEX", count: "JOB_COMPLETIONS"},
}

// shardOf reads I/N, or auto, which asks the environment; the result counts from 0.
func shardOf(s string, env func(string) string) (i, n int64, err error) {
	switch s {
	case "":
		return 0, 1, nil
	case "auto":
		return shardOfJob(env)
	}
	first, second, ok := strings.Cut(s, "/")
	i, err1 := strconv.ParseInt(first, 10, 64)
	n, err2 := strconv.ParseInt(second, 10, 64)
	if !ok || err1 != nil || err2 != nil || i < 1 || i > n || n > sim.MaxShards {
		return 0, 0, fmt.Errorf("%s is not a part", s)
	}
	return i - 1, n, nil
}

func shardOfJob(env func(string) string) (i, n int64, err error) {
	for _, s := range schedulers {
		if env(s.index) == "" {
			continue
		}
		number := func(name string, otherwise int64) int64 {
			switch text := env(name); {
			case err != nil || name == "" || text == "" && otherwise >= 0:
				return otherwise
			case text == "":
				err = fmt.Errorf("%s says which part this is (%s=%s), but %s is not set", s.name, s.index, env(s.index), name)
			default:
				var bad error
				if otherwise, bad = strconv.ParseInt(text, 10, 64); bad != nil {
					err = fmt.Errorf("%s=%s is not a whole number", name, text)
				}
			}
			return otherwise
		}
		index, first, step, n := number(s.index, -1), number(s.first, 0), number(s.step, 1), number(s.count, -1)
		if err != nil {
			return 0, 0, err
		}
		i := index - first
		if step < 1 || i%step != 0 || i < 0 || i/step >= n || n > sim.MaxShards {
			return 0, 0, fmt.Errorf("%s=%s is not one of %d parts that follow one another", s.index, env(s.index), n)
		}
		return i / step, n, nil
	}
	return 0, 0, fmt.Errorf("no job of Slurm or Kubernetes says which part this is")
}

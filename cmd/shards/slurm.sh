#!/bin/sh
# One simulation as an array of 16 jobs on a Slurm cluster, in a folder that all its nodes see:
#   sbatch --wait slurm.sh SCENE TRIALS FOLDER && setpiece merge FOLDER
#SBATCH --job-name=setpiece
#SBATCH --array=1-16
#SBATCH --cpus-per-task=1
#SBATCH --output=%x-%A-%a.log
#SBATCH --requeue
set -eu
exec setpiece sim --trials "$2" --workers "$SLURM_CPUS_PER_TASK" --shard auto --part "$3/" "$1"

#!/bin/sh
# One simulation in 16 parts with GNU parallel, as many at a time as there are processors:
#   parallel.sh SCENE TRIALS FOLDER
# On several computers that see this folder and have setpiece:
#   PARALLEL='--sshlogin one,two --workdir .' parallel.sh SCENE TRIALS FOLDER
# A part that is there already is not made again.
set -eu
scene=$1 trials=$2 folder=$3
mkdir -p "$folder"
seq -w 1 16 | while read -r i; do
  [ -e "$folder/part-$i-of-16.json" ] || echo "$i"
done | parallel --halt soon,fail=1 \
  setpiece sim --trials "$trials" --workers 1 --shard '{}/16' --part "$folder/" "$scene"
setpiece merge "$folder"

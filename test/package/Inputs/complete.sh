#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: complete.sh FOLDER: what the completions of FOLDER offer for some lines that are being typed.

offer() {
  source "$folder/$1"
  COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
  "_${1//-/_}"
  echo "$*: ${COMPREPLY[*]}"
}

folder=$1
offer vxcc --low
offer vxcc -lower s
offer vxcc -emit = v
offer vxcc -std =
offer vxcc -keep-dir /us
offer nvcc --relo
offer vx-sim --trace-c
offer vx-objdump --xlen = 3

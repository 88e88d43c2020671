# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# kill-compiler.sh SIGNAL COMMAND ... -o OUTPUT
# Starts COMMAND, sends it SIGNAL once it has begun a file next to OUTPUT, and waits until nothing
# of it runs. Fails if it ended before.
signal=$1
shift
for output; do :; done
"$@" &
compiler=$!
while ! ls "$output".*.tmp > /dev/null 2>&1; do
  kill -0 $compiler || exit 1
  sleep 0.01
done
kill -$signal $compiler || exit 1
wait $compiler && exit 1
# The child for the host half is told by the kernel.
for i in 1 2 3 4 5 6 7 8 9 10; do
  pgrep -f -- "-o $output" > /dev/null || break
  sleep 0.2
done
exit 0

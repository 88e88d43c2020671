// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// usage: node yosys.mjs SCRIPT OUTPUT FILE...
//
// Runs a script of yosys on files, which it knows by their base names, and writes the file of that base name
// that it leaves to OUTPUT. Prints what yosys prints, and ends with its status.

import { readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { runYosys } from '@yowasp/yosys';

const [script, output, ...names] = process.argv.slice(2);
const files = { 'script.ys': readFileSync(script, 'utf8') };
for (const name of names) files[basename(name)] = readFileSync(name, 'utf8');
try {
  const left = await runYosys(['-s', 'script.ys'], files, { decodeASCII: true, printLine: line => console.log(line) });
  writeFileSync(output, left[basename(output)]);
} catch (error) {
  console.log(error.message);
  process.exitCode = 1;
}

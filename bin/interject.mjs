#!/usr/bin/env node
// @ts-check
// Owns: the `interject` command before the product starts: a Node that can run it, and out/ being there. Never builds.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runEntry } from '../scripts/parts/entry.mjs';
import { NODE_ADVICE } from '../scripts/parts/node.mjs';
import { endWithNpx } from '../scripts/parts/processes.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const args = process.argv.slice(2);

/**
 * Ends the command in the shape every `interject` failure has.
 * @param {string} code
 * @param {string} message
 * @param {string} next
 */
function fail(code, message, next) {
  const isJson = args.includes('--json');
  if (isJson) process.stdout.write(`${JSON.stringify({ type: 'error', code, message, next })}\n`);
  else process.stderr.write(`${message}\nWhat to do: ${next}\n`);
  process.exitCode = 1;
}

// npm changes the folder to the package's own and keeps the caller's here; relative paths resolve against it.
process.env['INIT_CWD'] ||= process.cwd();
endWithNpx();

if (!existsSync(join(root, 'out/main/cli.js'))) {
  fail(
    'not_built',
    `Interject is not built: ${join(root, 'out')} is missing.`,
    `run \`npm run build\` in ${root}.`,
  );
} else if (!(await runEntry(root, 'cli', args))) {
  fail('unsupported_runtime', `Node ${process.versions.node} cannot run Interject.`, `${NODE_ADVICE}.`);
}

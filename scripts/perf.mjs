// @ts-check
// `npm run perf`: figures of the parts a person feels, measured on this machine in one run; all, or those named.
import { join } from 'node:path';
import { NODE_ADVICE, productNode } from './parts/node.mjs';
import { endLike, hold } from './parts/processes.mjs';
import { ScriptFailure, runMain } from './parts/say.mjs';
import { root, setUp } from './setup.mjs';

async function main() {
  await setUp();
  const node = productNode(root);
  if (node === null) throw new ScriptFailure('This Node cannot run the measurements.', `${NODE_ADVICE}.`);
  const named = process.argv.slice(2);
  const parts = await hold(node, [join(root, 'test/perf/perf.ts'), ...named]);
  if (parts.code !== 0 || named.length > 0) return endLike(parts);
  // In a process of its own: its memory is measured.
  endLike(await hold(node, [join(root, 'test/perf/awmData.ts')]));
}

await runMain(import.meta.url, main);

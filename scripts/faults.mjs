// @ts-check
// `npm run test:faults`: breaks a product that is at work, again and again, and checks that nothing promised was lost.
import { join } from 'node:path';
import { NODE_ADVICE, productNode } from './parts/node.mjs';
import { endLike, hold } from './parts/processes.mjs';
import { ScriptFailure, runMain } from './parts/say.mjs';
import { root, setUp } from './setup.mjs';

async function main() {
  await setUp();
  const node = productNode(root);
  if (node === null) throw new ScriptFailure('This Node cannot run the faults.', `${NODE_ADVICE}.`);
  endLike(await hold(node, [join(root, 'test/faults/faults.ts'), ...process.argv.slice(2)]));
}

await runMain(import.meta.url, main);

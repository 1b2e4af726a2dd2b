// @ts-check
// `npm run screenshots`: pictures of every view from a real run, for people to look at.
import { join } from 'node:path';
import { NODE_ADVICE, productNode } from './parts/node.mjs';
import { endLike, hold } from './parts/processes.mjs';
import { ScriptFailure, runMain } from './parts/say.mjs';
import { root, setUp } from './setup.mjs';

async function main() {
  await setUp();
  const node = productNode(root);
  if (node === null) throw new ScriptFailure('This Node cannot run the product.', `${NODE_ADVICE}.`);
  endLike(await hold(node, [join(root, 'test/screenshots/screenshots.ts'), ...process.argv.slice(2)]));
}

await runMain(import.meta.url, main);

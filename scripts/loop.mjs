// @ts-check
// `npm run loop`: the whole circle on this machine, from a student made of nothing to its report
// (resources/kit/loop/loop.py). Installs the training kit's packages first, once.
import { join, resolve } from 'node:path';
import { productNode, NODE_ADVICE } from './parts/node.mjs';
import { endLike, hold } from './parts/processes.mjs';
import { ensure, KIT } from './parts/python.mjs';
import { ScriptFailure, runMain, say } from './parts/say.mjs';
import { root, setUp } from './setup.mjs';

const OUT = 'loop-out';

async function main() {
  const args = process.argv.slice(2);
  const at = args.indexOf('--out');
  const out = resolve(process.env['INIT_CWD'] ?? process.cwd(), (at === -1 ? null : args[at + 1]) ?? OUT);
  if (at !== -1) args.splice(at, 2);
  await setUp();
  const node = productNode(root);
  if (node === null) throw new ScriptFailure('This Node cannot run the product.', `${NODE_ADVICE}.`);
  const missing = await ensure(KIT);
  if (missing !== null) {
    throw new ScriptFailure(
      `The training kit's packages are not there: ${missing}.`,
      'install Python 3.10 or newer with venv, and let pip reach its package index.',
    );
  }
  say(`Data, students and the report go to ${out}.`);
  const interject = [node, join(root, 'out/main/cli.js')].map((part) => JSON.stringify(part)).join(' ');
  const script = join(root, 'resources/kit/loop/loop.py');
  endLike(
    await hold(join(KIT.venv, 'bin/python'), [script, '--interject', interject, '--out', out, ...args]),
  );
}

await runMain(import.meta.url, main);

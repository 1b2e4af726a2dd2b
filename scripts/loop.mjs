// @ts-check
// `npm run loop`: the whole circle on this machine, from a student made of nothing to its report
// (resources/kit/loop/loop.py). Installs the training kit's packages first, once; a student that is a table (`--student
// table`) needs only those that tests have.
import { join, resolve } from 'node:path';
import { productNode, NODE_ADVICE } from './parts/node.mjs';
import { endLike, hold } from './parts/processes.mjs';
import { ensure, KIT, PEERS } from './parts/python.mjs';
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
  const packages = /--student[= ]table/.test(args.join(' ')) ? PEERS : KIT;
  const missing = await ensure(packages);
  if (missing !== null) {
    throw new ScriptFailure(
      `The Python packages are not there: ${missing}.`,
      'install Python 3.10 or newer with venv, and let pip reach its package index.',
    );
  }
  say(`Data, students and the report go to ${out}.`);
  const interject = [node, join(root, 'out/main/cli.js')].map((part) => JSON.stringify(part)).join(' ');
  const script = join(root, 'resources/kit/loop/loop.py');
  endLike(
    await hold(join(packages.venv, 'bin/python'), [script, '--interject', interject, '--out', out, ...args]),
  );
}

await runMain(import.meta.url, main);

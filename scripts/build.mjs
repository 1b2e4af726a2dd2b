// @ts-check
// `npm run build`: packages where missing, then out/, whether or not it looks up to date.
import { join } from 'node:path';
import { alone } from './parts/lock.mjs';
import { buildOutput } from './parts/output.mjs';
import { runMain, say } from './parts/say.mjs';
import { root, setUp } from './setup.mjs';

async function main() {
  await setUp({ build: false });
  const waiting = () => say('Another set-up is running in this folder; waiting for it …');
  await alone(join(root, '.cache/setup.lock'), waiting, () => buildOutput(root));
}

await runMain(import.meta.url, main);

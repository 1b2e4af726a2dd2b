import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { folderPerTest } from '../support/temporaryFolder.ts';

const root = resolve(import.meta.dirname, '../..');
const urlOf = (path: string): string => JSON.stringify(pathToFileURL(join(root, path)).href);

const folder = folderPerTest();

const script = (name: string, source: string): string => {
  const path = join(folder(), name);
  writeFileSync(path, source);
  return path;
};

it('ends the product in order when what started it is killed, so that nothing keeps running unseen', async () => {
  const product = script(
    'product.mjs',
    `import { endWithLauncher } from ${urlOf('src/main/hosts/launcher.ts')};
    endWithLauncher();
    const running = setInterval(() => {}, 1000);
    process.once('SIGTERM', () => { clearInterval(running); console.log('closed in order'); });
    console.log('up');`,
  );
  const launcher = script(
    'launcher.mjs',
    `import { FOREGROUND, hold } from ${urlOf('scripts/parts/processes.mjs')};
    await hold(process.execPath, [${JSON.stringify(product)}], { stdio: FOREGROUND });`,
  );
  const started = spawn(process.execPath, [launcher], { stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  for await (const chunk of started.stdout) {
    printed += String(chunk);
    if (printed === 'up\n') started.kill('SIGKILL');
  }

  // The output ends when the last process that holds it has ended.
  expect(printed).toBe('up\nclosed in order\n');
});

it('lets a command end by itself, whatever holds the channel', async () => {
  const product = script(
    'product.mjs',
    `import { endWithLauncher } from ${urlOf('src/main/hosts/launcher.ts')};
    endWithLauncher();
    console.log('done');`,
  );
  const started = spawn(process.execPath, [product], { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  const ended = new Promise((settle) => started.once('exit', (code) => settle(code)));

  expect(await ended).toBe(0);
});

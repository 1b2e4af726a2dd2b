import { spawn, type ChildProcess } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { folderPerTest } from '../support/temporaryFolder.ts';

const CLI = resolve(import.meta.dirname, '../../src/main/hosts/cli.ts');
const folder = folderPerTest();
const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

/** Runs it as `| head -n` does: the stream is closed once so many lines of a kind have come. */
function readUntil(mark: RegExp, stream: 'stdout' | 'stderr', args: readonly string[]) {
  const env = { ...process.env, INIT_CWD: folder() };
  const child = spawn(process.execPath, [CLI, ...args, '--data', 'home'], { env });
  children.push(child);
  let said = '';
  for (const name of ['stdout', 'stderr'] as const)
    child[name].on('data', (part: Buffer) => {
      said += part.toString();
      if (name === stream && mark.test(said)) child[stream].destroy();
    });
  return new Promise<{ code: number | null; said: string }>((settle) => {
    child.once('close', (code) => settle({ code, said }));
  });
}

const RUN = 'run --world loomline_workflows --task all --agent rehearsal --episodes 60'.split(' ');
const BENCH =
  'bench --split split.json --seeds 100 --agent rehearsal --conditions none,model --privileged --concurrency 1'.split(
    ' ',
  );

it.each([
  { reads: 'run --json', args: [...RUN, '--json'], stream: 'stdout' as const, mark: /"progress"/ },
  { reads: 'run', args: RUN, stream: 'stderr' as const, mark: /\d of \d/ },
  { reads: 'bench --json', args: [...BENCH, '--json'], stream: 'stdout' as const, mark: /"progress"/ },
  { reads: 'bench', args: BENCH, stream: 'stderr' as const, mark: /\[\d+ of/ },
])('`$reads` stops in order when nobody reads its $stream any more', async ({ args, stream, mark }) => {
  const split = { meta: { seed: 1 }, train: [], val: [['loomline_workflows', 0]] };
  writeFileSync(join(folder(), 'split.json'), JSON.stringify(split));
  const { code, said } = await readUntil(mark, stream, args);

  expect(said).toMatch(mark);
  expect(code).toBe(1);
  expect(said).not.toContain('EPIPE');
  expect(readdirSync(join(folder(), 'home'))).not.toContain('interject.lock');
});

it('`doctor` makes no further checks when nobody reads them any more', async () => {
  const { code, said } = await readUntil(/"check"/, 'stdout', ['doctor', '--json']);

  expect(code).toBe(1);
  expect(said).not.toContain('gateway ports');
});

import { spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { CommandOutput } from '../../src/main/hosts/output.ts';
import { tellStarts } from '../../src/main/hosts/playRun.ts';
import { createFlow, spec } from '../support/flow.ts';
import { heldReset } from '../support/heldReset.ts';
import { folderPerTest } from '../support/temporaryFolder.ts';

const cli = resolve(import.meta.dirname, '../../src/main/hosts/cli.ts');
let server: Awaited<ReturnType<typeof heldReset>>;
const folder = folderPerTest();
beforeEach(async () => {
  server = await heldReset();
});
afterEach(() => {
  server.close();
});

/** What is said in `seconds` of waiting, as `[second, words]`. */
async function wait(seconds: number, isTerminal: boolean): Promise<[number, string | null][]> {
  const { log, supervisor } = createFlow();
  const said: [number, string | null][] = [];
  let [second, startedAt] = [0, 0];
  const say = (text: string | null): number => said.push([second, text]);
  const output: CommandOutput = {
    isJson: false,
    gone: new AbortController().signal,
    line: () => undefined,
    say,
    status: isTerminal ? say : null,
    fail: () => expect.fail(),
  };
  let tick = (): void => undefined;
  let [id, ended] = ['', Promise.resolve<unknown>(null)];
  const untell = tellStarts(() => [log.record(id)], output, {
    clock: () => startedAt + second * 1000,
    repeat: (_, run) => {
      tick = run;
      return () => undefined;
    },
  });
  ({ id, ended } = supervisor.start(spec(server.url, { condition: 'none' })));
  await server.asked;
  startedAt = log.read(id).find(({ event }) => event.kind === 'connection.changed')?.at ?? 0;
  for (second = 1; second <= seconds; second += 1) tick();
  server.letGo();
  await ended;
  tick();
  untell();
  return said;
}

it('says on a terminal each second how long a slow reset has taken, and takes the line away', async () => {
  const said = await wait(7, true);

  const { host } = new URL(server.url);
  expect(said.filter(([, text]) => text !== null)).toEqual(
    [5, 6, 7].map((second) => [second, `Waiting for ${host} to reset: ${String(second)} s of 330 s`]),
  );
  expect(said.at(-1)?.[1]).toBeNull();
});

it('says in a file of a log one line each half minute, and nothing of a reset that is quick', async () => {
  const said = await wait(64, false);

  expect(said.map(([second]) => second)).toEqual([5, 35]);
  expect(said[1]?.[1]).toContain('35 s of 330 s');
});

it('ends in order where Ctrl+C comes during a reset: the episode is recorded as cancelled, no session stays', async () => {
  const args = ['run', '--env', server.url, '--agent', 'rehearsal', '--condition', 'none', '--json'];
  const child = spawn(process.execPath, [cli, ...args, '--data', join(folder(), 'home')]);
  let out = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.resume();
  const ended = new Promise<number | null>((settle) => child.on('close', settle));

  await server.asked;
  child.kill('SIGINT');
  const code = await ended;
  await server.left;

  expect(code).toBe(1);
  const lines = out
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines.find(({ type }) => type === 'episode')).toMatchObject({ outcome: 'stopped', error: null });
  expect(server.sessions()).toBe(0);
});

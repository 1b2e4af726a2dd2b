// `interject serve` from the sources, in a process of its own that a test may kill.
import { spawn, type ChildProcess } from 'node:child_process';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { createSocketTransport } from '../../src/renderer/client/socket.ts';
import type { Transport } from '../../src/renderer/client/transport.ts';
import type { DeskItem, HoldItem } from '../../src/shared/episode/rowShapes.ts';
import { isRecord, tryJson } from '../../src/shared/json.ts';
import { readTapFile } from '../../src/main/gateway/tap/linkProtocol.ts';
import { deskItems, deskOf } from './desk.ts';
import { TIMING } from './killed.ts';

const CLI = resolve(import.meta.dirname, '../../src/main/hosts/cli.ts');

export type ServingConsole = {
  /** What its ready line says. */
  ready: Record<string, unknown>;
  call: Transport['call'];
  desk: () => Promise<DeskItem[]>;
  /** Calls that wait for a person's word. */
  holds: () => Promise<HoldItem[]>;
  /** Answers all that waits; what was answered or closed meanwhile is left. */
  answerAll: (text: string) => Promise<void>;
  /** Ends it without a chance to clean up. */
  kill: () => Promise<void>;
  /** Ctrl+C, or what a service manager sends. */
  interrupt: (signal?: 'SIGINT' | 'SIGTERM') => void;
  /** Its exit code. */
  ended: Promise<number | null>;
};

/** Resolves once it is ready. `variables` are set for it besides those of this process. */
export async function startServing(
  folder: string,
  flags: readonly string[] = [],
  variables: Readonly<Record<string, string>> = {},
): Promise<ServingConsole> {
  const args = [CLI, 'serve', '--no-open', '--data', folder, '--json', ...flags];
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...variables },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = new Promise<number | null>((done) => child.once('exit', (code) => done(code)));
  const ready = await readyLine(child, ended);
  const origin = String(ready['url'])
    .replace(/^http/, 'ws')
    .replace(/\/#.*$/, '');
  const line = createSocketTransport({ origin, token: String(ready['token']), seat: 'seat-one' });
  const desk = (): Promise<DeskItem[]> => deskItems(line.subscribe);
  const answer = ({ episode, consultation, seq }: DeskItem, text: string) =>
    line
      .call('desk.answer', { episode, consultation, text, draft: null, seen_seq: seq, timing: TIMING })
      .catch(() => undefined);
  return {
    ready,
    call: line.call,
    desk,
    holds: async () => (await deskOf(line.subscribe)).holds,
    answerAll: async (text) => {
      for (const item of await desk()) await answer(item, text);
    },
    kill: async () => {
      line.close();
      child.kill('SIGKILL');
      await ended;
    },
    interrupt: (signal = 'SIGINT') => void child.kill(signal),
    ended,
  };
}

/** The tap of a killed console waits for the next one. */
export function endTap(folder: string): void {
  const pid = readTapFile(folder)?.pid;
  try {
    if (pid !== undefined) process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

const readyLine = (child: ChildProcess, ended: Promise<unknown>): Promise<Record<string, unknown>> =>
  new Promise((done, fail) => {
    void ended.then(() => fail(new Error('serve ended before it was ready')));
    if (child.stdout === null) return;
    createInterface({ input: child.stdout }).on('line', (line) => {
      const said: unknown = tryJson(line);
      if (isRecord(said) && said['type'] === 'ready') done(said);
    });
  });

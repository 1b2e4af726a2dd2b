// Owns: the built product as a user starts it, in a process of its own, on a data folder of its own.
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { createSocketTransport } from '../../src/renderer/client/socket.ts';
import type { Transport } from '../../src/renderer/client/transport.ts';
import type { StartEpisode } from '../../src/shared/contract/areas.ts';
import type { DeskItem } from '../../src/shared/episode/rowShapes.ts';
import type { Recorded } from '../../src/shared/events/vocabulary.ts';
import { foldAll } from '../../src/shared/episode/fold.ts';
import type { EpisodeRecord } from '../../src/shared/episode/record.ts';
import { deskItems } from '../support/desk.ts';

const ownRoot = resolve(import.meta.dirname, '../..');
const Ready = z.object({
  type: z.literal('ready'),
  url: z.string(),
  token: z.string(),
  gateway: z.object({ expert: z.string(), tap: z.string(), mcp: z.string() }),
  key: z.string(),
});

export type Server = {
  url: string;
  token: string;
  folder: string;
  /** Where clients of the gateway come in, and the key they need. */
  gateway: { expert: string; tap: string; mcp: string };
  key: string;
  pid: number;
  /** Commands from another seat than the browser's. */
  call: Transport['call'];
  events: (episode: string) => Promise<Recorded[]>;
  record: (episode: string) => Promise<EpisodeRecord>;
  /** What waits for a person now. */
  desk: () => Promise<DeskItem[]>;
  /** Ends it without a chance to clean up, as a power cut would. */
  kill: () => Promise<void>;
  stop: () => Promise<void>;
};

export type ServerOptions = {
  folder?: string;
  port?: number;
  env?: Record<string, string>;
  flags?: string[];
  /** Whether it opens the person's browser, as it does by itself. */
  opens?: boolean;
  /** The checkout it is started from; this one by default. */
  root?: string;
};

export const newFolder = (): string => mkdtempSync(join(tmpdir(), 'interject-e2e-'));
export const removeFolder = (folder: string): void => rmSync(folder, { recursive: true, force: true });

/** A rehearsal episode that asks a person. */
export const START: StartEpisode = {
  environment: 'builtin',
  scenario: 'loomline_workflows',
  task_idx: 0,
  agent: { policy: 'rehearsal', protocol: 'native', model: null },
  condition: 'human+draft',
  deadline_ms: null,
  fallback: 'wait',
  seed: 0,
  repeats: 1,
  limits: {},
  reset: {},
};

/** Only ends a wait for a server that never comes up. */
const READY_MS = 50_000;

/** `interject serve`, once its ready line is out. */
export async function startServer({
  folder = newFolder(),
  port = 0,
  env = {},
  flags = [],
  opens = false,
  root = ownRoot,
}: ServerOptions = {}): Promise<Server> {
  const child = spawn(
    process.execPath,
    [
      join(root, 'bin/interject.mjs'),
      'serve',
      ...(opens ? [] : ['--no-open']),
      '--port',
      String(port),
      '--data',
      folder,
      '--json',
      ...flags,
    ],
    // A group of its own, so that a kill reaches whatever it started.
    { cwd: root, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'], detached: true },
  );
  const { url, token, gateway, key } = await ready(child);
  const transport = createSocketTransport({
    origin: url.replace(/^http/, 'ws').replace(/\/#.*$/, ''),
    token,
    seat: 'seat-test',
  });
  const events = (episode: string): Promise<Recorded[]> => readAll(transport, episode);
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    transport.close();
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((done) => child.once('exit', done));
    if (child.pid !== undefined) process.kill(-child.pid, signal);
    await gone;
  };
  return {
    url,
    token,
    folder,
    gateway,
    key,
    pid: child.pid ?? 0,
    call: transport.call,
    events,
    record: async (episode) => foldAll(episode, await events(episode)),
    desk: () => deskItems(transport.subscribe),
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
  };
}

function ready(child: ChildProcess): Promise<z.infer<typeof Ready>> {
  const said: string[] = [];
  return new Promise((done, fail) => {
    const giveUp = (why: string): void => fail(new Error(`${why}\n${said.join('\n')}`));
    const timer = setTimeout(() => giveUp('serve said nothing of being ready'), READY_MS);
    child.once('exit', (code) => giveUp(`serve ended with ${String(code)}`));
    if (child.stderr !== null) createInterface({ input: child.stderr }).on('line', (line) => said.push(line));
    if (child.stdout === null) return;
    createInterface({ input: child.stdout }).on('line', (line) => {
      said.push(line);
      const parsed = Ready.safeParse(safeJson(line));
      if (!parsed.success) return;
      clearTimeout(timer);
      done(parsed.data);
    });
  });
}

function safeJson(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return null;
  }
}

async function readAll(transport: Transport, episode: string): Promise<Recorded[]> {
  const all: Recorded[] = [];
  for (;;) {
    const after = all.at(-1)?.n ?? 0;
    const { events, last_n: lastN } = await transport.call('episode.read', { episode, after, limit: 2000 });
    all.push(...events);
    if ((all.at(-1)?.n ?? 0) >= lastN) return all;
  }
}

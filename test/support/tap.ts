// The tap's own process, started for real, in front of the built-in worlds; main's side of it with a real log and desk.
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClientOptions } from 'ws';
import { stepInCommands } from '../../src/main/commands/stepIns.ts';
import { createDesk } from '../../src/main/desk/desk.ts';
import { createTap, type Tap, type TapParts } from '../../src/main/gateway/tap/tap.ts';
import { readTapFile } from '../../src/main/gateway/tap/linkProtocol.ts';
import { spawnTapWith } from '../../src/main/gateway/tap/tapLink.ts';
import { newId, schedule } from '../../src/main/hosts/edges.ts';
import { waitFor } from '../../src/main/log/waitFor.ts';
import {
  GATEWAY_DEFAULTS,
  HOLD_DEFAULTS,
  type GatewaySettings,
  type KeyRow,
} from '../../src/shared/contract/gateway.ts';
import type { EpisodeRecord } from '../../src/shared/episode/record.ts';
import { openLog } from './log.ts';
import { openClient } from './rawClient.ts';

const entry = join(import.meta.dirname, '..', '..', 'src', 'main', 'hosts', 'tap.ts');
export const TOKEN = 'a-token-of-a-client';
const sha256 = createHash('sha256').update(TOKEN).digest('hex');
const never = new AbortController().signal;

/** Settings, and what the client's key says of held calls. */
export type Over = Partial<GatewaySettings & Pick<KeyRow, 'hold_limit_ms' | 'hold_fallback'>>;

/** A tap on a free port, in front of an environment's address. */
export async function openTap(
  url: string,
  over: Over = {},
  folder = newFolder(),
  more: Partial<TapParts> = {},
) {
  const log = openLog(join(folder, 'interject.db'), Date.now);
  const desk = createDesk({ log, clock: Date.now, monotonic: () => performance.now(), schedule });
  const reported: unknown[] = [];
  const { hold_limit_ms, hold_fallback } = { ...HOLD_DEFAULTS, ...over };
  const settings = { ...GATEWAY_DEFAULTS, ...over };
  const parts: TapParts = {
    log,
    desk,
    dataFolder: folder,
    port: 0,
    settings: () => settings,
    tokens: () => [
      { id: 'k1', sha256, name: 'trainer', environment: 'env', hold: { hold_limit_ms, hold_fallback } },
    ],
    environment: (id) => ({ id, name: 'Worlds', url, builtin: false }),
    clock: Date.now,
    schedule,
    spawn: spawnTapWith(entry, process.env),
    // The tests' own process is nobody's main.
    lowerPriority: () => undefined,
    report: (thrown) => reported.push(thrown),
    ...more,
  };
  const tap = await createTap(parts);
  const commands = stepInCommands({ log, desk, newId, recorded: () => tap.recorded() });
  const until = (episode: string, look: (record: EpisodeRecord) => unknown): Promise<EpisodeRecord> =>
    waitFor(log, episode, (record) => (look(record) ? record : null), never);
  /** The ids of its episodes, oldest first, once there are so many. */
  const episodes = async (count = 1): Promise<string[]> => {
    for (;;) {
      const { rows } = log.projections.episodes({
        query: '',
        status: null,
        condition: null,
        offset: 0,
        limit: 500,
      });
      if (rows.length >= count) return rows.map(({ id }) => id).toReversed();
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
  return {
    log,
    desk,
    tap,
    parts,
    settings,
    commands,
    folder,
    reported,
    until,
    episodes,
    url: `${tap.url}/t/${TOKEN}`,
    pid: () => readTapFile(folder)?.pid ?? 0,
    /** As if main had been killed: nothing is said, nothing is closed in order. */
    abandon: async (): Promise<void> => {
      await tap.close({ keepServing: true });
      desk.close();
      log.close();
    },
    close: async (): Promise<void> => {
      desk.close();
      await tap.close({ keepServing: false });
      log.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
export type OpenTap = Awaited<ReturnType<typeof openTap>>;
export type { Tap };

export const newFolder = (): string => mkdtempSync(join(tmpdir(), 'interject-tap-'));

/** A client of a tap. */
export async function connect(url: string, path = '/ws', options: ClientOptions = {}) {
  const client = await openClient(`${url.replace('http', 'ws')}${path}`, {
    perMessageDeflate: false,
    ...options,
  });
  const say = async (frame: unknown): Promise<Answer> =>
    JSON.parse(await client.raw(JSON.stringify(frame))) as Answer;
  return {
    ...client,
    say,
    reset: (data: object = { scenario: 'loomline_workflows', task_idx: 0 }) => say({ type: 'reset', data }),
    call: (tool_name: string, args: object = {}) =>
      say({ type: 'step', data: { type: 'call_tool', tool_name, arguments: args } }),
  };
}
export type Client = Awaited<ReturnType<typeof connect>>;
export type Answer = {
  type: string;
  data: {
    observation: Record<string, unknown> & { metadata: Record<string, unknown> };
    reward: unknown;
    done: boolean;
    message?: string;
  };
};

// The same scripted episode of every task of the built-in world three times: by our own loop, by a client of the tap that
// names its episode in the reset and a header, and by one that names it behind its key. One behaviour is one record, and
// gives the same rows.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { attachAnswers, type AnswerLine } from '../../src/main/desk/scriptedAnswers.ts';
import type { RunSpec } from '../../src/main/episode/stage.ts';
import { factsOf } from '../../src/main/reward/facts.ts';
import { shapedReward } from '../../src/main/reward/shaping.ts';
import { GATEWAY_DEFAULTS, type GatewaySettings } from '../../src/shared/contract/gateway.ts';
import { ExportFormat } from '../../src/shared/contract/export.ts';
import type { EpisodeRecord, Message } from '../../src/shared/episode/record.ts';
import { attemptsBefore, troubleBefore } from '../../src/shared/episode/attempts.ts';
import { functionTools } from '../../src/main/dataset/export/transcriptLine.ts';
import type { EventLog } from '../../src/main/log/eventLog.ts';
import type { Briefing, BriefingOf } from '../../src/shared/pack.ts';
import { REWARD_DEFAULTS } from '../../src/shared/rewards/settings.ts';
import { serveDoors, type Doors } from '../support/doors.ts';
import { makeRows } from '../support/exporting.ts';
import { createFlow, spec } from '../support/flow.ts';
import { connect, openTap, type OpenTap } from '../support/tap.ts';
import { PACK, packsFolder, serveWorlds, type Served } from '../support/worlds.ts';

type Task = Pick<Briefing, 'criteria' | 'rehearsal'> & {
  reference: { tool: string; args: Record<string, unknown>; purpose: string }[];
};
const TASKS = JSON.parse(readFileSync(join(packsFolder, PACK, 'tasks.json'), 'utf8')) as Task[];
const PROTOCOLS = ['native', 'xml'] as const;
type Protocol = (typeof PROTOCOLS)[number];

/** The log itself tells events, and every road has its own. */
/** `scores` hold the rubric, which counts the agent's last word as a turn where we hear it: at a tap nobody does. */
const FORMATS = ExportFormat.options.filter((format) => format !== 'events' && format !== 'scores');

type Scene = {
  what: string;
  isPlayedOn: (task_idx: number) => boolean;
  /** What the expert does when asked; null for one who is there and does nothing until the time is up. */
  answers: (task: Task) => AnswerLine[] | null;
  /** Our own loop's: whether anybody may be asked, and what becomes of a question that nobody answers. */
  own: Partial<RunSpec>;
};
const DEADLINE_MS = 50;
/** Tasks that differ in length and in what becomes of them. */
const isOfSome = (task_idx: number): boolean => [0, 1, 4, 9].includes(task_idx);

const SCENES: Scene[] = [
  {
    what: 'is answered',
    isPlayedOn: () => true,
    answers: (task) => [{ ask: 1, do: 'send', text: planOf(task) }],
    own: { fallback: 'wait' },
  },
  {
    what: 'is declined',
    isPlayedOn: isOfSome,
    answers: () => [{ ask: 1, do: 'decline', reason: 'Read the error once more.' }],
    own: { fallback: 'wait' },
  },
  {
    what: 'is not answered in time',
    isPlayedOn: isOfSome,
    answers: () => null,
    own: { fallback: 'proceed', deadline_ms: DEADLINE_MS },
  },
  {
    what: 'asks when nobody is there',
    isPlayedOn: isOfSome,
    answers: () => [],
    own: { fallback: 'proceed' },
  },
  {
    what: 'never asks',
    isPlayedOn: isOfSome,
    answers: () => [],
    own: { condition: 'none', fallback: 'proceed' },
  },
];

/** What a client's question may wait, changed by the scene that is played. */
const asking: Partial<GatewaySettings> = { ask_fallback: 'proceed' };
let worlds: Served;
let tap: OpenTap;
let doors: Doors;
beforeAll(async () => {
  worlds = await serveWorlds();
  tap = await openTap(worlds.url, {}, undefined, {
    environment: (id) => ({ id, name: 'test', url: worlds.url, builtin: false }),
  });
  const briefing: BriefingOf = (_scenario, task_idx) => {
    const task = TASKS[task_idx ?? -1];
    return task === undefined ? null : briefingOf(task);
  };
  doors = await serveDoors({ log: tap.log, recorded: () => tap.tap.recorded(), settings: asking, briefing });
});
afterAll(async () => {
  await doors.close();
  await tap.close();
  await worlds.close();
});

const planOf = ({ reference }: Task): string => JSON.stringify({ plan: reference });

const briefingOf = (task: Task): Briefing => ({ ...task, draft: task.reference, draft_note: null });

/** By our own loop, with a scripted expert. */
async function playNatively({ answers, own }: Scene, task: Task, task_idx: number, protocol: Protocol) {
  const flow = createFlow({ briefing: briefingOf(task) });
  const lines = answers(task);
  const undo = lines === null ? () => undefined : attachAnswers(flow, lines);
  const agent = { policy: 'rehearsal' as const, protocol, model: null };
  const over = { agent, scenario: PACK, task_idx, condition: 'human' as const, ...own };
  const { id, ended } = flow.supervisor.start(spec(worlds.url, over));
  await ended;
  undo();
  return { log: flow.log, id };
}

type Chat = Record<string, unknown> & { role: string };
const chatOf = ({ role, content, toolCalls, toolCallId, name }: Message): Chat => ({
  role,
  content: content as string,
  ...(toolCalls.length === 0
    ? {}
    : {
        tool_calls: toolCalls.map(({ id, name: tool, arguments: args }) => ({
          id,
          type: 'function',
          function: { name: tool, arguments: args },
        })),
      }),
  ...(toolCallId === null ? {} : { tool_call_id: toolCallId, name }),
});

/** By a client of the tap that does what the agent of our own loop did, message by message, and tells it at the end. */
async function playThroughTap(
  native: EpisodeRecord,
  {
    scene,
    task,
    task_idx,
    name,
    by,
  }: { scene: Scene; task: Task; task_idx: number; name: string; by: 'header' | 'key' },
) {
  const lines = scene.answers(task);
  const undo = lines === null ? () => undefined : attachAnswers({ log: tap.log, desk: doors.desk }, lines);
  asking.ask_deadline_ms = lines === null ? DEADLINE_MS : GATEWAY_DEFAULTS.ask_deadline_ms;
  const behind = by === 'key' ? `~${name}` : '';
  const client = await connect(`${tap.url}${behind}`);
  const opened = new Promise<string>((resolve) => {
    const stop = tap.log.subscribe(({ event, stream }) => {
      if (event.kind !== 'tap.opened') return;
      stop();
      resolve(stream);
    });
  });
  await client.reset({
    scenario: PACK,
    task_idx,
    seed: 0,
    ...(by === 'key' ? {} : { interject_episode: name }),
  });
  await client.say({ type: 'step', data: { type: 'list_tools' } });
  const said: Chat[] = [];
  const replies: string[] = [];
  for (const message of native.messages) {
    const before = [...said];
    said.push(chatOf(message));
    if (message.role !== 'assistant') continue;
    const move = native.turns.find(({ turn }) => turn === message.turn)?.move;
    if (move?.type === 'call_tool') await client.call(move.tool_name, move.arguments);
    if (move?.type !== 'ask_expert') continue;
    const headers = by === 'key' ? {} : { 'X-Interject-Episode': name };
    // Its expert reads the agent's conversation and the question, as the public recipe's does.
    const messages = [...before, { role: 'user', content: move.context }];
    const { choices } = await doors
      .openai({ apiKey: `k${behind}` })
      .chat.completions.create({ model: 'expert', messages: messages as never }, { headers });
    replies.push(choices[0]?.message.content ?? '');
  }
  const final = native.ended?.final_answer as string;
  await client.call('verify', { verifier_mode: 'code', final_answer: final });
  await client.call('done');
  client.socket.close();
  undo();
  const id = await opened;
  await tap.until(id, ({ ended }) => ended);
  return { id, said, replies };
}

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);

async function tell(id: string, said: Chat[], native: EpisodeRecord) {
  const response = await fetch(`${doors.url}/episodes/${id}/messages`, {
    method: 'POST',
    body: JSON.stringify({ messages: said, tools: functionTools(native.offered), no_other_expert: true }),
  });
  return (await response.json()) as { is_complete: boolean; unmatched: number[] };
}

const behaviour = (record: EpisodeRecord) => {
  const before = record.consultations[0]?.before ?? 0;
  const shaped = shapedReward(factsOf(record), REWARD_DEFAULTS.shaping);
  return {
    turn: record.consultations[0]?.turn,
    attempts: attemptsBefore(record, before).map(
      ({ turn, tool_name: tool, arguments: args, error, fate }) => ({ turn, tool, args, error, fate }),
    ),
    trouble: troubleBefore(record, before),
    pattern: shaped.pattern,
    shaped: shaped.total,
  };
};

/** What must differ between the roads, and nothing else does. */
const DIFFERS = new Set([
  // Ids and times, and how an episode came here.
  'episode',
  'episode_id',
  'session_id',
  'trajectory_id',
  'consultation',
  'id',
  'timestamp',
  'started_at',
  'ended_at',
  'condition',
  'latency_ms',
  // The hash of our own prompts, and turns without a call: neither crosses the wire.
  'version',
  'turns',
  // What a client had seen nobody knows: our own loop knows what its agent and its experts were shown.
  'privilege',
  'leak_free',
]);

function comparable(value: unknown, ids: readonly string[]): unknown {
  if (typeof value === 'string') return ids.reduce((text, id) => text.replaceAll(id, 'ID'), value);
  if (Array.isArray(value)) return value.map((one) => comparable(one, ids));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, one]) => (DIFFERS.has(key) ? [] : [[key, comparable(one, ids)]])),
  );
}

async function rowsOf(log: EventLog, id: string) {
  const made: Record<string, unknown> = {};
  for (const format of FORMATS) {
    const { rows, dropped } = await makeRows(log, format, { episodes: [id], verdict: 'any' });
    made[format] = comparable({ rows, dropped }, [id]);
  }
  return made;
}

describe.each(SCENES)('one behaviour by three roads that $what', (scene) => {
  it.each(PROTOCOLS)(
    'has the same attempts, pattern, shaped reward and rows (%s)',
    async (protocol) => {
      const table: Record<string, unknown>[] = [];
      for (const [task_idx, task] of TASKS.entries()) {
        if (!scene.isPlayedOn(task_idx)) continue;
        const native = await playNatively(scene, task, task_idx, protocol);
        const record = native.log.record(native.id);
        const asked = record.consultations.length;
        const expected = { ...behaviour(record), rows: await rowsOf(native.log, native.id) };
        expect(asked > 0).toBe(scene.own.condition !== 'none');
        const line: Record<string, unknown> = {
          task: task_idx,
          pattern: expected.pattern,
          shaped: expected.shaped,
        };
        for (const by of ['header', 'key'] as const) {
          const name = `${by}-${protocol}-${scene.what.replaceAll(' ', '_')}-${String(task_idx)}`;
          const { id, said, replies } = await playThroughTap(record, { scene, task, task_idx, name, by });
          // What the client read is what our own agent read.
          for (const reply of replies) expect(JSON.stringify(said)).toContain(inJson(reply));
          const told = await tell(id, said, record);
          const tapped = tap.log.record(id);
          expect(told).toMatchObject({ is_complete: true, unmatched: [] });
          expect(tapped.consultations.map(({ link }) => link)).toEqual(
            Array.from({ length: asked }, () => ({ by, score: 1 })),
          );
          const got = { ...behaviour(tapped), rows: await rowsOf(tap.log, id) };
          expect(got).toEqual(expected);
          line[by] = 'same';
        }
        table.push({ ...line, attempts: expected.attempts.length, formats: FORMATS.length });
      }
      console.table(table);
    },
    240_000,
  );
});

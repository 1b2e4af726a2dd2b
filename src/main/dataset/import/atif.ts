// Owns: reading ATIF trajectories, v1.0 to v1.8: one step is one turn with its calls and what came back.
import type { JsonObject } from '../../../shared/events/turns.ts';
import { chatMessages } from './chatMessage.ts';
import { documentsOf } from './documents.ts';
import { nativeCall } from './moves.ts';
import { createNotes, type Notes } from './notes.ts';
import { blankEpisode, DONE, type ReadEpisode, type Reader } from './read.ts';
import { ImportStop } from './stop.ts';
import { createTelling, type Telling } from './telling.ts';
import { createTimes, type Times } from './times.ts';
import { NO_RESULT } from './told.ts';
import { toolSpecs } from './toolSpecs.ts';
import {
  asJson,
  fieldsOf,
  listIn,
  listOf,
  numberOf,
  own,
  rewardOf,
  textOf,
  wholeOf,
  wordsOf,
  type Fields,
} from './values.ts';
import type { Path, Wish } from './walk.ts';

const NOT_RECORDED = ['errors of calls', 'rewards of single calls', 'the environment’s own replies'];
const KNOWN = /^ATIF-v1\.[0-8]$/;

/** Each trajectory of the file, then those of its subagents, each an episode. */
export const readAtif: Reader = async function* (input) {
  let index = 0;
  for await (const { tree, pointer, isAlone } of documentsOf(input, wish)) {
    const version = textOf(tree['schema_version']) ?? '';
    if (!KNOWN.test(version)) {
      input.notes.note(
        'unknown_version',
        `${version || 'no version'} is not known here; read as v1.8`,
        `${pointer}/schema_version`,
      );
    }
    const trajectories = trajectoriesIn(tree, pointer);
    if (isAlone && !trajectories.some((one) => hasSteps(one.tree)))
      throw new ImportStop('no_steps', 'the trajectory has no list of steps', `${pointer}/steps`);
    for (const one of trajectories) {
      if (!hasSteps(one.tree))
        input.notes.skip('no_steps', 'a trajectory without a list of steps', `${one.pointer}/steps`);
      else if (!input.isKnown(index))
        yield { ...episodeOf(one.tree, one, index, createNotes(input.notes)), version };
      index += 1;
    }
  }
};

const wish = (path: Path): Wish =>
  path.length === 0 || (path.length === 1 && (path[0] === 'steps' || path[0] === 'subagent_trajectories'))
    ? 'into'
    : 'take';

type Trajectory = { tree: Fields; pointer: string; parent: string | null };

const hasSteps = (tree: Fields): boolean => Array.isArray(tree['steps']);

/** A trajectory, then those of its subagents, one level after the other. */
function trajectoriesIn(tree: Fields, pointer: string): Trajectory[] {
  const all: Trajectory[] = [{ tree, pointer, parent: null }];
  for (let at = 0; at < all.length; at += 1) {
    const one = all[at];
    if (one === undefined) continue;
    const parent = textOf(one.tree['trajectory_id']) ?? textOf(one.tree['session_id']) ?? 'the first';
    listOf(one.tree['subagent_trajectories']).forEach((inner, index) =>
      all.push({
        tree: fieldsOf(inner),
        pointer: `${one.pointer}/subagent_trajectories/${String(index)}`,
        parent,
      }),
    );
  }
  return all;
}

function episodeOf(
  tree: Fields,
  { pointer, parent }: { pointer: string; parent: string | null },
  index: number,
  notes: Notes,
): ReadEpisode {
  const telling = createTelling(notes);
  const agent = tree['agent'];
  const steps = listOf(tree['steps']);
  const times = createTimes(notes);
  const ids = new Set<unknown>();
  let task: string | null = null;
  steps.forEach((step, place) => {
    const at = `${pointer}/steps/${String(place)}`;
    const id = own(step, 'step_id');
    if (id !== undefined && ids.has(id))
      notes.note(
        'repeated_step',
        `a step with the number of an earlier one: ${wordsOf(id).slice(0, 40)}`,
        at,
      );
    ids.add(id);
    if (own(step, 'is_copied_context') === true)
      notes.note('copied_context', 'a step copied from an earlier trajectory', at);
    const said = messageOf(step, at, notes);
    if (own(step, 'source') === 'user') task ??= said;
    tellStep(telling, step, said, { pointer: at, model: textOf(own(agent, 'model_name')), times });
  });
  const answer = telling.finish();
  const extra = fieldsOf(tree['extra']);
  const tools = toolSpecs(own(agent, 'tool_definitions'));
  const last = telling.entries.findLast(({ at }) => at !== null);
  return {
    ...blankEpisode(index, notes),
    environment: textOf(own(agent, 'name')),
    scenario: textOf(extra['scenario']),
    taskIdx: wholeOf(extra['task_idx']),
    task,
    model: textOf(own(agent, 'model_name')),
    protocol: 'native',
    startedAt: telling.entries.find(({ at }) => at !== null)?.at ?? null,
    tools,
    body: telling.entries,
    end: {
      ...DONE,
      finalAnswer: answer,
      reward: rewardOf(extra['reward']),
      rewardType: textOf(extra['reward_type']),
      at: last?.at ?? null,
    },
    notRecorded: [
      ...NOT_RECORDED,
      ...(last === undefined ? ['times'] : []),
      ...(tools.length === 0 ? ['tool schemas'] : []),
      ...(extra['reward'] === undefined ? ['the reward'] : []),
    ],
    extra: extraOf(tree, parent),
  };
}

function extraOf(tree: Fields, parent: string | null): JsonObject {
  const kept = ['session_id', 'trajectory_id', 'notes', 'final_metrics', 'continued_trajectory_ref', 'extra'];
  const extra: JsonObject = {};
  for (const key of kept) if (tree[key] !== undefined && tree[key] !== null) extra[key] = asJson(tree[key]);
  return parent === null ? extra : { ...extra, subagent_of: parent };
}

/** The text of a message that is text or parts. */
const messageOf = (step: unknown, pointer: string, notes: Notes): string =>
  textOf(own(step, 'message')) ??
  chatMessages({ role: 'user', content: own(step, 'message') }, pointer, notes)[0]?.content ??
  '';

function tellStep(
  telling: Telling,
  step: unknown,
  content: string,
  { pointer, model, times }: { pointer: string; model: string | null; times: Times },
): void {
  const at = times.read(own(step, 'timestamp'), `${pointer}/timestamp`);
  const source = own(step, 'source');
  if (source === 'system' || source === 'user') return telling.message(source, content, at);
  if (source !== 'agent') return telling.notes.skip('unknown_source', 'a step of an unknown source', pointer);
  const metrics = own(step, 'metrics');
  const [input, output] = [
    numberOf(own(metrics, 'prompt_tokens')),
    numberOf(own(metrics, 'completion_tokens')),
  ];
  const calls = listIn(step, 'tool_calls', pointer, telling.notes).map((call) =>
    nativeCall(
      textOf(own(call, 'tool_call_id')) ?? '',
      textOf(own(call, 'function_name')) ?? '',
      own(call, 'arguments'),
    ),
  );
  telling.turn({
    content,
    reasoning: textOf(own(step, 'reasoning_content')),
    calls,
    model: textOf(own(step, 'model_name')) ?? model,
    stopReason: null,
    usage: input === null && output === null ? null : { input_tokens: input, output_tokens: output },
    latencyMs: null,
    at,
    pointer,
  });
  const results = listIn(own(step, 'observation'), 'results', `${pointer}/observation`, telling.notes);
  // The log takes results in the order of the calls.
  const order = new Map(calls.map(({ id }, place) => [id, place]));
  const place = (result: unknown): number =>
    order.get(textOf(own(result, 'source_call_id')) ?? '') ?? calls.length;
  for (const result of results.toSorted((a, b) => place(a) - place(b)))
    tellResult(telling, result, at, pointer);
}

function tellResult(telling: Telling, result: unknown, at: number | null, pointer: string): void {
  const id = textOf(own(result, 'source_call_id'));
  const content = own(result, 'content');
  const text =
    textOf(content) ??
    (content === null || content === undefined
      ? null
      : (chatMessages({ role: 'user', content }, pointer, telling.notes)[0]?.content ?? null));
  const reference = own(result, 'subagent_trajectory_ref');
  const frame = reference === undefined || reference === null ? '' : JSON.stringify(result);
  const isAnswered = telling.waiting().length > 0 && (id === null || telling.waiting().includes(id));
  // What the environment showed without being asked is read like a message.
  if (
    !isAnswered ||
    !telling.result(id, { ...NO_RESULT, text, frame, at, read: { text: text ?? '', name: null } })
  ) {
    telling.stray(text ?? '', null, at);
  }
}

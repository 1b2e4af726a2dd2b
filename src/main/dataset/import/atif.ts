// Reads ATIF trajectories, v1.0 to v1.8: one step is one turn with its calls and their results.
import { ERRORS_OF_CALLS } from '../../../shared/episode/phase.ts';
import type { JsonObject } from '../../../shared/events/turns.ts';
import {
  metadataOf,
  keySet,
  jsonText,
  leftRecord,
  createTimes,
  type EpisodeTimes,
  toolSpecs,
  recordFrom,
  listIn,
  listFrom,
  numberFrom,
  ownValue,
  rewardFrom,
  textFrom,
  wholeOf,
  textFromAny,
  type JsonRecord,
} from './values.ts';
import { chatMessages } from './conversation.ts';
import { documentsOf } from './documents.ts';
import { nativeCall } from './moves.ts';
import { createNotes, type ImportNotes, type Path } from './importNotes.ts';
import { blankEpisode, EPISODE_DONE, type ImportedEpisode, type FormatReader } from './formatReader.ts';
import { ImportStop } from './limits.ts';
import { createEpisodeBuilder, type EpisodeBuilder, NO_RESULT } from './episodeBuilder.ts';
import type { Wish } from './walk.ts';

const ATIF_NOT_RECORDED = [ERRORS_OF_CALLS, 'rewards of single calls', 'the environment’s own replies'];
const ATIF_KEYS = keySet('schema_version steps agent subagent_trajectories');
const OF_AGENT = keySet('name model_name tool_definitions');
const KNOWN_VERSION = /^ATIF-v1\.[0-8]$/;

/** Each trajectory of the file, then those of its subagents, each an episode. */
export const readAtif: FormatReader = async function* (input) {
  let index = 0;
  for await (const { tree, pointer, isAlone } of documentsOf(input, atifWish)) {
    const version = textFrom(tree['schema_version']) ?? '';
    if (!KNOWN_VERSION.test(version)) {
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
        input.notes.skip(
          'no_steps',
          'a trajectory without a list of steps',
          `${one.pointer}/steps`,
          leftRecord(one.tree, 'trajectories without steps'),
        );
      else yield { ...atifEpisode(one.tree, one, index, createNotes(input.notes)), version };
      index += 1;
    }
  }
};

const atifWish = (path: Path): Wish =>
  path.length === 0 || (path.length === 1 && (path[0] === 'steps' || path[0] === 'subagent_trajectories'))
    ? 'into'
    : 'take';

type AtifTrajectory = { tree: JsonRecord; pointer: string; parent: string | null };

const hasSteps = (tree: JsonRecord): boolean => Array.isArray(tree['steps']);

/** A trajectory, then those of its subagents, one level after the other. */
function trajectoriesIn(tree: JsonRecord, pointer: string): AtifTrajectory[] {
  const all: AtifTrajectory[] = [{ tree, pointer, parent: null }];
  for (let at = 0; at < all.length; at += 1) {
    const one = all[at];
    if (one === undefined) continue;
    const parent = textFrom(one.tree['trajectory_id']) ?? textFrom(one.tree['session_id']) ?? 'the first';
    listFrom(one.tree['subagent_trajectories']).forEach((inner, index) =>
      all.push({
        tree: recordFrom(inner),
        pointer: `${one.pointer}/subagent_trajectories/${String(index)}`,
        parent,
      }),
    );
  }
  return all;
}

function atifEpisode(
  tree: JsonRecord,
  { pointer, parent }: { pointer: string; parent: string | null },
  index: number,
  notes: ImportNotes,
): ImportedEpisode {
  const builder = createEpisodeBuilder(notes);
  const agent = tree['agent'];
  const steps = listFrom(tree['steps']);
  const times = createTimes(notes);
  const ids = new Set<unknown>();
  let task: string | null = null;
  steps.forEach((step, place) => {
    const at = `${pointer}/steps/${String(place)}`;
    const id = ownValue(step, 'step_id');
    if (id !== undefined && ids.has(id))
      notes.note(
        'repeated_step',
        `a step with the number of an earlier one: ${textFromAny(id).slice(0, 40)}`,
        at,
      );
    ids.add(id);
    if (ownValue(step, 'is_copied_context') === true)
      notes.note('copied_context', 'a step copied from an earlier trajectory', at);
    const said = stepText(step, at, notes);
    if (ownValue(step, 'source') === 'user') task ??= said;
    addAtifStep(builder, step, said, { pointer: at, model: textFrom(ownValue(agent, 'model_name')), times });
  });
  const answer = builder.finish();
  const extra = recordFrom(tree['extra']);
  const tools = toolSpecs(ownValue(agent, 'tool_definitions'));
  const last = builder.entries.findLast(({ at }) => at !== null);
  return {
    ...blankEpisode(index, notes),
    environment: textFrom(ownValue(agent, 'name')),
    scenario: textFrom(extra['scenario']),
    task_idx: wholeOf(extra['task_idx']),
    task,
    model: textFrom(ownValue(agent, 'model_name')),
    protocol: 'native',
    startedAt: builder.entries.find(({ at }) => at !== null)?.at ?? null,
    tools,
    body: builder.entries,
    end: {
      ...EPISODE_DONE,
      final_answer: answer,
      reward: rewardFrom(extra['reward']),
      reward_type: textFrom(extra['reward_type']),
      at: last?.at ?? null,
    },
    notRecorded: [
      ...ATIF_NOT_RECORDED,
      ...(last === undefined ? ['times'] : []),
      ...(tools.length === 0 ? ['tool schemas'] : []),
      ...(extra['reward'] === undefined ? ['the reward'] : []),
    ],
    extra: atifExtra(tree, parent, notes),
    sources: [{ value: tree, omit: ['subagent_trajectories'] }],
  };
}

/** The trajectory's own fields, and what it says of the agent beside its tools. */
function atifExtra(tree: JsonRecord, parent: string | null, notes: ImportNotes): JsonObject {
  const agent = metadataOf(recordFrom(tree['agent']), OF_AGENT, notes);
  return {
    ...metadataOf(tree, ATIF_KEYS, notes),
    ...(Object.keys(agent).length === 0 ? {} : { agent }),
    ...(parent === null ? {} : { subagent_of: parent }),
  };
}

/** The text of a message that is text or parts. */
const stepText = (step: unknown, pointer: string, notes: ImportNotes): string =>
  textFrom(ownValue(step, 'message')) ??
  chatMessages({ role: 'user', content: ownValue(step, 'message') }, pointer, notes)[0]?.content ??
  '';

function addAtifStep(
  builder: EpisodeBuilder,
  step: unknown,
  content: string,
  { pointer, model, times }: { pointer: string; model: string | null; times: EpisodeTimes },
): void {
  const at = times.read(ownValue(step, 'timestamp'), `${pointer}/timestamp`);
  const source = ownValue(step, 'source');
  if (source === 'system' || source === 'user') return builder.message(source, content, at);
  if (source !== 'agent') return builder.notes.skip('unknown_source', 'a step of an unknown source', pointer);
  const metrics = ownValue(step, 'metrics');
  const [input, output, cached] = [
    numberFrom(ownValue(metrics, 'prompt_tokens')),
    numberFrom(ownValue(metrics, 'completion_tokens')),
    numberFrom(ownValue(metrics, 'cached_tokens')),
  ];
  const calls = listIn(step, 'tool_calls', pointer, builder.notes).map((call) =>
    nativeCall(
      textFrom(ownValue(call, 'tool_call_id')) ?? '',
      textFrom(ownValue(call, 'function_name')) ?? '',
      ownValue(call, 'arguments'),
    ),
  );
  builder.turn({
    content,
    reasoning: textFrom(ownValue(step, 'reasoning_content')),
    calls,
    model: textFrom(ownValue(step, 'model_name')) ?? model,
    stopReason: null,
    usage:
      input === null && output === null
        ? null
        : {
            input_tokens: input,
            output_tokens: output,
            ...(cached === null ? {} : { cached_tokens: cached }),
          },
    latency_ms: null,
    at,
    pointer,
  });
  const results = listIn(ownValue(step, 'observation'), 'results', `${pointer}/observation`, builder.notes);
  // The log takes results in the order of the calls.
  const order = new Map(calls.map(({ id }, place) => [id, place]));
  const place = (result: unknown): number =>
    order.get(textFrom(ownValue(result, 'source_call_id')) ?? '') ?? calls.length;
  for (const result of results.toSorted((a, b) => place(a) - place(b)))
    addAtifResult(builder, result, at, pointer);
}

function addAtifResult(builder: EpisodeBuilder, result: unknown, at: number | null, pointer: string): void {
  const id = textFrom(ownValue(result, 'source_call_id'));
  const content = ownValue(result, 'content');
  const text =
    textFrom(content) ??
    (content === null || content === undefined
      ? null
      : (chatMessages({ role: 'user', content }, pointer, builder.notes)[0]?.content ?? null));
  const reference = ownValue(result, 'subagent_trajectory_ref');
  const frame = reference === undefined || reference === null ? '' : jsonText(result);
  const isAnswered = builder.waiting().length > 0 && (id === null || builder.waiting().includes(id));
  // What the environment showed without being asked is read like a message.
  if (
    !isAnswered ||
    !builder.result(id, { ...NO_RESULT, text, frame, at, read: { text: text ?? '', name: null } })
  ) {
    builder.stray(text ?? '', null, at);
  }
}

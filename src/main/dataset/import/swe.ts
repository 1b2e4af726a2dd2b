// Reads SWE-agent's .traj files, with their retries and demonstrations, and mini-swe-agent's trajectories.
import { between } from '../../../shared/between.ts';
import { ERRORS_OF_CALLS } from '../../../shared/episode/phase.ts';
import type { Outcome } from '../../../shared/events/lifecycle.ts';
import {
  metadataOf,
  keySet,
  leftRecord,
  recordFrom,
  listIn,
  listFrom,
  numberFrom,
  ownValue,
  indexedSteps,
  textFrom,
  textFromAny,
  type JsonRecord,
} from './values.ts';
import { chatMessages, addConversation } from './conversation.ts';
import { nativeCall } from './moves.ts';
import { createNotes, type ImportNotes, type Path } from './importNotes.ts';
import { blankEpisode, EPISODE_DONE, type ImportedEpisode, type FormatReader } from './formatReader.ts';
import { ImportStop } from './limits.ts';
import { createEpisodeBuilder, type EpisodeBuilder, NO_RESULT } from './episodeBuilder.ts';
import { readDocumentTree } from './documents.ts';
import type { Wish } from './walk.ts';

const OF_ROOT = keySet('attempts trajectory history');
const OF_ATTEMPT = keySet('trajectory history');
const OF_MINI = keySet('messages');
const SWE_NOT_RECORDED = ['times', 'tool schemas', 'rewards', 'the reset', ERRORS_OF_CALLS];

/** Each step repeats the whole conversation; that is never read. */
const isRepeatedKey = (path: Path): boolean => path.at(-1) === 'query' || path.at(-1) === 'messages';

function sweWish(path: Path): Wish {
  const inner = path[0] === 'attempts' ? path.slice(2) : path;
  if (path[0] === 'attempts' && path.length < 3) return 'into';
  if (inner.length === 0) return 'into';
  if (inner[0] === 'trajectory') return inner.length < 3 ? 'into' : isRepeatedKey(inner) ? 'skip' : 'take';
  return inner.length === 1 && inner[0] === 'history' ? 'into' : 'take';
}

/** One episode a file; of a retrying agent one an attempt. */
export const readSwe: FormatReader = async function* (input) {
  const tree = await readDocumentTree(input.chunks(), { wish: sweWish, notes: input.notes });
  const attempts = listIn(tree, 'attempts', '', input.notes);
  const all = attempts.length === 0 ? [tree] : attempts.map((attempt) => recordFrom(attempt));
  const group = attempts.length === 0 ? null : input.name;
  for (const [index, one] of all.entries()) {
    const pointer = attempts.length === 0 ? '' : `/attempts/${String(index)}`;
    if (!Array.isArray(one['history']) && !Array.isArray(one['trajectory'])) {
      if (all.length === 1)
        throw new ImportStop('no_steps', 'there is neither a list of steps nor one of messages', pointer);
      const left = leftRecord(one, 'attempts without steps');
      input.notes.skip(
        'no_steps',
        'an attempt with neither a list of steps nor one of messages',
        pointer,
        left,
      );
      continue;
    }
    yield {
      ...sweEpisode(one, tree, { index, pointer, notes: createNotes(input.notes) }),
      group,
      repeat: group === null ? 0 : index,
    };
  }
};

function sweEpisode(
  tree: JsonRecord,
  root: JsonRecord,
  { index, pointer, notes }: { index: number; pointer: string; notes: ImportNotes },
): ImportedEpisode {
  const builder = createEpisodeBuilder(notes);
  const messages = listIn(tree, 'history', pointer, notes);
  const history = messages.filter((message) => ownValue(message, 'is_demo') !== true);
  const demos = messages.length - history.length;
  if (demos > 0)
    notes.note(
      'demonstration',
      `${String(demos)} messages of a demonstration are left out`,
      `${pointer}/history`,
    );
  const steps = indexedSteps(tree, 'trajectory', pointer, notes);
  const first = history.findIndex((message) => ownValue(message, 'role') === 'assistant');
  const prompts = steps.length === 0 ? history : history.slice(0, first === -1 ? history.length : first);
  const heard = addConversation(builder, prompts, { pointer: `${pointer}/history` });
  let isNative = false;
  for (const { step, pointer: at } of steps) isNative = addSweStep(builder, step, at) || isNative;
  const info = tree['info'] ?? root['info'];
  const end = sweEnd(textFrom(ownValue(info, 'exit_status')));
  const answer = builder.finish();
  return {
    ...blankEpisode(index, notes),
    environment: textFrom(tree['environment']) ?? textFrom(root['environment']),
    task: heard.task,
    protocol: isNative ? 'native' : 'xml',
    body: builder.entries,
    end: { ...EPISODE_DONE, ...end, final_answer: textFrom(ownValue(info, 'submission')) ?? answer },
    notRecorded: SWE_NOT_RECORDED,
    extra: { ...metadataOf(root, OF_ROOT, notes), ...metadataOf(tree, OF_ATTEMPT, notes) },
    sources: tree === root ? [{ value: tree }] : [{ value: tree }, { value: root, omit: ['attempts'] }],
  };
}

/** Adds a step; true if its calls stand beside the text. */
function addSweStep(builder: EpisodeBuilder, step: JsonRecord, pointer: string): boolean {
  const action = textFromAny(ownValue(step, 'action'));
  const thought = textFrom(ownValue(step, 'thought'));
  const content = textFrom(ownValue(step, 'response')) ?? thought ?? '';
  const native = listIn(step, 'tool_calls', pointer, builder.notes);
  const written =
    chatMessages({ role: 'assistant', tool_calls: native }, pointer, builder.notes)[0]?.calls ?? [];
  const calls =
    written.length > 0 ? written : action.trim() === '' ? [] : [nativeCall('', 'bash', { command: action })];
  const bare = { reasoning: null, model: null, stopReason: null, usage: null, latency_ms: null, at: null };
  builder.turn({ ...bare, content, calls, pointer });
  const observation = ownValue(step, 'observation');
  const isNative = written.length > 0;
  if (calls.length === 0 || observation === undefined || observation === null) return isNative;
  const seconds = numberFrom(ownValue(step, 'execution_time'));
  const text = textFromAny(observation);
  const state = ownValue(step, 'state');
  builder.result(null, {
    ...NO_RESULT,
    text,
    frame: state === undefined ? '' : JSON.stringify({ observation, state }),
    latency_ms: seconds === null ? null : Math.round(seconds * 1000),
    read: { text, name: null, role: isNative ? 'tool' : 'user' },
  });
  return isNative;
}

/** The harness's own word for how it ended. */
function sweEnd(status: string | null): { outcome: Outcome; reason: string | null } {
  const word = (status ?? '').toLowerCase();
  if (/exit_(cost|context|total|format)|limit|max_/.test(word)) return { outcome: 'limit', reason: status };
  if (/error|exception|environment|api/.test(word)) return { outcome: 'error', reason: status };
  return { outcome: 'done', reason: word === '' || word === 'submitted' ? null : status };
}

/** mini-swe-agent: one command a reply, its output in the next user message. */
export const readMiniSwe: FormatReader = async function* (input) {
  const notes = createNotes(input.notes);
  const tree = await readDocumentTree(input.chunks(), {
    wish: (path) => (path.length === 0 || (path.length === 1 && path[0] === 'messages') ? 'into' : 'take'),
    notes,
  });
  const builder = createEpisodeBuilder(notes);
  const messages = listIn(tree, 'messages', '', notes);
  const last = messages.findLast((message) => ownValue(message, 'role') === 'exit');
  const heard = addConversation(
    builder,
    messages.filter((message) => ownValue(message, 'role') !== 'exit').map(withCommand),
    { pointer: '/messages' },
  );
  const info = tree['info'];
  const answer = builder.finish();
  yield {
    ...blankEpisode(0, notes),
    version: textFrom(tree['trajectory_format']),
    task: heard.task,
    model: heard.model ?? textFrom(ownValue(ownValue(ownValue(info, 'config'), 'model'), 'model_name')),
    protocol: heard.usesTags ? 'xml' : 'native',
    startedAt: builder.entries.find(({ at }) => at !== null)?.at ?? null,
    body: builder.entries,
    end: {
      ...EPISODE_DONE,
      ...sweEnd(textFrom(ownValue(info, 'exit_status'))),
      final_answer:
        textFrom(ownValue(info, 'submission')) ??
        (last === undefined ? answer : textFromAny(ownValue(last, 'content'))),
    },
    notRecorded: SWE_NOT_RECORDED.filter(
      (what) => what !== 'times' || builder.entries.every(({ at }) => at === null),
    ),
    extra: metadataOf(tree, OF_MINI, notes),
    sources: [{ value: tree }],
  };
};

/** The command of a reply, told as the tagged call that the conversation reader knows. */
function withCommand(message: unknown): unknown {
  const content = ownValue(message, 'content');
  const hasCalls = listFrom(ownValue(message, 'tool_calls')).length > 0;
  if (ownValue(message, 'role') !== 'assistant' || typeof content !== 'string' || hasCalls) return message;
  const [block] = between(content, /```(?:bash|sh|mswea_bash_command)\s*\n/g, /\n?```/g);
  const command = block?.inner[0];
  return command === undefined
    ? message
    : { ...recordFrom(message), written_call: { name: 'bash', arguments: { command } } };
}

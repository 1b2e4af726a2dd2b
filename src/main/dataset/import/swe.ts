// Owns: reading SWE-agent's .traj files, with its retries and demonstrations, and mini-swe-agent's trajectories.
import type { Outcome } from '../../../shared/events/lifecycle.ts';
import { chatMessages } from './chatMessage.ts';
import { tellMessages } from './conversation.ts';
import { nativeCall } from './moves.ts';
import { createNotes, type Notes } from './notes.ts';
import { blankEpisode, DONE, type ReadEpisode, type Reader } from './read.ts';
import { ImportStop } from './stop.ts';
import { createTelling, type Telling } from './telling.ts';
import { NO_RESULT } from './told.ts';
import { readTree } from './tree.ts';
import {
  asJson,
  fieldsOf,
  listIn,
  listOf,
  numberOf,
  own,
  stepsIn,
  textOf,
  wordsOf,
  type Fields,
} from './values.ts';
import type { Path, Wish } from './walk.ts';

const NOT_RECORDED = ['times', 'tool schemas', 'rewards', 'the reset', 'errors of calls'];

/** Each step repeats the whole conversation; that is never read. */
const isRepeated = (path: Path): boolean => path.at(-1) === 'query' || path.at(-1) === 'messages';

export function sweWish(path: Path): Wish {
  const inner = path[0] === 'attempts' ? path.slice(2) : path;
  if (path[0] === 'attempts' && path.length < 3) return 'into';
  if (inner.length === 0) return 'into';
  if (inner[0] === 'trajectory') return inner.length < 3 ? 'into' : isRepeated(inner) ? 'skip' : 'take';
  return inner.length === 1 && inner[0] === 'history' ? 'into' : 'take';
}

/** One episode a file; of a retrying agent one an attempt. */
export const readSwe: Reader = async function* (input) {
  const tree = await readTree(input.chunks(), { wish: sweWish, notes: input.notes });
  const attempts = listIn(tree, 'attempts', '', input.notes);
  const all = attempts.length === 0 ? [tree] : attempts.map((attempt) => fieldsOf(attempt));
  const group = attempts.length === 0 ? null : input.name;
  for (const [index, one] of all.entries()) {
    if (input.isKnown(index)) continue;
    const pointer = attempts.length === 0 ? '' : `/attempts/${String(index)}`;
    if (!Array.isArray(one['history']) && !Array.isArray(one['trajectory'])) {
      if (all.length === 1)
        throw new ImportStop('no_steps', 'there is neither a list of steps nor one of messages', pointer);
      input.notes.skip('no_steps', 'an attempt with neither a list of steps nor one of messages', pointer);
      continue;
    }
    yield {
      ...episodeOf(one, tree, { index, pointer, notes: createNotes(input.notes) }),
      group,
      repeat: group === null ? 0 : index,
    };
  }
};

function episodeOf(
  tree: Fields,
  root: Fields,
  { index, pointer, notes }: { index: number; pointer: string; notes: Notes },
): ReadEpisode {
  const telling = createTelling(notes);
  const messages = listIn(tree, 'history', pointer, notes);
  const history = messages.filter((message) => own(message, 'is_demo') !== true);
  const demos = messages.length - history.length;
  if (demos > 0)
    notes.note(
      'demonstration',
      `${String(demos)} messages of a demonstration are left out`,
      `${pointer}/history`,
    );
  const steps = stepsIn(tree, 'trajectory', pointer, notes);
  const first = history.findIndex((message) => own(message, 'role') === 'assistant');
  const prompts = steps.length === 0 ? history : history.slice(0, first === -1 ? history.length : first);
  const heard = tellMessages(telling, prompts, { pointer: `${pointer}/history` });
  let isNative = false;
  for (const { step, pointer: at } of steps) isNative = tellStep(telling, step, at) || isNative;
  const info = tree['info'] ?? root['info'];
  const end = endOf(textOf(own(info, 'exit_status')));
  const answer = telling.finish();
  return {
    ...blankEpisode(index, notes),
    environment: textOf(tree['environment']) ?? textOf(root['environment']),
    task: heard.task,
    protocol: isNative ? 'native' : 'xml',
    body: telling.entries,
    end: { ...DONE, ...end, finalAnswer: textOf(own(info, 'submission')) ?? answer },
    notRecorded: NOT_RECORDED,
    extra: { info: asJson(info) },
  };
}

/** Whether its calls stand beside the text, not in it. */
function tellStep(telling: Telling, step: Fields, pointer: string): boolean {
  const action = wordsOf(own(step, 'action'));
  const thought = textOf(own(step, 'thought'));
  const content = textOf(own(step, 'response')) ?? thought ?? '';
  const native = listIn(step, 'tool_calls', pointer, telling.notes);
  const written =
    chatMessages({ role: 'assistant', tool_calls: native }, pointer, telling.notes)[0]?.calls ?? [];
  const calls =
    written.length > 0 ? written : action.trim() === '' ? [] : [nativeCall('', 'bash', { command: action })];
  const bare = { reasoning: null, model: null, stopReason: null, usage: null, latencyMs: null, at: null };
  telling.turn({ ...bare, content, calls, pointer });
  const observation = own(step, 'observation');
  const isNative = written.length > 0;
  if (calls.length === 0 || observation === undefined || observation === null) return isNative;
  const seconds = numberOf(own(step, 'execution_time'));
  const text = wordsOf(observation);
  const state = own(step, 'state');
  telling.result(null, {
    ...NO_RESULT,
    text,
    frame: state === undefined ? '' : JSON.stringify({ observation, state }),
    latencyMs: seconds === null ? null : Math.round(seconds * 1000),
    read: { text, name: null, role: isNative ? 'tool' : 'user' },
  });
  return isNative;
}

/** The harness's own word for how it ended. */
function endOf(status: string | null): { outcome: Outcome; reason: string | null } {
  const word = (status ?? '').toLowerCase();
  if (/exit_(cost|context|total|format)|limit|max_/.test(word)) return { outcome: 'limit', reason: status };
  if (/error|exception|environment|api/.test(word)) return { outcome: 'error', reason: status };
  return { outcome: 'done', reason: word === '' || word === 'submitted' ? null : status };
}

/** mini-swe-agent: one command a reply, its output in the next user message. */
export const readMiniSwe: Reader = async function* (input) {
  if (input.isKnown(0)) return;
  const notes = createNotes(input.notes);
  const tree = await readTree(input.chunks(), {
    wish: (path) => (path.length === 0 || (path.length === 1 && path[0] === 'messages') ? 'into' : 'take'),
    notes,
  });
  const telling = createTelling(notes);
  const messages = listIn(tree, 'messages', '', notes);
  const last = messages.findLast((message) => own(message, 'role') === 'exit');
  const heard = tellMessages(
    telling,
    messages.filter((message) => own(message, 'role') !== 'exit').map(withCommand),
    { pointer: '/messages' },
  );
  const info = tree['info'];
  const answer = telling.finish();
  yield {
    ...blankEpisode(0, notes),
    version: textOf(tree['trajectory_format']),
    task: heard.task,
    model: heard.model ?? textOf(own(own(own(info, 'config'), 'model'), 'model_name')),
    protocol: heard.usesTags ? 'xml' : 'native',
    startedAt: telling.entries.find(({ at }) => at !== null)?.at ?? null,
    body: telling.entries,
    end: {
      ...DONE,
      ...endOf(textOf(own(info, 'exit_status'))),
      finalAnswer:
        textOf(own(info, 'submission')) ?? (last === undefined ? answer : wordsOf(own(last, 'content'))),
    },
    notRecorded: NOT_RECORDED.filter(
      (what) => what !== 'times' || telling.entries.every(({ at }) => at === null),
    ),
    extra: { info: asJson(info) },
  };
};

/** The command of a reply, told as the tagged call that the conversation reader knows. */
function withCommand(message: unknown): unknown {
  const content = own(message, 'content');
  const hasCalls = listOf(own(message, 'tool_calls')).length > 0;
  if (own(message, 'role') !== 'assistant' || typeof content !== 'string' || hasCalls) return message;
  const command = /```(?:bash|sh|mswea_bash_command)\s*\n([\s\S]*?)\n?```/.exec(content)?.[1];
  return command === undefined
    ? message
    : { ...fieldsOf(message), written_call: { name: 'bash', arguments: { command } } };
}

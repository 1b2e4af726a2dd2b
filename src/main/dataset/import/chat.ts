// Owns: reading conversations a line: OpenAI's and TRL's shapes, ShareGPT, preference pairs, our own training rows.
import { Condition } from '../../../shared/events/lifecycle.ts';
import type { JsonObject } from '../../../shared/events/turns.ts';
import { tellMessages } from './conversation.ts';
import { createNotes } from './notes.ts';
import { blankEpisode, DONE, type Input, type ReadEpisode, type Reader } from './read.ts';
import { recordsOf, type RecordFound } from './records.ts';
import { createTelling } from './telling.ts';
import { toolSpecs } from './toolSpecs.ts';
import {
  asJson,
  fieldsOf,
  isFields,
  numberOf,
  own,
  rewardOf,
  textOf,
  wholeOf,
  type Fields,
} from './values.ts';

const NOT_RECORDED = ['times', 'the environment', 'errors of calls', 'the reset'];
/** Columns that are read, or that say nothing of the episode. */
const READ: ReadonlySet<string> = new Set(
  'messages conversations conversation prompt completion chosen rejected input preferred_output non_preferred_output tools functions parallel_tool_calls reward reward_type scenario task_idx model system'.split(
    ' ',
  ),
);
const EXTRA_MAX = 32_768;

type Side = { messages: unknown[]; pointer: string; side: 'chosen' | 'rejected' | null };

/** One episode a conversation; a preference pair is two of one group. */
export const readChat: Reader = async function* (input) {
  let index = 0;
  let record = 0;
  for await (const found of recordsOf(input)) {
    const sides = sidesOf(found);
    if (sides.length === 0) {
      input.notes.skip('no_messages', 'a record without messages', found.pointer.trim() || null);
      continue;
    }
    for (const side of sides) {
      if (!input.isKnown(index)) yield episodeOf(input, found, side, { index, record });
      index += 1;
    }
    record += 1;
  }
};

function episodeOf(
  input: Input,
  { value, pointer }: RecordFound,
  { messages, pointer: place, side }: Side,
  { index, record }: { index: number; record: number },
): ReadEpisode {
  const notes = createNotes(input.notes);
  const row = fieldsOf(value);
  const telling = createTelling(notes);
  const system = textOf(row['system']);
  if (system !== null && system !== '') telling.message('system', system);
  const model = textOf(row['model']);
  const heard = tellMessages(telling, messages, { pointer: `${pointer}${place}`, model });
  const answer = telling.finish();
  const tools = toolSpecs(row['tools'] ?? own(row['input'], 'tools') ?? row['functions']);
  const hasTimes = telling.entries.some(({ at }) => at !== null);
  return {
    ...blankEpisode(index, notes),
    scenario: textOf(row['scenario']),
    taskIdx: taskIdxOf(row),
    task: heard.task,
    model: heard.model,
    protocol: heard.usesTags ? 'xml' : heard.hasCalls ? 'native' : null,
    condition: Condition.safeParse(row['condition']).data ?? null,
    group: side === null ? null : `${input.name}:${String(record)}`,
    tools,
    body: telling.entries,
    end: {
      ...DONE,
      finalAnswer: answer,
      reward: rewardOf(row['reward']) ?? numberOf(row['score']),
      rewardType: textOf(row['reward_type']) === '' ? null : textOf(row['reward_type']),
    },
    notRecorded: NOT_RECORDED.filter((what) => what !== 'times' || !hasTimes).concat(
      tools.length === 0 ? ['tool schemas'] : [],
    ),
    extra: { ...extraOf(row, notes), ...(side === null ? {} : { side }) },
    notes,
  };
}

/** Our own rows write a missing index as -1. */
const taskIdxOf = (row: Fields): number | null => {
  const index = wholeOf(row['task_idx']);
  return index === null || index < 0 ? null : index;
};

/** The conversations of a record: one, or the two sides of a pair. */
function sidesOf({ value }: RecordFound): Side[] {
  const row = fieldsOf(value);
  const whole = ['messages', 'conversations', 'conversation'].find((key) => Array.isArray(row[key]));
  if (whole !== undefined) {
    const messages = row[whole] as unknown[];
    return messages.length === 0 ? [] : [{ messages, pointer: `/${whole}`, side: null }];
  }
  const prompt = said(row['prompt'] ?? own(row['input'], 'messages'), 'user');
  const pairs = [
    [row['chosen'] ?? row['preferred_output'] ?? row['preferred_completion'], 'chosen'],
    [row['rejected'] ?? row['non_preferred_output'] ?? row['non_preferred_completion'], 'rejected'],
  ] as const;
  const sides = pairs.flatMap(([given, side]) => {
    const messages = said(given, 'assistant');
    return messages.length === 0 ? [] : [{ messages: [...prompt, ...messages], pointer: '', side }];
  });
  if (sides.length > 0) return sides;
  const completion = said(row['completion'], 'assistant');
  if (prompt.length === 0) return [];
  return [{ messages: [...prompt, ...completion], pointer: '', side: null }];
}

function said(given: unknown, role: 'user' | 'assistant'): unknown[] {
  if (typeof given === 'string') return [{ role, content: given }];
  if (Array.isArray(given)) return given as unknown[];
  return isFields(given) ? [given] : [];
}

/** What else the record says, as long as it is small; the rest is in the kept file. */
function extraOf(row: Fields, notes: ReadEpisode['notes']): JsonObject {
  const rest = Object.entries(row).filter(
    ([key, value]) => !READ.has(key) && value !== null && value !== undefined,
  );
  const extra: JsonObject = {};
  for (const [key, value] of rest) {
    if (JSON.stringify(value).length <= EXTRA_MAX) extra[key] = asJson(value);
    else notes.note('column_left_out', `the column ${key} is large; it is in the kept file only`);
  }
  return extra;
}

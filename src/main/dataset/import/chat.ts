// Reads files with one conversation per line: OpenAI's and TRL's shapes, ShareGPT, preference pairs, our own training
// rows.
import { ERRORS_OF_CALLS } from '../../../shared/episode/phase.ts';
import { Condition } from '../../../shared/events/lifecycle.ts';
import {
  metadataOf,
  keySet,
  jsonText,
  leftRecord,
  toolSpecs,
  recordFrom,
  isJsonRecord,
  numberFrom,
  ownValue,
  rewardFrom,
  textFrom,
  wholeOf,
  type JsonRecord,
} from './values.ts';
import { addConversation } from './conversation.ts';
import { createNotes } from './importNotes.ts';
import {
  blankEpisode,
  EPISODE_DONE,
  type ImportInput,
  type ImportedEpisode,
  type FormatReader,
} from './formatReader.ts';
import { fileRecords, type RecordFound } from './documents.ts';
import { createEpisodeBuilder } from './episodeBuilder.ts';

const CHAT_NOT_RECORDED = ['times', 'the environment', ERRORS_OF_CALLS, 'the reset'];
/** Columns that are read, or that say nothing of the episode. */
const CHAT_KEYS = keySet(
  'messages conversations conversation prompt completion chosen rejected input preferred_output non_preferred_output preferred_completion non_preferred_completion tools functions reward reward_type scenario task_idx model system',
);

type ConversationSide = {
  messages: unknown[];
  pointer: string;
  /** Which of a pair it is, and the column it stands in. */
  side: 'chosen' | 'rejected' | null;
  column?: string;
  /** From which message on they are the side's own, or what a label is about. */
  ownFrom: number;
  /** What stands before this message is only read: a trainer of such a row trains nothing of it. */
  trainsFrom: number;
};
const PAIR_COLUMNS = {
  chosen: ['chosen', 'preferred_output', 'preferred_completion'],
  rejected: ['rejected', 'non_preferred_output', 'non_preferred_completion'],
} as const;

/** One episode a conversation; a preference pair is two of one group. */
export const readChatFile: FormatReader = async function* (input) {
  let index = 0;
  let record = 0;
  for await (const found of fileRecords(input)) {
    const sides = conversationSides(found);
    if (sides.length === 0) {
      const place = found.pointer.trim() || null;
      input.notes.skip('no_messages', 'a record without messages', place, leftRecord(found.value));
      continue;
    }
    yield* rowEpisodes(input, found, sides, { index, record });
    index += sides.length;
    record += 1;
  }
};

/** The record is compared with all of them together. */
function rowEpisodes(
  input: ImportInput,
  found: RecordFound,
  sides: readonly ConversationSide[],
  { index: start, record }: { index: number; record: number },
): ImportedEpisode[] {
  const spoken = sides.flatMap(({ column }) => column ?? []);
  const episodes = sides.map((side, place) => {
    const index = start + place;
    const notes = createNotes(input.notes);
    const group = side.side === null ? null : `${input.name}:${String(record)}`;
    return {
      ...chatEpisode(found, side, { index, notes, group }),
      sources: [{ value: found.value, spoken }],
    };
  });
  return episodes.map((episode) => ({
    ...episode,
    elsewhere: episodes.flatMap((other) => (other === episode ? [] : other.body)),
  }));
}

function chatEpisode(
  { value, pointer }: RecordFound,
  { messages, pointer: place, side, ownFrom, trainsFrom }: ConversationSide,
  { index, notes, group }: Pick<ImportedEpisode, 'index' | 'notes' | 'group'>,
): ImportedEpisode {
  const row = recordFrom(value);
  const builder = createEpisodeBuilder(notes);
  const system = textFrom(row['system']);
  if (system !== null && system !== '') builder.message('system', system);
  const model = textFrom(row['model']);
  const label = row['label'];
  const judged = side === null ? (typeof label === 'boolean' ? label : null) : side === 'chosen';
  const heard = addConversation(builder, messages, {
    pointer: `${pointer}${place}`,
    model,
    marksOf: (index) => ({
      ...(index < trainsFrom ? { weight: 0 } : {}),
      ...(index < ownFrom || judged === null ? {} : { judged }),
    }),
  });
  const answer = builder.finish();
  const tools = toolSpecs(row['tools'] ?? ownValue(row['input'], 'tools') ?? row['functions']);
  const hasTimes = builder.entries.some(({ at }) => at !== null);
  return {
    ...blankEpisode(index, notes),
    scenario: textFrom(row['scenario']),
    task_idx: rowTaskIndex(row),
    task: heard.task,
    model: heard.model,
    protocol: heard.usesTags ? 'xml' : heard.hasCalls ? 'native' : null,
    condition: Condition.safeParse(row['condition']).data ?? null,
    group,
    tools,
    body: builder.entries,
    end: {
      ...EPISODE_DONE,
      final_answer: answer,
      reward: rewardFrom(row['reward']) ?? numberFrom(row['score']),
      reward_type: textFrom(row['reward_type']) === '' ? null : textFrom(row['reward_type']),
    },
    notRecorded: CHAT_NOT_RECORDED.filter((what) => what !== 'times' || !hasTimes).concat(
      tools.length === 0 ? ['tool schemas'] : [],
    ),
    extra: { ...metadataOf(row, CHAT_KEYS, notes), ...(side === null ? {} : { side }) },
  };
}

/** Our own rows write a missing index as -1. */
const rowTaskIndex = (row: JsonRecord): number | null => {
  const index = wholeOf(row['task_idx']);
  return index === null || index < 0 ? null : index;
};

/** The conversations of a record: one, or the two sides of a pair. */
function conversationSides({ value }: RecordFound): ConversationSide[] {
  const row = recordFrom(value);
  const whole = ['messages', 'conversations', 'conversation'].find((key) => Array.isArray(row[key]));
  const conversation = whole === undefined ? [] : (row[whole] as unknown[]);
  const prompt =
    conversation.length > 0
      ? conversation
      : asMessages(row['prompt'] ?? ownValue(row['input'], 'messages'), 'user');
  const replies = (['chosen', 'rejected'] as const).flatMap((side) => {
    const name = PAIR_COLUMNS[side].find((key) => row[key] !== undefined && row[key] !== null);
    const messages = name === undefined ? [] : asMessages(row[name], 'assistant');
    return name === undefined || messages.length === 0 ? [] : [{ side, name, messages }];
  });
  const asked = withoutReply(
    prompt,
    replies.flatMap(({ messages }) => messages),
  );
  if (replies.length > 0) {
    const sides = replies.map(({ messages }) => joinPrompt(asked, messages));
    const [one = [], other = asked] = sides;
    const parted = one.findIndex((message, at) => jsonText(message) !== jsonText(other[at]));
    const ownFrom = parted === -1 ? one.length : parted;
    return replies.map(({ side, name }, at) => ({
      messages: sides[at] ?? [],
      pointer: '',
      side,
      column: name,
      ownFrom,
      trainsFrom: ownFrom,
    }));
  }
  if (conversation.length > 0) {
    // A label beside a whole conversation is about its last reply.
    const ownFrom = conversation.length - 1;
    return [{ messages: conversation, pointer: `/${String(whole)}`, side: null, ownFrom, trainsFrom: 0 }];
  }
  const completion = asMessages(row['completion'], 'assistant');
  if (prompt.length === 0) return [];
  const ownFrom = prompt.length;
  const trainsFrom = completion.length === 0 ? 0 : ownFrom;
  return [{ messages: [...prompt, ...completion], pointer: '', side: null, ownFrom, trainsFrom }];
}

/** A side's replies behind its prompt, once where the side repeats the prompt. */
function joinPrompt(prompt: readonly unknown[], side: unknown[]): unknown[] {
  const [first] = prompt.filter((message) => !isOf(message, 'system'));
  if (first === undefined || !side.some((message) => sayAlike(message, first))) return [...prompt, ...side];
  const system = prompt.filter((message) => isOf(message, 'system'));
  return side.some((message) => isOf(message, 'system')) ? side : [...system, ...side];
}

/** A prompt without the reply it ends in, where that is one of the sides. */
function withoutReply(prompt: unknown[], sides: readonly unknown[]): unknown[] {
  const last = prompt.at(-1);
  const isSide = isOf(last, 'assistant', 'gpt', 'model') && sides.some((message) => sayAlike(message, last));
  return isSide ? prompt.slice(0, -1) : prompt;
}

const isOf = (message: unknown, ...roles: string[]): boolean =>
  roles.includes(textFrom(ownValue(message, 'role')) ?? textFrom(ownValue(message, 'from')) ?? '');

const sayAlike = (one: unknown, other: unknown): boolean =>
  jsonText(ownValue(one, 'content') ?? ownValue(one, 'value')) ===
  jsonText(ownValue(other, 'content') ?? ownValue(other, 'value'));

function asMessages(given: unknown, role: 'user' | 'assistant'): unknown[] {
  if (typeof given === 'string') return [{ role, content: given }];
  if (Array.isArray(given)) return given as unknown[];
  return isJsonRecord(given) ? [given] : [];
}

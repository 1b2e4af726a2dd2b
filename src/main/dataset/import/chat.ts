// Reads files with one conversation per line: OpenAI's and TRL's shapes, ShareGPT, preference pairs, our own training
// rows.
import { ERRORS_OF_CALLS } from '../../../shared/episode/phase.ts';
import { REPLY_LABELS } from '../../../shared/conservation.ts';
import { Condition } from '../../../shared/events/lifecycle.ts';
import {
  metadataOf,
  keySet,
  jsonText,
  judgementIn,
  markNumber,
  leftRecord,
  toolSpecs,
  recordFrom,
  isJsonRecord,
  numberFrom,
  ownValue,
  rewardFrom,
  textFrom,
  trainingWeight,
  wholeOf,
  type JsonRecord,
} from './values.ts';
import { addConversation } from './conversation.ts';
import { createNotes, type ImportNotes } from './importNotes.ts';
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

/** Marks of every reply of a record. Others that are named like one (NeMo's `mask`, a loss) are about something else there. */
const RECORD_WEIGHTS = ['weight', 'loss_weight', 'train', 'training', 'trainable'];

type ConversationSide = {
  messages: unknown[];
  pointer: string;
  /** Which of a pair it is, and the column it stands in. */
  side: 'chosen' | 'rejected' | null;
  column?: string;
  /** The column of its prompt. */
  asked?: string | undefined;
  /** From which message on they are the side's own, or what a label is about. */
  ownFrom: number;
  /** What stands before this message is only read: a trainer of such a row trains nothing of it. */
  trainsFrom: number;
};
/** Names of what is asked, and of what is replied: of one reply, or of the sides of a pair. */
const COLUMNS = {
  prompt: ['prompt', 'instruction', 'question', 'query'],
  completion: ['completion', 'response'],
  chosen: ['chosen', 'preferred_output', 'preferred_completion', 'chosen_response'],
  rejected: ['rejected', 'non_preferred_output', 'non_preferred_completion', 'rejected_response'],
} as const;
type Column = { name: string; messages: unknown[] };

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
  of: ConversationSide,
  { index, notes, group }: Pick<ImportedEpisode, 'index' | 'notes' | 'group'>,
): ImportedEpisode {
  const { messages, pointer: place, side, ownFrom, trainsFrom } = of;
  const row = recordFrom(value);
  const builder = createEpisodeBuilder(notes);
  const system = textFrom(row['system']);
  if (system !== null && system !== '') builder.message('system', system);
  const model = textFrom(row['model']);
  const judged = side === null ? judgementIn(row) : side === 'chosen';
  const weight = trainingWeight(row, RECORD_WEIGHTS);
  const heard = addConversation(builder, messages, {
    pointer: `${pointer}${place}`,
    model,
    marksOf: (index) => {
      const isUnread = index >= ownFrom && judged === null;
      return {
        ...(index < trainsFrom || isUnread ? { weight: 0 } : weight === undefined ? {} : { weight }),
        ...(index < ownFrom || typeof judged !== 'boolean' ? {} : { judged }),
      };
    },
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
    extra: { ...rowMetadata(row, of, judged, notes), ...(side === null ? {} : { side }) },
  };
}

/** The fields of a record that nothing here reads. Unknown words about its replies do not count as read. */
function rowMetadata(
  row: JsonRecord,
  { messages, side, column = '', asked = '' }: ConversationSide,
  judged: boolean | null | undefined,
  notes: ImportNotes,
): ImportedEpisode['extra'] {
  // Nor is what a pair answers, where it stands under another name than those that are read.
  if (side !== null && messages.every((message) => isOf(message, 'system', ...REPLIES))) {
    notes.note('no_prompt', 'a pair that answers nothing under any name that is read here');
    return {};
  }
  const unread = RECORD_WEIGHTS.filter((name) => Number.isNaN(markNumber(name, row[name] ?? 0)));
  const labels = judged === null ? REPLY_LABELS : [];
  return metadataOf(row, new Set([...CHAT_KEYS, column, asked, ...unread, ...labels]), notes);
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
  const sides = pairSides(row, conversation);
  const completion = columnOf(row, 'completion', 'assistant');
  const question = promptOf(row);
  const prompt = conversation.length > 0 ? conversation : question.messages;
  const asked = conversation.length > 0 ? undefined : question.name;
  if (sides.length > 0) return sidesBehind(prompt, sides).map((side) => ({ ...side, asked }));
  if (conversation.length > 0) {
    // A label beside a whole conversation is about its last reply.
    const ownFrom = conversation.length - 1;
    return [{ messages: conversation, pointer: `/${String(whole)}`, side: null, ownFrom, trainsFrom: 0 }];
  }
  if (prompt.length === 0 || (completion === null && (asked ?? 'prompt') !== 'prompt')) return [];
  const ownFrom = prompt.length;
  const messages = [...prompt, ...(completion?.messages ?? [])];
  const trainsFrom = completion === null ? 0 : ownFrom;
  const column = completion === null ? {} : { column: completion.name };
  return [{ messages, pointer: '', side: null, ownFrom, trainsFrom, asked, ...column }];
}

type PairSide = Column & { side: 'chosen' | 'rejected' };

/** The sides that a record has; ms-swift's chosen one stands as a response, or ends the conversation. */
function pairSides(row: JsonRecord, conversation: readonly unknown[]): PairSide[] {
  const rejected = columnOf(row, 'rejected', 'assistant');
  const last = conversation.slice(-1).filter((message) => isOf(message, ...REPLIES));
  const spoken = columnOf(row, 'completion', 'assistant') ?? { name: 'messages', messages: last };
  const chosen = columnOf(row, 'chosen', 'assistant') ?? (rejected === null ? null : spoken);
  return [
    ...(chosen === null || chosen.messages.length === 0 ? [] : [{ side: 'chosen' as const, ...chosen }]),
    ...(rejected === null ? [] : [{ side: 'rejected' as const, ...rejected }]),
  ];
}

function sidesBehind(given: unknown[], replies: readonly PairSide[]): ConversationSide[] {
  const asked = withoutReply(
    given,
    replies.flatMap(({ messages }) => messages),
  );
  const sides = replies.map(({ messages }) => joinPrompt(asked, messages));
  const [one = [], other = asked] = sides;
  const parted = one.findIndex((message, at) => jsonText(message) !== jsonText(other[at]));
  // Of sides that are the same neither is better than the other: the last reply is compared, and trains nowhere.
  const ownFrom = parted === -1 ? Math.max(0, one.length - 1) : parted;
  const trainsFrom = parted === -1 ? one.length : parted;
  return replies.map(({ side, name }, at) => ({
    messages: sides[at] ?? [],
    pointer: '',
    side,
    column: name,
    ownFrom,
    trainsFrom,
  }));
}

/** The first of its columns that holds anything, as messages. */
function columnOf(row: JsonRecord, kind: keyof typeof COLUMNS, role: 'user' | 'assistant'): Column | null {
  const name = COLUMNS[kind].find((key) => row[key] !== undefined && row[key] !== null);
  const messages = name === undefined ? [] : asMessages(row[name], role);
  return name === undefined || messages.length === 0 ? null : { name, messages };
}

/** The prompt: under a name of its own, with LLaMA-Factory's `input` below it, or OpenAI's `input.messages`. */
function promptOf(row: JsonRecord): { name?: string; messages: unknown[] } {
  const column = columnOf(row, 'prompt', 'user');
  if (column === null) return { messages: asMessages(ownValue(row['input'], 'messages'), 'user') };
  const [text, more] = [row[column.name], row['input']];
  if (typeof text !== 'string' || typeof more !== 'string' || more === '') return column;
  return { ...column, messages: [{ role: 'user', content: text === '' ? more : `${text}\n${more}` }] };
}

/** A side's replies behind its prompt, once where the side repeats the prompt. */
function joinPrompt(prompt: readonly unknown[], side: unknown[]): unknown[] {
  const [first] = prompt.filter((message) => !isOf(message, 'system'));
  if (first === undefined || !side.some((message) => !isOf(message, ...REPLIES) && sayAlike(message, first)))
    return [...prompt, ...side];
  const system = prompt.filter((message) => isOf(message, 'system'));
  return side.some((message) => isOf(message, 'system')) ? side : [...system, ...side];
}

/** A prompt without the reply it ends in, where that is one of the sides. */
function withoutReply(prompt: unknown[], sides: readonly unknown[]): unknown[] {
  const last = prompt.at(-1);
  const isSide = isOf(last, ...REPLIES) && sides.some((message) => sayAlike(message, last));
  return isSide ? prompt.slice(0, -1) : prompt;
}

const REPLIES = ['assistant', 'gpt', 'model'];
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

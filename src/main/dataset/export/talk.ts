// Owns: one episode's conversation as a format's rules want it: with or without its expert, and its messages in the shape
// a trainer reads.
import type { ExportRules } from '../../../shared/contract/export.ts';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import type { Move } from '../../../shared/events/turns.ts';
import type { FunctionTool } from './chatTools.ts';
import type { Made, MadeRow, RowFacts, Told } from './format.ts';
import type { Line, Story } from './line.ts';
import { argumentsOf, replyOf, type Reply } from './replies.ts';
import { storyOf } from './story.ts';
import { withoutAskTool, withoutExpert } from './withoutExpert.ts';

/** A message as TRL's conversational formats have it. */
export type ChatRow = {
  role: string;
  /** Never null: some chat templates print the word. */
  content: string;
  tool_calls?: {
    id: string;
    type: 'function';
    function: { name: string; arguments: Record<string, unknown> | string };
  }[];
  tool_call_id?: string;
  name?: string;
};

export type Talk = {
  story: Story;
  record: EpisodeRecord;
  whole: Told['whole'];
  tools: FunctionTool[];
  isStripped: boolean;
  /** The lines of a part, as they are told. */
  part: (from: number, to: number) => Line[];
  /** Why a row that ends before `to` cannot be made without the expert; null when it can. */
  refuses: (to: number) => string | null;
};

/** Rules that say why an episode gives no conversation. */
export function talkOf(told: Told, { privilege }: Pick<ExportRules, 'privilege'>): Talk | string {
  const story = storyOf(told);
  if (story === null) return 'no_transcript';
  if (story.isUnplaced) return 'touched_turn_not_found';
  const isStripped = privilege === 'strip';
  const kept = isStripped ? withoutExpert(story.lines) : story.lines;
  return {
    story,
    record: told.record,
    whole: told.whole,
    tools: isStripped ? withoutAskTool(story.tools) : story.tools,
    isStripped,
    part: (from, to) => kept.slice(from, to).filter((line) => line !== null),
    refuses: (to) =>
      isStripped && story.lines.slice(0, to).some(({ isActed }) => isActed) ? 'person_acted' : null,
  };
}

/** Lines as messages. Neighbouring words to the agent are one message, as it read them. */
export function chatRows(lines: readonly Line[], style: ExportRules['arguments']): ChatRow[] {
  const rows: ChatRow[] = [];
  for (const line of lines) {
    const last = rows.at(-1);
    if (line.role === 'user' && last?.role === 'user') last.content = `${last.content}\n\n${line.content}`;
    else rows.push(chatRow(line, style));
  }
  return rows;
}

function chatRow(line: Line, style: ExportRules['arguments']): ChatRow {
  if (line.kind === 'reply') return replyRow(line, style);
  const { role, content, answers, name } = line;
  if (role !== 'tool') return { role, content };
  return { role, tool_call_id: answers ?? '', name: name ?? '', content };
}

/** A reply as the assistant's message. */
export function replyRow({ content, calls }: Reply, style: ExportRules['arguments']): ChatRow {
  if (calls.length === 0) return { role: 'assistant', content };
  return {
    role: 'assistant',
    content,
    tool_calls: calls.map(({ id, name, raw }) => ({
      id,
      type: 'function',
      function: { name, arguments: argumentsIn(raw, style) },
    })),
  };
}

/** A string is the text as it was written, where that is an object. */
function argumentsIn(raw: string, style: ExportRules['arguments']): Record<string, unknown> | string {
  const read = argumentsOf(raw);
  if (style === 'object') return read;
  const isPlain = raw.trimStart().startsWith('{') && !Object.hasOwn(read, 'raw');
  return isPlain ? raw.toWellFormed() : JSON.stringify(read);
}

/** What a person says should have been done, as a reply to what stands before the line. */
export const insteadOf = (
  { story: { isNative }, record, whole }: Talk,
  line: Line,
  move: Move,
): Reply | null => replyOf(move, line.proposed ?? line, { record, whole, isNative });

export type MaskLine = ReturnType<RowFacts['mask']>[number];

/** How a line trains: `taught` lines do where they are replies. */
export const maskLine = (line: Line, isTaught: boolean): MaskLine => ({
  role: line.role,
  text: [line.content, ...line.calls.map(({ name, raw }) => `${name}(${raw})`)]
    .filter((text) => text !== '')
    .join('\n'),
  trains: isTaught && line.kind === 'reply',
  why: isTaught && line.kind === 'reply' ? null : whyNot(line),
});

const whyNot = ({ kind, untrainable }: Line): string => (kind === 'reply' ? (untrainable ?? 'prompt') : kind);

/** Counts what is left out, by rule. */
export function createTally() {
  const dropped: Record<string, number> = {};
  const rows: MadeRow[] = [];
  return {
    rows,
    dropped,
    drop: (rule: string): void => {
      dropped[rule] = (dropped[rule] ?? 0) + 1;
    },
    /** A row, the rule that leaves it out, or null where there was nothing to make one of. */
    take: (made: MadeRow | string | null): void => {
      if (typeof made === 'string') dropped[made] = (dropped[made] ?? 0) + 1;
      else if (made !== null) rows.push(made);
    },
    made: () => ({ rows, dropped }),
  };
}

export type Tally = ReturnType<typeof createTally>;

/** Rows made of an episode's conversation; one that has none gives none, under the rule that says why. */
export function rowsOfTalk(
  told: Told,
  rules: Pick<ExportRules, 'privilege'>,
  make: (talk: Talk, tally: Tally) => void,
): Made {
  const tally = createTally();
  const talk = talkOf(told, rules);
  if (typeof talk === 'string') tally.drop(talk);
  else make(talk, tally);
  return tally.made();
}

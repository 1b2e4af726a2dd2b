// Finding words in an episode: every text of a line that is at hand, and how much was not.
import { isBlobRef, textHead, type BlobRef, type Text } from '../../../shared/events/text.ts';
import type { CallDecision, Consultation, EpisodeRecord, Turn } from '../../../shared/episode/record.ts';
import { isPutAway, textAddressKey } from '../../state/putAway.ts';
import { outcomeWords, type TimelineRow } from '../../../shared/timeline/timelineRow.ts';

export type FoundRows = {
  /** Indexes of the rows that hold the words. */
  at: number[];
  /** Texts of which only the beginning was searched: the rest is stored beside the log. */
  partly: number;
};

/** A line's words in small letters, and its texts that are at hand only in part. */
type Haystack = { text: string; partly: readonly BlobRef[] };

const memo = new WeakMap<object, Haystack>();

/** The rows that hold `query`, case ignored. `away` holds the places of texts put away that hold it, once they were read. */
export function findRows(
  rows: readonly TimelineRow[],
  record: EpisodeRecord,
  query: string,
  away: ReadonlySet<string> | null = null,
): FoundRows {
  const needle = query.trim().toLowerCase();
  if (needle === '') return { at: [], partly: 0 };
  const found: FoundRows = { at: [], partly: 0 };
  rows.forEach((row, index) => {
    const { text, partly } = haystackOf(row, record);
    found.partly += partly.filter((one) => away === null || !isPutAway(one)).length;
    if (
      text.includes(needle) ||
      shownWords(row).toLowerCase().includes(needle) ||
      (away !== null && partly.some(({ $blob }) => away.has(textAddressKey($blob))))
    )
      found.at.push(index);
  });
  return found;
}

const shownWords = ({ name, detail, outcome }: TimelineRow): string =>
  `${name} ${detail} ${outcome === null ? '' : outcomeWords(outcome)}`;

function haystackOf({ subject }: TimelineRow, record: EpisodeRecord): Haystack {
  // An item's texts stand elsewhere in the record and may come later, so only what carries its own is remembered.
  if (subject.type === 'item') return haystack(subjectTexts(subject, record));
  const key = subject.type === 'consultation' ? subject.consultation : subject.turn;
  const known = memo.get(key);
  if (known !== undefined) return known;
  const made = haystack(subjectTexts(subject, record));
  memo.set(key, made);
  return made;
}

const haystack = (texts: readonly Text[]): Haystack => ({
  text: texts.map(textHead).join('\n').toLowerCase(),
  partly: texts.filter(isBlobRef),
});

function subjectTexts(subject: TimelineRow['subject'], record: EpisodeRecord): Text[] {
  if (subject.type === 'consultation') return consultationTexts(subject.consultation);
  if (subject.type !== 'item') return turnTexts(subject.turn);
  const { item } = subject;
  if (item.type === 'reset') return present([record.reset?.frame]);
  if (item.type === 'message') return [item.text];
  if (item.type === 'verified') return present([record.verified?.frame, record.verified?.final_answer]);
  return item.type === 'ended' ? present([record.ended?.final_answer, record.ended?.reason]) : [];
}

const turnTexts = ({ content, reasoning, toolCalls, call, move }: Turn): Text[] =>
  present([
    content,
    reasoning,
    ...toolCalls.flatMap((native) => [native.name, native.arguments]),
    move?.type === 'call_tool' ? JSON.stringify(move.arguments) : null,
    call?.refused?.text,
    call?.returned?.text,
    call?.returned?.error,
    call?.returned?.reward_type,
    ...decisionTexts(call?.decision ?? null),
  ]);

const decisionTexts = (decision: CallDecision | null): (Text | null)[] => [
  decision?.type === 'answered' ? decision.text : null,
  decision?.type === 'edited' ? `${decision.toolName} ${JSON.stringify(decision.arguments)}` : null,
  decision !== null && 'reason' in decision ? decision.reason : null,
];

const consultationTexts = ({ task, question, draft, decision, delivered }: Consultation): Text[] =>
  present([
    task,
    question,
    draft?.text,
    decision?.type === 'approved' ? decision.text : null,
    decision?.type === 'declined' || decision?.type === 'cancelled' ? decision.reason : null,
    delivered?.text,
  ]);

const present = (texts: readonly (Text | null | undefined)[]): Text[] =>
  texts.filter((text) => text !== null && text !== undefined);

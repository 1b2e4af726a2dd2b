// Owns: finding words in an episode: every text of a line that is at hand, and how much was not.
import { isBlobRef, textHead, type Text } from '../../../shared/events/text.ts';
import type { CallDecision, Consultation, EpisodeRecord, Turn } from '../../../shared/episode/record.ts';
import type { Row } from './row.ts';

export type Found = {
  /** Indexes of the rows that hold the words. */
  at: number[];
  /** Texts of which only the beginning was searched: the rest is stored beside the log. */
  partly: number;
};

const memo = new WeakMap<object, { text: string; partly: number }>();

/** The rows that hold `query`, case ignored. */
export function findRows(rows: readonly Row[], record: EpisodeRecord, query: string): Found {
  const needle = query.trim().toLowerCase();
  if (needle === '') return { at: [], partly: 0 };
  const found: Found = { at: [], partly: 0 };
  rows.forEach((row, index) => {
    const { text, partly } = haystackOf(row, record);
    found.partly += partly;
    if (text.includes(needle) || `${row.name} ${row.detail}`.toLowerCase().includes(needle))
      found.at.push(index);
  });
  return found;
}

function haystackOf({ subject }: Row, record: EpisodeRecord): { text: string; partly: number } {
  // An item's texts stand elsewhere in the record and may come later, so only what carries its own is remembered.
  if (subject.type === 'item') return haystack(textsOf(subject, record));
  const key = subject.type === 'consultation' ? subject.consultation : subject.turn;
  const known = memo.get(key);
  if (known !== undefined) return known;
  const made = haystack(textsOf(subject, record));
  memo.set(key, made);
  return made;
}

const haystack = (texts: readonly Text[]): { text: string; partly: number } => ({
  text: texts.map(textHead).join('\n').toLowerCase(),
  partly: texts.filter(isBlobRef).length,
});

function textsOf(subject: Row['subject'], record: EpisodeRecord): Text[] {
  if (subject.type === 'consultation') return consultationTexts(subject.consultation);
  if (subject.type !== 'item') return turnTexts(subject.turn);
  const { item } = subject;
  if (item.type === 'reset') return present([record.reset?.frame]);
  if (item.type === 'verified') return present([record.verified?.frame, record.verified?.final_answer]);
  return item.type === 'ended' ? present([record.ended?.finalAnswer, record.ended?.reason]) : [];
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
    call?.returned?.rewardType,
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

// Owns: preference rows, only ever from one decision point: two texts for the same question, two calls at one state.
import type { Text } from '../../shared/events/text.ts';
import type { Consultation, EpisodeRecord, Turn } from '../../shared/episode/record.ts';
import type { Attempt } from '../../shared/contract/rows.ts';
import { attemptsBefore, fateWords } from '../../shared/episode/attempts.ts';
import { chatRows, functionTools, safeText, type ChatRow, type FunctionTool } from './chat.ts';
import { slimTool } from '../llm/toolText.ts';
import { provenance, type Provenance } from './provenance.ts';
import { lacksWords } from './told.ts';
import type { Made } from './sft.ts';

export type PreferenceRow = {
  prompt: ChatRow[];
  chosen: ChatRow[];
  rejected: ChatRow[];
  tools: FunctionTool[];
  /** `advice`: the advice a person gave over the draft it was edited from. `call`: a call that went through over one that was refused. */
  pair: 'advice' | 'call';
} & Provenance;

/** Pairs of one ended episode; a timeout, a cancel or an unchanged draft never makes one. */
export function preferenceRows(record: EpisodeRecord, whole: (text: Text) => string): Made<PreferenceRow> {
  const dropped: Record<string, number> = {};
  const drop = (rule: string): [] => {
    dropped[rule] = (dropped[rule] ?? 0) + 1;
    return [];
  };
  if (record.ended === null) return { rows: [], dropped: { not_ended: 1 } };
  if (lacksWords(record)) return { rows: [], dropped: { no_transcript: 1 } };
  const advice = record.consultations.flatMap((consultation) => {
    const pair = advicePair(record, consultation, whole);
    return typeof pair === 'string' ? drop(pair) : [pair];
  });
  const calls = record.turns.flatMap((turn, index) => {
    // Of a client's turns only the calls are ours to tell, and what the agent read before them is not.
    if ((turn.call?.refused ?? null) === null || record.tapped !== null) return [];
    const pair = callPair(record, turn, record.turns[index + 1], whole);
    return typeof pair === 'string' ? drop(pair) : [pair];
  });
  return { rows: [...advice, ...calls], dropped };
}

function advicePair(
  record: EpisodeRecord,
  consultation: Consultation,
  whole: (text: Text) => string,
): PreferenceRow | string {
  const { decision, draft } = consultation;
  if (decision === null) return 'unanswered';
  if (decision.type !== 'approved') return decision.type;
  if (draft === null) return 'no_draft';
  const chosen = safeText(whole(decision.text));
  const rejected = safeText(whole(draft.text));
  if (chosen.trim() === rejected.trim()) return 'draft_unchanged';
  return {
    prompt: [{ role: 'user', content: questionText(record, consultation, whole) }],
    chosen: [{ role: 'assistant', content: chosen }],
    rejected: [{ role: 'assistant', content: rejected }],
    tools: functionTools(record.tools.map(slimTool)),
    pair: 'advice',
    ...provenance(record, {
      consultation: consultation.id,
      turn: consultation.turn,
      actor: decision.actor,
      act: decision.act,
      privilege: decision.privilege,
    }),
  };
}

/** What the expert was asked, without anything of the answer key. */
function questionText(
  record: EpisodeRecord,
  { task, question, turn }: Consultation,
  whole: (text: Text) => string,
) {
  const set = record.reset?.task ?? null;
  const attempts = attemptsBefore(record, turn).map(
    (attempt) => `- ${attempt.tool_name}(${attempt.arguments}) -> ${resultWords(attempt)}`,
  );
  return safeText(
    [
      `Task: ${set === null ? (task ?? '') : whole(set)}`,
      ...(attempts.length === 0 ? [] : [`What the agent tried:\n${attempts.join('\n')}`]),
      `The agent asks: ${question === null ? (task ?? '') : whole(question)}`,
      'Give it a plan.',
    ].join('\n\n'),
  );
}

const resultWords = (attempt: Attempt): string => {
  if (attempt.fate === 'went_through') return attempt.by === 'human' ? 'ok (made by a person)' : 'ok';
  return attempt.fate === 'failed' ? (attempt.error ?? 'failed') : fateWords(attempt);
};

/** The environment is in the same state for both calls: the refused one never reached it. */
function callPair(
  record: EpisodeRecord,
  refused: Turn,
  next: Turn | undefined,
  whole: (text: Text) => string,
): PreferenceRow | string {
  const wentThrough = next?.call?.returned?.error === null;
  if (next === undefined || !wentThrough) return 'no_effective_call';
  const at = record.messages.findIndex(({ role, turn }) => role === 'assistant' && turn === refused.turn);
  const said = (turn: Turn): ChatRow[] =>
    chatRows(
      record.messages.filter((message) => message.role === 'assistant' && message.turn === turn.turn),
      whole,
    );
  return {
    prompt: chatRows(record.messages.slice(0, at), whole),
    chosen: said(next),
    rejected: said(refused),
    tools: functionTools(record.offered),
    pair: 'call',
    ...provenance(record, {
      consultation: '',
      turn: refused.turn,
      actor: { type: 'agent', id: null },
      act: 'corrected',
      privilege: [],
    }),
  };
}

// Owns: answering from a file, through the same desk as a person. Its acts are `scripted` in every count.
import { z } from 'zod';
import type { Actor } from '../../shared/events/actor.ts';
import { Failure } from '../../shared/failure.ts';
import { findConsultation } from '../../shared/episode/consultations.ts';
import type { EpisodeRecord } from '../../shared/episode/record.ts';
import type { EventLog } from '../log/eventLog.ts';
import type { Desk } from './desk.ts';

/** One line of an answers file. `ask` counts an episode's consultations from 1; without `task_idx` it is for any task. */
export const AnswerLine = z.discriminatedUnion('do', [
  z.strictObject({
    do: z.literal('accept'),
    task_idx: z.number().int().optional(),
    ask: z.number().int().min(1),
  }),
  z.strictObject({
    do: z.literal('send'),
    task_idx: z.number().int().optional(),
    ask: z.number().int().min(1),
    text: z.string().min(1),
  }),
  z.strictObject({
    do: z.literal('decline'),
    task_idx: z.number().int().optional(),
    ask: z.number().int().min(1),
    reason: z.string().min(1),
  }),
]);
export type AnswerLine = z.infer<typeof AnswerLine>;

const SCRIPTED: Actor = { type: 'scripted', id: 'answers' };
const UNTIMED = { first_seen_at: null, active_ms: null };

/** Reads an answers file. Throws `bad_answers_file` naming the line that cannot be read. */
export function readAnswers(text: string, name: string): AnswerLine[] {
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    const where = `${name}, line ${String(index + 1)}`;
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch (cause) {
      throw new Failure('bad_answers_file', `${where} is no JSON`, { cause, next: ANSWERS_NEXT });
    }
    const parsed = AnswerLine.safeParse(value);
    if (parsed.success) return [parsed.data];
    const [issue] = parsed.error.issues;
    throw new Failure(
      'bad_answers_file',
      `${where}: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`,
      {
        next: ANSWERS_NEXT,
      },
    );
  });
}

const ANSWERS_NEXT =
  'Each line holds {"ask":1,"do":"accept"|"send"|"decline","text"?,"reason"?,"task_idx"?}.';

/**
 * Answers every human consultation as the lines say; where no line fits, the fallback applies at once (unless it is
 * `wait`). Returns its undo.
 */
export function attachAnswers(
  { log, desk }: { log: EventLog; desk: Desk },
  lines: readonly AnswerLine[],
): () => void {
  return log.subscribe(({ stream, event }, record) => {
    const isNews = event.kind === 'consultation.asked' || event.kind.startsWith('advice.draft');
    if (!isNews || !('consultation' in event)) return;
    // Not inside the append that tells us: the loop must first be waiting.
    setImmediate(() =>
      answer({ log, desk }, stream, event.consultation, lineFor(record, event.consultation, lines)),
    );
  });
}

function lineFor(record: EpisodeRecord, id: string, lines: readonly AnswerLine[]): AnswerLine | null {
  const ask = record.consultations.findIndex((consultation) => consultation.id === id) + 1;
  const taskIdx = record.reset?.task_idx ?? record.started?.task_idx ?? null;
  const fitting = lines.filter((line) => line.ask === ask);
  return (
    fitting.find((line) => line.task_idx === taskIdx) ??
    fitting.find((line) => line.task_idx === undefined) ??
    null
  );
}

function answer(
  { log, desk }: { log: EventLog; desk: Desk },
  episode: string,
  id: string,
  line: AnswerLine | null,
): void {
  const record = log.record(episode);
  const consultation = findConsultation(record, id);
  if (consultation === undefined || consultation.decision !== null || consultation.answeredBy !== 'human')
    return;
  const at = { episode, consultation: id, seenSeq: record.seq, timing: UNTIMED };
  if (line === null) {
    if (consultation.fallback === 'wait') return;
    // The draft is the fallback: it has to be there first, or to have failed.
    const isDrafting = consultation.draft === null && consultation.draftFailure === null;
    if (consultation.fallback === 'draft' && isDrafting) return;
    return desk.expire(episode, id, 'nobody');
  }
  if (line.do === 'decline') {
    desk.decline({ ...at, reason: line.reason }, SCRIPTED);
    return;
  }
  const expectsDraft = record.started?.condition === 'human+draft';
  if (line.do === 'send') {
    const isDrafting = expectsDraft && consultation.draft === null && consultation.draftFailure === null;
    if (isDrafting) return;
    desk.answer({ ...at, text: line.text, draft: consultation.draft?.id ?? null }, SCRIPTED);
    return;
  }
  if (consultation.draft !== null) {
    desk.answer(
      { ...at, text: log.texts.whole(consultation.draft.text), draft: consultation.draft.id },
      SCRIPTED,
    );
  } else if (!expectsDraft || consultation.draftFailure !== null) {
    desk.expire(episode, id, 'nobody');
  }
}

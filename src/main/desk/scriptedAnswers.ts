// Answering from a file, through the same desk as a person. Its acts are `scripted` in every count.
import type { z } from 'zod';
import { AnswerLine } from '../../shared/answerLine.ts';
import { type EpisodeRecord, taskRef } from '../../shared/episode/record.ts';
import type { Actor } from '../../shared/events/actor.ts';
import { hasDraft } from '../../shared/conditions.ts';
import type { Condition } from '../../shared/events/lifecycle.ts';
import { Failure } from '../../shared/failure.ts';
import { issueText } from '../../shared/issueText.ts';
import { findConsultation } from '../../shared/episode/consultations.ts';
import type { EventLog } from '../log/eventLog.ts';
import type { Desk } from './desk.ts';
import { parseJson, plainOutsideArguments } from '../../shared/json.ts';

export type { AnswerLine };

const SCRIPTED: Actor = { type: 'scripted', id: 'answers' };
const NO_TIMING = { first_seen_at: null, active_ms: null };

/** Reads an answers file. Throws `bad_answers_file` naming the line that cannot be read. */
export function readAnswers(text: string, name: string): AnswerLine[] {
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    const where = `${name}, line ${String(index + 1)}`;
    let value: unknown;
    try {
      value = plainOutsideArguments(parseJson(line));
    } catch (cause) {
      throw new Failure('bad_answers_file', `${where} is no JSON`, { cause, next: ANSWERS_NEXT });
    }
    const parsed = AnswerLine.safeParse(value);
    if (parsed.success) return [parsed.data];
    throw new Failure('bad_answers_file', `${where}: ${answerProblem(parsed.error)}`, {
      next: ANSWERS_NEXT,
    });
  });
}

/** The problem with a line, in the names of the file. */
function answerProblem({ issues: [issue] }: z.ZodError): string {
  if (issue === undefined || (issue.path.length === 0 && issue.code === 'invalid_type'))
    return 'it is no object';
  return issue.path.join('.') === 'do' ? '"do" is none of accept, send and decline' : issueText(issue);
}

/** Throws `bad_answers_file` where a line accepts a draft and the condition has none: the agent would be told that nobody is there. */
export function checkDrafts(lines: readonly AnswerLine[], condition: Condition, name: string): void {
  const line = condition === 'human' ? lines.find((one) => one.do === 'accept') : undefined;
  if (line === undefined) return;
  const task = line.task_idx === undefined ? '' : ` of task ${String(line.task_idx)}`;
  throw new Failure(
    'bad_answers_file',
    `${name} accepts the draft for ask ${String(line.ask)}${task}, and with --condition human nothing is drafted`,
    { next: 'Write the answer with "do":"send" and a "text", or run with --condition human+draft.' },
  );
}

const ANSWERS_NEXT =
  'Each line holds {"ask":1,"do":"accept"|"send"|"decline","text"?,"reason"?,"task_idx"?}.';

/**
 * Answers every human consultation as the lines say, or of the episodes that `isMeant` names; where no line fits, the
 * fallback applies at once (unless it is `wait`). Returns its undo.
 */
export function attachAnswers(
  { log, desk }: { log: EventLog; desk: Desk },
  lines: readonly AnswerLine[],
  isMeant: (record: EpisodeRecord) => boolean = () => true,
): () => void {
  return log.subscribe(({ stream, event }, record) => {
    if (event.kind === 'episode.went_on' && isMeant(record)) answerOpen({ log, desk }, record, lines);
    const isNews = event.kind === 'consultation.asked' || event.kind.startsWith('advice.draft');
    if (!isNews || !('consultation' in event) || !isMeant(record)) return;
    // Not inside the append that tells us: the loop must first be waiting.
    setImmediate(() =>
      answerByScript({ log, desk }, stream, event.consultation, lineFor(record, event.consultation, lines)),
    );
  });
}

/** Answers what an episode asked before anybody heard of it, as one does that went on after a kill. */
export function answerOpen(
  parts: { log: EventLog; desk: Desk },
  record: EpisodeRecord,
  lines: readonly AnswerLine[],
): void {
  for (const { id, decision } of record.consultations) {
    if (decision !== null) continue;
    setImmediate(() => answerByScript(parts, record.id, id, lineFor(record, id, lines)));
  }
}

function lineFor(record: EpisodeRecord, id: string, lines: readonly AnswerLine[]): AnswerLine | null {
  const ask = record.consultations.findIndex((consultation) => consultation.id === id) + 1;
  const { task_idx } = taskRef(record);
  const fitting = lines.filter((line) => line.ask === ask);
  return (
    fitting.find((line) => line.task_idx === task_idx) ??
    fitting.find((line) => line.task_idx === undefined) ??
    null
  );
}

function answerByScript(
  { log, desk }: { log: EventLog; desk: Desk },
  episode: string,
  id: string,
  line: AnswerLine | null,
): void {
  const record = log.record(episode);
  const consultation = findConsultation(record, id);
  if (consultation === undefined || consultation.decision !== null || consultation.answeredBy !== 'human')
    return;
  const at = { episode, consultation: id, seen_seq: record.seq, timing: NO_TIMING };
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
  const expectsDraft = hasDraft(record.started?.condition ?? null);
  if (line.do === 'send') {
    const isDrafting = expectsDraft && consultation.draft === null && consultation.draftFailure === null;
    if (isDrafting) return;
    desk.answer({ ...at, text: line.text, draft: consultation.draft?.id ?? null }, SCRIPTED);
    return;
  }
  if (consultation.draft !== null) {
    desk.answer(
      { ...at, text: log.texts.loadText(consultation.draft.text), draft: consultation.draft.id },
      SCRIPTED,
    );
  } else if (!expectsDraft || consultation.draftFailure !== null) {
    desk.expire(episode, id, 'nobody');
  }
}

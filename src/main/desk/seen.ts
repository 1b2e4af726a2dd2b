// What a seat has seen of a task's answer, in whatever episode; it sticks to all its later advice on the task.
import type { Actor, Privilege, Saw } from '../../shared/events/actor.ts';
import { findConsultation } from '../../shared/episode/consultations.ts';
import type { EpisodeRecord } from '../../shared/episode/record.ts';
import type { EventLog } from '../log/eventLog.ts';

/** What the actor has seen of this episode's task. */
export function seenBy(log: EventLog, episode: string, actor: Actor): Saw[] {
  if (actor.type !== 'human' || actor.id === null) return [];
  const { scenario, task_idx } = taskAddress(log.record(episode));
  return scenario === null ? [] : log.projections.seen(actor.id, scenario, task_idx);
}

/** What the author had seen before this draft; from now on it has also seen the draft. */
export function noteDraftSeen(log: EventLog, episode: string, consultation: string, actor: Actor): Privilege {
  const before = seenBy(log, episode, actor);
  const draft = findConsultation(log.record(episode), consultation)?.draft ?? null;
  const isSeen =
    actor.type === 'human' && actor.id !== null && draft !== null && draft.privilege !== 'unknown';
  if (isSeen) recordSeen(log, actor.id ?? '', episode, draft.privilege as Saw[]);
  return before;
}

export type TaskAddress = { scenario: string | null; task_idx: number | null };

/** Notes what a seat has seen; once for each task. `task` where it is known, else that of the episode. */
export function recordSeen(
  log: EventLog,
  seat: string,
  episode: string | null,
  saw: readonly Saw[],
  task: TaskAddress | null = episode === null ? null : taskAddress(log.record(episode)),
): void {
  if (task === null || task.scenario === null) return;
  const { scenario, task_idx } = task;
  const known = log.projections.seen(seat, scenario, task_idx);
  const fresh = [...new Set(saw)].filter((one) => !known.includes(one));
  if (fresh.length === 0) return;
  log.append(
    `seat/${seat}`,
    { type: 'human', id: seat },
    { kind: 'answer.seen', seat, scenario, task_idx, saw: fresh, episode },
  );
}

const taskAddress = ({ reset, started }: EpisodeRecord): TaskAddress => ({
  scenario: reset?.scenario ?? started?.scenario ?? null,
  task_idx: reset?.task_idx ?? started?.task_idx ?? null,
});

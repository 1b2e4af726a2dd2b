// Records what a seat has seen of a task's answer, in whatever episode; it sticks to all its later advice on the task.
import { isAtSeat, seatActor, type Actor, type Privilege, type Saw } from '../../shared/events/actor.ts';
import { environmentKey } from '../../shared/environmentKinds.ts';
import { type EpisodeRecord, taskRef } from '../../shared/episode/record.ts';
import { findConsultation } from '../../shared/episode/consultations.ts';
import type { EventLog } from '../log/eventLog.ts';

export function seenBy(log: EventLog, episode: string, actor: Actor): Saw[] {
  if (!isAtSeat(actor) || actor.id === null) return [];
  const { environment, scenario, task_idx } = taskAddress(log.record(episode));
  return scenario === null ? [] : log.projections.seen(actor.id, { environment, scenario, task_idx });
}

/** The author's privilege before this draft; from now on it has also seen the draft. */
export function noteDraftSeen(log: EventLog, episode: string, consultation: string, actor: Actor): Privilege {
  const before = seenBy(log, episode, actor);
  const draft = findConsultation(log.record(episode), consultation)?.draft ?? null;
  const isSeen = isAtSeat(actor) && actor.id !== null && draft !== null && draft.privilege !== 'unknown';
  if (isSeen) recordSeen(log, actor.id ?? '', episode, draft.privilege as Saw[]);
  return before;
}

/** `environment` is its key; null where only the episode tells it. */
export type TaskAddress = { environment: string | null; scenario: string | null; task_idx: number | null };

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
  const played = episode === null ? null : log.projections.episode(episode);
  const environment = task.environment ?? played?.environment_key ?? null;
  const known = log.projections.seen(seat, { environment, scenario, task_idx });
  const fresh = [...new Set(saw)].filter((one) => !known.includes(one));
  if (fresh.length === 0) return;
  log.append(`seat/${seat}`, seatActor(seat), {
    kind: 'answer.seen',
    seat,
    ...(environment === null ? {} : { environment }),
    scenario,
    task_idx,
    saw: fresh,
    episode,
  });
}

const taskAddress = (record: EpisodeRecord): TaskAddress => ({
  environment: record.started === null ? null : environmentKey(record.started.environment),
  ...taskRef(record),
});

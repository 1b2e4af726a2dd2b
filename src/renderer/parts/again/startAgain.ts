// Starting an episode once more, from what its log says it was started with. Pure.
import { StartEpisode } from '../../../shared/contract/areas.ts';
import { carriedApproval } from '../../../shared/episode/branch.ts';
import { askedAgent } from '../../../shared/events/lifecycle.ts';
import { type EpisodeRecord, taskRef } from '../../../shared/episode/record.ts';
import { withoutMarks } from '../../../shared/redact/redact.ts';

/** The start's own values in the reset; the rest is the person's own. */
const OF_START = new Set(['scenario', 'task_idx', 'seed', 'episode_id']);

/**
 * The command that started an episode, for the same task or another one. Null before it is known. A secret in the
 * reset is not in the log, so it is left out; the rules are those of the start.
 */
export function startAgain(record: EpisodeRecord, task_idx?: number): StartEpisode | null {
  const { started, reset } = record;
  if (started === null) return null;
  const task = taskRef(record);
  const { environment, agent, condition, deadline_ms, fallback, seed, limits } = started;
  const own = Object.entries(withoutMarks(reset?.request ?? {})).filter(([name]) => !OF_START.has(name));
  return StartEpisode.parse({
    environment: environment.id,
    scenario: task.scenario,
    task_idx: task_idx ?? task.task_idx,
    agent: askedAgent(agent),
    condition,
    deadline_ms,
    fallback,
    seed,
    repeats: 1,
    limits,
    reset: Object.fromEntries(own),
    is_blinded: started.is_blinded,
    is_key_open: started.is_key_open,
    effect: started.effect,
    keeps_session: started.keeps_session,
    ...(started.admission === undefined ? {} : { admission: started.admission }),
    ...baselineOf(record),
    ...approvalSettings(record),
  });
}

/** The earlier run its brief was written of. */
function baselineOf({ consultations }: EpisodeRecord): Pick<StartEpisode, 'baseline'> {
  const baseline = consultations.find(({ trigger }) => trigger === 'brief')?.baseline ?? null;
  return baseline === null ? {} : { baseline: baseline.episode };
}

/** The same task once more, with a brief that a person reads first, written of this episode. */
export function startBriefed(record: EpisodeRecord): StartEpisode | null {
  const input = startAgain(record);
  return input === null ? null : { ...input, condition: 'brief+human', baseline: record.id };
}

/** As far as the log says: an older one tells the deadline only through a call that was held. */
function approvalSettings({ started, rules, turns }: EpisodeRecord): Pick<StartEpisode, 'approval'> {
  if (rules.length === 0) return {};
  if (started?.approval !== undefined) return { approval: { rules, ...carriedApproval(started.approval) } };
  const held = turns.find(({ call }) => call?.held?.why === 'rule')?.call?.held ?? null;
  const deadline = held === null || held.deadline_at === null ? null : held.deadline_at - held.at;
  return {
    approval: {
      rules,
      ...carriedApproval({
        deadline_ms: deadline === null || deadline <= 0 ? null : Math.round(deadline),
        fallback: deadline === null ? 'wait' : (held?.fallback ?? 'wait'),
      }),
    },
  };
}

/** The number of the task after this one; null when it was the last, or has no number. */
export function nextTask(tasks: readonly { task_idx: number }[], task_idx: number | null): number | null {
  if (task_idx === null) return null;
  const later = tasks.map(({ task_idx }) => task_idx).filter((other) => other > task_idx);
  return later.length === 0 ? null : Math.min(...later);
}

// Reads a reset's arguments: which scenario and which task. What upstream does not use of them is ignored.
import { normalizeScenario } from '../../shared/wire.ts';
import type { WorldReply } from './frames.ts';
import type { Pack } from './pack.ts';
import { type PlayTask, raised, resetError } from './steps.ts';
import { problem } from './problems.ts';
import { isTruthy } from './python.ts';

type Refusal = { reply: WorldReply };

export function findScenario(packs: ReadonlyMap<string, Pack>, scenario: unknown): { pack: Pack } | Refusal {
  if (!isTruthy(scenario)) return { reply: resetError("Parameter 'scenario' is required") };
  if (typeof scenario !== 'string') return { reply: raised('scenario must be a text') };
  const pack = packs.get(normalizeScenario(scenario));
  return pack === undefined ? { reply: resetError(notFound(scenario)) } : { pack };
}

const notFound = (scenario: string): string => `Scenario '${scenario}' not found`;

/** The task a reset names by number or by its own words, or the reply that refuses it. */
export function readTask(pack: Pack, given: Record<string, unknown>): { given: PlayTask } | Refusal {
  for (const name of ['episode_id', 'task']) {
    const value = given[name] ?? '';
    if (typeof value !== 'string')
      return { reply: { type: 'invalid', problems: [problem('string_type', [name], value)] } };
  }
  const { task, task_idx: named = null } = given;
  const task_idx = typeof named === 'boolean' ? Number(named) : named;
  if (task_idx !== null && typeof task_idx !== 'number')
    return { reply: raised('task_idx must be a whole number') };
  const scenario = pack.name;
  if (typeof task === 'string') return { given: { scenario, task, task_idx } };
  if (task_idx === null) return { given: { scenario, task: null, task_idx } };
  const { length } = pack.tasks;
  if (task_idx < 0 || task_idx >= length)
    return { reply: resetError(`task_idx ${String(task_idx)} out of range (0..${String(length - 1)})`) };
  const chosen = pack.tasks[task_idx];
  if (chosen === undefined) return { reply: raised('task_idx must be a whole number') };
  return { given: { scenario, task: chosen.task, task_idx } };
}

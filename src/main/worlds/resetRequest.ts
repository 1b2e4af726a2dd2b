// Reading a reset's arguments: which scenario, which task, and what is wrong with them. They are not validated as a
// whole, as upstream does not: what it does not use is ignored.
import { normalizeScenario } from '../../shared/wire.ts';
import type { WorldReply } from './frames.ts';
import type { Pack } from './pack.ts';
import { type PlayTask, raised, resetError } from './play.ts';
import { notString } from './problems.ts';
import { isTruthy, typeName } from './python.ts';

/** The pack a reset names, or the reply that there is none. */
export function findScenario(
  packs: ReadonlyMap<string, Pack>,
  scenario: unknown,
): { pack: Pack } | { reply: WorldReply } {
  if (!isTruthy(scenario)) return { reply: resetError("Parameter 'scenario' is required") };
  if (typeof scenario !== 'string')
    return { reply: raised(`'${typeName(scenario)}' object has no attribute 'lower'`) };
  const pack = packs.get(normalizeScenario(scenario));
  return pack === undefined ? { reply: resetError(`Scenario '${scenario}' not found`) } : { pack };
}

/** The task a reset names by number or by its own words, or the reply that refuses it. */
export function readTask(
  pack: Pack,
  { task, task_idx: given, episode_id: id }: Record<string, unknown>,
): { given: PlayTask } | { reply: WorldReply } {
  const refuse = (reply: WorldReply): { reply: WorldReply } => ({ reply });
  if (id !== undefined && id !== null && typeof id !== 'string')
    return refuse({ type: 'invalid', problems: [notString(['episode_id'], id)] });
  if (task !== undefined && task !== null && typeof task !== 'string')
    return refuse({ type: 'invalid', problems: [notString(['task'], task)] });
  const index = typeof given === 'boolean' ? Number(given) : (given ?? null);
  if (index !== null && typeof index !== 'number')
    return refuse(raised(`'<=' not supported between instances of 'int' and '${typeName(given)}'`));
  if (typeof task === 'string') return { given: { scenario: pack.name, task, taskIdx: index } };
  if (index === null) return { given: { scenario: pack.name, task: null, taskIdx: null } };
  const { length } = pack.tasks;
  if (index < 0 || index >= length)
    return refuse(resetError(`task_idx ${String(index)} out of range (0..${String(length - 1)})`));
  const chosen = pack.tasks[index];
  if (chosen === undefined) return refuse(raised('list indices must be integers or slices, not float'));
  return { given: { scenario: pack.name, task: chosen.task, taskIdx: index } };
}

// Adds the held-out tasks of every split that holds to the rules of an export, so that nobody has to name them again.
import type { ExportRules } from '../../../shared/contract/export.ts';
import { heldOutTasks, joinHeldOut, type SplitManifest } from '../../../shared/split.ts';
import type { EventLog } from '../../log/eventLog.ts';
import { splitsIn } from '../../log/pinnedSplits.ts';

/** `given`: the manifest that was named for this run of the product. */
export function holdOut(
  log: Pick<EventLog, 'read'>,
  rules: ExportRules,
  given: SplitManifest | null = null,
): ExportRules {
  const tasks = splitsIn(log, given).flatMap(heldOutTasks);
  return tasks.length === 0 ? rules : { ...rules, held_out: joinHeldOut(rules.held_out, tasks) };
}

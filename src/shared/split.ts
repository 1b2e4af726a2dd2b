// The split manifest of a benchmark: which tasks train and which are held out. Source of the form: the public recipe.
import { z } from 'zod';
import { isSameTask } from './episode/baseline.ts';
import type { TaskAddress } from './episode/taskRef.ts';

/** A task as lists of tasks write it: scenario and index. */
export const ListedTask = z.tuple([z.string(), z.number().int().nonnegative()]);

/** Further fields, as `meta`, are not read. */
export const SplitManifest = z.looseObject({ train: z.array(ListedTask), val: z.array(ListedTask) });
export type SplitManifest = z.infer<typeof SplitManifest>;

/** Where a task stands: `unlisted` in neither list, `unknown` where no manifest was given. */
export const SplitSide = z.enum(['train', 'val', 'unlisted', 'unknown']);
export type SplitSide = z.infer<typeof SplitSide>;

/** A task that stands in both lists is held out. */
export function sideOf(split: SplitManifest | null, task: TaskAddress): SplitSide {
  if (split === null) return 'unknown';
  const holds = (list: SplitManifest['train']): boolean =>
    list.some(([scenario, task_idx]) => isSameTask({ scenario, task_idx }, task));
  if (holds(split.val)) return 'val';
  return holds(split.train) ? 'train' : 'unlisted';
}

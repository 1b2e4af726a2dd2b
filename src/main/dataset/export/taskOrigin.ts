// Whose tasks and tool results an episode holds: the product's own worlds, Agent World Model, or another's.
import { kindOf } from '../../../shared/environmentKinds.ts';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';

export type TaskOrigin = 'builtin' | 'awm' | 'other';

/** Files that hold nothing but Agent World Model episodes. */
const AWM_FILES: ReadonlySet<string> = new Set(['awm_trajectory', 'snowflake_run', 'echo_fixture']);

export function taskOrigin({ started, reset, imported }: EpisodeRecord): TaskOrigin {
  if (imported !== null) return AWM_FILES.has(imported.format) ? 'awm' : 'other';
  if (started !== null && kindOf(started.environment).isPartOfProduct) return 'builtin';
  // A server that names scenario and task at reset speaks Agent World Model's dialect.
  return reset !== null && reset.scenario !== null && reset.task_idx !== null ? 'awm' : 'other';
}

// Owns: whose tasks and tool results an episode holds: the product's own worlds, Agent World Model, or another's.
import type { EpisodeRecord } from '../../../shared/episode/record.ts';

export type Origin = 'builtin' | 'awm' | 'other';

/** Files that hold nothing but Agent World Model episodes. */
const AWM_FILES: ReadonlySet<string> = new Set(['awm_trajectory', 'snowflake_run', 'echo_fixture']);

export function originOf({ started, reset, imported }: EpisodeRecord): Origin {
  if (imported !== null) return AWM_FILES.has(imported.format) ? 'awm' : 'other';
  if (started?.environment.builtin === true) return 'builtin';
  // A server that names scenario and task at reset speaks Agent World Model's dialect.
  return reset !== null && reset.scenario !== null && reset.task_idx !== null ? 'awm' : 'other';
}

// What a trajectory said beyond the words of this log when it was imported: its version and extra fields, its totals and
// notes. They go out with it again, under what the log knows itself.
import type { EpisodeRecord } from '../../../../shared/episode/record.ts';
import { isRecord } from '../../../../shared/json.ts';

export type AtifOfFile = {
  agent: { version?: string; extra?: Record<string, unknown> };
  totals: Record<string, number>;
  totalsExtra: Record<string, unknown>;
  extra: Record<string, unknown>;
};

const TOTALS = ['total_prompt_tokens', 'total_completion_tokens', 'total_cached_tokens', 'total_cost_usd'];

/** Of an episode of another origin there is nothing. */
export function atifOfFile({ imported }: EpisodeRecord): AtifOfFile {
  const file = imported?.format === 'atif' ? recordOr(imported.extra) : {};
  const [agent, metrics] = [recordOr(file['agent']), recordOr(file['final_metrics'])];
  const { version } = agent;
  const { notes } = file;
  return {
    agent: {
      ...(typeof version === 'string' ? { version } : {}),
      ...(isRecord(agent['extra']) ? { extra: agent['extra'] } : {}),
    },
    totals: Object.fromEntries(
      TOTALS.flatMap((name) => {
        const value = metrics[name];
        return typeof value === 'number' ? [[name, value]] : [];
      }),
    ),
    totalsExtra: recordOr(metrics['extra']),
    // Every trajectory of a data set has the same fields: notes, which few have, stand among the extra ones.
    extra: { ...(typeof notes === 'string' ? { notes } : {}), ...recordOr(file['extra']) },
  };
}

/** The file's fields, but for those that the log knows better; what the log does not know leaves the file's word. */
export const under = (
  file: Readonly<Record<string, unknown>>,
  ours: Readonly<Record<string, unknown>>,
): Record<string, unknown> => ({
  ...ours,
  ...Object.fromEntries(
    Object.entries(file).filter(([name]) => ours[name] === undefined || ours[name] === null),
  ),
});

const recordOr = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {});

// Which episodes the rules select, for exports that have no rows: the log itself and the imported source files.
import type { ExportRules } from '../../../shared/contract/export.ts';
import type { EventLog } from '../../log/eventLog.ts';
import { endedEpisodes, endedQuery } from './collectRows.ts';
import { addAll, countOne } from './collectedRows.ts';
import { createEpisodeRule } from './select.ts';
import { createTaskTwins } from './taskTwins.ts';

/** Rules that choose among rows; where there are none they mean nothing. */
export const ROW_RULES = [
  'actors',
  'privilege',
  'include',
  'cap_per_task',
  'validation',
  'preset',
  'arguments',
  'reasoning',
] as const satisfies readonly (keyof ExportRules)[];

/** Their ids in the order they started; what is left out is counted by rule in `dropped` as it is met. */
export function* chosenEpisodes(
  log: EventLog,
  rules: ExportRules,
  dropped: Record<string, number>,
): Generator<string> {
  const decide = createEpisodeRule(rules, { verdict: 'any', takesProbes: true }, createTaskTwins(log));
  const query = endedQuery(rules, log.lastSeq());
  const unknown = log.projections.endedEpisodes.countHelpUnknown(query);
  if (unknown > 0) addAll(dropped, { help_unknown: unknown });
  for (const episode of endedEpisodes(log, query)) {
    const rule = decide(episode);
    if (rule === null) yield episode.id;
    else countOne(dropped, rule);
  }
}

// Owns: which episodes rules take in, for what is no row: the log itself, the files it was read from.
import type { ExportRules } from '../../../shared/contract/export.ts';
import type { EventLog } from '../../log/eventLog.ts';
import { endedEpisodes, endedQuery } from './gather.ts';
import { countOne } from './gathered.ts';
import { createEpisodeRule } from './select.ts';
import { recordRule } from './take.ts';
import { readReviews } from './told.ts';

/** Rules that choose among rows; where there are none they mean nothing. */
export const ROW_RULES = [
  'actors',
  'privilege',
  'uptake',
  'include_timeouts',
  'include_late',
  'include_fabricated',
  'dedupe',
  'cap_per_task',
  'balance',
  'validation',
  'arguments',
] as const satisfies readonly (keyof ExportRules)[];

/** Their ids in the order they started; what is left out is counted by rule in `dropped` as it is met. */
export function* chosenEpisodes(
  log: EventLog,
  rules: ExportRules,
  dropped: Record<string, number>,
): Generator<string> {
  const decide = createEpisodeRule(rules, { verdict: 'any' });
  const asksRecord = rules.touched === 'drop' || rules.min_agreement !== null;
  const reviews = asksRecord ? readReviews(log) : null;
  for (const episode of endedEpisodes(log, endedQuery(rules, log.lastSeq()))) {
    const rule =
      decide(episode) ?? (reviews === null ? null : recordRule(log.record(episode.id), rules, reviews));
    if (rule === null) yield episode.id;
    else countOne(dropped, rule);
  }
}

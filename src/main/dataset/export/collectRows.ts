// Reads the selected episodes of the log in one pass, makes their rows and checks them. Rows go to the sink; only a
// few bytes of each stay in memory.
import type { ExportRules } from '../../../shared/contract/export.ts';
import type { EndedEpisode, EndedQuery } from '../../log/endedEpisodes.ts';
import type { EventLog } from '../../log/eventLog.ts';
import { contradicted, leaveContradictedOut, type Identity } from './contradictions.ts';
import { addAll, countOne, type CollectedRows, type CollectRequest } from './collectedRows.ts';
import { signatureOf } from './preflight/nearTasks.ts';
import { createRowIndex, type RowIndex } from './rowIndex.ts';
import { createEpisodeRule, taskKey } from './select.ts';
import { createRowSelection } from './selectRows.ts';
import { createTaskTwins } from './taskTwins.ts';
import { totalsOf } from './totals.ts';

const EPISODES_PER_READ = 500;

export const endedQuery = (rules: ExportRules, untilSeq: number): EndedQuery => ({
  filter: rules.filter,
  episodes: rules.episodes,
  afterSeq: rules.after_seq ?? 0,
  untilSeq,
});

export async function collectRows(ask: CollectRequest): Promise<CollectedRows> {
  const { log, rules, format, untilSeq } = ask;
  const collected = emptyGathered(log, rules, untilSeq);
  const decide = createEpisodeRule(rules, format, createTaskTwins(log));
  const identities = new Map<string, Identity>();
  const take = createRowSelection(ask, collected, identities);
  const heldOutSeen = new Set<string>();
  for (const episode of endedEpisodes(log, endedQuery(rules, untilSeq))) {
    await ask.pace();
    const rule = decide(episode);
    if (rule === 'held_out') noteHeldOut(log, collected, episode, heldOutSeen);
    if (rule === null) await take(episode);
    else countOne(collected.dropped, rule);
    collected.read += 1;
    ask.onEpisode(collected.read);
  }
  collected.contradicted = contradicted(collected.index, identities.values());
  addAll(collected.dropped, leaveContradictedOut(collected.index, collected.contradicted, rules));
  addAll(collected.dropped, capTasks(collected.index, rules.cap_per_task));
  collected.totals = totalsOf(collected);
  return collected;
}

function emptyGathered(log: EventLog, rules: ExportRules, untilSeq: number): CollectedRows {
  const ended = log.projections.endedEpisodes;
  const { after_seq: after } = rules;
  const query = endedQuery(rules, untilSeq);
  const before = after === null ? 0 : ended.count({ ...query, afterSeq: 0, untilSeq: after });
  const unknown = ended.countHelpUnknown(query);
  const index = createRowIndex();
  return {
    index,
    episodes: [],
    marks: [],
    tasks: [],
    labels: [''],
    keys: [],
    dropped: {
      ...(before === 0 ? {} : { exported_before: before }),
      ...(unknown === 0 ? {} : { help_unknown: unknown }),
    },
    damaged: [],
    duplicates: 0,
    contradicted: [],
    heldOut: [],
    read: 0,
    unknown: rules.episodes?.filter((id) => log.projections.episode(id) === null) ?? [],
    range: { from: null, to: null, last: null },
    origins: { builtin: 0, awm: 0, other: 0 },
    hasPeople: false,
    totals: totalsOf({ index, labels: [], duplicates: 0 }),
  };
}

/**
 * Leaves out what a task has too many of, and says how many. A hash of the row draws them, so that the same rows are kept
 * in whatever order they came.
 */
function capTasks(index: RowIndex, cap: number | null): Record<string, number> {
  if (cap === null) return {};
  let count = 0;
  for (const rows of Map.groupBy(index.kept(), (row) => index.at(row).task).values()) {
    const drawn = rows.toSorted((a, b) => index.at(a).lot - index.at(b).lot || a - b);
    for (const row of drawn.slice(cap)) index.leaveOut(row, 'cap_per_task');
    count += Math.max(0, rows.length - cap);
  }
  return count === 0 ? {} : { cap_per_task: count };
}

/** A page at a time, in the order they started. */
export function* endedEpisodes(log: EventLog, query: EndedQuery): Generator<EndedEpisode> {
  for (let after: EndedEpisode | null = null; ;) {
    const page: EndedEpisode[] = log.projections.endedEpisodes.page(query, after, EPISODES_PER_READ);
    yield* page;
    if (page.length < EPISODES_PER_READ) return;
    after = page.at(-1) ?? null;
  }
}

/** Tasks held out are known by their words where an episode of one is there. */
function noteHeldOut(
  log: EventLog,
  collected: CollectedRows,
  episode: EndedEpisode,
  seen: Set<string>,
): void {
  const key = taskKey(episode.environment, [episode.scenario ?? '', episode.task_idx ?? -1]);
  if (seen.has(key)) return;
  seen.add(key);
  const task = log.projections.episode(episode.id)?.task ?? null;
  if (task !== null) collected.heldOut.push(signatureOf(task));
}

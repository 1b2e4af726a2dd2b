// Owns: the one pass over the log: episodes chosen, rows made, chosen and looked at. The rows go where they are told to;
// what stays is a few bytes of each.
import type { ExportRules } from '../../../shared/contract/export.ts';
import type { EndedEpisode, EndedQuery } from '../../log/endedEpisodes.ts';
import type { EventLog } from '../../log/eventLog.ts';
import { addAll, countOne, NO_LABEL, type Gathered, type GatherAsk } from './gathered.ts';
import { signatureOf } from './preflight/nearTasks.ts';
import { createRowIndex } from './rowIndex.ts';
import { createEpisodeRule, taskKey } from './select.ts';
import { createTake } from './take.ts';
import { thinOut } from './thin.ts';
import { totalsOf } from './totals.ts';

const PAGE = 500;

export const endedQuery = (rules: ExportRules, untilSeq: number): EndedQuery => ({
  filter: rules.filter,
  episodes: rules.episodes,
  afterSeq: rules.after_seq ?? 0,
  untilSeq,
});

export async function gather(ask: GatherAsk): Promise<Gathered> {
  const { log, rules, format, untilSeq } = ask;
  const gathered = emptyGathered(log, rules, untilSeq);
  const decide = createEpisodeRule(rules, format);
  const take = createTake(ask, gathered);
  const heldOutSeen = new Set<string>();
  for (const episode of endedEpisodes(log, endedQuery(rules, untilSeq))) {
    await ask.pace();
    const rule = decide(episode);
    if (rule === 'held_out') noteHeldOut(log, gathered, episode, heldOutSeen);
    if (rule === null) take(episode);
    else countOne(gathered.dropped, rule);
    gathered.read += 1;
    ask.onEpisode(gathered.read);
  }
  addAll(gathered.dropped, thinOut(gathered.index, rules, NO_LABEL));
  gathered.totals = totalsOf(gathered);
  return gathered;
}

function emptyGathered(log: EventLog, rules: ExportRules, untilSeq: number): Gathered {
  const ended = log.projections.endedEpisodes;
  const { after_seq: after } = rules;
  const before =
    after === null ? 0 : ended.count({ ...endedQuery(rules, untilSeq), afterSeq: 0, untilSeq: after });
  const index = createRowIndex();
  return {
    index,
    episodes: [],
    marks: [],
    tasks: [],
    labels: [''],
    keys: [],
    dropped: before === 0 ? {} : { exported_before: before },
    duplicates: 0,
    heldOut: [],
    read: 0,
    unknown: rules.episodes?.filter((id) => log.projections.episode(id) === null) ?? [],
    range: { from: null, to: null, last: null },
    origins: { builtin: 0, awm: 0, other: 0 },
    hasPeople: false,
    totals: totalsOf({ index, labels: [], duplicates: 0 }),
  };
}

/** A page at a time, in the order they started. */
export function* endedEpisodes(log: EventLog, query: EndedQuery): Generator<EndedEpisode> {
  for (let after: EndedEpisode | null = null; ;) {
    const page: EndedEpisode[] = log.projections.endedEpisodes.page(query, after, PAGE);
    yield* page;
    if (page.length < PAGE) return;
    after = page.at(-1) ?? null;
  }
}

/** Tasks held out are known by their words where an episode of one is there. */
function noteHeldOut(log: EventLog, gathered: Gathered, episode: EndedEpisode, seen: Set<string>): void {
  const key = taskKey([episode.scenario ?? '', episode.taskIdx ?? -1]);
  if (seen.has(key)) return;
  seen.add(key);
  const task = log.projections.episode(episode.id)?.task ?? null;
  if (task !== null) gathered.heldOut.push(signatureOf(task));
}

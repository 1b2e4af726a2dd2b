// Finds earlier advice to offer for an ask: from the log's full-text index, by what was asked and what failed.
import type { PastAdvice } from '../../shared/episode/rowShapes.ts';
import { environmentKey } from '../../shared/environmentKinds.ts';
import { BENCH_STREAM } from '../../shared/events/library.ts';
import { type EpisodeRecord, taskRef } from '../../shared/episode/record.ts';
import { findConsultation } from '../../shared/episode/consultations.ts';
import { truncate } from '../../shared/truncate.ts';
import { normalizeScenario } from '../../shared/wire.ts';
import { createHeldOut, heldOutTasks, type SplitManifest } from '../../shared/split.ts';
import type { EventLog } from '../log/eventLog.ts';
import { askedWords, attemptedWords } from '../log/pastAdvice.ts';

type AskAt = { episode: string; consultation: string };

/** More words than this only make the search slower. */
const QUERY_WORDS_MAX = 60;
/** Advice of an episode that was then verified comes before a slightly better match that was not. */
const COMPLETE_FACTOR = 1.5;
/** Matches looked at for each that is wanted. */
const CANDIDATES = 5;
const STOP = new Set(
  'a an and are as at be but by can did do does for from had has have how i if in into is it its me my not of on or should so that the then there this to was what when which who why will with you your'.split(
    ' ',
  ),
);

type SimilarRequest = {
  limit: number;
  /** Whether a seat may not be told how an episode ended. */
  isCovered?: (episode: string) => boolean;
  /** Splits whose held-out tasks no advice is taken from. */
  splits?: readonly SplitManifest[];
};

/**
 * Advice people gave on similar asks, best first; never that of the ask itself, and never advice on a held-out task.
 * Empty for an unknown ask. How an episode ended is neither told nor used for the order where it is covered.
 */
export function similarAdvice(
  log: EventLog,
  at: AskAt,
  { limit, isCovered = () => false, splits = [] }: SimilarRequest,
): PastAdvice[] {
  const record = log.record(at.episode);
  const asked = findConsultation(record, at.consultation);
  if (asked === undefined) return [];
  const tried = attemptedWords(record, asked.before);
  const until = frozenAt(log, record);
  const words = searchWords(`${tried} ${askedWords(asked.task, asked.question)}`);
  const isHeldOut = createHeldOut(
    splits.flatMap(heldOutTasks),
    (scenario, index) => `${normalizeScenario(scenario)}\n${String(index)}`,
  );
  return log.projections
    .similar(words, limit * CANDIDATES)
    .filter(({ episode, consultation }) => episode !== at.episode || consultation !== at.consultation)
    .filter(({ episode, consultation }) => !isCovered(at.episode) || !isBrief(log, episode, consultation))
    .flatMap(({ rank, ...found }) => {
      const advice = pastAdvice(log, found, isCovered(found.episode));
      if (advice !== null && isHeldOut({ ...advice, environment: advice.environment_key ?? null })) return [];
      if (advice !== null && advice.at >= until) return [];
      const isComplete = advice?.reward_type === 'complete';
      return advice === null ? [] : [{ advice, rank: isComplete ? rank * COMPLETE_FACTOR : rank }];
    })
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, limit)
    .map(({ advice }) => advice);
}

/** In a bench nothing is offered that was written after it was planned: its episodes would help each other. */
function frozenAt(log: EventLog, { started }: EpisodeRecord): number {
  if (started?.bench === undefined) return Number.POSITIVE_INFINITY;
  const run = started.trainer?.run ?? null;
  const planned = log
    .read(BENCH_STREAM)
    .find(({ event }) => event.kind === 'bench.planned' && event.plan.name === run);
  return planned?.at ?? 0;
}

/** A brief tells how an earlier run ended. */
const isBrief = (log: EventLog, episode: string, consultation: string): boolean =>
  (findConsultation(log.record(episode), consultation)?.baseline ?? null) !== null;

/** Words worth looking for, each once; of a long text those it begins with. */
export function searchWords(text: string): string[] {
  const found =
    truncate(text)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return [...new Set(found.filter((word) => word.length > 1 && !STOP.has(word)))].slice(0, QUERY_WORDS_MAX);
}

function pastAdvice(log: EventLog, { episode, consultation }: AskAt, isCovered: boolean): PastAdvice | null {
  const { started, reset, ended, verified, consultations } = log.record(episode);
  const decision = consultations.find(({ id }) => id === consultation)?.decision ?? null;
  if (decision?.type !== 'approved') return null;
  const task = log.projections.episode(episode)?.task ?? null;
  return {
    episode,
    consultation,
    ...(started === null ? {} : { environment_key: environmentKey(started.environment) }),
    ...taskRef({ started, reset }),
    ...(task === null ? {} : { task }),
    text: decision.text,
    at: decision.at,
    privilege: decision.privilege,
    reward_type: isCovered ? null : (ended?.reward_type ?? verified?.reward_type ?? null),
  };
}

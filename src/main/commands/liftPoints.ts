// From which answered questions a measurement goes on: the episodes it was asked about, what in them is eligible, and the
// draw.
import { interventionsIn } from '../../shared/lift/eligible.ts';
import type { LiftPlan, LiftPoint, LiftRequest, NotEligible } from '../../shared/lift/plan.ts';
import { countsOf } from '../../shared/lift/summarize.ts';
import { Failure } from '../../shared/failure.ts';
import { seededRandom, shuffled } from '../../shared/statistics/random.ts';
import type { EventLog } from '../log/eventLog.ts';

const PAGE = 200;

/** Throws `not_found` for an episode that is not there, `bad_input` where nothing is eligible. */
export function drawPoints(
  log: EventLog,
  request: LiftRequest,
): Pick<LiftPlan, 'points' | 'eligible' | 'not_eligible'> {
  if (request.run !== null) checkRun(log, request.run);
  const eligible: LiftPoint[] = [];
  const not: NotEligible[] = [];
  for (const id of askedAbout(log, request)) {
    const found = interventionsIn(log.record(id));
    eligible.push(...found.eligible);
    not.push(...found.not);
  }
  const not_eligible = countsOf(not);
  if (eligible.length === 0)
    throw new Failure('bad_input', `there is no answered question to go on from${causes(not_eligible)}`, {
      next: 'Name a run or episodes in which an agent asked and got advice.',
    });
  return { points: drawn(eligible, request), eligible: eligible.length, not_eligible };
}

function checkRun({ projections }: Pick<EventLog, 'projections'>, run: string): void {
  const page = { query: '', status: null, condition: null, filter: { run }, offset: 0, limit: 1 };
  if (projections.episodes(page).total > 0) return;
  throw new Failure('not_found', `there is no run ${run} in this data folder`);
}

const causes = (counts: LiftPlan['not_eligible']): string => {
  const named = Object.entries(counts).map(([cause, count]) => `${cause} ${String(count)}`);
  return named.length === 0 ? '' : ` (${named.join(', ')})`;
};

/** In an order drawn with the seed, each whose episode has none yet. */
function drawn(eligible: readonly LiftPoint[], { points, seed }: LiftRequest): LiftPoint[] {
  const sorted = eligible.toSorted((a, b) => (a.consultation < b.consultation ? -1 : 1));
  const taken = new Map<string, LiftPoint>();
  for (const point of shuffled(sorted, seededRandom(`points ${String(seed)}`)))
    if (!taken.has(point.episode)) taken.set(point.episode, point);
  return [...taken.values()].slice(0, points ?? taken.size);
}

function askedAbout(log: EventLog, { run, episodes, last }: LiftRequest): string[] {
  if (episodes !== null) {
    const missing = episodes.find((id) => log.record(id).started === null);
    if (missing === undefined) return [...new Set(episodes)];
    throw new Failure('not_found', `there is no episode ${missing} in this data folder`);
  }
  const ids: string[] = [];
  for (let offset = 0; ; offset += PAGE) {
    const { rows } = log.projections.episodes({
      query: '',
      status: 'ended',
      condition: null,
      filter: { source: 'run', ...(run === null ? {} : { run }) },
      offset,
      limit: PAGE,
    });
    // Probes and continuations are not the episodes anybody means by the newest ones.
    ids.push(
      ...rows.filter((row) => row.probe === undefined && row.lift_arm === undefined).map(({ id }) => id),
    );
    if (rows.length < PAGE || (last !== null && ids.length >= last)) return ids.slice(0, last ?? ids.length);
  }
}

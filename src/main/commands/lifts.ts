// Measurements of what answers were worth: planned in the log before anything runs, run a few continuations at a time,
// gone on with after a stop, and read from the continuations themselves.
import { canonical } from '../../shared/canonical.ts';
import { SYSTEM } from '../../shared/events/actor.ts';
import { LIFT_STREAM, liftStream } from '../../shared/events/library.ts';
import { Failure } from '../../shared/failure.ts';
import {
  cellsOfLift,
  type LiftCell,
  liftCellKey,
  type LiftPlan,
  type LiftPoint,
  type LiftRequest,
  type NotEligible,
} from '../../shared/lift/plan.ts';
import { type Continuation, countsOf, summarizeLift } from '../../shared/lift/summarize.ts';
import { seededRandom, shuffled } from '../../shared/statistics/random.ts';
import type { Handlers } from '../../shared/contract/contract.ts';
import type { RunProgress } from '../../shared/contract/runs.ts';
import type { Adopt } from '../episode/continueEpisode.ts';
import type { Supervisor } from '../episode/supervisor.ts';
import type { EventLog } from '../log/eventLog.ts';
import { endedRows, type Pace, progressAt, type Runs } from './runs.ts';
import { interventionsIn } from '../../shared/lift/eligible.ts';
import { ADMIT_EVERYTHING, type AgentSpec } from '../../shared/events/lifecycle.ts';
import type { Text } from '../../shared/events/text.ts';
import type { EpisodeRecord } from '../../shared/episode/record.ts';
import type { LiftExclusion } from '../../shared/lift/intervention.ts';
import { NO_APPROVAL, type RunSpec } from '../episode/stage.ts';
import { exclusionOf } from './benchObserve.ts';
import { continued } from './world.ts';
import { createHash } from 'node:crypto';

type LiftsDependencies = {
  log: EventLog;
  supervisor: Supervisor;
  /** Goes on with an episode that a killed program left open; null where it cannot, and has ended. */
  adopt: Adopt;
  runs: Pick<Runs, 'play' | 'pace'>;
  modelOf: ModelOfProfile;
  clock: () => number;
  report: (thrown: unknown) => void;
};

export function liftCommands(parts: LiftsDependencies): Pick<Handlers, 'lift.start' | 'lift.show'> {
  const { log, runs, clock, report } = parts;
  return {
    'lift.start': async ({ name, request, concurrency }) => {
      const plan = planLift(log, name, request);
      begin(parts, plan, concurrency).catch(report);
      return { plan, planned: cellsOfLift(plan).length };
    },
    'lift.show': async ({ name }) => {
      const plan = plannedAs(log, name);
      if (plan === null) throw new Failure('not_found', `there is no lift ${name} in this data folder`);
      const observed = observedOf(log, plan);
      const progress = progressOf(plan, observed, { log, pace: runs.pace(name), now: clock() });
      const isOver = progress.finished === progress.planned;
      return { plan, progress, summary: isOver ? summarizeLift(plan, [...observed.values()]) : null };
    },
  };
}

/** The plan of this name as it was fixed, else a new one, which is not in the log yet. Throws `bad_input`, `not_found`. */
function planLift(log: EventLog, name: string, request: LiftRequest): LiftPlan {
  const known = plannedAs(log, name);
  if (known === null) {
    checkName(log, name);
    return { name, request, ...drawPoints(log, request) };
  }
  if (canonical(known.request) === canonical(request)) return known;
  const fields = Object.keys(request) as (keyof LiftRequest)[];
  const differing = fields.filter((field) => canonical(known.request[field]) !== canonical(request[field]));
  throw new Failure('bad_input', `the lift ${name} was planned with other ${differing.join(', ')}`, {
    next: 'What is measured is fixed before it runs. Choose another --name, or ask for the same again.',
  });
}

function plannedAs(log: EventLog, name: string): LiftPlan | null {
  const planned = log
    .read(LIFT_STREAM)
    .flatMap(({ event }) => (event.kind === 'lift.planned' ? [event.plan] : []));
  return planned.find((plan) => plan.name === name) ?? null;
}

/** Fixes the plan and plays what is not over. Resolves when nothing of it plays any more. */
function begin(parts: LiftsDependencies, plan: LiftPlan, concurrency: number): Promise<void> {
  const { log, supervisor, runs, clock } = parts;
  if (runs.pace(plan.name) !== null) throw new Failure('bad_input', `the lift ${plan.name} is running`);
  // Every start is checked before the plan is written and the first continuation begins.
  for (const point of plan.points)
    liftSpec(log.record(point.episode), plan, { point, arm: 'with', number: 1 }, parts.modelOf);
  if (plannedAs(log, plan.name) === null) log.append(LIFT_STREAM, SYSTEM, { kind: 'lift.planned', plan });
  const observed = observedOf(log, plan);
  const order = shuffled(cellsOfLift(plan), seededRandom(`order ${String(plan.request.seed)}`));
  const todo = order.filter((cell) => !isOver(observed.get(keyOf(cell))));
  return runs.play({
    run: plan.name,
    concurrency,
    episodes: todo.map((cell) => () => {
      const open = openOf(log, plan, keyOf(cell));
      const adopted = open === null ? null : parts.adopt(open);
      if (adopted !== null) return adopted;
      const spec = liftSpec(log.record(cell.point.episode), plan, cell, parts.modelOf);
      return supervisor.start(spec, { isStartedAgain: true });
    }),
    ended: (record) => {
      const one = observeContinuation(record, (text) => log.texts.loadText(text));
      if (one !== null) observed.set(continuationKey(one), one);
    },
    after: () => noteMeasured(log, plan, observed),
    progress: (pace) => progressOf(plan, observed, { log, pace, now: clock() }),
  });
}

/** The continuation of this key that has not ended, where there is one: a program was killed in it. */
const openOf = (log: EventLog, { name }: LiftPlan, key: string): string | null =>
  log.projections.open().find((id) => {
    const { lift } = log.record(id).started ?? {};
    return lift?.lift === name && liftCellKey(lift.consultation, lift.arm, lift.number) === key;
  }) ?? null;

const keyOf = ({ point, arm, number }: LiftCell): string => liftCellKey(point.consultation, arm, number);

const continuationKey = ({ consultation, arm, number }: Continuation): string =>
  liftCellKey(consultation, arm, number);

const isOver = (one: Continuation | undefined): boolean =>
  one !== undefined && one.exclusion !== 'not_finished';

/** Once all of it is over, what each answer was worth is written beside its episode, once. */
function noteMeasured(log: EventLog, plan: LiftPlan, observed: ReadonlyMap<string, Continuation>): void {
  const summary = summarizeLift(plan, [...observed.values()]);
  if (!summary.is_complete) return;
  const { models, is_rehearsal: isRehearsal } = summary.agent;
  const agent = models.length > 0 ? models.join(', ') : isRehearsal ? 'rehearsal' : null;
  for (const measured of summary.interventions) {
    const stream = liftStream(measured.episode);
    const isNoted = log
      .read(stream)
      .some(({ event }) => event.kind === 'lift.measured' && event.lift === plan.name);
    if (!isNoted) log.append(stream, SYSTEM, { kind: 'lift.measured', lift: plan.name, agent, measured });
  }
}

/** The continuations of a plan by what they are; of several tries the one that is over, else the last. */
function observedOf(log: EventLog, plan: LiftPlan): Map<string, Continuation> {
  const planned = new Set(cellsOfLift(plan).map(keyOf));
  const observed = new Map<string, Continuation>();
  // Oldest first.
  const rows = [...endedRows(log, plan.name)].toReversed();
  for (const { id } of rows.filter((row) => row.lift_arm !== undefined)) {
    const record = log.record(id);
    if (record.started?.lift?.lift !== plan.name) continue;
    const one = observeContinuation(record, (text) => log.texts.loadText(text));
    if (one === null) continue;
    const key = continuationKey(one);
    if (planned.has(key) && !isOver(observed.get(key))) observed.set(key, one);
  }
  return observed;
}

/** The name is that of a run: episodes of another one would stand among the continuations. Throws `bad_input`. */
function checkName({ projections }: Pick<EventLog, 'projections'>, run: string): void {
  const page = { query: '', status: null, condition: null, filter: { run }, offset: 0, limit: 1 };
  if (projections.episodes(page).total === 0) return;
  throw new Failure('bad_input', `there is a run named ${run} already`, { next: 'Choose another --name.' });
}

function progressOf(
  plan: LiftPlan,
  observed: ReadonlyMap<string, Continuation>,
  { log, pace, now }: { log: EventLog; pace: Pace | null; now: number },
): RunProgress {
  const over = [...observed.values()].filter(isOver);
  const planned = cellsOfLift(plan).length;
  const excluded = over.filter(({ exclusion }) => exclusion !== null).length;
  const finished = over.length;
  return progressAt(log, { planned, finished, excluded }, pace, now);
}

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

/** Starts that failed for a moment are tried again so often. */
const START_RETRIES = 4;
const SEED_MAX = 2 ** 31;

/** `modelOf`: the model that acts for a profile now. Throws `model_not_configured` where there is none. */
type ModelOfProfile = (profile: string | undefined) => string | null;

/** Both arms alike, but for the answer: the budgets of the episode, nobody at the desk, a seed of its own. */
export function liftSpec(
  record: EpisodeRecord,
  plan: LiftPlan,
  { point, arm, number }: LiftCell,
  modelOf: ModelOfProfile,
): RunSpec {
  const { confidence = null, ...spec } = continued(record, {
    episode: record.id,
    turn: point.turn,
    why: 'fork',
  });
  const { consultation, episode } = point;
  // By its place in the plan: ids differ from log to log, and the same plan draws the same.
  const at = plan.points.findIndex((one) => one.consultation === consultation);
  const place = `${String(plan.request.seed)} ${String(at)} ${arm} ${String(number)}`;
  return {
    ...spec,
    agent: agentOf(plan, spec.agent, modelOf),
    seed: Math.floor(seededRandom(place)() * SEED_MAX),
    repeat: number - 1,
    group: null,
    run: plan.name,
    deadline_ms: null,
    fallback: 'proceed',
    admission: ADMIT_EVERYTHING,
    approval: NO_APPROVAL,
    // It is stated, as before, and no call waits for a person because of it.
    confidence: confidence === null ? null : { ...confidence, below: null },
    startRetries: START_RETRIES,
    lift: { lift: plan.name, episode, consultation, arm, number },
  };
}

function agentOf({ request }: LiftPlan, recorded: AgentSpec, modelOf: ModelOfProfile): AgentSpec {
  const { policy, profile } = request.agent;
  const { model: _model, profile: _profile, ...form } = recorded;
  if ((policy ?? recorded.policy) === 'rehearsal') return { ...form, policy: 'rehearsal', model: null };
  const own = policy === null ? recorded.profile : profile;
  const model = modelOf(own);
  if (model === null)
    throw new Failure('model_not_configured', 'no model is set for the agent that is to go on', {
      next: 'Set one under Setup or with --agent-model, or choose --agent rehearsal.',
    });
  return { ...form, policy: 'chat', model, ...(own === undefined ? {} : { profile: own }) };
}

/** Null for an episode that is no continuation, or has not ended. */
function observeContinuation(record: EpisodeRecord, loadText: (text: Text) => string): Continuation | null {
  const { started, ended, verified, turns } = record;
  if (started?.lift === undefined || ended === null) return null;
  const { consultation, arm, number } = started.lift;
  const label = ended.reward_type ?? verified?.reward_type ?? null;
  const did = turns
    .filter(({ isCopied }) => !isCopied)
    .map(({ content, toolCalls }) => [
      loadText(content),
      toolCalls.map(({ name, arguments: args }) => [name, args]),
    ]);
  return {
    consultation,
    arm,
    number,
    exclusion: liftExclusion(record),
    isComplete: label === 'complete',
    transcript: createHash('sha256').update(JSON.stringify(did)).digest('hex'),
    model: started.agent.model,
    isRehearsal: started.agent.policy === 'rehearsal',
  };
}

/** The reason to count no continuation; null for one that counts. */
export function liftExclusion(record: EpisodeRecord): LiftExclusion | null {
  const label = record.ended?.reward_type ?? record.verified?.reward_type ?? null;
  if ((record.forked?.drift.length ?? 0) > 0) return 'drifted';
  const cause = exclusionOf(record, label);
  if (cause !== null) return cause;
  return record.counts.humanActs > 0 ? 'step_in' : null;
}

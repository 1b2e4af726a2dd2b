// With how much help each training run goes on: takes in what came of its rollouts and keeps one decision a step in the
// log, with everything it was taken from.
import { ZodError } from 'zod';
import {
  countedIds,
  decidedFrom,
  historyAfter,
  lastStep,
  newestStep,
  NO_HISTORY,
  standingOf,
  toldSignals,
  type CurriculumHistory,
} from '../../shared/curriculum/history.ts';
import {
  curriculumSummaryOf,
  overviewOf,
  type CurriculumOverview,
  type CurriculumSummary,
  type DecidedStep,
} from '../../shared/curriculum/overview.ts';
import type { CurriculumInputs, CurriculumPlan } from '../../shared/curriculum/plan.ts';
import type { Rollout, RunKey, TaskName } from '../../shared/curriculum/rollout.ts';
import { changedSettings, type CurriculumSteering } from '../../shared/curriculum/settings.ts';
import type { EpisodeRecord } from '../../shared/episode/record.ts';
import { SYSTEM, type Actor } from '../../shared/events/actor.ts';
import { CURRICULUM_PREFIX, curriculumStream } from '../../shared/events/library.ts';
import type { LogEvent, Recorded } from '../../shared/events/vocabulary.ts';
import { Failure } from '../../shared/failure.ts';
import { issueText } from '../../shared/issueText.ts';
import { sideIn, type SplitManifest } from '../../shared/split.ts';
import type { EventLog } from '../log/eventLog.ts';
import type { TrainingRuns } from '../log/trainingRuns.ts';
import { farStep, takeReport, type CurriculumReport, type ReportReply } from './report.ts';
import { tappedRollout } from './tappedRollout.ts';

/** As the owner asks for it, with the key's name beside its id. */
type Steering = Exclude<CurriculumSteering, { what: 'key' }> | { what: 'key'; key: RunKey };

type AskedStep = {
  run: string;
  /** Null: the one after the newest that anything is known of. */
  step: number | null;
  /** Null: of the size that the step was planned for, else of eight. */
  group: number | null;
};

const GROUP = 8;
/** So many runs a key may begin. */
const RUNS_MAX = 200;

export type Curriculum = {
  /**
   * The plan of a step, decided now or before. Throws `bad_input` for a step that was passed without one, that lies too
   * far ahead, or that was planned for groups of another size; `unauthorized` for another key's run.
   */
  next(asked: AskedStep, key: RunKey): CurriculumPlan;
  /** Throws `bad_input` where the name stands for another report, or a task is held out; `unauthorized` as `next` does. */
  report(report: CurriculumReport, key: RunKey): ReportReply;
  /** What the owner wants otherwise. Throws `bad_input` for settings that make no sense, `not_found` for no such step. */
  steer(run: string, steering: Steering, actor: Actor): void;
  history(run: string): CurriculumHistory;
  /** Where the run stands and why; null where nothing was decided. */
  overview(run: string): CurriculumOverview | null;
  /** For its report; null where nothing was decided. */
  summary(run: string): CurriculumSummary | null;
  close(): void;
};

type CurriculumDependencies = {
  log: EventLog;
  trainingRuns: Pick<TrainingRuns, 'episodes'>;
  splits: () => readonly SplitManifest[];
  /** Hears of each new plan. */
  decided?: (run: string, plan: CurriculumPlan) => void;
};

/** A run as it stands; `played`: its ended episodes that no decision has counted. */
type LiveRun = {
  setBacks: { step: number; at: number }[];
  history: CurriculumHistory;
  decided: DecidedStep[];
  /** What people see of it, until something else is decided. */
  overview: CurriculumOverview | null;
  /** Null until somebody asks for a plan: reading a long run takes its time. */
  played: Map<string, Rollout> | null;
};

export function createCurriculum(parts: CurriculumDependencies): Curriculum {
  const { log, trainingRuns, splits, decided } = parts;
  const runs = new Map<string, LiveRun>();
  const unsubscribe = log.subscribe(({ event }, record) => {
    if (event.kind !== 'episode.ended') return;
    const live = runs.get(record.started?.trainer?.run ?? '');
    const rollout = live === undefined || !isOf(live, record) ? null : tappedRollout(record);
    if (rollout !== null) live?.played?.set(rollout.id, rollout);
  });
  const liveRun = (run: string): LiveRun => {
    const live = runs.get(run) ?? readRun(log, run);
    runs.set(run, live);
    return live;
  };
  const write = (run: string, events: readonly LogEvent[], actor: Actor = SYSTEM): void =>
    append(log, liveRun(run), { run, events, actor });
  const claimFor = (run: string, key: RunKey): readonly LogEvent[] => claimOf(log, liveRun, run, key);
  const isHeldOut = ({ scenario, task_idx }: TaskName): boolean =>
    scenario !== null && sideIn(splits(), { scenario, task_idx }) === 'val';
  return {
    history: (run) => liveRun(run).history,
    overview: (run) => {
      const live = liveRun(run);
      live.overview ??= overviewOf(live.history.settings, live.decided);
      return live.overview;
    },
    summary: (run) => {
      const { history, decided: steps } = liveRun(run);
      return curriculumSummaryOf(history.settings, steps);
    },
    next: (asked, key) => {
      const { run } = asked;
      const claim = claimFor(run, key);
      const live = liveRun(run);
      // Nothing is claimed where there is no such plan: the step is checked as if the run were this key's.
      const own = claim.length === 0 ? live : { ...live, history: claim.reduce(historyAfter, live.history) };
      own.played ??= playedIn({ log, trainingRuns }, run, own);
      const { plan, inputs } = planOf(own.history, waitingIn(own, own.played, isHeldOut), asked);
      live.played = own.played;
      const events: LogEvent[] = inputs === null ? [] : [{ kind: 'curriculum.decided', run, inputs, plan }];
      if (claim.length + events.length > 0) write(run, [...claim, ...events]);
      if (inputs !== null) decided?.(run, plan);
      return plan;
    },
    report: (report, key) => {
      const claim = claimFor(report.run, key);
      const { reply, events } = takeReport(liveRun(report.run).history, report, isHeldOut);
      if (events.length > 0) write(report.run, [...claim, ...events]);
      return reply;
    },
    steer: (run, steering, actor) => {
      write(run, [steeringEvent(run, liveRun(run).history, steering)], actor);
      // Whose rollouts count, or which of them, is another matter now.
      runs.delete(run);
      const { plans } = liveRun(run).history;
      const plan = plans.get(newestStep({ plans }));
      if (plan !== undefined) decided?.(run, plan);
    },
    close: unsubscribe,
  };
}

function append(
  log: EventLog,
  live: LiveRun,
  { run, events, actor }: { run: string; events: readonly LogEvent[]; actor: Actor },
): void {
  const written = log.appendAll(
    curriculumStream(run),
    events.map((event) => ({ actor, event })),
  );
  for (const one of written) take(live, one);
  for (const id of live.history.counted.at(-1) ?? []) live.played?.delete(id);
}

/** Makes the run this key's; throws if it is another key's, or this one has begun as many as it may. */
function claimOf(
  log: EventLog,
  liveRun: (run: string) => LiveRun,
  run: string,
  key: RunKey,
): readonly LogEvent[] {
  const owner = liveRun(run).history.key;
  if (owner?.id === key.id) return [];
  if (owner !== null) throw notYours(run);
  const streams = log.streams(CURRICULUM_PREFIX).map((stream) => stream.slice(CURRICULUM_PREFIX.length));
  const own = streams.filter((one) => liveRun(one).history.key?.id === key.id);
  if (own.length >= RUNS_MAX) throw tooManyRuns(key);
  return [{ kind: 'curriculum.assigned', run, key }];
}

/** The rollouts that the next decision is taken from. */
function waitingIn(
  { history }: LiveRun,
  played: ReadonlyMap<string, Rollout>,
  isHeldOut: (task: TaskName) => boolean,
): Rollout[] {
  const last = lastStep(history);
  return [...history.waiting, ...played.values()].filter(
    (rollout) => rollout.arm !== 'evaluation' && rollout.step <= last && !isHeldOut(rollout),
  );
}

/** The plan of a step: as it was decided, with no inputs, or decided now from these. */
function planOf(
  history: CurriculumHistory,
  waiting: readonly Rollout[],
  { run, step: asked, group }: AskedStep,
): { plan: CurriculumPlan; inputs: CurriculumInputs | null } {
  const newest = newestStep(history);
  const step = asked ?? openStep(newest, waiting, history);
  const before = history.plans.get(step);
  if (before !== undefined && group !== null && group !== before.group) {
    throw otherGroup(run, before, group);
  }
  if (before !== undefined) return { plan: before, inputs: null };
  if (step < newest) throw passed(run, step, newest);
  const last = lastStep(history);
  if (step > last) throw farStep(run, step, last);
  const inputs = {
    step,
    group: group ?? GROUP,
    told: toldSignals(history.newSteps),
    rollouts: [...waiting],
  };
  return { plan: decidedFrom(history, inputs, history.settings).plan, inputs };
}

function take(live: LiveRun, { at, event }: Pick<Recorded, 'at' | 'event'>): void {
  live.history = historyAfter(live.history, event);
  live.overview = null;
  if (event.kind === 'curriculum.set_back') live.setBacks.push({ step: event.step, at });
  if (event.kind !== 'curriculum.decided') return;
  live.decided.push({ at, inputs: event.inputs, plan: event.plan });
}

function readRun(log: EventLog, run: string): LiveRun {
  const live: LiveRun = { setBacks: [], history: NO_HISTORY, decided: [], overview: null, played: null };
  for (const recorded of standingOf(log.read(curriculumStream(run)))) take(live, recorded);
  return live;
}

/** Throws `bad_input` for settings that make no sense, `not_found` where nothing was decided at this step or later. */
function steeringEvent(run: string, history: CurriculumHistory, steering: Steering): LogEvent {
  switch (steering.what) {
    case 'key':
      return { kind: 'curriculum.assigned', run, key: steering.key };
    case 'set_back':
      if (newestStep(history) >= Math.max(1, steering.step))
        return { kind: 'curriculum.set_back', run, step: steering.step };
      throw new Failure(
        'not_found',
        `nothing was decided of ${run} at step ${String(steering.step)} or later`,
        {
          next: 'Runs lists the steps that were decided.',
        },
      );
    case 'settings':
      return { kind: 'curriculum.configured', run, settings: settingsAfter(history, steering.settings) };
  }
}

function settingsAfter(
  { settings }: CurriculumHistory,
  change: Extract<Steering, { what: 'settings' }>['settings'],
): CurriculumHistory['settings'] {
  try {
    return changedSettings(settings, change);
  } catch (thrown) {
    if (!(thrown instanceof ZodError)) throw thrown;
    throw new Failure('bad_input', thrown.issues.map(issueText).slice(0, 5).join('; '), {
      cause: thrown,
      next: 'Nothing was changed. docs/runs.md#curriculum shows every setting.',
    });
  }
}

/** True if an episode is a rollout of this run: played with its key, and not taken back. */
function isOf({ history, setBacks }: LiveRun, { started, startedAt, tapped }: EpisodeRecord): boolean {
  const step = started?.trainer?.step ?? 0;
  const { key } = history;
  const isOwn = key !== null && tapped?.key_id === key.id;
  return isOwn && !setBacks.some((back) => step >= back.step && (startedAt ?? 0) <= back.at);
}

/** Ended episodes of a run that no decision has counted. */
function playedIn(
  { log, trainingRuns }: Pick<CurriculumDependencies, 'log' | 'trainingRuns'>,
  run: string,
  live: LiveRun,
): Map<string, Rollout> {
  const counted = countedIds(live.history);
  const ended = trainingRuns
    .episodes(run)
    .filter(({ id, step, status }) => step !== null && status === 'ended' && !counted.has(id))
    .map(({ id }) => log.record(id))
    .filter((record) => isOf(live, record))
    .flatMap((record) => tappedRollout(record) ?? []);
  return new Map(ended.map((rollout) => [rollout.id, rollout]));
}

/** The step whose plan is the newest, or the one after the newest that something came of. */
const openStep = (newest: number, waiting: readonly Rollout[], { newSteps }: CurriculumHistory): number =>
  Math.max(1, newest, ...[...waiting, ...newSteps].map(({ step }) => step + 1));

const otherGroup = (run: string, { step, group: planned }: CurriculumPlan, group: number): Failure =>
  new Failure(
    'bad_input',
    `step ${String(step)} of ${run} was planned for groups of ${String(planned)}, not of ${String(group)}`,
    { next: 'Ask for it without `group`, or for a later step with the new size.' },
  );
const passed = (run: string, step: number, newest: number): Failure =>
  new Failure('bad_input', `${run} has no plan of step ${String(step)}, and is at step ${String(newest)}`, {
    next: `Ask for step ${String(newest)} or a later one, or give a run that begins again a name of its own.`,
  });
const notYours = (run: string): Failure =>
  new Failure('unauthorized', `the curriculum of ${run} belongs to another key`, {
    next: 'Give your run a name of its own, or ask the owner of this Interject to give the run to your key (Training).',
  });
const tooManyRuns = ({ name }: RunKey): Failure =>
  new Failure('unauthorized', `the key “${name}” has begun ${String(RUNS_MAX)} runs, and may begin no more`, {
    next: 'Go on with one of them, or ask the owner of this Interject for another key.',
  });

// The owner's commands for training runs: which there are, what each step came to, and a trainer's own log read in.
import type { Handlers, Outputs } from '../../shared/contract/contract.ts';
import type { KeyRow } from '../../shared/contract/gateway.ts';
import type { ActionSample, RunRow } from '../../shared/contract/training.ts';
import type { EpisodeRow } from '../../shared/episode/rowShapes.ts';
import type { Turn } from '../../shared/episode/record.ts';
import { seatActor } from '../../shared/events/actor.ts';
import { textHead } from '../../shared/events/text.ts';
import { reportedSteps, type CurriculumHistory } from '../../shared/curriculum/history.ts';
import type { RunKey } from '../../shared/curriculum/rollout.ts';
import { CURRICULUM_PREFIX, TRAINING_PREFIX } from '../../shared/events/library.ts';
import { Failure } from '../../shared/failure.ts';
import { EXAMPLE_RUN, PUBLIC_EXAMPLE } from '../../shared/training/publicExample.ts';
import type { RunStep, TrainingRun } from '../../shared/training/run.ts';
import type { Curriculum } from '../training/curriculum.ts';
import type { EventLog } from '../log/eventLog.ts';
import type { GatewayKeys } from '../settings/keys.ts';
import type { TrainingRuns } from '../log/trainingRuns.ts';
import { factsOf, type RewardFacts } from '../reward/facts.ts';
import { runSteps, type Rollout } from '../reward/runSteps.ts';
import { actorOf } from './commandLines.ts';
import { addTrainerLog, importedRun, type ImportedRun } from './importedRuns.ts';

export type TrainingDependencies = {
  log: EventLog;
  trainingRuns: TrainingRuns;
  curriculum: Pick<Curriculum, 'history' | 'overview' | 'steer' | 'summary'>;
  keys: Pick<GatewayKeys, 'list'>;
};

/** Folding a record holds the loop: others get their turn after so many. */
const RECORDS_AT_ONCE = 20;

export function trainingCommands(parts: TrainingDependencies) {
  const { log, curriculum, keys } = parts;
  const reader = createRunReader(parts);
  return {
    'training.runs': async () => ({ runs: runRows(parts) }),
    'training.read': async ({ run }) => ({
      ...(await reader.read(run)),
      curriculum: curriculum.summary(run),
    }),
    'training.curriculum': async ({ run }) => {
      const { reports, plans, key } = curriculum.history(run);
      const revision = reports.size + plans.size;
      return { overview: curriculum.overview(run), key: key?.name ?? null, revision };
    },
    'training.steer': async ({ run, steering }, { seat }) => {
      const wanted =
        steering.what === 'key' ? { ...steering, key: liveKey(keys.list(), steering.key) } : steering;
      curriculum.steer(run, wanted, seatActor(seat));
      return {};
    },
    'training.add_log': async ({ run, file, base64, is_chosen: isChosen = false }, caller) => {
      const bytes = Buffer.from(base64, 'base64');
      const { isDamaged, ...read } = addTrainerLog(log, actorOf(caller), { run, file, bytes, isChosen });
      return { ...read, is_damaged: isDamaged };
    },
  } satisfies Partial<Handlers>;
}

function liveKey(keys: readonly KeyRow[], id: string): RunKey {
  const found = keys.find((key) => key.id === id && key.revoked_at === null);
  if (found !== undefined) return { id, name: found.name };
  throw new Failure('not_found', `there is no key ${id}`, { next: 'It may be revoked: choose another one.' });
}

/** Reads runs; what an ended episode came to is worked out once. */
function createRunReader({
  log,
  trainingRuns,
  curriculum,
}: Pick<TrainingDependencies, 'log' | 'trainingRuns'> & { curriculum: Pick<Curriculum, 'history'> }): {
  read: (run: string) => Promise<Omit<Outputs['training.read'], 'curriculum'>>;
} {
  const known = new Map<string, { seq: number; facts: RewardFacts; activeMs: number | null }>();
  const rolloutOf = (row: EpisodeRow): Rollout => {
    if (row.status !== 'ended') return { row, facts: null, activeMs: null };
    const before = known.get(row.id);
    if (before?.seq === row.seq) return { row, ...before };
    const activeMs = row.human_acts === 0 ? null : trainingRuns.activeMs(row.id);
    const found = { seq: row.seq, facts: factsOf(log.record(row.id)), activeMs };
    known.set(row.id, found);
    return { row, ...found };
  };
  return {
    read: async (run) => {
      if (run === EXAMPLE_RUN) return { run: PUBLIC_EXAMPLE, samples: [], tasks: [] };
      const rows = trainingRuns.episodes(run).filter(({ step }) => step !== null);
      const history = curriculum.history(run);
      const imported = withReports(run, importedRun(log, run), reportedSteps(history));
      if (rows.length === 0 && imported === null && history.plans.size === 0) {
        throw noSteps(run, trainingRuns.episodes(run).length > 0);
      }
      const rollouts: Rollout[] = [];
      for (const row of rows) {
        rollouts.push(rolloutOf(row));
        if (rollouts.length % RECORDS_AT_ONCE === 0) await new Promise<void>((go) => setImmediate(go));
      }
      return {
        run: withPhases(mergedRun(run, runSteps(rollouts), imported), history),
        samples: samplesOf(log, rows),
        tasks: tasksOf(rows),
      };
    },
  };
}

const noSteps = (run: string, isPlayed: boolean): Failure =>
  isPlayed
    ? new Failure('not_found', `${run} has no training steps`, {
        next: 'Its episodes were played outside of a training: report one of them by its id, or a bench.',
      })
    : new Failure('not_found', `there is no training run ${run}`, {
        next: 'Its episodes name it with `run` and `step` (see docs/runs.md#curriculum), or its log is imported.',
      });

function runRows({ log, trainingRuns, curriculum }: Omit<TrainingDependencies, 'keys'>): RunRow[] {
  const played = trainingRuns.list().map((one): RunRow => ({ ...one, source: 'episodes' }));
  const imported = log.streams(TRAINING_PREFIX).flatMap((stream): RunRow[] => {
    const run = stream.slice(TRAINING_PREFIX.length);
    const found = importedRun(log, run);
    if (found === null || played.some((one) => one.run === run)) return [];
    return [{ run, source: found.source, steps: found.steps.length, episodes: 0, at: found.at }];
  });
  const named = new Set([...played, ...imported].map(({ run }) => run));
  const reported = log.streams(CURRICULUM_PREFIX).flatMap((stream): RunRow[] => {
    const run = stream.slice(CURRICULUM_PREFIX.length);
    if (named.has(run)) return [];
    const history = curriculum.history(run);
    const { plans } = history;
    const at = curriculum.overview(run)?.decisions[0]?.at ?? null;
    return [
      { run, source: 'reports', steps: Math.max(reportedSteps(history).size, plans.size), episodes: 0, at },
    ];
  });
  const example = {
    run: EXAMPLE_RUN,
    source: 'example',
    steps: PUBLIC_EXAMPLE.steps.length,
    episodes: 0,
    at: null,
  } as const;
  return [...[...played, ...imported, ...reported].toSorted((a, b) => (b.at ?? 0) - (a.at ?? 0)), example];
}

/** A trainer that reports tells its steps as a log of its own would. */
function withReports(
  run: string,
  imported: ImportedRun | null,
  reported: ReadonlyMap<number, RunStep>,
): ImportedRun | null {
  if (reported.size === 0) return imported;
  const before = imported ?? { run, source: 'reports', at: 0, files: [], notes: [], steps: [], unread: [] };
  const steps = new Map([...before.steps.map((step) => [step.step, step] as const), ...reported]);
  return { ...before, steps: [...steps.values()].toSorted((a, b) => a.step - b.step) };
}

/** The phase that each step was decided to be played in, where nobody says it otherwise. */
const withPhases = (run: TrainingRun, { plans }: Pick<CurriculumHistory, 'plans'>): TrainingRun => ({
  ...run,
  steps: run.steps.map((step) => ({ ...step, phase: step.phase ?? plans.get(step.step)?.phase ?? null })),
});

/** Steps seen in episodes stand; a trainer's log adds the rest. */
function mergedRun(run: string, played: RunStep[], imported: ImportedRun | null): TrainingRun {
  if (imported === null) {
    const source = played.length === 0 ? 'reports' : 'episodes';
    return { run, source, notes: [], steps: played, unread: [] };
  }
  const { at: _at, files: _files, ...rest } = imported;
  if (played.length === 0) return rest;
  const told = new Map(imported.steps.map((step) => [step.step, step]));
  const steps = played.map((step): RunStep => {
    const other = told.get(step.step);
    if (other === undefined) return step;
    const missing = Object.entries(step).flatMap(([name, value]) => (value === null ? [name] : []));
    const added = Object.fromEntries(Object.entries(other).filter(([name]) => missing.includes(name)));
    return { ...step, ...added, components: other.components };
  });
  const seen = new Set(played.map(({ step }) => step));
  const others = imported.steps.filter(({ step }) => !seen.has(step));
  return {
    run,
    source: 'episodes',
    notes: rest.notes,
    steps: [...steps, ...others].toSorted((a, b) => a.step - b.step),
    unread: rest.unread,
  };
}

/** The tasks of which a reward went into the figures. */
function tasksOf(rows: readonly EpisodeRow[]): Outputs['training.read']['tasks'] {
  const rewarded = rows.filter(({ reward, reward_type: label }) => reward !== null || label !== null);
  const tasks = new Map(
    rewarded.map(({ environment_key: environment, scenario, task_idx }) => [
      JSON.stringify([environment, scenario, task_idx]),
      { ...(environment === undefined ? {} : { environment_key: environment }), scenario, task_idx },
    ]),
  );
  return [...tasks.values()];
}

const SAMPLES_MAX = 8;
const ACTIONS_MAX = 12;
const ACTION_LENGTH = 400;

/** One rollout of every few steps, and of the last: what the agent really sent shows what a reward cannot. */
function samplesOf(log: EventLog, rows: readonly EpisodeRow[]): ActionSample[] {
  const steps = [...new Set(rows.map(({ step }) => step ?? 0))].toSorted((a, b) => a - b);
  const every = Math.max(1, Math.ceil(steps.length / SAMPLES_MAX));
  const chosen = steps.filter((_, index) => (steps.length - 1 - index) % every === 0);
  return chosen.flatMap((step) => {
    const row = rows.find((one) => one.step === step && one.status === 'ended');
    if (row === undefined) return [];
    const actions = log.record(row.id).turns.flatMap(actionText);
    return [
      {
        step,
        episode: row.id,
        scenario: row.scenario,
        task_idx: row.task_idx,
        reward: row.reward,
        actions: actions.slice(0, ACTIONS_MAX),
        more: Math.max(0, actions.length - ACTIONS_MAX),
      },
    ];
  });
}

/** A turn as the agent sent it, on one line. */
function actionText({ move }: Turn): string[] {
  if (move === null) return [];
  switch (move.type) {
    case 'call_tool':
      return [`${move.tool_name} ${JSON.stringify(move.arguments)}`.slice(0, ACTION_LENGTH)];
    case 'final':
      return [`answer: ${textHead(move.text).slice(0, ACTION_LENGTH)}`];
    default:
      return [move.type];
  }
}

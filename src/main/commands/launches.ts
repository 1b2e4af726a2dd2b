// What commands of the command line begin in a running Interject, and wait for: episodes, benches, lifts.
import type { Handlers, Inputs } from '../../shared/contract/contract.ts';
import type { AnswerLine } from '../../shared/answerLine.ts';
import { SYSTEM } from '../../shared/events/actor.ts';
import { isFinished } from '../../shared/episode/finished.ts';
import type { EpisodeRecord } from '../../shared/episode/record.ts';
import { Failure } from '../../shared/failure.ts';
import type { Desk } from '../desk/desk.ts';
import { answerOpen, attachAnswers } from '../desk/scriptedAnswers.ts';
import type { SeatRegistry } from '../desk/seats.ts';
import type { RunBudget } from '../episode/budget.ts';
import type { Adopt } from '../episode/goOn.ts';
import type { RunBudgets } from '../episode/runBudgets.ts';
import type { RunSpec } from '../episode/runEpisode.ts';
import { startKeyOf } from '../episode/startKey.ts';
import type { Supervisor } from '../episode/supervisor.ts';
import type { EventLog } from '../log/eventLog.ts';
import type { Tokens } from '../llm/tokenCommand.ts';
import type { SettingsStore } from '../settings/settings.ts';
import type { Benches } from './benches.ts';
import type { Lifts } from './lifts.ts';
import { runBudgetFor } from './startLimits.ts';

type LaunchDependencies = {
  log: EventLog;
  desk: Desk;
  seats: SeatRegistry;
  settings: Pick<SettingsStore, 'budgets' | 'pricesFor' | 'describe' | 'launched'>;
  runBudgets: RunBudgets;
  supervisor: Supervisor;
  /** Goes on with an episode that a killed program left open; null where it cannot, and has ended. */
  adopt: Adopt;
  tokens: Pick<Tokens, 'hand'>;
  benches: Benches;
  lifts: Lifts;
  runSpecs: (start: Inputs['episode.start'], group: string | null) => RunSpec[];
  newId: () => string;
  report: (thrown: unknown) => void;
};
type LaunchHandlers = Pick<
  Handlers,
  | 'launch.models'
  | 'launch.token'
  | 'launch.budget'
  | 'launch.episode'
  | 'launch.adopt'
  | 'launch.ended'
  | 'launch.stop'
  | 'launch.bench'
  | 'launch.bench_ended'
  | 'launch.lift'
  | 'launch.lift_ended'
  | 'launch.lift_stop'
>;

/** Budgets of runs that are kept for the episodes that follow. */
const BUDGETS_MAX = 100;

export function launchCommands(parts: LaunchDependencies): LaunchHandlers {
  const { settings, runBudgets, newId, tokens } = parts;
  const budgets = new Map<string, RunBudget>();
  return {
    'launch.models': async ({ settings: said }) => settings.launched.within(said, () => settings.describe()),
    'launch.token': async ({ name, token }) => {
      await tokens.hand(name, token === null ? null : { value: token.value, expiresAt: token.expires_at });
      return {};
    },
    'launch.budget': async ({ agent, given, run, settings: said }) => {
      const known = { budgets: settings.budgets(), pricesFor: settings.pricesFor, runBudgets, run };
      const budget = settings.launched.within(said, () => runBudgetFor(agent, given, known));
      if (budget === null) return { budget: null };
      const id = newId();
      budgets.set(id, budget);
      for (const old of [...budgets.keys()].slice(0, -BUDGETS_MAX)) budgets.delete(old);
      return { budget: id };
    },
    ...episodeLaunches(parts, (id) => budgets.get(id)),
    ...measuredLaunches(parts),
  };
}

type EpisodeLaunches = Pick<
  LaunchHandlers,
  'launch.episode' | 'launch.adopt' | 'launch.ended' | 'launch.stop'
>;

function episodeLaunches(
  parts: LaunchDependencies,
  budgetOf: (id: string) => RunBudget | undefined,
): EpisodeLaunches {
  const { log, supervisor, settings } = parts;
  const live = new Map<string, Promise<EpisodeRecord>>();
  /** Which episode is played, or was a moment ago, for a start of a named run. */
  const played = new Map<string, string>();
  const keep = (id: string, ended: Promise<EpisodeRecord>, detach: (() => void) | null): void => {
    live.set(id, ended);
    void ended.then(() => {
      detach?.();
      // Whoever began it asks for its end at once; later its record says it.
      setTimeout(() => live.delete(id), KEPT_MS).unref();
    });
  };
  return {
    'launch.episode': async (input) => {
      const { episode, answers } = input;
      if (live.has(episode) || log.record(episode).n > 0)
        throw new Failure('bad_input', `there is an episode ${episode} already`);
      const { within } = settings.launched;
      const spec = within(input.settings, () => specOf(parts, input, budgetOf));
      const place = placeInRun(spec);
      const other = place === null ? undefined : played.get(place);
      if (other !== undefined) return { episode: other };
      const detach = answers === null ? null : answer(parts, answers, (record) => record.id === episode);
      const started = within(input.settings, () =>
        supervisor.start(spec, { id: episode, isStartedAgain: isNamed(spec) }),
      );
      keep(episode, started.ended, detach);
      if (place !== null) {
        played.set(place, episode);
        void started.ended.then(({ ended }) => {
          const forget = (): void => void played.delete(place);
          if (isFinished(ended?.outcome)) setTimeout(forget, KEPT_MS).unref();
          else forget();
        });
      }
      await started.begun;
      return { episode };
    },
    'launch.adopt': async ({ episode, answers, settings: said }) => {
      if (log.record(episode).ended !== null) return { goes_on: true };
      const adopted = settings.launched.within(said, () => parts.adopt(episode));
      if (adopted === null) return { goes_on: false };
      const detach = answers === null ? null : answer(parts, answers, (record) => record.id === episode);
      if (answers !== null) answerOpen(parts, log.record(episode), answers);
      keep(episode, adopted.ended, detach);
      return { goes_on: true };
    },
    'launch.ended': async ({ episode }) => {
      await live.get(episode);
      return {};
    },
    'launch.stop': async ({ episode }) => {
      if (supervisor.ending(episode) !== null)
        supervisor.stop(episode, SYSTEM, 'the command that started it was stopped');
      return {};
    },
  };
}

/** Its command, given once more, plays what is missing of a named run or of a split. */
const isNamed = ({ run }: RunSpec): boolean => run !== null;

/** What a named run plays once, however many commands are given for it at the same moment; null for any other. */
const placeInRun = (spec: RunSpec): string | null =>
  spec.run === null ? null : JSON.stringify([spec.run, startKeyOf(spec), spec.repeat]);

const KEPT_MS = 60_000;

function specOf(
  { runSpecs }: LaunchDependencies,
  { start, group, repeat, probe, budget }: Inputs['launch.episode'],
  budgetOf: (id: string) => RunBudget | undefined,
): RunSpec {
  const [spec] = runSpecs({ ...start, repeats: 1 }, group);
  if (spec === undefined) throw new Failure('internal', 'a start of one episode made none');
  const runBudget = budget === undefined ? undefined : budgetOf(budget);
  if (budget !== undefined && runBudget === undefined)
    throw new Failure('not_found', 'the budget of this run is not known any more', {
      next: 'Run the command again.',
    });
  return {
    ...spec,
    repeat,
    ...(probe === undefined ? {} : { probe }),
    ...(runBudget === undefined ? {} : { runBudget }),
  };
}

/** A file answers in a person's place, in these episodes alone; returns its undo. */
function answer(
  { log, desk, seats }: LaunchDependencies,
  lines: readonly AnswerLine[],
  isMeant: (record: EpisodeRecord) => boolean,
): () => void {
  const leave = seats.attend((episode) => isMeant(log.record(episode)));
  const detach = attachAnswers({ log, desk }, lines, isMeant);
  return () => {
    detach();
    leave();
  };
}

type Measured = { ended: Promise<void>; stop: () => void };

function measuredLaunches(
  parts: LaunchDependencies,
): Omit<LaunchHandlers, keyof EpisodeLaunches | 'launch.budget' | 'launch.models' | 'launch.token'> {
  const { benches, lifts, report } = parts;
  const { within } = parts.settings.launched;
  const bench = new Map<string, Measured>();
  const lift = new Map<string, Measured>();
  const keep = (all: Map<string, Measured>, name: string, running: Measured, after?: () => void): void => {
    all.set(name, running);
    const over = (): void => {
      after?.();
      if (all.get(name) === running) all.delete(name);
    };
    running.ended.catch(report).finally(over);
  };
  return {
    'launch.bench': async ({ plan, concurrency, answers, settings }) => {
      const isOfPlan = ({ started }: EpisodeRecord): boolean =>
        started?.bench !== undefined && started.trainer?.run === plan.name;
      const detach = answers === null ? undefined : answer(parts, answers, isOfPlan);
      try {
        const running = within(settings, () => benches.run(plan, { concurrency }));
        keep(bench, plan.name, running, detach);
      } catch (thrown) {
        detach?.();
        throw thrown;
      }
      return {};
    },
    'launch.bench_ended': async ({ name }) => {
      await bench.get(name)?.ended;
      return {};
    },
    'launch.lift': async ({ plan, concurrency, settings }) => {
      if (lift.has(plan.name)) throw new Failure('bad_input', `the lift ${plan.name} is running`);
      keep(
        lift,
        plan.name,
        within(settings, () => lifts.run(plan, { concurrency })),
      );
      return {};
    },
    'launch.lift_ended': async ({ name }) => {
      await lift.get(name)?.ended;
      return {};
    },
    'launch.lift_stop': async ({ name }) => {
      const running = lift.get(name);
      running?.stop();
      await running?.ended;
      return {};
    },
  };
}

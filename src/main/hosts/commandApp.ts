// What a command that plays episodes needs of the product: its own where nobody has the data folder, else the one that
// has it open.
import type { AnswerLine } from '../../shared/answerLine.ts';
import type { Observed } from '../../shared/bench/observed.ts';
import type { BenchPlan } from '../../shared/bench/plan.ts';
import type { BenchSummary } from '../../shared/bench/summary.ts';
import type { BenchProgress } from '../../shared/contract/bench.ts';
import type { Inputs, Method, Outputs } from '../../shared/contract/contract.ts';
import type { AgentSpec, Budget } from '../../shared/events/lifecycle.ts';
import type { LiftPlan, LiftRequest } from '../../shared/lift/plan.ts';
import type { Continuation } from '../../shared/lift/summarize.ts';
import type { LiftSummary } from '../../shared/lift/summary.ts';
import type { ModelRole } from '../../shared/modelConfig.ts';
import type { App } from '../app/types.ts';
import type { EnvironmentCatalog } from '../commands/environments.ts';
import type { LiftProgress } from '../commands/lifts.ts';
import { runBudgetFor } from '../commands/startLimits.ts';
import { attachAnswers } from '../desk/scriptedAnswers.ts';
import type { RunSpec } from '../episode/runEpisode.ts';
import type { StartedEpisode, Supervisor } from '../episode/supervisor.ts';
import { noteSplit, type SplitPin } from '../log/pinnedSplits.ts';
import { isInUse } from './commandLog.ts';
import { openDoorLine } from './doorLine.ts';
import type { EnvironmentOptions } from './environmentFlags.ts';
import type { CommandOutput } from './output.ts';
import { dataFolderPath } from './paths.ts';
import { openRunningApp } from './runningApp.ts';
import { openApp, serveConsole, type OpenOptions } from './serve.ts';

/** Something that was begun, what of it was over then, and its end. */
export type Begun = {
  ended: Promise<void>;
  stop: () => void;
  progress: { planned: number; finished: number };
};
type Tell<One, Progress> = { concurrency: number; onEnded: (one: One, progress: Progress) => void };

export type CommandApp = Pick<App, 'settings' | 'log' | 'runSpecs' | 'importEpisodes'> & {
  environments: Pick<EnvironmentCatalog, 'find'> & {
    handlers: Pick<EnvironmentCatalog['handlers'], 'scenarios.search' | 'scenarios.list' | 'tasks.list'>;
  };
  supervisor: Pick<Supervisor, 'start' | 'close'>;
  /** Goes on with an episode that a killed program left open; null where it cannot, and has ended. */
  adopt: (episode: string) => Promise<StartedEpisode | null>;
  /** Gives each episode of a run its share in what they may take together; null for no limit. */
  runBudget: (
    agent: AgentSpec,
    given: Budget,
    run: string | undefined,
  ) => Promise<((spec: RunSpec) => RunSpec) | null>;
  benches: {
    run: (plan: BenchPlan, options: Tell<Observed, BenchProgress>) => Promise<Begun>;
    show: (name: string) => { progress: BenchProgress; summary: BenchSummary | null };
  };
  lifts: {
    plan: (name: string, request: LiftRequest) => LiftPlan;
    run: (plan: LiftPlan, options: Tell<Continuation, LiftProgress>) => Promise<Begun>;
    show: (name: string) => { progress: LiftProgress; summary: LiftSummary | null };
  };
  /** A file answers in a person's place; returns its undo. */
  attendDesk: (answers: readonly AnswerLine[]) => () => void;
  /** Where people answer. */
  openDesk: (port: number) => Promise<OpenDesk>;
  pinSplit: (name: string, pinned: SplitPin) => Promise<void>;
  call<M extends Method>(method: M, input: Inputs[M]): Promise<Outputs[M]>;
  close(): Promise<void>;
};

export type OpenDesk = {
  /** As `ready` says it; nulls where it is a window. */
  ready: { url: string | null; token: string | null };
  /** Where a person finds it, in words. */
  place: string;
  /** Of the page of an episode. */
  linkTo: (episode: string) => string;
  close(): Promise<void>;
};

export type CommandAppOptions = OpenOptions &
  EnvironmentOptions & { judgeBaseUrl?: string; judgeModel?: string; awmData?: string } & {
    /** Whose models the command asks. */
    roles: readonly ModelRole[];
  };

/** Throws what `createApp` throws; `data_in_use` where the Interject that is open cannot do what the flags say. */
export async function openCommandApp(
  { roles, ...options }: CommandAppOptions,
  output: CommandOutput,
): Promise<CommandApp> {
  const folder = dataFolderPath(options.data);
  const asked = { ...options, roles, folder };
  const line = await openDoorLine(folder);
  if (line !== null) return openRunningApp(line, asked, output);
  try {
    return ownApp(await openApp(options, output));
  } catch (thrown) {
    // Somebody may have opened it this moment.
    const late = isInUse(thrown) ? await openDoorLine(folder) : null;
    if (late === null) throw thrown;
    return openRunningApp(late, asked, output);
  }
}

const CALLER = { seat: 'cli' };

function ownApp(app: App): CommandApp {
  return {
    ...app,
    adopt: async (episode) => {
      const adopted = app.adopt(episode);
      return adopted === null ? null : { ...adopted, begun: Promise.resolve() };
    },
    runBudget: async (agent, given, run) => {
      const known = { budgets: app.settings.budgets(), pricesFor: app.settings.pricesFor };
      const budget = runBudgetFor(agent, given, { ...known, runBudgets: app.runBudgets, run });
      return budget === null ? null : (spec) => ({ ...spec, runBudget: budget });
    },
    benches: {
      run: async (plan, options) => {
        const running = app.benches.run(plan, options);
        return { ...running, progress: app.benches.show(plan.name).progress };
      },
      show: (name) => app.benches.show(name),
    },
    lifts: {
      plan: (name, request) => app.lifts.plan(name, request),
      run: async (plan, options) => {
        const running = app.lifts.run(plan, options);
        return { ...running, progress: app.lifts.show(plan.name).progress };
      },
      show: (name) => app.lifts.show(name),
    },
    attendDesk: (answers) => {
      const leave = app.seats.attend();
      const detach = attachAnswers(app, answers);
      return () => {
        detach();
        leave();
      };
    },
    openDesk: async (port) => {
      const { url, address, token, listening } = await serveConsole(app, { host: '127.0.0.1', port });
      return {
        ready: { url, token },
        place: `at ${url}`,
        linkTo: (episode) => `${address}/#/live/${episode}`,
        close: () => listening.close(),
      };
    },
    pinSplit: async (name, pinned) => noteSplit(app.log, name, pinned),
    call: <M extends Method>(method: M, input: Inputs[M]) =>
      app.route(method, input, CALLER) as Promise<Outputs[M]>,
    close: () => app.close(),
  };
}

// The flags of `interject bench`, and the plan they come to.
import { createHash } from 'node:crypto';
import { Option, type Command } from 'commander';
import { canonical } from '../../shared/canonical.ts';
import type { BenchPlan, PlannedArm } from '../../shared/bench/plan.ts';
import { Condition, type AgentSpec } from '../../shared/events/lifecycle.ts';
import { BUILT_IN } from '../../shared/environmentKinds.ts';
import { Failure } from '../../shared/failure.ts';
import type { SplitManifest } from '../../shared/split.ts';
import { seededRandom, shuffled } from '../../shared/statistics/random.ts';
import type { App } from '../app/types.ts';
import { addModelFlags, chosenPolicy, type ModelOptions } from './modelFlags.ts';
import { integerFrom, WORLD_DIR_HELP } from './runFlags.ts';
import { chosenTasks } from './runTasks.ts';

export type BenchOptions = ModelOptions & {
  split?: string;
  section: 'train' | 'val';
  env?: string;
  worldDir?: string;
  awmData?: string;
  conditions?: string;
  before?: string;
  after?: string;
  primary?: string;
  seeds?: number;
  seed: number;
  orderSeed: number;
  maxTasks?: number;
  agent?: 'rehearsal' | 'chat';
  protocol: 'native' | 'xml';
  privileged?: boolean;
  answers?: string;
  unattended?: boolean;
  deadline?: number;
  fallback?: 'wait' | 'draft' | 'proceed';
  turns?: number;
  asks?: number;
  hourlyMinutes?: number;
  concurrency: number;
  name?: string;
  out?: string;
  port: number;
  data: string | undefined;
};

/** A comparison of two checkpoints takes so many tasks, once each, unless told otherwise. */
const CHECKPOINT_TASKS = 20;
const SEEDS = 5;

type Tasks = SplitManifest['val'];
type Parsers = { seconds: (text: string) => number; port: number; awmHelp: string };

export const addBenchFlags = (command: Command, { seconds, port, awmHelp }: Parsers): Command =>
  addModelFlags(command)
    .option('--split <file>', 'split manifest (JSON with train and val lists)')
    .addOption(new Option('--section <list>', 'which of its lists').choices(['train', 'val']).default('val'))
    .option('--env <url>', 'an OpenEnv server that has the tasks (else the built-in worlds)')
    .option('--world-dir <dir>', WORLD_DIR_HELP)
    .option('--awm-data <dir>', awmHelp)
    .option('--conditions <list>', 'the arms, by who may advise: none,model,human+draft (default none,model)')
    .option('--before <profile>', 'instead: two checkpoints without help, by their model profiles')
    .option('--after <profile>', 'the later checkpoint')
    .option('--primary <first:second>', 'the comparison it is made for (default: the first arm and the last)')
    .option(
      '--seeds <n>',
      'runs of each task in each arm (default 5; 1 for --before and --after)',
      integerFrom(1),
    )
    .option('--seed <n>', 'seed of the first run', integerFrom(0), 0)
    .option('--order-seed <n>', 'the order in which episodes begin is drawn with it', integerFrom(0), 0)
    .option(
      '--max-tasks <n>',
      'so many tasks, drawn from the list by the order’s seed (default all; 20 for --before and --after)',
      integerFrom(1),
    )
    .addOption(
      new Option('--agent <policy>', 'who acts: a script (rehearsal) or the agent’s model (chat)').choices([
        'rehearsal',
        'chat',
      ]),
    )
    .addOption(
      new Option('--protocol <name>', 'how calls are written').choices(['native', 'xml']).default('native'),
    )
    .option('--privileged', 'advisors see what the verifier checks, and the answer; the report says so')
    .option('--answers <file>', 'JSON lines that answer in a person’s place (printed as scripted)')
    .option('--unattended', 'a script takes every draft in a person’s place (printed as scripted)')
    .option('--deadline <s>', 'seconds a question may wait', seconds)
    .addOption(
      new Option('--fallback <what>', 'what happens then (wait; with a script: proceed)').choices([
        'wait',
        'draft',
        'proceed',
      ]),
    )
    .option('--turns <n>', 'turn limit, in every arm', integerFrom(1))
    .option('--asks <n>', 'how often the agent may ask, in every arm', integerFrom(0))
    .option('--hourly-minutes <m>', 'minutes of people’s time that may go into it in any hour', seconds)
    .option('--concurrency <k>', 'episodes that run at once', integerFrom(1), 8)
    .option('--name <name>', 'names the bench and its run; the same name goes on where it was stopped')
    .option('--out <dir>', 'write results_summary.json and report.md there')
    .option('--port <n>', 'port of the desk when a person is to answer', integerFrom(0), port);

/** Throws `bad_input` for what is no plan. */
export async function planOf(app: App, options: BenchOptions): Promise<BenchPlan> {
  if (options.split === undefined)
    throw new Failure('bad_input', 'say which tasks to run: --split FILE', {
      next: 'It is JSON: {"train": [["scenario", task number], …], "val": […]}.',
    });
  const environment = options.env ?? BUILT_IN;
  const choice = { scenario: null, task: undefined, file: options.split, list: options.section };
  const listed = (await chosenTasks(app, environment, choice)).map(
    ({ scenario, task_idx }): Tasks[number] => [scenario ?? '', task_idx ?? 0],
  );
  const arms = armsOf(app, options);
  const isCheckpoints = options.before !== undefined;
  const wanted = options.maxTasks ?? (isCheckpoints ? CHECKPOINT_TASKS : listed.length);
  const seeds = options.seeds ?? (isCheckpoints ? 1 : SEEDS);
  const plan = {
    environment,
    section: options.section,
    tasks: drawn(listed, wanted, options.orderSeed),
    arms,
    primary: primaryOf(options.primary, arms),
    seeds: Array.from({ length: seeds }, (_, at) => options.seed + at),
    order_seed: options.orderSeed,
    is_privileged: options.privileged === true,
    turns: options.turns ?? null,
    asks: options.asks ?? null,
    hourly_minutes: options.hourlyMinutes ?? null,
    deadline_ms: options.deadline === undefined ? null : Math.round(options.deadline * 1000),
    fallback: options.fallback ?? (isScripted(options) ? 'proceed' : 'wait'),
  } as const;
  return { name: options.name ?? `bench-${digestOf(plan)}`, ...plan };
}

/** Whether a script answers in people's place. */
export const isScripted = ({ answers, unattended }: BenchOptions): boolean =>
  answers !== undefined || unattended === true;

/** The same flags are the same bench: typed again, they go on with it. */
const digestOf = (plan: unknown): string =>
  createHash('sha256').update(canonical(plan)).digest('hex').slice(0, 8);

/** In the list's own order, so that the same tasks are the same plan. */
function drawn(tasks: Tasks, wanted: number, seed: number): Tasks {
  if (wanted >= tasks.length) return tasks;
  const chosen = new Set(shuffled(tasks, seededRandom(`tasks ${String(seed)}`)).slice(0, wanted));
  return tasks.filter((task) => chosen.has(task));
}

function armsOf(app: App, options: BenchOptions): PlannedArm[] {
  const { before, after, conditions } = options;
  if (before === undefined && after === undefined) {
    const agent = agentOf(app, options, options.agentProfile);
    return (conditions ?? 'none,model').split(',').map((text) => {
      const condition = Condition.safeParse(text.trim());
      if (condition.success) return { arm: condition.data, condition: condition.data, agent };
      throw new Failure('bad_input', `there is no condition ${text}`, {
        next: `There are ${Condition.options.join(', ')}.`,
      });
    });
  }
  if (before === undefined || after === undefined || conditions !== undefined)
    throw new Failure('bad_input', 'two checkpoints are compared without help: --before and --after alone', {
      next: 'Name both, each by a model profile of the settings, and leave --conditions out.',
    });
  const arm = (name: string, profile: string): PlannedArm => ({
    arm: name,
    condition: 'none',
    agent: agentOf(app, { ...options, agent: 'chat' }, profile),
  });
  return [arm('before', before), arm('after', after)];
}

function agentOf(app: App, options: BenchOptions, profile: string | undefined): AgentSpec {
  const policy = chosenPolicy(options);
  const { protocol } = options;
  if (policy === 'rehearsal') return { policy, protocol, model: null };
  const model = app.settings.model('agent', profile)?.model ?? null;
  return { policy, protocol, model, ...(profile === undefined ? {} : { profile }) };
}

function primaryOf(text: string | undefined, arms: readonly PlannedArm[]): BenchPlan['primary'] {
  if (text === undefined) return { first: arms[0]?.arm ?? '', second: arms.at(-1)?.arm ?? '' };
  const [first = '', second = ''] = text.split(':');
  return { first, second };
}

// The flags of `interject bench`, and the plan they come to.
import { Option, type Command } from 'commander';
import { CHECKPOINT_TASKS, DEFAULT_SEEDS, type BenchChoice } from '../../shared/bench/choice.ts';
import { SEEDS_MAX, type BenchPlan } from '../../shared/bench/plan.ts';
import { Condition } from '../../shared/events/lifecycle.ts';
import { BUILT_IN } from '../../shared/environmentKinds.ts';
import { Failure } from '../../shared/failure.ts';
import type { ModelRole } from '../../shared/modelConfig.ts';
import type { ListedTask } from '../../shared/split.ts';
import type { CommandApp } from './commandApp.ts';
import { checkHeldOut, planFrom } from '../commands/benchPlan.ts';
import { readSplit } from './briefFlags.ts';
import { addModelFlags, askedModels, chosenPolicy, type ModelOptions } from './modelFlags.ts';
import { portNumber } from './numberFlags.ts';
import { integerFrom, WORLD_DIR_HELP } from './runFlags.ts';
import { chosenTasks } from './runTasks.ts';

export type BenchOptions = ModelOptions & {
  split?: string;
  section: 'train' | 'val';
  allowOverlap?: boolean;
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
  experts?: string;
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

type Parsers = {
  seconds: (text: string) => number;
  port: number;
  awmHelp: string;
  expertsHelp: string;
};

export const addBenchFlags = (command: Command, { seconds, port, awmHelp, expertsHelp }: Parsers): Command =>
  addModelFlags(command)
    .option('--split <file>', 'split manifest (JSON with train and val lists)')
    .addOption(new Option('--section <list>', 'which of its lists').choices(['train', 'val']).default('val'))
    .option(
      '--allow-overlap',
      'run although tasks of the val list are in the train list too: the plan and the report name them',
    )
    .option('--env <url>', 'an OpenEnv server that has the tasks (else the built-in worlds)')
    .option('--world-dir <dir>', WORLD_DIR_HELP)
    .option('--awm-data <dir>', awmHelp)
    .option('--conditions <list>', 'the arms, by who may advise: none,model,human+draft (default none,model)')
    .option('--before <profile>', 'instead: two checkpoints without help, by their model profiles')
    .option('--after <profile>', 'the later checkpoint')
    .option('--primary <first:second>', 'the comparison it is made for (default: the first arm and the last)')
    .option(
      '--seeds <n>',
      'runs of each task in each arm, up to 100 (default 5; 1 for --before and --after)',
      integerFrom(1, SEEDS_MAX),
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
    .option('--experts <file>', expertsHelp)
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
    .option('--port <n>', 'port of the desk when a person is to answer', portNumber, port);

/** Throws `bad_input` for what is no plan. */
export async function planOf(app: CommandApp, options: BenchOptions): Promise<BenchPlan> {
  if (options.split === undefined)
    throw new Failure('bad_input', 'say which tasks to run: --split FILE', {
      next: 'It is JSON: {"train": [["scenario", task number], …], "val": […]}.',
    });
  const environment = options.env ?? BUILT_IN;
  const wanted = { scenario: null, task: undefined, file: options.split, list: options.section };
  const listed = (await chosenTasks(app, environment, wanted)).map(({ scenario, task_idx }): ListedTask => [
    scenario ?? '',
    task_idx ?? 0,
  ]);
  const isCheckpoints = options.before !== undefined;
  const choice: BenchChoice = {
    name: options.name ?? null,
    environment,
    section: options.section,
    arms: armsOf(options),
    primary: primaryOf(options.primary),
    seeds: options.seeds ?? (isCheckpoints ? 1 : DEFAULT_SEEDS),
    first_seed: options.seed,
    max_tasks: options.maxTasks ?? (isCheckpoints ? CHECKPOINT_TASKS : null),
    order_seed: options.orderSeed,
    is_privileged: options.privileged === true,
    turns: options.turns ?? null,
    asks: options.asks ?? null,
    hourly_minutes: options.hourlyMinutes ?? null,
    deadline_ms: options.deadline === undefined ? null : Math.round(options.deadline * 1000),
    fallback: options.fallback ?? (isScripted(options) ? 'proceed' : 'wait'),
  };
  const trained = readSplit(options.split)?.train ?? [];
  const plan = planFrom(choice, { tasks: listed, trained }, app.settings);
  if (options.allowOverlap !== true) checkHeldOut(plan);
  return plan;
}

/** Whose models its arms ask. */
export const benchModels = (options: BenchOptions): ModelRole[] =>
  askedModels(
    options.before === undefined ? policyOf(options) : 'chat',
    armsOf(options).map(({ condition }) => condition),
  );

/** Whether a script answers in people's place. */
export const isScripted = ({ answers, unattended }: BenchOptions): boolean =>
  answers !== undefined || unattended === true;

function armsOf(options: BenchOptions): BenchChoice['arms'] {
  const { before, after, conditions, protocol } = options;
  if (before === undefined && after === undefined) {
    const agent = { policy: policyOf(options), protocol, profile: options.agentProfile ?? null };
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
  const arm = (name: string, profile: string): BenchChoice['arms'][number] => ({
    arm: name,
    condition: 'none',
    agent: { policy: 'chat', protocol, profile },
  });
  return [arm('before', before), arm('after', after)];
}

const policyOf = (options: BenchOptions): 'rehearsal' | 'chat' =>
  chosenPolicy(options) === 'chat' ? 'chat' : 'rehearsal';

function primaryOf(text: string | undefined): BenchChoice['primary'] {
  if (text === undefined) return null;
  const [first = '', second = ''] = text.split(':');
  return { first, second };
}

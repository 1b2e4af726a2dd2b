// The flags of `interject bench`, and what they ask for.
import { createHash } from 'node:crypto';
import { Option, type Command } from 'commander';
import { CHECKPOINT_TASKS, DEFAULT_SEEDS, type BenchChoice } from '../../shared/bench/choice.ts';
import { SEEDS_MAX } from '../../shared/bench/plan.ts';
import { canonical } from '../../shared/canonical.ts';
import { Condition } from '../../shared/events/lifecycle.ts';
import { BUILT_IN } from '../../shared/environmentKinds.ts';
import { Failure } from '../../shared/failure.ts';
import type { LiftRequest } from '../../shared/lift/plan.ts';
import type { ModelRole } from '../../shared/modelConfig.ts';
import {
  askedModels,
  chosenModelFlags,
  chosenPolicy,
  addModelFlags,
  type ModelOptions,
} from './modelFlags.ts';
import { seconds } from './numberFlags.ts';
import { addAnswerFlags, integerFrom } from './runFlags.ts';

export type BenchOptions = ModelOptions & {
  split?: string;
  section: 'train' | 'val';
  fromQuestions?: string;
  allowOverlap?: boolean;
  env?: string;
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

export const addBenchFlags = (command: Command): Command =>
  addAnswerFlags(addModelFlags(command))
    .option('--split <file>', 'split manifest (JSON with train and val lists)')
    .addOption(new Option('--section <list>', 'which of its lists').choices(['train', 'val']).default('val'))
    .option(
      '--from-questions <which>',
      'instead: what answers were worth. Goes on from each, --seeds times with it and as often without: those of a run by its name, of episodes by their ids with commas between, or of so many newest episodes',
    )
    .option(
      '--allow-overlap',
      'run although tasks of the val list are in the train list too: the plan and the report name them',
    )
    .option('--env <url>', 'an OpenEnv server that has the tasks (else the built-in worlds)')
    .option('--conditions <list>', 'the arms, by who may advise: none,model,human+draft (default none,model)')
    .option('--before <profile>', 'instead: two checkpoints without help, by their model profiles')
    .option('--after <profile>', 'the later checkpoint')
    .option('--primary <first:second>', 'the comparison it is made for (default: the first arm and the last)')
    .option(
      '--seeds <n>',
      'runs of each task in each arm, up to 100 (default 5; 1 for --before and --after; 4 for --from-questions)',
      integerFrom(1, SEEDS_MAX),
    )
    .option('--seed <n>', 'seed of the first run', integerFrom(0), 0)
    .option('--order-seed <n>', 'the order in which episodes begin is drawn with it', integerFrom(0), 0)
    .option(
      '--max-tasks <n>',
      'so many tasks or questions, drawn by the order’s seed (default all; 20 tasks for --before and --after)',
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
    .option('--unattended', 'a script takes every draft in a person’s place (printed as scripted)')
    .option('--hourly-minutes <m>', 'minutes of people’s time that may go into it in any hour', seconds)
    .option('--concurrency <k>', 'episodes that run at once', integerFrom(1, 64), 8)
    .option('--name <name>', 'names the bench and its run; the same name goes on where it was stopped')
    .option('--out <dir>', 'write results_summary.json and report.md there');

/** Throws `bad_input` for arms that are none. */
export function benchChoiceOf(options: BenchOptions): BenchChoice {
  const isCheckpoints = options.before !== undefined;
  return {
    name: options.name ?? null,
    environment: options.env ?? BUILT_IN,
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
}

/** Whose models its arms, or its continuations, ask. */
export const benchModels = (options: BenchOptions): ModelRole[] =>
  options.fromQuestions === undefined
    ? askedModels(
        options.before === undefined ? policyOf(options) : 'chat',
        armsOf(options).map(({ condition }) => condition),
      )
    : options.agent === 'rehearsal'
      ? []
      : ['agent'];

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

const DEFAULT_CONTINUATIONS = 4;

/** What `--from-questions` asks for. `isRun`: whether there is a run of that name. */
export function liftRequestOf(
  options: BenchOptions,
  from: string,
  { isRun, model }: { isRun: boolean; model: string | null },
): { name: string; request: LiftRequest } {
  const isModelNamed = chosenModelFlags('agent', options).length > 0;
  const policy = options.agent ?? (isModelNamed ? 'chat' : null);
  const profile = options.agentProfile;
  const isCount = !isRun && /^[1-9]\d*$/.test(from);
  const request: LiftRequest = {
    run: isRun ? from : null,
    episodes: isRun || isCount ? null : from.split(',').map((id) => id.trim()),
    last: isCount ? Number(from) : null,
    points: options.maxTasks ?? null,
    k: options.seeds ?? DEFAULT_CONTINUATIONS,
    seed: options.seed,
    agent: {
      policy,
      model: policy === 'rehearsal' ? null : model,
      ...(profile === undefined ? {} : { profile }),
    },
  };
  return { name: options.name ?? `lift-${digestOf(request)}`, request };
}

/** The same flags are the same measurement: typed again, they go on with it. */
const digestOf = (request: LiftRequest): string =>
  createHash('sha256').update(canonical(request)).digest('hex').slice(0, 8);

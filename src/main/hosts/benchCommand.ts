// `interject bench`: the same tasks in several arms, and what the difference between them is worth; or what answers were worth,
// going on from each with and without it.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BenchPlan, SEEDS_MAX } from '../../shared/bench/plan.ts';
import { headlineOf, reportOf } from '../../shared/bench/report.ts';
import type { BenchSummary } from '../../shared/bench/summary.ts';
import type { RunProgress } from '../../shared/contract/runs.ts';
import { countText } from '../../shared/countText.ts';
import { type EpisodeRecord, taskRef } from '../../shared/episode/record.ts';
import { hasPerson } from '../../shared/conditions.ts';
import { Condition } from '../../shared/events/lifecycle.ts';
import { Failure, failureFrom } from '../../shared/failure.ts';
import { liftSentence } from '../../shared/lift/liftSentence.ts';
import { digestOf } from '../commands/benchFolder.ts';
import { exclusionOf } from '../commands/benchObserve.ts';
import { liftExclusion } from '../commands/lifts.ts';
import { type AnswerLine, checkDrafts } from '../desk/scriptedAnswers.ts';
import { liftReport } from '../report/liftReport.ts';
import type { CommandOutput } from './output.ts';
import { fromCaller } from './paths.ts';
import { playRun } from './playRun.ts';
import { beginCommand, type OpenDesk, openProductFor, type Product } from './product.ts';
import { checkHoldsNoOther, reportFolder, writeReport } from './reportCommand.ts';
import { readAnswersFile } from './runCommand.ts';
import { durationText } from './runReport.ts';
import { type BenchChoice, CHECKPOINT_TASKS, DEFAULT_SEEDS } from '../../shared/bench/choice.ts';
import { BUILT_IN } from '../../shared/environmentKinds.ts';
import type { LiftRequest } from '../../shared/lift/plan.ts';
import type { ModelRole } from '../../shared/modelConfig.ts';
import {
  addAnswerFlags,
  addModelFlags,
  askedModels,
  chosenModelFlags,
  chosenPolicy,
  integerFrom,
  type ModelOptions,
  seconds,
} from './commandFlags.ts';
import { Option, type Command } from 'commander';

/** More asks than any episode may have. */
const ASKS_MAX = 64;

/** Runs it, or goes on with it. Resolves with the exit code: 0 when every episode is over. */
export async function benchCommand(options: BenchOptions, output: CommandOutput): Promise<number> {
  const { fromQuestions, out } = options;
  const answers = answersOf(options);
  const folder = out === undefined ? null : reportFolder(out);
  const text = fromQuestions === undefined ? splitText(options.split) : null;
  const product = await openProductFor(options, { output, isMaking: text !== null });
  try {
    // Its tasks are held out of nothing else.
    const { split: _tasks, ...said } = options;
    const models = await beginCommand(product, said, { roles: benchModels(options), answers }, output);
    return text === null
      ? await measureAnswers(product, options, { folder, model: models.agent.model }, output)
      : await compareArms(product, options, { folder, text, answers }, output);
  } finally {
    await product.close();
  }
}

/** Throws `bad_input` where no split is named, or its file cannot be read. */
function splitText(split: string | undefined): string {
  if (split === undefined)
    throw new Failure('bad_input', 'say which tasks to run: --split FILE', {
      next: 'It is JSON: {"train": [["scenario", task number], …], "val": […]}.',
    });
  try {
    return readFileSync(fromCaller(split), 'utf8');
  } catch (cause) {
    throw new Failure('bad_input', `there is no file ${split}`, {
      cause,
      next: 'Name the manifest of a split.',
    });
  }
}

/** Null where people answer. */
function answersOf(options: BenchOptions): AnswerLine[] | null {
  if (options.answers !== undefined && options.unattended === true)
    throw new Failure('bad_input', '--answers and --unattended both answer in a person’s place', {
      next: 'Choose one.',
    });
  if (options.answers !== undefined) return readAnswersFile(options.answers);
  if (!isScripted(options)) return null;
  return Array.from({ length: ASKS_MAX }, (_, at) => ({ do: 'accept', ask: at + 1 }));
}

async function compareArms(
  product: Product,
  options: BenchOptions,
  { folder, text, answers }: { folder: string | null; text: string; answers: AnswerLine[] | null },
  output: CommandOutput,
): Promise<number> {
  const { plan } = await product.call('bench.plan', {
    choice: benchChoiceOf(options),
    split: { text },
    allows_overlap: options.allowOverlap === true,
  });
  if (folder !== null) checkHoldsNoOther(folder, { kind: 'bench', name: plan.name });
  for (const { condition } of plan.arms) checkDrafts(answers ?? [], condition, options.answers ?? '');
  const isAttended = plan.arms.some(({ condition }) => hasPerson(condition)) && answers === null;
  const desk: OpenDesk | null = isAttended ? await product.openDesk(options.port) : null;
  try {
    if (desk !== null) {
      output.line({ type: 'ready', ...desk.ready });
      output.say(`Questions come to the desk ${desk.place}`);
    }
    await playBench(product, plan, options.concurrency, output);
  } finally {
    await desk?.close();
  }
  const { summary, progress } = await product.call('bench.show', { name: plan.name });
  if (summary === null) return notOver(`bench ${plan.name}`, progress, output);
  tellResult(summary, folder, output);
  return 0;
}

function notOver(what: string, { finished, planned }: RunProgress, output: CommandOutput): number {
  output.say(
    `${String(finished)} of ${countText(planned, 'episode')} ${finished === 1 ? 'is' : 'are'} over. The same command goes on with ${what}.`,
  );
  return 1;
}

const STOPPING = 'Stopping: every episode that is running ends with a complete log.';

async function playBench(
  product: Product,
  plan: BenchPlan,
  concurrency: number,
  output: CommandOutput,
): Promise<void> {
  const { name } = plan;
  await product.call('bench.start', { plan, concurrency });
  const { progress } = await product.call('bench.show', { name });
  const { finished, planned } = progress;
  output.line({ type: 'bench', name, planned, finished });
  output.say(
    `Bench ${name}: ${countText(planned, 'episode')}, ${countText(plan.tasks.length, 'task')} in ${plan.arms.map(({ arm }) => arm).join(', ')}` +
      (finished === 0 ? '' : `; ${String(finished)} are over already`),
  );
  const ended = (record: EpisodeRecord, now: RunProgress): void => {
    const { started } = record;
    if (started === null) return;
    const label = record.ended?.reward_type ?? record.verified?.reward_type ?? null;
    const came = exclusionOf(record, label) ?? (label === 'complete' ? 'complete' : 'not complete');
    const { scenario, task_idx } = taskRef(record);
    const [arm, seed] = [started.bench?.arm ?? '', started.seed ?? 0];
    output.line({ type: 'progress', arm, scenario, task_idx, seed, came, ...now });
    output.say(
      `${placeText(now)} ${scenario ?? ''} ${String(task_idx)}, ${arm}, seed ${String(seed)}: ${came}`,
    );
  };
  const { failure } = await playRun(product, name, { stopping: STOPPING, ended }, output);
  if (failure !== null) throw failureFrom(failure);
}

function placeText({ finished, planned, waiting, eta_s: eta }: RunProgress): string {
  const left =
    waiting > 0
      ? `, ${String(waiting)} ${waiting === 1 ? 'waits' : 'wait'} for people`
      : eta === null || eta === 0
        ? ''
        : `, about ${durationText(eta)} left`;
  return `[${String(finished)} of ${String(planned)}${left}]`;
}

function tellResult(summary: BenchSummary, folder: string | null, output: CommandOutput): void {
  output.line({ type: 'result', ...summary });
  if (folder === null) {
    output.say(`\n${reportOf(summary)}`);
    return;
  }
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'results_summary.json'), `${JSON.stringify(summary, null, 2)}\n`);
    writeFileSync(join(folder, 'report.md'), `${reportOf(summary)}\n`);
  } catch (cause) {
    throw new Failure('bad_input', `cannot write to ${folder}`, { cause, next: 'Choose another folder.' });
  }
  for (const line of headlineOf(summary)) output.say(line);
  output.say(`Written to ${folder}: results_summary.json, report.md`);
}

async function measureAnswers(
  product: Product,
  options: BenchOptions,
  { folder, model }: { folder: string | null; model: string | null },
  output: CommandOutput,
): Promise<number> {
  const from = options.fromQuestions ?? '';
  const page = { query: '', status: null, condition: null, filter: { run: from }, offset: 0, limit: 1 };
  const { total } = await product.call('episodes.page', page);
  const { name, request } = liftRequestOf(options, from, { isRun: total > 0, model });
  if (folder !== null) checkHoldsNoOther(folder, { kind: 'lift', name });
  const { concurrency } = options;
  const { plan, planned } = await product.call('lift.start', { name, request, concurrency });
  const { eligible, not_eligible, points } = plan;
  output.line({ type: 'lift', name, planned, interventions: points.length, eligible, not_eligible });
  output.say(
    `Lift ${name}: ${String(points.length)} of ${countText(eligible, 'eligible intervention')}, ${countText(planned, 'continuation')}`,
  );
  // How it came out is told only at the end.
  const ended = (record: EpisodeRecord, now: RunProgress): void => {
    const { lift } = record.started ?? {};
    if (lift === undefined) return;
    const { consultation, arm, number } = lift;
    const exclusion = liftExclusion(record);
    output.line({ type: 'progress', consultation, arm, number, exclusion, ...now });
    const came = exclusion === null ? 'over' : exclusion.replaceAll('_', ' ');
    output.say(`${placeText(now)} ${consultation}, ${arm} the advice, ${String(number)}: ${came}`);
  };
  const { failure } = await playRun(product, name, { stopping: STOPPING, ended }, output);
  if (failure !== null) throw failureFrom(failure);
  const { summary, progress } = await product.call('lift.show', { name });
  if (summary === null) return notOver(`lift ${name}`, progress, output);
  output.line({ type: 'result', ...summary });
  for (const caution of summary.cautions) output.say(`! ${caution}`);
  for (const one of summary.interventions) output.say(`${one.consultation}: ${liftSentence(one)}`);
  output.say(summary.overall.says);
  if (folder !== null) await writeReport(liftReport(summary), folder, output);
  return 0;
}

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
function benchChoiceOf(options: BenchOptions): BenchChoice {
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
const benchModels = (options: BenchOptions): ModelRole[] =>
  options.fromQuestions === undefined
    ? askedModels(
        options.before === undefined ? policyOf(options) : 'chat',
        armsOf(options).map(({ condition }) => condition),
      )
    : options.agent === 'rehearsal'
      ? []
      : ['agent'];

/** True if a script answers in people's place. */
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

/** The request of `--from-questions`. `isRun`: true if there is a run of that name. */
function liftRequestOf(
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
  // The same flags are the same measurement: typed again, they go on with it.
  return { name: options.name ?? `lift-${digestOf(request)}`, request };
}

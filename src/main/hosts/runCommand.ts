// `interject run`: episodes without a console, or with one when a person is to answer.
import { readFileSync } from 'node:fs';
import { StartEpisode } from '../../shared/contract/areas.ts';
import type { Outputs } from '../../shared/contract/contract.ts';
import type { ModelsInForce } from '../../shared/contract/settings.ts';
import { hasPerson } from '../../shared/conditions.ts';
import type { Condition } from '../../shared/events/lifecycle.ts';
import { Failure, type FailureShape } from '../../shared/failure.ts';
import { isRecord } from '../../shared/json.ts';
import { calibrationOf, statedOutcome, type StatedOutcome } from '../../shared/calibration.ts';
import { countText } from '../../shared/countText.ts';
import { spendingOf, spendingText, sumSpending, type Spending } from '../../shared/episode/spending.ts';
import type { EpisodeRecord } from '../../shared/episode/record.ts';
import { episodeRow } from '../../shared/episode/rows.ts';
import { BUILT_IN } from '../../shared/environmentKinds.ts';
import { checkDrafts, readAnswers, type AnswerLine } from '../desk/scriptedAnswers.ts';
import { reportEpisode, taskTitle, createAdviceTally, createProgress } from './runReport.ts';
import { chosenTasks, unlistedTaskNote, readBaselines } from './runTasks.ts';
import {
  type EnvironmentOptions,
  askedModels,
  chosenPolicy,
  type ModelOptions,
  chosenModelFlags,
} from './commandFlags.ts';
import type { CommandOutput } from './output.ts';
import { fromCaller } from './paths.ts';
import { playRun, readRecord } from './playRun.ts';
import { beginCommand, openProductFor, type OpenDesk, type Product } from './product.ts';
import { checkPlayedAlone } from '../commands/episodes.ts';

export type RunOptions = ModelOptions &
  EnvironmentOptions & {
    world?: string;
    env?: string;
    scenario?: string;
    /** Left out where the environment has no tasks to choose from. */
    task?: string;
    /** A file of tasks, and which of its lists. */
    tasks?: string;
    list?: 'train' | 'val';
    /** Names the run; what it finished before is not run again. */
    run?: string;
    episodes: number;
    /** Left out: chat where a flag names the agent's model, else the rehearsal. */
    agent?: 'rehearsal' | 'chat' | 'human';
    condition: Condition;
    /** An earlier run of the same tasks, of which briefs are written, and which tasks are held out. */
    baselineLog?: string;
    split?: string;
    answers?: string;
    deadline?: number;
    fallback?: 'wait' | 'draft' | 'proceed';
    seed: number;
    concurrency: number;
    reset?: string;
    turns?: number;
    asks?: number;
    port: number;
    data: string | undefined;
  };

/** Runs the episodes asked for. Resolves with the exit code: 0 when every one ended `done` or `limit`. */
export async function runCommand(options: RunOptions, output: CommandOutput): Promise<number> {
  checkRunFlags(options);
  for (const ignored of ignoredRunFlags(options)) output.say(ignored);
  const answers = options.answers === undefined ? null : readAnswersFile(options.answers);
  checkDrafts(answers ?? [], options.condition, options.answers ?? '');
  const { environment, scenario } = runPlace(options);
  const product = await openProductFor(options, { output, isMaking: true });
  let desk: OpenDesk | null = null;
  try {
    const roles = askedModels(chosenPolicy(options), [options.condition]);
    const models = await beginCommand(product, options, { roles, answers }, output);
    await tellReferenceAdvice(product, models, options, output);
    const baselines = await readBaselines(product, options, output);
    const place = { environment, scenario, agent: agentOf(models, options) };
    const starts = (await startInputs(product, options, place, answers !== null, output)).map((start) => ({
      ...start,
      ...baselines(start),
    }));
    const { agent, condition, fallback } = options;
    const isAsked = hasPerson(condition) && (answers === null || fallback === 'wait');
    if (agent === 'human' || isAsked) desk = await openDesk(product, options, output);
    return await runAll(product, starts, options, output, desk);
  } finally {
    await desk?.close();
    await product.close();
  }
}

/** Without a model for the advisor, drafts on the built-in worlds come from who knows the answer: said before anything runs. */
async function tellReferenceAdvice(
  product: Product,
  models: ModelsInForce,
  options: RunOptions,
  output: CommandOutput,
): Promise<void> {
  const isDrafted = options.condition === 'model' || options.condition === 'human+draft';
  if (!isDrafted || options.env !== undefined || models.expert.model !== null) return;
  const { roster } = await product.call('settings.read', {});
  if (roster.experts.some(({ kind }) => kind === 'model')) return;
  output.say(
    'No model is set for the advisor: a rule that has read the reference solution writes the drafts, unchecked.',
  );
}

async function openDesk(
  product: Product,
  { agent, port }: RunOptions,
  output: CommandOutput,
): Promise<OpenDesk> {
  const desk = await product.openDesk(port);
  output.line({ type: 'ready', ...desk.ready });
  const what =
    agent === 'human' ? 'Every move waits for you: open the episode' : 'Questions come to the desk';
  output.say(`${what} ${desk.place}`);
  return desk;
}

export function readAnswersFile(path: string): AnswerLine[] {
  const at = fromCaller(path);
  try {
    return readAnswers(readFileSync(at, 'utf8'), path);
  } catch (thrown) {
    if (thrown instanceof Failure) throw thrown;
    throw new Failure('bad_answers_file', `cannot read ${at}`, { cause: thrown, next: 'Check the path.' });
  }
}

/** Tries of a start again: a server may be full or away for a moment. */
export const START_RETRIES = 8;

type Place = Pick<StartEpisode, 'environment' | 'agent'> & { scenario: string | null };

async function startInputs(
  product: Product,
  options: RunOptions,
  { environment, scenario, agent }: Place,
  hasAnswers: boolean,
  output: CommandOutput,
): Promise<StartEpisode[]> {
  const { task, tasks: file, list, turns, asks } = options;
  const choice = { scenario, task, file, list };
  const tasks = await chosenTasks(product, environment, choice);
  const note = await unlistedTaskNote(product, environment, choice);
  if (note !== null) output.say(note);
  if (file !== undefined)
    output.say(
      `Running ${list === undefined ? '' : `the ${list} list of `}${file}: ${countText(tasks.length, 'task')}.`,
    );
  const reset = parseReset(options.reset);
  return tasks.map((chosen) =>
    StartEpisode.parse({
      environment,
      ...chosen,
      agent,
      condition: options.condition,
      deadline_ms: options.deadline === undefined ? null : Math.round(options.deadline * 1000),
      fallback: options.fallback ?? (hasAnswers ? 'proceed' : 'wait'),
      seed: options.seed,
      repeats: options.episodes,
      limits: {
        ...(turns === undefined ? {} : { turns }),
        ...(asks === undefined ? {} : { consultations: asks }),
      },
      reset,
      start_retries: START_RETRIES,
      ...(options.run === undefined ? {} : { run: options.run }),
    }),
  );
}

/** The agent that the flags name: a script, a model, or a person. Throws `model_not_configured`. */
export function agentOf(
  models: ModelsInForce,
  options: ModelOptions & Pick<RunOptions, 'agent'>,
): StartEpisode['agent'] {
  const policy = chosenPolicy(options);
  if (policy === 'chat') checkAgentModel(models.agent);
  if (policy === 'rehearsal') return { policy, protocol: 'native', model: null };
  const { agentProfile: profile } = options;
  const { model } = models.agent;
  return { policy, protocol: 'native', model, ...(profile === undefined ? {} : { profile }) };
}

/** The environment that the flags name. Throws `bad_input` for none, or two. */
export function runPlace(options: Pick<RunOptions, 'world' | 'env' | 'scenario'>): {
  environment: string;
  scenario: string | null;
} {
  const { world, scenario } = options;
  // The recipe names the server of its benchmark so.
  const env = options.env ?? (world === undefined ? process.env['AWM_BASE_URL'] : undefined);
  if (world !== undefined && env === undefined) {
    return { environment: BUILT_IN, scenario: world };
  }
  if (env !== undefined && world === undefined) return { environment: env, scenario: scenario ?? null };
  throw new Failure('bad_input', 'say where to run: either --world NAME or --env URL', {
    next: 'For example: interject run --world loomline_workflows --task 0',
  });
}

function parseReset(text: string | undefined): unknown {
  if (text === undefined) return {};
  let value: unknown = null;
  try {
    value = JSON.parse(text);
  } catch {
    value = null;
  }
  if (isRecord(value)) return value;
  throw new Failure('bad_input', '--reset is no JSON object', {
    next: 'Write it like --reset \'{"name": "value"}\'.',
  });
}

/** Prints the run's spending; nothing if no model was asked. */
function tellSpending(spent: readonly Spending[], output: CommandOutput): void {
  const total = sumSpending(spent);
  if (total === null) return;
  output.line({ type: 'spent', episodes: spent.length, ...total });
  output.say(`Spent: ${spendingText(total)}`);
}

async function runAll(
  product: Product,
  starts: readonly StartEpisode[],
  { run: name, concurrency, agent }: RunOptions,
  output: CommandOutput,
  desk: OpenDesk | null,
): Promise<number> {
  const begun = await product.call('run.start', { starts: [...starts], concurrency });
  const { run, planned, over } = begun;
  await tellGoesOn(product, name ?? '', begun, output);
  const progress = createProgress({ total: planned, skipped: over }, Date.now, output);
  // Of each episode only this much is kept: a run may have ten thousand.
  const spent: Spending[] = [];
  const stated: StatedOutcome[] = [];
  const advice = createAdviceTally();
  let [isDone, ended] = [true, 0];
  let why: FailureShape | null = null;
  const { isStopped, failure } = await playRun(
    product,
    run,
    {
      stopping: 'Stopping: every episode that is running ends with a complete log.',
      begun: (episode) => {
        if (agent === 'human') output.say(`  ${desk?.linkTo(episode) ?? ''}`);
      },
      ended: (record) => {
        const { outcome = 'interrupted', reward_type = null } = record.ended ?? {};
        isDone &&= outcome === 'done' || outcome === 'limit';
        why ??= record.ended?.failure ?? null;
        ended += 1;
        advice.add(record);
        const point = statedOutcome(record);
        if (point !== null) stated.push(point);
        const took = spendingOf(record);
        if (took !== null) spent.push(took);
        reportEpisode(record, output, progress.ended(outcome, reward_type === 'complete'));
      },
    },
    output,
  );
  if (ended < planned)
    output.say(`Not started, as the run was stopped: ${countText(planned - ended, 'episode')}.`);
  advice.tell(output);
  reportCalibration(stated, output);
  tellSpending(spent, output);
  why ??= failure;
  if (why !== null) output.line({ type: 'error', code: why.code, message: why.message, next: why.next });
  return isDone && !isStopped && failure === null && ended === planned ? 0 : 1;
}

/** Reports episodes that are over or go on, or could not. */
async function tellGoesOn(
  product: Product,
  name: string,
  { planned, over, going_on: goingOn, left }: Outputs['run.start'],
  output: CommandOutput,
): Promise<void> {
  if (over > 0)
    output.say(`${String(over)} of ${String(over + planned)} episodes of run ${name} are over already.`);
  for (const episode of left) output.say(leftText(await readRecord(product, episode)));
  if (goingOn > 0)
    output.say(
      `Going on with ${countText(goingOn, 'episode')} of run ${name} that ${goingOn === 1 ? 'was' : 'were'} open.`,
    );
}

/** Text for one that cannot go on without a person. */
function leftText(record: EpisodeRecord): string {
  const row = episodeRow(record);
  const title = row === null ? record.id : taskTitle(row);
  return `${title}: ${record.ended?.reason ?? 'the episode cannot go on'}; it ended as interrupted, and is started anew.`;
}

/** Stated confidence against the verifier, over the episodes of this run; nothing where no agent stated any. */
function reportCalibration(points: readonly StatedOutcome[], output: CommandOutput): void {
  const calibration = calibrationOf(points);
  if (calibration === null) return;
  output.line({ type: 'calibration', ...calibration });
  const { n, ece, brier } = calibration;
  output.say(
    `Confidence of ${countText(n, 'episode')}: ECE ${ece.toFixed(3)}, Brier score ${brier.toFixed(3)}`,
  );
}

const areFlags = (flags: readonly string[]): string =>
  `${flags.join(', ')} ${flags.length === 1 ? 'has' : 'have'} no effect`;

/** Throws `bad_input` for flags that contradict each other. */
function checkRunFlags(options: RunOptions): void {
  const { agent, condition } = options;
  checkPlayedAlone({ policy: chosenPolicy(options), condition });
  const models = chosenModelFlags('agent', options);
  if ((agent === 'rehearsal' || agent === 'human') && models.length > 0) {
    const who = agent === 'human' ? 'a person makes every move' : 'the rehearsal follows a script';
    throw new Failure('bad_input', `with --agent ${agent} no model is asked: ${who}`, {
      next: `Leave out ${models.join(', ')}, or say --agent chat.`,
    });
  }
}

/** The flags that this run ignores; sweeps use the same flags for each condition, so it is no error. */
function ignoredRunFlags(options: RunOptions): string[] {
  const { condition, deadline, fallback, asks, answers, list, tasks } = options;
  const given = (flags: Record<string, unknown>): string[] =>
    Object.entries(flags).flatMap(([flag, value]) => (value === undefined ? [] : [flag]));
  const ofPerson = hasPerson(condition) ? [] : given({ '--deadline': deadline, '--fallback': fallback });
  const ofAdvice =
    condition === 'none'
      ? [...given({ '--asks': asks, '--answers': answers }), ...chosenModelFlags('expert', options)]
      : [];
  const noAdvice = [...ofPerson, ...ofAdvice];
  const isOwn = options.world !== undefined && options.env === undefined;
  const noServer = isOwn ? given({ '--env-header': options.envHeader }) : [];
  const noTasks = tasks === undefined ? given({ '--list': list }) : [];
  return [
    ...(noAdvice.length === 0 ? [] : [`With --condition ${condition}, ${areFlags(noAdvice)}.`]),
    ...(noServer.length === 0 ? [] : [`Without --env, ${areFlags(noServer)}.`]),
    ...(noTasks.length === 0 ? [] : [`Without --tasks, ${areFlags(noTasks)}.`]),
  ];
}

/** Throws `model_not_configured`, with what is missing and where to say it. */
function checkAgentModel({
  model,
  provider,
  base_url: address,
  key,
  has_token_command: hasCommand,
}: ModelsInForce['agent']): void {
  const isKeyless = key === 'none' && hasCommand !== true;
  const [noAddress, noKey] = [address === null, provider === 'azure' && isKeyless];
  const isReachable = provider === 'azure' ? !noAddress && !isKeyless : !noAddress || !isKeyless;
  if (model !== null && isReachable) return;
  const fail = (message: string, next: string): Failure =>
    new Failure('model_not_configured', message, { next });
  if (model === null)
    throw fail(
      address === null ? 'no model is set for the agent' : `the agent’s model at ${address} has no name`,
      `Name it with --agent-model NAME${address === null ? ' and --agent-base-url URL' : ''}, or set it under Setup; or choose --agent rehearsal.`,
    );
  const what = noAddress && isKeyless ? 'neither an address nor a key' : noKey ? 'no key' : 'no address';
  const isEnough = provider === 'azure' ? 'and' : 'or';
  const ways = [
    ...(noAddress ? ['its address with --agent-base-url URL'] : []),
    ...(isKeyless ? ['its key with --agent-key-env VARIABLE'] : []),
  ];
  throw fail(
    `the agent’s model ${model} has ${what}`,
    `Give ${ways.join(` ${isEnough} `)}, or set ${ways.length === 1 ? 'it' : 'them'} under Setup.`,
  );
}

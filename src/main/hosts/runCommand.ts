// `interject run`: episodes without a console, or with one when a person is to answer.
import { readFileSync } from 'node:fs';
import { StartEpisode } from '../../shared/contract/areas.ts';
import { hasPerson, type Condition, type VerifierMode } from '../../shared/events/lifecycle.ts';
import { Failure, failureShape, type FailureShape } from '../../shared/failure.ts';
import { isRecord } from '../../shared/json.ts';
import { calibrationOf, statedOutcome, type StatedOutcome } from '../../shared/calibration.ts';
import { countText } from '../../shared/countText.ts';
import { spendingOf, spendingText, sumSpending, type Spending } from '../../shared/episode/spending.ts';
import type { EpisodeRecord } from '../../shared/episode/record.ts';
import { episodeRow } from '../../shared/episode/rows.ts';
import type { RunSpec } from '../episode/runEpisode.ts';
import type { StartedEpisode } from '../episode/supervisor.ts';
import { BUILT_IN } from '../../shared/environmentKinds.ts';
import { checkDrafts, readAnswers, type AnswerLine } from '../desk/scriptedAnswers.ts';
import { createAdviceTally } from './adviceTally.ts';
import { openCommandApp, type CommandApp, type OpenDesk } from './commandApp.ts';
import { confidenceOf } from './confidenceFlags.ts';
import { limitFlags, runBudgetOf, type BudgetOptions } from './budgetFlags.ts';
import { readBaselines } from './briefFlags.ts';
import { environmentFlags, type EnvironmentOptions } from './environmentFlags.ts';
import type { CommandOutput } from './output.ts';
import { checkAgentModel } from './agentModel.ts';
import { askedModels, chosenPolicy, type ModelOptions } from './modelFlags.ts';
import { fromCaller } from './paths.ts';
import { awmFlags } from './serve.ts';
import { checkRunFlags, ignoredRunFlags } from './runChecks.ts';
import { createProgress } from './runProgress.ts';
import { reportEpisode, taskTitle } from './runReport.ts';
import { tellRetries } from './tellRetries.ts';
import { tellStarts } from './tellStarts.ts';
import { chosenTasks, finishedIn, openIn, unlistedTaskNote } from './runTasks.ts';
import { onStop } from './untilStopped.ts';

export type RunOptions = ModelOptions &
  BudgetOptions &
  EnvironmentOptions & {
    confidence?: boolean;
    confidenceBelow?: number;
    confidenceTo?: 'desk' | 'advisor';
    world?: string;
    worldDir?: string;
    env?: string;
    scenario?: string;
    /** Left out where the environment has no tasks to choose from. */
    task?: string;
    /** A file of tasks, and which of its lists. */
    tasks?: string;
    list?: 'train' | 'val';
    /** Names the run; what it finished before is not run again. */
    run?: string;
    /** How often a start is tried again. */
    retries: number;
    episodes: number;
    /** Left out: chat where a flag names the agent's model, else the rehearsal. */
    agent?: 'rehearsal' | 'chat' | 'human';
    protocol: 'native' | 'xml';
    condition: Condition;
    /** An earlier run of the same tasks, of which briefs are written, and which tasks are held out. */
    baselineLog?: string;
    /** A file with the roster of experts. */
    experts?: string;
    split?: string;
    answers?: string;
    deadline?: number;
    fallback?: 'wait' | 'draft' | 'proceed';
    seed: number;
    concurrency: number;
    reset?: string;
    asks?: number;
    blinded?: boolean;
    openKey?: boolean;
    /** False where experts answer without seeing what calls would return. */
    effect: boolean;
    keepSession?: boolean;
    awmData?: string;
    verifierMode?: VerifierMode;
    judgeBaseUrl?: string;
    judgeModel?: string;
    port: number;
    data: string | undefined;
  };

/** Runs the episodes asked for. Resolves with the exit code: 0 when every one ended `done` or `limit`. */
export async function runCommand(options: RunOptions, output: CommandOutput): Promise<number> {
  checkRunFlags(options);
  for (const ignored of ignoredRunFlags(options)) output.say(ignored);
  const answers = options.answers === undefined ? null : readAnswersFile(options.answers);
  checkDrafts(answers ?? [], options.condition, options.answers ?? '');
  const app = await openCommandApp(
    {
      ...options,
      places: options.concurrency,
      awm: awmFlags(options),
      roles: askedModels(chosenPolicy(options), [options.condition]),
    },
    output,
  );
  const unattach = answers === null ? () => undefined : app.attendDesk(answers);
  let desk: OpenDesk | null = null;
  try {
    tellReferenceAdvice(app, options, output);
    const baselines = await readBaselines(app, options, output);
    const starts = (await startInputs(app, options, answers !== null, output)).map((start) => ({
      ...start,
      ...baselines(start),
    }));
    if (needsPerson(options, answers !== null)) desk = await openDesk(app, options, output);
    const withBudget = await runBudgetOf(app, agentOf(app, options), options);
    return await runAll(app, { run: options.run, starts, withBudget }, output, desk);
  } finally {
    unattach();
    await desk?.close();
    await app.close();
  }
}

/** Without a model for the advisor, drafts on the built-in worlds come from who knows the answer: said before anything runs. */
function tellReferenceAdvice(app: CommandApp, options: RunOptions, output: CommandOutput): void {
  const isDrafted = options.condition === 'model' || options.condition === 'human+draft';
  const hasModel =
    app.settings.model('expert') !== null ||
    app.settings.roster().experts.some(({ kind }) => kind === 'model');
  if (!isDrafted || hasModel || options.env !== undefined) return;
  output.say(
    'No model is set for the advisor: a rule that has read the reference solution writes the drafts, unchecked.',
  );
}

const needsPerson = ({ agent, condition, fallback }: RunOptions, hasAnswers: boolean): boolean =>
  agent === 'human' || (hasPerson(condition) && (!hasAnswers || fallback === 'wait'));

async function openDesk(
  app: CommandApp,
  { agent, port }: RunOptions,
  output: CommandOutput,
): Promise<OpenDesk> {
  const desk = await app.openDesk(port);
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

async function startInputs(
  app: CommandApp,
  options: RunOptions,
  hasAnswers: boolean,
  output: CommandOutput,
): Promise<StartEpisode[]> {
  const { environment, scenario } = runPlace(options);
  if (environment !== BUILT_IN)
    app.settings.useConnection(app.environments.find(environment).url, environmentFlags(options));
  const { task, tasks: file, list } = options;
  const choice = { scenario, task, file, list };
  const tasks = await chosenTasks(app, environment, choice);
  const note = await unlistedTaskNote(app, environment, choice);
  if (note !== null) output.say(note);
  if (file !== undefined)
    output.say(
      `Running ${list === undefined ? '' : `the ${list} list of `}${file}: ${countText(tasks.length, 'task')}.`,
    );
  const fallback = options.fallback ?? (hasAnswers ? 'proceed' : 'wait');
  return tasks.map((chosen) =>
    StartEpisode.parse({
      environment,
      ...chosen,
      agent: agentOf(app, options),
      condition: options.condition,
      deadline_ms: options.deadline === undefined ? null : Math.round(options.deadline * 1000),
      fallback,
      seed: options.seed,
      repeats: options.episodes,
      limits: {
        ...limitFlags(options),
        ...(options.asks === undefined ? {} : { consultations: options.asks }),
      },
      ...confidenceOf(options),
      reset: parseReset(options.reset),
      is_blinded: options.blinded === true,
      is_key_open: options.openKey === true,
      ...(options.effect ? {} : { effect: 'not_shown' }),
      keeps_session: options.keepSession === true,
      ...(options.verifierMode === undefined ? {} : { verifier_mode: options.verifierMode }),
      start_retries: options.retries,
      ...(options.run === undefined ? {} : { run: options.run }),
    }),
  );
}

type AgentOptions = ModelOptions & Pick<RunOptions, 'agent' | 'agentProfile' | 'protocol'>;

/** Who acts, by the flags: a script, a model, or a person. */
export function agentOf(app: CommandApp, options: AgentOptions): StartEpisode['agent'] {
  const policy = chosenPolicy(options);
  if (policy === 'chat') checkAgentModel(app.settings);
  const { agentProfile: profile, protocol } = options;
  if (policy === 'rehearsal') return { policy, protocol, model: null };
  const model = app.settings.model('agent')?.model ?? null;
  return { policy, protocol, model, ...(profile === undefined ? {} : { profile }) };
}

/** Which environment the flags name. Throws `bad_input` for none, or two. */
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

/** What the run spent in all; nothing where no model was asked. */
function tellSpending(spent: readonly Spending[], output: CommandOutput): void {
  const total = sumSpending(spent);
  if (total === null) return;
  output.line({ type: 'spent', episodes: spent.length, ...total });
  output.say(`Spent: ${spendingText(total)}`);
}

type RunToDo = {
  run: string | undefined;
  starts: readonly StartEpisode[];
  withBudget: ((spec: RunSpec) => RunSpec) | null;
};

async function runAll(
  app: CommandApp,
  { run, starts, withBudget }: RunToDo,
  output: CommandOutput,
  desk: OpenDesk | null,
): Promise<number> {
  const specs = specsToRun(app, run, starts, output);
  const open = await goOnWithOpen(app, run, specs.all, output);
  let [isStopping, unbegun] = [false, 0];
  const stop = (): void => {
    isStopping = true;
    output.say('Stopping: every episode that is running ends with a complete log.');
    void app.supervisor.close();
  };
  const untell = [onStop(stop, output.gone), tellRetries(app, output), tellStarts(app, output)];
  const progress = createProgress(specs, Date.now, output);
  // Of each episode only this much is kept: a run may have ten thousand.
  const spent: Spending[] = [];
  let [isDone, failure]: [boolean, FailureShape | null] = [true, null];
  const stated: StatedOutcome[] = [];
  const advice = createAdviceTally();
  const ending = specs.all.map(async (spec) => {
    const { id, begun, ended } =
      open.get(spec) ??
      app.supervisor.start(withBudget?.(spec) ?? spec, {
        // The same command goes on with a run that has a name.
        isStartedAgain: run !== undefined,
      });
    if (spec.agent.policy === 'human') output.say(`  ${desk?.linkTo(id) ?? ''}`);
    const record = await ended;
    const { outcome = 'interrupted', reward_type = null } = record.ended ?? {};
    isDone &&= outcome === 'done' || outcome === 'limit';
    failure ??= record.ended?.failure ?? (await begun.then(() => null, failureShape));
    advice.add(record);
    const point = statedOutcome(record);
    if (point !== null) stated.push(point);
    const took = spendingOf(record);
    if (took !== null) spent.push(took);
    const place = progress.ended(outcome, reward_type === 'complete');
    if (isStopping && record.n === 0) unbegun += 1;
    reportEpisode(record, output, place, isStopping ? 'stopped' : 'budget');
  });
  await Promise.all(ending).finally(() => {
    for (const undo of untell) undo();
  });
  if (unbegun > 0) output.say(`Not started, as the run was stopped: ${countText(unbegun, 'episode')}.`);
  advice.tell(output);
  reportCalibration(stated, output);
  tellSpending(spent, output);
  if (failure !== null) output.line({ type: 'error', ...failureLine(failure) });
  return isDone && !isStopping ? 0 : 1;
}

const failureLine = ({ code, message, next }: FailureShape): FailureShape => ({ code, message, next });

/** Episodes of the run that are open, of a program that was killed or in an Interject that has them: they are its own. */
async function goOnWithOpen(
  app: CommandApp,
  run: string | undefined,
  specs: readonly RunSpec[],
  output: CommandOutput,
): Promise<ReadonlyMap<RunSpec, StartedEpisode>> {
  const open = new Map<RunSpec, StartedEpisode>();
  if (run === undefined) return open;
  const openOf = openIn(app, run);
  for (const spec of specs) {
    const id = openOf(spec);
    const adopted = id === null ? null : await app.adopt(id);
    if (adopted !== null) open.set(spec, adopted);
    else if (id !== null) output.say(leftText(app.log.record(id)));
  }
  if (open.size > 0)
    output.say(
      `Going on with ${countText(open.size, 'episode')} of run ${run} that ${open.size === 1 ? 'was' : 'were'} open.`,
    );
  return open;
}

/** What became of one that cannot go on without a person. */
function leftText(record: EpisodeRecord): string {
  const row = episodeRow(record);
  const title = row === null ? record.id : taskTitle(row);
  return `${title}: ${record.ended?.reason ?? 'the episode cannot go on'}; it ended as interrupted, and is started anew.`;
}

type SpecsToRun = { all: RunSpec[]; total: number; skipped: number };

function specsToRun(
  app: CommandApp,
  run: string | undefined,
  starts: readonly StartEpisode[],
  output: CommandOutput,
): SpecsToRun {
  const asked = starts.flatMap((start) => app.runSpecs(start));
  const isFinished = run === undefined ? () => false : finishedIn(app, run);
  const all = asked.filter((spec) => !isFinished(spec));
  const skipped = asked.length - all.length;
  if (skipped > 0)
    output.say(
      `${String(skipped)} of ${String(asked.length)} episodes of run ${run ?? ''} are over already.`,
    );
  return { all, total: all.length, skipped };
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

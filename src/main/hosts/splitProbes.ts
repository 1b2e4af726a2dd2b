// The episodes that tell `interject bench split` of a task. They stand in the log as probes, under runs of their own, so that a
// command that was stopped goes on where it was.
import { StartEpisode } from '../../shared/contract/areas.ts';
import { type EpisodeRecord, type TaskAddress, taskLabel, taskRef } from '../../shared/episode/record.ts';
import { isFinished } from '../../shared/episode/phase.ts';
import type { Probe } from '../../shared/events/lifecycle.ts';
import { Failure, type FailureShape } from '../../shared/failure.ts';
import { outcomeTextOf } from '../../shared/taskOutcome.ts';
import { normalizeScenario } from '../../shared/wire.ts';
import {
  causeOf,
  type DroppedTask,
  type ProbedTask,
  type SplitRequest,
  type StatedDifficulty,
} from '../dataset/split/makeManifest.ts';
import type { CommandOutput } from './output.ts';
import { playRun, readRecord } from './playRun.ts';
import type { Product } from './product.ts';
import { createProgress } from './runReport.ts';
import type { ListedTask } from '../../shared/split.ts';
import { uniqueTasks } from '../../shared/splitFaults.ts';
import { createAwmData, type AwmData } from '../environments/awmData.ts';
import { fromCaller } from './paths.ts';
import { runPlace, START_RETRIES } from './runCommand.ts';
import { chosenTasks } from './runTasks.ts';

type Probing = { environment: string; seed: number; concurrency: number };
type Results = Map<string, EpisodeRecord[]>;

/** Drops the tasks that a verifier passes, or breaks on, where nothing was done. */
export async function probeUntouched(
  product: Product,
  { candidates, dropped: before }: Candidates,
  { name, ...probing }: Probing & { name: string },
  output: CommandOutput,
): Promise<{ kept: Candidate[]; dropped: Candidates['dropped'] }> {
  const agent = { policy: 'rehearsal', protocol: 'native', model: null } as const;
  const asked = { ...probing, probe: 'no_op', run: `split ${name}: untouched`, agent, rollouts: 1 } as const;
  const results = await playProbes(product, { ...asked, tasks: candidates }, output);
  const failure = commonFailure(candidates, results);
  if (failure !== null)
    throw new Failure('reset_failed', `no task could be reset: ${failure.message}`, {
      next: failure.next ?? 'Look at the environment’s log.',
    });
  const judged = candidates.map((task) => {
    const record = results.get(taskKey(task))?.at(-1);
    return { task, cause: record === undefined ? ('not_reset' as const) : causeOf(record) };
  });
  const dropped = judged.flatMap(({ task: { scenario, task_idx }, cause }) =>
    cause === null ? [] : [{ scenario, task_idx, cause }],
  );
  return {
    kept: judged.flatMap(({ task, cause }) => (cause === null ? [task] : [])),
    dropped: [...before, ...dropped],
  };
}

type ZeroShot = Probing & { run: string; agent: StartEpisode['agent']; rollouts: number };

/** The agent's completion rate on each task. */
export async function probeZeroShot(
  product: Product,
  tasks: readonly Candidate[],
  probing: ZeroShot,
  output: CommandOutput,
): Promise<ProbedTask[]> {
  const { rollouts, seed: first } = probing;
  if (rollouts === 0) return tasks.map((task) => ({ ...task, rollouts: 0, completed: 0 }));
  const results = await playProbes(product, { ...probing, probe: 'zero_shot', tasks }, output);
  const failure = commonFailure(tasks, results);
  if (failure !== null)
    throw new Failure(failure.code, `no rollout came through: ${failure.message}`, {
      next: failure.next ?? '',
    });
  return tasks.map((task) => {
    // As many as were asked for now: the run may have more from before.
    const records = (results.get(taskKey(task)) ?? []).filter(({ started, ended }) => {
      const seed = started?.seed ?? Number.NaN;
      return ended?.outcome !== 'error' && seed >= first && seed < first + rollouts;
    });
    const completed = records.filter(({ ended }) => ended?.reward_type === 'complete').length;
    return { ...task, rollouts: records.length, completed };
  });
}

type ProbeRequest = ZeroShot & { probe: Probe; tasks: readonly TaskAddress[] };

/** Plays what the run has not finished yet, and reads what there is then. Throws `cancelled` where a signal stopped it. */
async function playProbes(
  product: Product,
  { probe, run, environment, agent, tasks, rollouts, seed, concurrency }: ProbeRequest,
  output: CommandOutput,
): Promise<Results> {
  const starts = tasks.flatMap(({ scenario, task_idx }) =>
    Array.from({ length: rollouts }, (_, repeat) =>
      StartEpisode.parse({
        environment,
        scenario,
        task_idx,
        agent,
        condition: 'none',
        deadline_ms: null,
        fallback: 'proceed',
        seed: seed + repeat,
        repeats: 1,
        limits: {},
        reset: {},
        start_retries: START_RETRIES,
        run,
        // A verdict of code can be had again; that of a model need not come out the same.
        ...(probe === 'no_op' ? { verifier_mode: 'code' } : {}),
      }),
    ),
  );
  if (starts.length === 0) return new Map();
  const begun = await product.call('run.start', { starts, concurrency, probe });
  const what = probe === 'no_op' ? 'Untouched' : 'Zero-shot';
  const { planned, over } = begun;
  if (over > 0) output.say(`${what}: ${String(over)} of ${String(starts.length)} probes are over already.`);
  const progress = createProgress({ total: planned, skipped: over }, Date.now, output);
  const ended = (record: EpisodeRecord): void => {
    const { outcome = 'interrupted', reward_type: label = null, failure = null } = record.ended ?? {};
    // What a signal cut off is played again by the same command: it has nothing to tell yet.
    if (!isFinished(outcome) && failure === null) return;
    const at = progress.ended(outcome, label === 'complete');
    output.say(`[${at}] ${what}, ${taskLabel(taskRef(record))}: ${failure?.message ?? outcomeTextOf(label)}`);
  };
  const stopping = 'Stopping: the same command goes on from here.';
  const { isStopped } = await playRun(product, begun.run, { stopping, ended }, output);
  if (isStopped) throw new Failure('cancelled', 'the split was stopped', { next: 'Run it again to go on.' });
  return readResults(product, run);
}

const taskKey = ({ scenario, task_idx }: TaskAddress): string =>
  JSON.stringify([normalizeScenario(scenario ?? ''), task_idx]);

const PAGE = 200;

/** Each seed of a task once: the last episode of it in the run. */
async function readResults(product: Product, run: string): Promise<Results> {
  const found = new Map<string, Map<number, EpisodeRecord>>();
  const order = { by: 'started_at', is_ascending: true } as const;
  const asked = { query: '', status: 'ended', condition: null, filter: { run }, order } as const;
  for (let offset = 0; ; offset += PAGE) {
    const { rows } = await product.call('episodes.page', { ...asked, offset, limit: PAGE });
    for (const { id } of rows) {
      const record = await readRecord(product, id);
      const key = taskKey(taskRef(record));
      const seeds = found.get(key) ?? new Map<number, EpisodeRecord>();
      seeds.set(record.started?.seed ?? 0, record);
      found.set(key, seeds);
    }
    if (rows.length < PAGE) break;
  }
  return new Map([...found].map(([key, seeds]) => [key, [...seeds.values()]]));
}

/** The failure if nothing at all came through; else null. */
function commonFailure(tasks: readonly TaskAddress[], results: Results): FailureShape | null {
  const records = tasks.flatMap((task) => results.get(taskKey(task)) ?? []);
  const isAllFailed = records.length > 0 && records.every(({ ended }) => ended?.outcome === 'error');
  return isAllFailed ? (records[0]?.ended?.failure ?? null) : null;
}

export type Candidate = { scenario: string; task_idx: number; stated: StatedDifficulty };
type Candidates = {
  candidates: Candidate[];
  dropped: DroppedTask[];
  data: SplitRequest['data'];
};

const AWM_SOURCE = {
  repo: 'Snowflake/AgentWorldModel-1K',
  verifierFile: 'gen_verifier.pure_code.jsonl',
};

/** Throws `bad_input` or `unknown_scenario` where the flags name no tasks. */
export async function candidatesOf(
  product: Product,
  environment: string,
  options: Parameters<typeof runPlace>[0] & { task?: string; awmData?: string },
): Promise<Candidates> {
  const { scenario: world } = runPlace(options);
  const choice = {
    scenario: world ?? 'all',
    task: options.task ?? 'all',
    file: undefined,
    list: undefined,
  };
  const chosen = await chosenTasks(product, environment, choice);
  const listed = chosen.flatMap(({ scenario, task_idx }): ListedTask[] =>
    scenario === null || task_idx === null ? [] : [[scenario, task_idx]],
  );
  // Of a server, the place was the scenarios; of the built-in worlds, --scenario narrows them.
  const wanted = options.world === undefined ? undefined : options.scenario;
  const named = uniqueTasks(onlyScenarios(listed, wanted)).map(([scenario, task_idx]) => ({
    scenario,
    task_idx,
  }));
  if (named.length === 0)
    throw new Failure('bad_input', 'this environment has no numbered tasks, so there is nothing to split');
  const stated = await statedDifficulties(product, environment, new Set(named.map((one) => one.scenario)));
  const candidates = named.map((one) => ({ ...one, stated: stated(one.scenario, one.task_idx) }));
  if (options.awmData === undefined) return { candidates, dropped: [], data: null };
  const data = createAwmData(fromCaller(options.awmData));
  return { ...(await byCode(data, candidates)), data: AWM_SOURCE };
}

/** Those of the scenarios that were named with commas between, else all. Throws `bad_input` for one that is not there. */
function onlyScenarios(tasks: readonly ListedTask[], names: string | undefined): ListedTask[] {
  if (names === undefined || names === 'all') return [...tasks];
  const there = new Map(tasks.map(([scenario]) => [normalizeScenario(scenario), scenario]));
  const wanted = names.split(',').map((name) => name.trim());
  const missing = wanted.find((name) => !there.has(normalizeScenario(name)));
  if (missing !== undefined) {
    throw new Failure('bad_input', `there is no scenario ${missing} among those to split`, {
      next: `There are: ${firstOf([...there.values()])}.`,
    });
  }
  const kept = new Set(wanted.map(normalizeScenario));
  return tasks.filter(([scenario]) => kept.has(normalizeScenario(scenario)));
}

const NAMED_MAX = 20;
const firstOf = (names: readonly string[]): string =>
  names.length <= NAMED_MAX
    ? names.join(', ')
    : `${names.slice(0, NAMED_MAX).join(', ')} and ${String(names.length - NAMED_MAX)} more`;

async function byCode(
  data: AwmData,
  all: readonly Candidate[],
): Promise<Pick<Candidates, 'candidates' | 'dropped'>> {
  const forms = await Promise.all(
    all.map(async (task) => ({ task, forms: await data.find(task.scenario, task.task_idx) })),
  );
  const isByCode = ({ forms: found }: (typeof forms)[number]): boolean =>
    found.some(({ form }) => form === 'code');
  return {
    candidates: forms.filter(isByCode).map(({ task }) => task),
    dropped: forms
      .filter((one) => !isByCode(one))
      .map(({ task: { scenario, task_idx }, forms: found }) => ({
        scenario,
        task_idx,
        cause: found.length === 0 ? 'no_verifier' : 'judged_by_model',
      })),
  };
}

async function statedDifficulties(product: Product, environment: string, scenarios: ReadonlySet<string>) {
  const known = new Map<string, StatedDifficulty>();
  const key = (scenario: string, index: number): string => `${normalizeScenario(scenario)}\n${String(index)}`;
  for (const scenario of scenarios) {
    const { tasks } = await product.call('tasks.list', { environment, scenario });
    for (const { task_idx, difficulty } of tasks) known.set(key(scenario, task_idx), difficulty);
  }
  return (scenario: string, index: number): StatedDifficulty => known.get(key(scenario, index)) ?? null;
}

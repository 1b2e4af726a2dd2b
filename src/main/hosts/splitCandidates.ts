// The tasks `interject bench split` looks at: those the flags name, and of these the ones that data says code verifies.
import type { ListedTask } from '../../shared/split.ts';
import { uniqueTasks } from '../../shared/splitFaults.ts';
import { normalizeScenario } from '../../shared/wire.ts';
import type { StatedDifficulty } from '../dataset/split/probed.ts';
import type { DroppedTask, SplitRequest } from '../dataset/split/makeManifest.ts';
import { type AwmData, createAwmData } from '../environments/awmData.ts';
import { fromCaller } from './paths.ts';
import type { Product } from './product.ts';
import { runPlace } from './runCommand.ts';
import { chosenTasks } from './runTasks.ts';
import { Failure } from '../../shared/failure.ts';

export type Candidate = { scenario: string; task_idx: number; stated: StatedDifficulty };
export type Candidates = {
  candidates: Candidate[];
  dropped: DroppedTask[];
  data: SplitRequest['data'];
};

type CandidateOptions = Parameters<typeof runPlace>[0] & { task?: string; awmData?: string };

const AWM_SOURCE = {
  repo: 'Snowflake/AgentWorldModel-1K',
  verifierFile: 'gen_verifier.pure_code.jsonl',
};

/** Throws `bad_input` or `unknown_scenario` where the flags name no tasks. */
export async function candidatesOf(
  product: Product,
  environment: string,
  options: CandidateOptions,
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

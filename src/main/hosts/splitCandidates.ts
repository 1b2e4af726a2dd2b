// The tasks `interject split` looks at: those the flags name, and of these the ones that data says code verifies.
import { normalizeScenario } from '../../shared/wire.ts';
import type { App } from '../app/types.ts';
import type { StatedDifficulty } from '../dataset/split/probed.ts';
import type { DroppedTask, SplitRequest } from '../dataset/split/makeManifest.ts';
import { createAwmData, type AwmData } from '../verifier/awmData.ts';
import type { CommandOutput } from './output.ts';
import { fromCaller } from './paths.ts';
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

const CALLER = { seat: 'cli' };
export const AWM_SOURCE = {
  repo: 'Snowflake/AgentWorldModel-1K',
  verifierFile: 'gen_verifier.pure_code.jsonl',
};

/** Throws `bad_input` or `unknown_scenario` where the flags name no tasks. */
export async function candidatesOf(
  app: App,
  environment: string,
  options: CandidateOptions,
  output: CommandOutput,
): Promise<Candidates> {
  const { scenario } = runPlace(options, { ...output, say: () => undefined });
  const choice = {
    scenario: scenario ?? 'all',
    task: options.task ?? 'all',
    file: undefined,
    list: undefined,
  };
  const chosen = await chosenTasks(app, environment, choice);
  const named = chosen.flatMap(({ scenario: name, task_idx }) =>
    name === null || task_idx === null ? [] : [{ scenario: name, task_idx }],
  );
  if (named.length === 0)
    throw new Failure('bad_input', 'this environment has no numbered tasks, so there is nothing to split');
  const stated = await statedDifficulties(app, environment, new Set(named.map((one) => one.scenario)));
  const candidates = named.map((one) => ({ ...one, stated: stated(one.scenario, one.task_idx) }));
  if (options.awmData === undefined) return { candidates, dropped: [], data: null };
  const data = createAwmData(fromCaller(options.awmData));
  return { ...(await byCode(data, candidates)), data: AWM_SOURCE };
}

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

async function statedDifficulties(app: App, environment: string, scenarios: ReadonlySet<string>) {
  const known = new Map<string, StatedDifficulty>();
  const key = (scenario: string, index: number): string => `${normalizeScenario(scenario)}\n${String(index)}`;
  for (const scenario of scenarios) {
    const { tasks } = await app.environments.handlers['tasks.list']({ environment, scenario }, CALLER);
    for (const { task_idx, difficulty } of tasks) known.set(key(scenario, task_idx), difficulty);
  }
  return (scenario: string, index: number): StatedDifficulty => known.get(key(scenario, index)) ?? null;
}

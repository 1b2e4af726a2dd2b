// An environment at a glance: its tasks by difficulty as it lists them, and what the log shows of its tools and of what
// agents completed without help.
import type { Handlers, Outputs } from '../../shared/contract/contract.ts';
import type { EpisodeRow } from '../../shared/episode/rowShapes.ts';
import type { ScenarioOverview } from '../../shared/environmentOverview.ts';
import { environmentKey } from '../../shared/environmentKinds.ts';
import type { EpisodeRecord } from '../../shared/episode/record.ts';
import { failureShape } from '../../shared/failure.ts';
import { isToolError, normalizeScenario } from '../../shared/wire.ts';
import type { EnvironmentOf } from '../environments/port.ts';
import type { EventLog } from '../log/eventLog.ts';
import { exclusionOf } from './benchObserve.ts';
import type { EnvironmentCatalog } from './environments.ts';

type OverviewDependencies = {
  log: EventLog;
  environmentOf: EnvironmentOf;
  environments: Pick<EnvironmentCatalog, 'find'>;
};
type Overview = Outputs['environments.overview'];

/** Newest first: older ones are counted, and not read. */
const EPISODES_READ = 300;
/** Folding a record holds the loop: others get their turn after so many. */
const RECORDS_AT_ONCE = 20;
/** Of more scenarios than this the difficulty of tasks is not asked for. */
const LEVELS_ASKED = 60;

export function environmentOverviewCommands({
  log,
  environmentOf,
  environments,
}: OverviewDependencies): Pick<Handlers, 'environments.overview'> {
  return {
    'environments.overview': async ({ id }) => {
      const spec = environments.find(id);
      const played = await playedIn(log, environmentKey(spec));
      let failure: Overview['failure'] = null;
      const listed = await listedBy(environmentOf(spec)).catch((thrown: unknown) => {
        failure = failureShape(thrown);
        return [];
      });
      return {
        scenarios: scenariosOf(listed, played.scenarios),
        tools: [...played.tools].map(([name, counts]) => ({ name, ...counts })).toSorted(byCalls),
        episodes: played.episodes,
        tasks: [...played.tasks.values()],
        failure,
      };
    },
  };
}

const byCalls = (a: Overview['tools'][number], b: Overview['tools'][number]): number =>
  b.calls - a.calls || (a.name < b.name ? -1 : 1);

type Listed = Pick<ScenarioOverview, 'name' | 'tasks' | 'difficulty'>;

async function listedBy(environment: ReturnType<EnvironmentOf>): Promise<Listed[]> {
  const scenarios = await environment.scenarios();
  if (scenarios.length > LEVELS_ASKED)
    return scenarios.map(({ name, tasks }) => ({
      name,
      tasks: tasks.length,
      difficulty: { unknown: tasks.length },
    }));
  return Promise.all(
    scenarios.map(async ({ name }) => {
      const tasks = await environment.tasks(name);
      const levels = Map.groupBy(tasks, ({ difficulty }) => difficulty ?? ('unknown' as const));
      const difficulty = Object.fromEntries([...levels].map(([level, list]) => [level, list.length]));
      return { name, tasks: tasks.length, difficulty };
    }),
  );
}

type PlayedScenario = {
  name: string;
  tools: number | null;
  tasks: Set<number>;
  runs: number;
  completed: number;
};
type Played = {
  scenarios: Map<string, PlayedScenario>;
  tools: Map<string, { calls: number; failed: number }>;
  episodes: Overview['episodes'];
  /** By their key. */
  tasks: Map<string, Overview['tasks'][number]>;
};

async function playedIn(log: EventLog, environment: string): Promise<Played> {
  const page = { query: '', status: 'ended', condition: null, filter: { environment }, offset: 0 } as const;
  const { rows, total } = log.projections.episodes({ ...page, limit: EPISODES_READ });
  const played: Played = {
    scenarios: new Map(),
    tools: new Map(),
    episodes: { read: rows.length, total },
    tasks: new Map(),
  };
  for (const [at, row] of rows.entries()) {
    takeEpisode(played, row, log.record(row.id));
    if (at % RECORDS_AT_ONCE === RECORDS_AT_ONCE - 1) await new Promise<void>((go) => setImmediate(go));
  }
  return played;
}

function takeEpisode({ scenarios, tools, tasks }: Played, row: EpisodeRow, record: EpisodeRecord): void {
  for (const { call, isCopied } of record.turns) {
    const { sent = null, returned = null } = call ?? {};
    if (sent === null || isCopied) continue;
    const counts = tools.get(sent.toolName) ?? { calls: 0, failed: 0 };
    const hasFailed = returned !== null && isToolError(returned.error, returned.reward_type);
    tools.set(sent.toolName, { calls: counts.calls + 1, failed: counts.failed + Number(hasFailed) });
  }
  if (row.scenario === null) return;
  const key = normalizeScenario(row.scenario);
  const known = scenarios.get(key);
  const scenario = known ?? { name: key, tools: null, tasks: new Set<number>(), runs: 0, completed: 0 };
  scenarios.set(key, scenario);
  scenario.tools ??= record.tools.length === 0 ? null : record.tools.length;
  if (row.task_idx !== null) scenario.tasks.add(row.task_idx);
  const verdict = soloVerdict(row, record);
  if (verdict === null) return;
  scenario.runs += 1;
  scenario.completed += Number(verdict === 'complete');
  const { environment_key, task_idx } = row;
  const task = {
    ...(environment_key === undefined ? {} : { environment_key }),
    scenario: row.scenario,
    task_idx,
  };
  tasks.set(JSON.stringify(task), task);
}

/** The verifier's word on an agent that nobody could help; null where there was help, or no word. */
function soloVerdict({ condition, probe, lift_arm: lift }: EpisodeRow, record: EpisodeRecord): string | null {
  if (condition !== 'none' || probe !== undefined || lift !== undefined) return null;
  const verdict = record.ended?.reward_type ?? record.verified?.reward_type ?? null;
  return exclusionOf(record, verdict) === null ? verdict : null;
}

/** Played ones first: of many scenarios those are looked for. What the environment does not list is known by its runs. */
function scenariosOf(
  listed: readonly Listed[],
  played: ReadonlyMap<string, PlayedScenario>,
): ScenarioOverview[] {
  const names = new Set(listed.map(({ name }) => normalizeScenario(name)));
  const unlisted = [...played]
    .filter(([key]) => !names.has(key))
    .map(([, { name, tasks }]) => ({ name, tasks: tasks.size, difficulty: { unknown: tasks.size } }));
  const all = [...listed, ...unlisted].map((one): ScenarioOverview => {
    const runs = played.get(normalizeScenario(one.name));
    return {
      ...one,
      tools: runs?.tools ?? null,
      verifier: null,
      train: null,
      held_out: null,
      solo_runs: runs?.runs ?? 0,
      solo_completed: runs?.completed ?? 0,
    };
  });
  const isPlayed = ({ name }: ScenarioOverview): boolean => played.has(normalizeScenario(name));
  return all.toSorted((a, b) => Number(isPlayed(b)) - Number(isPlayed(a)));
}

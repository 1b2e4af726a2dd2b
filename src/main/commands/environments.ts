// Owns: which environments there are, and what each offers. Built-in worlds answer from memory, servers are asked.
import type { Handlers } from '../../shared/contract/contract.ts';
import type { EnvironmentSpec } from '../../shared/events/lifecycle.ts';
import { Failure } from '../../shared/failure.ts';
import { normalizeScenario } from '../../shared/wire.ts';
import { listScenarios, serverName, type Scenario } from '../openenv/catalog.ts';
import type { Settings } from '../settings/settings.ts';
import type { Worlds } from '../worlds/worlds.ts';

export const BUILTIN = 'builtin';

type Parts = { settings: Settings; worlds: Worlds; builtinUrl: string };
type EnvironmentHandlers = Pick<
  Handlers,
  | 'environments.list'
  | 'environments.add'
  | 'environments.remove'
  | 'environments.check'
  | 'scenarios.search'
  | 'tasks.list'
>;

export type Environments = { find: (id: string) => EnvironmentSpec; handlers: EnvironmentHandlers };

export function createEnvironments({ settings, worlds, builtinUrl }: Parts): Environments {
  const builtin: EnvironmentSpec = { id: BUILTIN, name: 'Built-in worlds', url: builtinUrl, builtin: true };
  const all = (): EnvironmentSpec[] => [builtin, ...settings.environments()];
  const find = (id: string): EnvironmentSpec => {
    const known = all().find((one) => one.id === id);
    if (known !== undefined) return known;
    if (/^(https?|wss?):\/\//.test(id)) return { id, name: new URL(id).host, url: id, builtin: false };
    throw new Failure('not_found', `there is no environment "${id}"`, {
      next: 'Choose one of the list, or add it under Settings.',
    });
  };
  const scenariosOf = createScenarioCache();

  return {
    find,
    handlers: {
      'environments.list': async () => ({ environments: all() }),
      'environments.add': async ({ name, url }) => settings.addEnvironment(name, url),
      'environments.remove': async ({ id }) => {
        settings.removeEnvironment(id);
        return {};
      },
      'environments.check': async ({ url }) => {
        const startedAt = performance.now();
        const scenarios = await listScenarios(url);
        const count = scenarios.length === 0 ? null : scenarios.length;
        return { name: await serverName(url), scenarios: count, latency_ms: performance.now() - startedAt };
      },
      'scenarios.search': async ({ environment, query, offset, limit }) => {
        const at = find(environment);
        const listed = at.builtin ? builtinScenarios(worlds) : await scenariosOf(at.url);
        const matching = listed.filter((scenario) => matches(scenario, query));
        const page = matching.slice(offset, offset + limit);
        return {
          total: matching.length,
          scenarios: page.map(({ name, description, tasks }) => ({ name, description, tasks: tasks.length })),
        };
      },
      'tasks.list': async ({ environment, scenario }) => {
        const at = find(environment);
        return {
          tasks: at.builtin ? builtinTasks(worlds, scenario) : tasksOf(await scenariosOf(at.url), scenario),
        };
      },
    },
  };
}

/** A server's list may hold a thousand scenarios: asked once a minute at most. */
function createScenarioCache(): (url: string) => Promise<Scenario[]> {
  const KEPT_MS = 60_000;
  const kept = new Map<string, { at: number; scenarios: Promise<Scenario[]> }>();
  return (url) => {
    const known = kept.get(url);
    if (known !== undefined && performance.now() - known.at < KEPT_MS) return known.scenarios;
    const scenarios = listScenarios(url);
    kept.set(url, { at: performance.now(), scenarios });
    scenarios.catch(() => kept.delete(url));
    return scenarios;
  };
}

const builtinScenarios = (worlds: Worlds): Scenario[] =>
  worlds.packs().map(({ name, description }) => ({
    name,
    description,
    tasks: worlds.tasks(name).map(({ task }) => task),
  }));

const builtinTasks = (worlds: Worlds, scenario: string) =>
  worlds
    .tasks(scenario)
    .map(({ task_idx, task, difficulty, is_ambiguous }) => ({ task_idx, task, difficulty, is_ambiguous }));

function matches({ name, description, tasks }: Scenario, query: string): boolean {
  const haystack = [name, description, ...tasks].join('\n').toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => haystack.includes(word));
}

function tasksOf(scenarios: readonly Scenario[], name: string) {
  const wanted = normalizeScenario(name);
  const found = scenarios.find((scenario) => normalizeScenario(scenario.name) === wanted);
  return (found?.tasks ?? []).map((task, index) => ({
    task_idx: index,
    task,
    difficulty: null,
    is_ambiguous: false,
  }));
}

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

export type Environments = {
  all: () => EnvironmentSpec[];
  find: (id: string) => EnvironmentSpec;
  /** The environment at an address; one that is not in the list yet is added under its host's name. */
  addressed: (url: string) => EnvironmentSpec;
  /** Hears that the list is not what it was; returns its undo. */
  onChanged: (listener: () => void) => () => void;
  handlers: EnvironmentHandlers;
};

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

  const news = createNews();

  return {
    all,
    find,
    addressed: (url) => {
      const address = url.trim().replace(/\/+$/, '');
      const known = settings.environments().find((one) => one.url === address);
      if (known !== undefined) return known;
      const added = settings.addEnvironment(new URL(address).host, address);
      news.tell();
      return added;
    },
    onChanged: news.listen,
    handlers: {
      'environments.list': async () => ({ environments: all() }),
      'environments.add': async ({ name, url }) => {
        const added = settings.addEnvironment(name, url);
        news.tell();
        return added;
      },
      'environments.remove': async ({ id }) => {
        settings.removeEnvironment(id);
        news.tell();
        return {};
      },
      'environments.check': async ({ url }) => {
        const startedAt = performance.now();
        const scenarios = await listScenarios(url);
        const count = scenarios.length === 0 ? null : scenarios.length;
        return { name: await serverName(url), scenarios: count, latency_ms: performance.now() - startedAt };
      },
      ...scenarioHandlers(find, worlds),
    },
  };
}

function scenarioHandlers(
  find: Environments['find'],
  worlds: Worlds,
): Pick<EnvironmentHandlers, 'scenarios.search' | 'tasks.list'> {
  const scenariosOf = createScenarioCache();
  return {
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
  };
}

function createNews() {
  const listeners = new Set<() => void>();
  return {
    tell: (): void => {
      for (const tell of listeners) tell();
    },
    listen: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
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

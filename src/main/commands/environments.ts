// Lists the environments and what each offers. Built-in worlds answer from memory, servers are asked.
import type { Handlers } from '../../shared/contract/contract.ts';
import { BUILT_IN, builtInSpec, serverSpec } from '../../shared/environmentKinds.ts';
import type { EnvironmentSpec } from '../../shared/events/lifecycle.ts';
import { Failure } from '../../shared/failure.ts';
import { shownAddress } from '../../shared/redact/address.ts';
import { readAddress } from '../openenv/address.ts';
import { fetchScenarios } from '../openenv/catalog.ts';
import { describeServer } from '../openenv/serverDescription.ts';
import { typedAddress } from '../settings/environments.ts';
import type { EnvironmentOf, Environment } from '../environments/port.ts';
import type { SettingsStore } from '../settings/settings.ts';
import type { Requests } from './console.ts';
import { AUDIT_CHECKS, auditEnvironment, type AuditCheck } from '../environments/audit.ts';
import type { EnvironmentSettings } from '../../shared/contract/environments.ts';
import { readAuthorities } from '../openenv/authorities.ts';

type Dependencies = {
  settings: SettingsStore;
  environmentOf: EnvironmentOf;
  worldsUrl: string;
  requests: Requests;
  clock: () => number;
};
type EnvironmentHandlers = Pick<
  Handlers,
  | 'environments.list'
  | 'environments.add'
  | 'environments.remove'
  | 'environments.check'
  | 'environments.audit'
  | 'environments.audit_progress'
  | 'scenarios.list'
  | 'tasks.list'
>;

export type EnvironmentCatalog = {
  all: () => EnvironmentSpec[];
  find: (id: string) => EnvironmentSpec;
  /** The environment at an address; one that is not in the list yet is added under its host's name. */
  addressed: (url: string) => EnvironmentSpec;
  /** Says that the list is not what it was. */
  changed: () => void;
  /** Hears that; returns its undo. */
  onChanged: (listener: () => void) => () => void;
  handlers: EnvironmentHandlers;
};

export function createEnvironments({
  settings,
  environmentOf,
  worldsUrl,
  requests,
  clock,
}: Dependencies): EnvironmentCatalog {
  const all = (): EnvironmentSpec[] => [builtInSpec(worldsUrl), ...settings.environments()];
  const find = (id: string): EnvironmentSpec => {
    const known = all().find((one) => one.id === id) ?? environmentNamed(settings.environments(), id);
    if (known !== null) return known;
    if (/^(https?|wss?):\/\//.test(id) && URL.canParse(id)) {
      const url = settings.useAddress(id);
      return settings.environments().find((one) => one.url === url) ?? serverSpec(url, new URL(id).host, url);
    }
    throw new Failure('not_found', `there is no environment "${shownAddress(id)}"`, {
      next: nextForUnknown(all()),
    });
  };

  const news = createCatalogNews();

  return {
    all,
    find,
    addressed: (url) => {
      const address = typedAddress(url);
      const shown = settings.keepAddress(address);
      const known = settings.environments().find((one) => one.url === shown);
      if (known !== undefined) {
        if (shown !== address) news.tell();
        return known;
      }
      const added = settings.addEnvironment(new URL(address).host, address);
      news.tell();
      return added;
    },
    changed: news.tell,
    onChanged: news.listen,
    handlers: {
      'environments.list': async () => ({ environments: all() }),
      'environments.add': async ({ name, url }) => {
        checkName(all(), name, shownAddress(typedAddress(url)));
        const added = settings.addEnvironment(name, url);
        news.tell();
        return added;
      },
      'environments.remove': async ({ id }) => {
        settings.removeEnvironment(id);
        news.tell();
        return {};
      },
      ...checkHandler(settings),
      ...auditHandlers(
        requests,
        (id) => environmentOf(find(id)),
        (id, proof) => noteIsolation(settings, find(id).id, proof === null ? null : { at: clock(), proof }),
      ),
      ...scenarioHandlers(find, environmentOf),
    },
  };
}

/** Stores what an audit saw of its sessions, but nothing for built-in ones. */
function noteIsolation(
  settings: SettingsStore,
  id: string,
  isolated: { at: number; proof: string } | null,
): void {
  if (settings.environments().some((one) => one.id === id)) settings.changeEnvironment(id, { isolated });
}

const checkHandler = (settings: SettingsStore): Pick<EnvironmentHandlers, 'environments.check'> => ({
  'environments.check': async ({ url }) => {
    const startedAt = performance.now();
    const typed = settings.workingAddress(typedAddress(url));
    const address = readAddress(typed, settings.connectionOf(shownAddress(typed)));
    const scenarios = await fetchScenarios(address);
    const count = scenarios.length === 0 ? null : scenarios.length;
    return {
      name: (await describeServer(address)).name,
      scenarios: count,
      latency_ms: performance.now() - startedAt,
    };
  },
});

/** Null where none has the name. Throws `bad_input` where several have it. */
function environmentNamed(added: readonly EnvironmentSpec[], name: string): EnvironmentSpec | null {
  const named = added.filter((one) => one.name === name);
  if (named.length < 2) return named[0] ?? null;
  throw new Failure('bad_input', `${String(named.length)} environments are called "${name}"`, {
    next: `Say which by its address: ${named.map(({ url }) => shownAddress(url)).join(', ')}.`,
  });
}

const nextForUnknown = (known: readonly EnvironmentSpec[]): string =>
  `Write an address like http://127.0.0.1:8899, or one of these: ${known.map(({ id, name }) => (id === BUILT_IN ? id : name)).join(', ')}.`;

/** Episodes, exports and commands know an environment by its name. Throws `bad_input`. */
function checkName(known: readonly EnvironmentSpec[], name: string, url: string): void {
  const other = known.find((one) => one.name === name && one.url !== url);
  if (other === undefined) return;
  throw new Failure('bad_input', `“${name}” is the name of another environment: ${other.url}`, {
    next: 'Give this one another name.',
  });
}

const scenarioHandlers = (find: EnvironmentCatalog['find'], environmentOf: EnvironmentOf) =>
  ({
    'scenarios.list': async ({ environment, is_fresh }) => ({
      scenarios: await environmentOf(find(environment)).scenarios(is_fresh),
    }),
    'tasks.list': async ({ environment, scenario }) => ({
      tasks: await environmentOf(find(environment)).tasks(scenario),
    }),
  }) satisfies Partial<Handlers>;

function createCatalogNews() {
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

/** Longer than the slowest reset that servers are known for. */
const AUDIT_MS = 10 * 60_000;

type AuditHandlers = Pick<Handlers, 'environments.audit' | 'environments.audit_progress'>;
type RunningAudit = { checks: AuditCheck[]; running: string | null };

/** The check that says whether two sessions are kept apart. */
const ISOLATION = 'sessions at once';

/** `onIsolation` hears what an audit saw of two sessions: the evidence that they are kept apart, or null. */
function auditHandlers(
  requests: Requests,
  environmentOf: (id: string) => Environment,
  onIsolation: (environment: string, evidence: string | null) => void,
): AuditHandlers {
  const audits = new Map<string, RunningAudit>();
  return {
    'environments.audit': ({ environment, id = '' }, { seat }) =>
      requests.run(seat, id, async (giveUp) => {
        const audit: RunningAudit = { checks: [], running: null };
        if (id !== '') audits.set(id, audit);
        try {
          const signal = AbortSignal.any([giveUp, AbortSignal.timeout(AUDIT_MS)]);
          const onBegin = (check: string): void => void (audit.running = check);
          for await (const check of auditEnvironment(environmentOf(environment), signal, { onBegin })) {
            audit.checks.push(check);
            if (check.name === ISOLATION)
              onIsolation(environment, check.status === 'pass' ? check.evidence : null);
          }
          if (signal.aborted && !giveUp.aborted) audit.checks.push(tooLong(audit.running));
          return { checks: audit.checks, is_cancelled: giveUp.aborted };
        } finally {
          audits.delete(id);
        }
      }),
    'environments.audit_progress': async ({ id }) => {
      const { checks, running } = audits.get(id) ?? { checks: [], running: null };
      return { checks, running, total: AUDIT_CHECKS };
    },
  };
}

const tooLong = (running: string | null): AuditCheck => ({
  name: running ?? 'audit',
  status: 'fail',
  evidence: `not done after ${String(AUDIT_MS / 60_000)} minutes`,
});

/**
 * `awmText`: what agents are told of the Agent World Model where a person says nothing. `changed`: what is connected to
 * from now on is reached in another way.
 */
export function environmentSettingsCommands(
  settings: SettingsStore,
  awmText: string,
  changed: () => void,
): Pick<Handlers, 'environment.read' | 'environment.change'> {
  const read = (id: string): EnvironmentSettings => {
    const added = settings.environments().find((one) => one.id === id);
    if (added === undefined)
      throw new Failure('not_found', `there is no added environment ${id}`, { next: 'It may be removed.' });
    const { headers, ...connection } = settings.connectionOf(added.url);
    const own = settings.environmentSettings(id);
    return {
      text: own.agent_text,
      awm_text: awmText,
      verifier: { own: own.verifier_mode, usual: settings.verifierMode() },
      tries: { is_allowed: own.tries_drafts ?? false, isolated: own.isolated },
      connection: { ...connection, headers: Object.keys(headers) },
    };
  };
  return {
    'environment.read': async ({ id }) => read(id),
    'environment.change': async ({ id, text, verifier, tries, connection }) => {
      read(id);
      settings.changeEnvironment(id, {
        ...(text === undefined ? {} : { agent_text: text }),
        ...(verifier === undefined ? {} : { verifier_mode: verifier }),
        ...(tries === undefined ? {} : { tries_drafts: tries ? true : null }),
      });
      if (connection !== undefined) {
        const { headers, ...shown } = connection;
        // A file that is no use is refused now, not when an episode starts.
        if (shown.ca_file !== null) readAuthorities(shown.ca_file);
        settings.setConnection(id, shown, headers);
        changed();
      }
      return read(id);
    },
  };
}

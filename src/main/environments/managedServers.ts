// Servers of environments that are started when they are needed and stopped with the product.
import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { EnvironmentSpec } from '../../shared/events/lifecycle.ts';
import { Failure } from '../../shared/failure.ts';
import type { ManagedServer, ServerProcess, ServerStatus } from '../../shared/managedServer.ts';
import type { Address } from '../openenv/address.ts';
import { askHttp } from '../openenv/http.ts';
import type { Environment } from './port.ts';
import { endMarked, markedProcesses } from './serverChildren.ts';
import {
  isGroupAlive,
  markedProcess,
  markedToken,
  readLogEnd,
  removeMark,
  startProcess,
  stopGroup,
  writeMark,
} from './serverProcess.ts';

export type ManagedServers = {
  /** The environment, its server started before it is asked for anything. */
  manage(spec: EnvironmentSpec, environment: Environment): Environment;
  /** Starts it where it does not run. Throws `bad_input`, or `env_unreachable` with the end of its log. */
  start(spec: EnvironmentSpec): Promise<void>;
  isOurs(id: string): boolean;
  /** Counts a session, so that the server is not stopped as idle before what it returns is called. */
  use(id: string): () => void;
  /** Stops it, or the one that a killed Interject left. */
  stop(id: string): Promise<void>;
  status(id: string): ServerStatus;
  close(): Promise<void>;
};

type ManagedDependencies = {
  /** How the server of an environment is started; null where it is not ours to start. */
  serverOf: (id: string) => ManagedServer | null;
  /** How it is reached, with its credentials. */
  addressOf: (spec: EnvironmentSpec) => Address;
  folder: string;
  tell: (notice: string) => void;
};

type Running = {
  child: ChildProcess;
  ready: Promise<void>;
  isReady: boolean;
  sessions: number;
  idle: NodeJS.Timeout | undefined;
};

const READY_MS = 180_000;
const POLL_MS = 250;
const ASK_MS = 2_000;
const BROKE_OFF_MS = 20;

export function createManagedServers(parts: ManagedDependencies): ManagedServers {
  const { serverOf, folder } = parts;
  const running = new Map<string, Running>();
  /** Started here; the first process may have ended, and others of its group be the server. */
  const ours = new Set<string>();
  const fileOf = (id: string, ending: string): string => join(folder, `${id}.${ending}`);
  const pidOf = (id: string): number | null =>
    running.get(id)?.child.pid ?? markedProcess(fileOf(id, 'json'));

  const leftBy = (id: string): ServerProcess[] => (pidOf(id) === null ? markedBy(fileOf(id, 'json')) : []);
  const stop = async (id: string): Promise<void> => {
    const pid = pidOf(id);
    clearTimeout(running.get(id)?.idle);
    if (pid !== null) await stopGroup(pid, () => !isGroupAlive(pid));
    await endMarked(markedToken(fileOf(id, 'json')));
    running.delete(id);
    ours.delete(id);
    removeMark(fileOf(id, 'json'));
  };
  const launch = async (spec: EnvironmentSpec, server: ManagedServer, health: Health): Promise<void> => {
    const { id, name } = spec;
    await stop(id); // What an earlier start left does not answer, and may hold the port.
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    parts.tell(`Starting the server of ${name}: ${server.command}`);
    const files = { mark: fileOf(id, 'json'), logFile: fileOf(id, 'log'), folder };
    const child = await startMarked(server, files);
    const one: Running = { child, ready: Promise.resolve(), isReady: false, sessions: 0, idle: undefined };
    running.set(id, one);
    ours.add(id);
    child.once('exit', () => {
      if (running.get(id) !== one) return;
      running.delete(id);
      // What is left of it is stopped with it, or by hand.
      if (markedProcess(fileOf(id, 'json')) !== null || leftBy(id).length > 0) return;
      ours.delete(id);
      removeMark(fileOf(id, 'json'));
    });
    one.ready = whenReady(one, health, name, () => readLogEnd(fileOf(id, 'log')));
    one.ready.catch(() => void stop(id));
    await one.ready;
    parts.tell(`The server of ${name} is ready.`);
  };
  const start = createStart(parts, running, launch);
  const use = countSessions(running, parts, stop);
  return {
    start,
    stop,
    use,
    isOurs: (id) => serverOf(id) !== null,
    manage: (spec, environment) =>
      serverOf(spec.id) === null ? environment : managed(environment, spec, { start, use }),
    status: (id) => ({
      ...stateOf(running.get(id), pidOf(id), ours.has(id)),
      left: leftBy(id),
      log: readLogEnd(fileOf(id, 'log')),
    }),
    close: async () => void (await Promise.all([...ours].map(stop))),
  };
}

async function startMarked(
  server: ManagedServer,
  { mark, ...at }: { mark: string; logFile: string; folder: string },
): Promise<ChildProcess> {
  const token = randomUUID();
  const child = await startProcess(server, { ...at, token });
  if (child.pid !== undefined) writeMark(mark, child.pid, token);
  return child;
}

/** What a server that has ended left in groups of their own. */
function markedBy(mark: string): ServerProcess[] {
  const token = markedToken(mark);
  return token === null ? [] : markedProcesses(token);
}

type Launch = (spec: EnvironmentSpec, server: ManagedServer, health: Health) => Promise<void>;

/** Whoever needs a server that is being started waits for that start. */
function createStart(
  { serverOf, addressOf }: ManagedDependencies,
  running: ReadonlyMap<string, Running>,
  launch: Launch,
): ManagedServers['start'] {
  const starting = new Map<string, Promise<void>>();
  return async (spec) => {
    const server = serverOf(spec.id);
    if (server === null) return;
    const known = starting.get(spec.id);
    if (known !== undefined) return known;
    const health = healthOf(server, () => addressOf(spec));
    const bringUp = async (): Promise<void> => {
      const one = running.get(spec.id);
      // It may have been killed just now, and its end not be known yet.
      if (one !== undefined && !(one.isReady && (await refuses(health)))) return one.ready;
      // Somebody may have started it by hand, or an Interject that was killed.
      if (!(await health.answers())) await launch(spec, server, health);
    };
    const begun = bringUp();
    starting.set(spec.id, begun);
    await begun.finally(() => starting.delete(spec.id));
  };
}

type Found = Pick<ServerStatus, 'state' | 'pid'>;

function stateOf(one: Running | undefined, pid: number | null, isOurs: boolean): Found {
  if (one !== undefined) return { state: one.isReady ? 'running' : 'starting', pid };
  if (pid === null) return { state: 'stopped', pid };
  return { state: isOurs ? 'running' : 'left_over', pid };
}

/** Stops the server some time after its last session, where that is asked for. */
const countSessions =
  (
    running: ReadonlyMap<string, Running>,
    { serverOf }: Pick<ManagedDependencies, 'serverOf'>,
    stop: (id: string) => Promise<void>,
  ): ManagedServers['use'] =>
  (id) => {
    const one = running.get(id);
    if (one === undefined) return () => undefined;
    one.sessions += 1;
    clearTimeout(one.idle);
    return once(() => {
      one.sessions -= 1;
      const minutes = serverOf(id)?.idle_minutes ?? null;
      if (one.sessions > 0 || minutes === null || running.get(id) !== one) return;
      one.idle = setTimeout(() => void stop(id), minutes * 60_000).unref();
    });
  };

function once(run: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) run();
    isDone = true;
  };
}

function managed(
  environment: Environment,
  spec: EnvironmentSpec,
  { start, use: enter }: Pick<ManagedServers, 'start' | 'use'>,
): Environment {
  const after = async <T>(ask: () => Promise<T>): Promise<T> => {
    await start(spec);
    return ask();
  };
  return {
    ...environment,
    scenarios: (isFresh) => after(() => environment.scenarios(isFresh)),
    tasks: (scenario) => after(() => environment.tasks(scenario)),
    describe: () => after(() => environment.describe()),
    endpoints: (signal) => after(() => environment.endpoints(signal)),
    open: async (...asked) => {
      const session = await after(() => environment.open(...asked));
      const leave = enter(spec.id);
      return {
        ...session,
        close: () => {
          leave();
          session.close();
        },
      };
    },
  };
}

/** Whether a server answers, and where that is asked, as it may be shown. */
type Health = { shown: string; answers: () => Promise<boolean> };

function healthOf({ health_url: url }: ManagedServer, addressOf: () => Address): Health {
  if (url !== null) {
    const answers = async (): Promise<boolean> =>
      (await fetch(url, { signal: AbortSignal.timeout(ASK_MS) })).ok;
    return { shown: url, answers: () => answers().catch(() => false) };
  }
  const address = addressOf();
  const answers = async (): Promise<boolean> => {
    const { status } = await askHttp(address, '/health', { timeoutMs: ASK_MS, charsMax: 100_000 });
    return status >= 200 && status < 300;
  };
  return { shown: `${address.base}/health`, answers: () => answers().catch(() => false) };
}

/**
 * Whether nothing listens there. A server that is only slow refuses nothing. One that is being killed still takes a
 * connection and breaks it off, until its port is closed too: so it is asked again, and as its health is asked, which
 * one that breaks off this question alone answers.
 */
async function refuses({ shown, answers }: Health): Promise<boolean> {
  for (const until = performance.now() + ASK_MS; ; await wait(BROKE_OFF_MS)) {
    const code = await connectionError(shown);
    if (!BROKEN_OFF.has(code)) return code === 'ECONNREFUSED';
    if ((await answers()) || performance.now() > until) return false;
  }
}

const BROKEN_OFF: ReadonlySet<string | null> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/** Null where it answers, whatever it says, or only takes its time. */
async function connectionError(url: string): Promise<string | null> {
  try {
    await fetch(url, { method: 'HEAD', signal: AbortSignal.timeout(ASK_MS) });
    return null;
  } catch (thrown) {
    const cause = thrown instanceof Error ? thrown.cause : null;
    return cause instanceof Error && 'code' in cause ? String(cause.code) : null;
  }
}

async function whenReady(one: Running, health: Health, name: string, log: () => string): Promise<void> {
  const until = performance.now() + READY_MS;
  while (!(await health.answers())) {
    const { exitCode, signalCode, pid } = one.child;
    // A command may end once it has started the server in its group.
    const hasEnded = (exitCode !== null || signalCode !== null) && (pid === undefined || !isGroupAlive(pid));
    if (hasEnded || performance.now() > until) {
      const what = hasEnded
        ? `ended with ${String(exitCode ?? signalCode)} before it was ready`
        : `did not answer at ${health.shown} within ${String(READY_MS / 1000)} s`;
      throw new Failure('env_unreachable', `the server of ${name} ${what}: ${log().trim().slice(-600)}`, {
        next: 'Its whole log stands under Settings → Environments.',
      });
    }
    await wait(POLL_MS);
  }
  one.isReady = true;
}

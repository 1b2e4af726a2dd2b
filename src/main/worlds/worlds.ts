// The built-in worlds as one OpenEnv server without a port: who is connected, how many may be, what each pack is. The
// host's listener opens ports and hands requests and sockets in.
import type { WebSocket } from 'ws';
import type { Briefing } from '../../shared/pack.ts';
import type { Failure } from '../../shared/failure.ts';
import { normalizeScenario } from '../../shared/wire.ts';
import { answerActionHttp, ABOUT, ACTION_WORLD_PATH } from './actionDoor.ts';
import { createActionEnvironment } from './actionWorld.ts';
import { createEnvironment, type Environment } from './environment.ts';
import { answerWorldHttp } from './httpDoor.ts';
import { answerWorldRpc, refuseRpc } from './jsonrpc.ts';
import { briefingOf } from './briefing.ts';
import { type Pack, readPacks } from './pack.ts';
import type { PackTask, PackTool } from './packFiles.ts';
import { createRegistry, createWorldSessions } from './sessions.ts';
import { converse } from './socket.ts';
import { flightBriefing, NAME as FLIGHT_WORLD, TASKS as FLIGHTS } from './thrusters/tasks.ts';

type FrameData = Record<string, unknown>;

type WorldsEdges = {
  /** ms on a clock that never jumps. */
  monotonic: () => number;
  newId: () => string;
  packsFolder: string;
  /** A pack of a person's own, or a folder of them. */
  ownFolder?: string | null;
  /** Where `done` writes what an episode leaves; made on demand. */
  sessionsFolder: string;
  /** Sessions at once; upstream's number unless given. */
  capacity?: number;
  /** Resolves when the next frame may be answered: at once, but in a crowd. */
  turn?: (() => Promise<void>) | undefined;
};

/** A world of tools from a pack, or one of actions that is driven below `/worlds/NAME`. */
type PackSummary = {
  name: string;
  kind: 'mcp' | 'actions';
  tasks: number;
  tools: number;
  description: string;
};
type TaskSummary = {
  task_idx: number;
  task: string;
  difficulty: 'easy' | 'medium' | 'hard';
  is_ambiguous: boolean;
  has_verifier: boolean;
};

export type Worlds = {
  /** The HTTP door; the path is relative to the world's root, such as `/health`. */
  handle(request: Request): Promise<Response>;
  /** The socket door; the path is `/ws`, anything else is closed with a reason. */
  accept(socket: WebSocket, path: string): void;
  packs(): PackSummary[];
  /** Packs that could not be read; the others are served all the same. */
  problems(): readonly Failure[];
  /** A pack's tasks; empty for a name there is no pack for. */
  tasks(pack: string): TaskSummary[];
  /** The names of a pack's tools that change nothing; none for a name there is no pack for. */
  readingTools(pack: string): ReadonlySet<string>;
  /** Where below the root a world of actions is served; null for any other. */
  actionPath(scenario: string): string | null;
  /** What the answer to a task is. For the advisor and the rehearsal agent; never on the wire. */
  briefing(scenario: string, task_idx: number): Briefing | null;
  /** The database of the episode a client named at reset, as it was then and as it is now; null when none plays. */
  images(episodeId: string): { initial: Uint8Array; current: Uint8Array } | null;
  close(): Promise<void>;
};

const CAPACITY = 10_000;
const NORMAL_CLOSURE = 1000;
const POLICY = 1008;

/** Reads the packs and stands ready for the listener. Opens no port and writes no file. */
export function createWorlds({
  monotonic,
  newId,
  packsFolder,
  ownFolder = null,
  sessionsFolder,
  capacity = CAPACITY,
  turn,
}: WorldsEdges): Worlds {
  const { packs, problems } = readPacks(packsFolder, ownFolder);
  const registry = createRegistry(monotonic);
  const newEnvironment = (): Environment => createEnvironment({ newId, packs, sessionsFolder });
  const sessions = createWorldSessions({
    registry,
    capacity,
    newId,
    newEnvironment,
  });

  return {
    handle: (request) => {
      const { pathname } = new URL(request.url);
      return pathname.startsWith(`${ACTION_WORLD_PATH}/`)
        ? answerActionHttp(request, pathname.slice(ACTION_WORLD_PATH.length), newId)
        : answerWorldHttp(request, { stats: () => registry.stats(), sessions: sessions.rpc(null) });
    },
    accept: (socket, path) => {
      // Without a listener a broken or oversized frame would end the process; `ws` closes the socket itself.
      socket.on('error', () => undefined);
      const [at = '', query = ''] = path.split('?');
      const isActionWorld = at.startsWith(ACTION_WORLD_PATH);
      const asked = isActionWorld ? at.slice(ACTION_WORLD_PATH.length) : at;
      if (asked !== '/ws') return socket.close(POLICY, `no socket at ${at.slice(0, 60)}, use /ws`);
      const admitted = sessions.admit(socket, new URLSearchParams(query).get('session_id'), () =>
        isActionWorld ? createActionEnvironment(newId) : newEnvironment(),
      );
      if ('refusal' in admitted) {
        // Upstream accepts first and refuses then: a client that sends before it reads would miss it.
        socket.send(admitted.refusal);
        return socket.close(NORMAL_CLOSURE);
      }
      const { id, environment, leave } = admitted;
      const touch = (): void => registry.touch(id);
      const rpc = isActionWorld ? refuseRpc : (data: FrameData) => answerWorldRpc(data, sessions.rpc(id));
      converse(socket, { environment, rpc, touch, leave, turn });
    },
    ...knownOf(packs),
    problems: () => problems,
    images: (episodeId) => registry.playing(episodeId)?.images() ?? null,
    close: () => {
      registry.close();
      return Promise.resolve();
    },
  };
}

/** The worlds and their tasks, read from memory. */
function knownOf(
  packs: ReadonlyMap<string, Pack>,
): Pick<Worlds, 'packs' | 'tasks' | 'readingTools' | 'actionPath' | 'briefing'> {
  const find = (name: string): Pack | undefined => packs.get(normalizeScenario(name));
  return {
    packs: () => [...[...packs.values()].map(packSummary), actionSummary],
    tasks: (pack) =>
      isFlight(pack) ? FLIGHTS.map(flightSummary) : (find(pack)?.tasks ?? []).map(taskSummary),
    readingTools: (pack) =>
      new Set([...(find(pack)?.tools.values() ?? [])].filter(isReading).map(({ name }) => name)),
    actionPath: (scenario) => (isFlight(scenario) ? ACTION_WORLD_PATH : null),
    briefing: (scenario, task_idx) => {
      if (isFlight(scenario)) return flightBriefing(task_idx);
      const task = find(scenario)?.tasks[task_idx];
      return task === undefined ? null : briefingOf(task);
    },
  };
}

/** A call that falters counts how often it was made. */
const isReading = ({ run }: PackTool): boolean => run.every((step) => !('do' in step) && !('falter' in step));

const isFlight = (name: string): boolean => normalizeScenario(name) === FLIGHT_WORLD;

const actionSummary: PackSummary = {
  name: FLIGHT_WORLD,
  kind: 'actions',
  tasks: FLIGHTS.length,
  tools: 1,
  description: ABOUT,
};

const flightSummary = (
  { task, difficulty, draft }: (typeof FLIGHTS)[number],
  task_idx: number,
): TaskSummary => ({ task_idx, task, difficulty, is_ambiguous: draft !== undefined, has_verifier: false });

const packSummary = ({ name, description, tasks, tools }: Pack): PackSummary => ({
  name,
  kind: 'mcp',
  tasks: tasks.length,
  tools: tools.size,
  description,
});

const taskSummary = ({ task, difficulty, draft }: PackTask, task_idx: number): TaskSummary => ({
  task_idx,
  task,
  difficulty,
  is_ambiguous: draft !== null,
  has_verifier: true,
});

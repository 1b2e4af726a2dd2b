// The built-in worlds as one OpenEnv server without a port: who is connected, how many may be, what each pack is. The
// host's listener opens ports and hands requests and sockets in.
import type { WebSocket } from 'ws';
import type { Briefing } from '../../shared/pack.ts';
import type { Failure } from '../../shared/failure.ts';
import { normalizeScenario } from '../../shared/wire.ts';
import { createEnvironment } from './environment.ts';
import { answerWorldHttp } from './httpDoor.ts';
import { briefingOf } from './briefing.ts';
import { type Pack, readPacks } from './pack.ts';
import type { PackTask } from './packFiles.ts';
import { createRegistry } from './registry.ts';
import { createWorldSessions } from './sessions.ts';
import { converse } from './socket.ts';
import { verdictOnImages, type WorldVerdict } from './verifier.ts';

type WorldsEdges = {
  /** UTC milliseconds. */
  clock: () => number;
  newId: () => string;
  packsFolder: string;
  /** Where `done` writes what an episode leaves; made on demand. */
  sessionsFolder: string;
  /** Sessions at once; upstream's number unless given. */
  capacity?: number;
};

type PackSummary = { name: string; kind: 'mcp'; tasks: number; tools: number; description: string };
type TaskSummary = {
  task_idx: number;
  task: string;
  difficulty: 'easy' | 'medium' | 'hard';
  is_ambiguous: boolean;
  has_verifier: true;
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
  /** What the answer to a task is. For the advisor and the rehearsal agent; never on the wire. */
  briefing(scenario: string, task_idx: number): Briefing | null;
  /** The verifier's word on two databases of a task; null for a task there is none for. */
  verdict(
    scenario: string,
    task_idx: number,
    images: { initial: Uint8Array; current: Uint8Array },
    final_answer: string | null,
  ): WorldVerdict | null;
  /** The database of the episode a client named at reset, as it was then and as it is now; null when none plays. */
  images(episodeId: string): { initial: Uint8Array; current: Uint8Array } | null;
  close(): Promise<void>;
};

const CAPACITY = 10_000;
const NORMAL_CLOSURE = 1000;
const POLICY = 1008;

/** Reads the packs and stands ready for the listener. Opens no port and writes no file. */
export function createWorlds({
  clock,
  newId,
  packsFolder,
  sessionsFolder,
  capacity = CAPACITY,
}: WorldsEdges): Worlds {
  const { packs, problems } = readPacks(packsFolder);
  const registry = createRegistry(clock);
  const sessions = createWorldSessions({
    registry,
    capacity,
    newId,
    newEnvironment: () => createEnvironment({ newId, packs, sessionsFolder }),
  });
  const find = (name: string): Pack | undefined => packs.get(normalizeScenario(name));

  return {
    handle: (request) =>
      answerWorldHttp(request, { stats: () => registry.stats(), sessions: sessions.rpc(null) }),
    accept: (socket, path) => {
      // Without a listener a broken or oversized frame would end the process; `ws` closes the socket itself.
      socket.on('error', () => undefined);
      const [asked = '', query = ''] = path.split('?');
      if (asked !== '/ws') return socket.close(POLICY, `no socket at ${asked.slice(0, 60)}, use /ws`);
      const admitted = sessions.admit(socket, new URLSearchParams(query).get('session_id'));
      if ('refusal' in admitted) {
        // Upstream accepts first and refuses then: a client that sends before it reads would miss it.
        socket.send(admitted.refusal);
        return socket.close(NORMAL_CLOSURE);
      }
      const { id, environment, leave } = admitted;
      const touch = (): void => registry.touch(id);
      converse(socket, { environment, sessions: sessions.rpc(id), touch, leave });
    },
    packs: () => [...packs.values()].map(packSummary),
    problems: () => problems,
    tasks: (pack) => (find(pack)?.tasks ?? []).map(taskSummary),
    briefing: (scenario, task_idx) => {
      const task = find(scenario)?.tasks[task_idx];
      return task === undefined ? null : briefingOf(task);
    },
    verdict: (scenario, task_idx, images, final_answer) => {
      const pack = find(scenario);
      const task = pack?.tasks[task_idx];
      return pack === undefined || task === undefined
        ? null
        : verdictOnImages(task, images, final_answer, new Set(pack.stamped_columns));
    },
    images: (episodeId) => registry.playing(episodeId)?.images() ?? null,
    close: () => {
      registry.close();
      return Promise.resolve();
    },
  };
}

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

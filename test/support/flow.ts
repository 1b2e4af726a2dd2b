// A whole episode with everything real but the environment's answers, the model and the advisor's model:
// real log, desk, loop, conversation, client and socket.
import type { StartThread } from '../../src/main/log/checkpoints.ts';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { WebSocketServer } from 'ws';
import { ADMIT_EVERYTHING } from '../../src/shared/events/lifecycle.ts';
import type { Briefing } from '../../src/shared/pack.ts';
import { secretsOfBriefing, type TaskKnowledge } from '../../src/shared/taskSecrets.ts';
import { createAdvisor } from '../../src/main/advisor/advisor.ts';
import { createLeakMeter } from '../../src/main/advisor/leakMeter.ts';
import type { Policy } from '../../src/main/agent/policy.ts';
import { createRehearsal } from '../../src/main/agent/rehearsal.ts';
import { createDesk } from '../../src/main/desk/desk.ts';
import { expertAtSeat, rosterFor } from '../../src/main/episode/routing.ts';
import type { Llm } from '../../src/main/llm/port.ts';
import { EMPTY_ROSTER } from '../../src/shared/experts/roster.ts';
import { createConsult } from '../../src/main/episode/consult.ts';
import { createRunEpisode } from '../../src/main/episode/runEpisode.ts';
import type { RunSpec } from '../../src/main/episode/stage.ts';
import { NO_APPROVAL } from '../../src/main/episode/stage.ts';
import { openingOf } from '../../src/main/episode/openingEvents.ts';
import { createSupervisor } from '../../src/main/episode/supervisor.ts';
import type { Address } from '../../src/main/openenv/address.ts';
import { UNDESCRIBED, type ServerDescription } from '../../src/main/openenv/serverDescription.ts';
import { openEnvServer } from '../../src/main/environments/openenv.ts';
import { readPrompts } from '../../src/main/settings/prompts.ts';
import { openLog } from './log.ts';

export const resources = join(import.meta.dirname, '..', '..', 'resources');

type Answer = {
  observation?: object;
  reward?: number | null;
  done?: boolean;
  error?: { code: string; message: string };
};
export type Tool = (args: Record<string, unknown>) => Answer | 'hang' | 'drop';

const TOOLS = ['find_workflow', 'rename_workflow'].map((name) => ({
  name,
  description: `${name} in words`,
  input_schema: { type: 'object', properties: { id: { type: 'integer' } } },
}));

/** An environment whose tools are scripted. `verify` says complete once `rename_workflow` was called with id 2. */
export async function serveEnvironment(tools: Record<string, Tool> = {}) {
  const calls: { tool: string; args: Record<string, unknown> }[] = [];
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await new Promise((resolve) => server.once('listening', resolve));
  const answer = (frame: {
    type: string;
    data?: { type?: string; tool_name?: string; arguments?: Record<string, unknown> };
  }) => {
    if (frame.type === 'reset') {
      return (
        tools['reset']?.(frame.data ?? {}) ?? {
          observation: {
            reward_type: 'reset_ok',
            scenario: 's_1',
            task: 'Rename the second workflow.',
            task_idx: 0,
            num_tools: 2,
          },
          reward: null,
        }
      );
    }
    if (frame.data?.type === 'list_tools')
      return tools['list_tools']?.({}) ?? { observation: { tools: TOOLS, error: null }, reward: null };
    const tool = frame.data?.tool_name ?? '';
    const args = frame.data?.arguments ?? {};
    calls.push({ tool, args });
    return tools[tool]?.(args) ?? standard(tool, args, calls);
  };
  const left = Promise.withResolvers<undefined>();
  server.on('connection', (socket) => {
    socket.on('close', () => left.resolve(undefined));
    socket.on('message', (data: Buffer) => {
      const frame = JSON.parse(data.toString()) as Parameters<typeof answer>[0];
      if (frame.type === 'close') return socket.close(1000);
      const given = answer(frame);
      if (given === 'hang') return;
      if (given === 'drop') return socket.terminate();
      const { observation = {}, reward = 0, done = false, error } = given;
      socket.send(
        JSON.stringify(
          error === undefined
            ? { type: 'observation', data: { observation: { metadata: {}, ...observation }, reward, done } }
            : { type: 'error', data: error },
        ),
      );
    });
  });
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    calls,
    /** A session is over. */
    left: left.promise,
    close: () => {
      for (const socket of server.clients) socket.terminate();
      server.close();
    },
  };
}

function standard(
  tool: string,
  args: Record<string, unknown>,
  calls: { tool: string; args: Record<string, unknown> }[],
): Answer {
  if (tool === 'verify') {
    const isDone = calls.some((call) => call.tool === 'rename_workflow' && call.args['id'] === 2);
    const result = isDone ? 'complete' : 'others';
    return { observation: { reward_type: result, verify_result: { result } }, reward: isDone ? 1 : 0 };
  }
  if (tool === 'done')
    return { observation: { reward_type: 'episode_done', steps_taken: calls.length }, done: true };
  if (tool === 'rename_workflow' && args['id'] === undefined) {
    return {
      observation: { reward_type: 'invalid_args', tool_name: tool, error: 'Status code: 422. id is missing' },
      reward: -1,
    };
  }
  return {
    observation: {
      reward_type: 'tool_call_ok',
      tool_name: tool,
      tool_result: `{"ok": true, "tool": "${tool}"}`,
    },
  };
}

export const BRIEFING: Briefing = {
  criteria: 'Workflow 2 is renamed.',
  reference: [{ tool: 'rename_workflow', args: { id: 2 }, purpose: 'rename it' }],
  draft: [{ tool: 'rename_workflow', args: { id: 1 }, purpose: 'rename it' }],
  draft_note: 'two workflows are called alike',
  rehearsal: {
    attempts: [
      { say: 'I look for it.', tool: 'find_workflow', args: { name: 'second' } },
      { say: 'I rename it.', tool: 'rename_workflow', args: {} },
    ],
    ask: { task: 'Rename the second workflow.', context: 'I do not know its id.' },
    final: 'It is renamed.',
  },
};

export const knowledgeOf = (briefing: Briefing | null): TaskKnowledge | null =>
  briefing === null
    ? null
    : {
        secrets: secretsOfBriefing(briefing),
        criteria: briefing.criteria,
        criteriaFrom: 'data',
        model: null,
      };

export type FlowOptions = {
  policy?: Policy;
  briefing?: Briefing | null;
  places?: number;
  path?: string;
  /** What servers say of themselves; nothing unless a test says otherwise. */
  described?: (address: Address) => Promise<ServerDescription>;
  /** The advisor's model, or that of a profile. */
  models?: (profile?: string) => Llm | null;
  isOnDuty?: (seat: string) => boolean;
  /** Starts the log's threads; without it there are none. */
  startThread?: StartThread;
};

export function createFlow({
  policy,
  briefing = BRIEFING,
  places = 8,
  path = ':memory:',
  described = () => Promise.resolve(UNDESCRIBED),
  models = () => null,
  isOnDuty = () => true,
  startThread,
}: FlowOptions = {}) {
  const log = openLog(path, Date.now, undefined, startThread);
  const prompts = readPrompts(join(resources, 'prompts'));
  let lastId = 0;
  const newId = (): string => `id${String((lastId += 1))}`;
  const schedule = (delayMs: number, run: () => void): (() => void) => {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  };
  const measureLeak = createLeakMeter(log, () => briefing);
  const rosterOf = rosterFor(() => EMPTY_ROSTER);
  const routing = { rosterOf, isOnDuty, clock: Date.now, schedule };
  const desk = createDesk({
    log,
    clock: Date.now,
    monotonic: () => performance.now(),
    schedule,
    measureLeak,
    expertAt: expertAtSeat(rosterOf),
  });
  const advisor = createAdvisor({
    llm: models,
    knowledge: () => Promise.resolve(knowledgeOf(briefing)),
    prompts,
  });
  const runEpisode = createRunEpisode({
    log,
    consult: createConsult({
      log,
      advisor,
      desk,
      newId,
      measureLeak,
      routing,
      attendance: { isAttended: () => true, load: () => ({ waiting: 0, onDuty: 1, minutes: 0 }) },
    }),
    prompts,
    desk,
    policyFor: ({ agent }) =>
      policy ?? createRehearsal({ script: briefing?.rehearsal ?? null, protocol: agent.protocol }),
    environmentOf: (environment) =>
      openEnvServer(environment, {
        workingAddress: (shown) => shown,
        listed: () => Promise.resolve([]),
        described,
        seed: () => Promise.resolve(null),
        taskSecrets: () => Promise.resolve({ secrets: null, missing: { message: '', next: null } }),
        timeouts: { stepMs: 2_000 },
      }),
    clock: Date.now,
    monotonic: () => performance.now(),
    retry: { sleep: () => Promise.resolve(), random: () => 0 },
  });
  const supervisor = createSupervisor({
    log,
    runEpisode,
    newId,
    clock: Date.now,
    leavesOpen: false,
    places,
    openingOf: (asked) => openingOf({ prompts }, asked),
  });
  /** Resolves with the first waiting item that fits. */
  const waiting = (fits: (item: { draft: unknown; episode: string }) => boolean = () => true) =>
    new Promise<ReturnType<typeof log.projections.desk>['items'][number]>((resolve) => {
      const look = (): boolean => {
        const item = log.projections.desk(10).items.find(fits);
        if (item !== undefined) setImmediate(resolve, item);
        return item !== undefined;
      };
      if (look()) return;
      const stop = log.subscribe(() => {
        if (look()) stop();
      });
    });
  return { log, desk, supervisor, waiting };
}

export const spec = (url: string, over: Partial<RunSpec> = {}): RunSpec => ({
  environment: { id: 'test', name: 'test', url, builtin: false },
  scenario: 's_1',
  task_idx: 0,
  verifierMode: null,
  agent: { policy: 'rehearsal', protocol: 'native', model: null },
  condition: 'human+draft',
  limits: { turns: 15, consultations: 3, time_ms: 60_000, stall_steps: 5, delivered_chars: 24_000 },
  deadline_ms: null,
  fallback: 'wait',
  seed: 0,
  repeat: 0,
  group: null,
  reset: {},
  admission: ADMIT_EVERYTHING,
  approval: NO_APPROVAL,
  isBlinded: false,
  isKeyOpen: false,
  keepsSession: false,
  environmentText: null,
  run: null,
  startRetries: 0,
  from: null,
  ...over,
});

// The doors that clients use to reach an expert, over real HTTP: real log, desk, consultation and client; the advisor's
// model is scripted, and people answer through the desk itself.
import OpenAI from 'openai';
import { join } from 'node:path';
import { GATEWAY_DEFAULTS, type GatewaySettings } from '../../src/shared/contract/gateway.ts';
import type { DeskItem } from '../../src/shared/episode/rowShapes.ts';
import { createAdvisor } from '../../src/main/advisor/advisor.ts';
import { createLeakMeter } from '../../src/main/advisor/leakMeter.ts';
import { createDesk } from '../../src/main/desk/desk.ts';
import { expertAtSeat, rosterFor } from '../../src/main/episode/routing.ts';
import { EMPTY_ROSTER, type Roster } from '../../src/shared/experts/roster.ts';
import { createCurriculum } from '../../src/main/training/curriculum.ts';
import { createConsult } from '../../src/main/episode/consult.ts';
import { createDoors as createClientDoors } from '../../src/main/gateway/doors.ts';
import { readGivenKey } from '../../src/main/gateway/origin.ts';
import { openListener } from '../../src/main/hosts/listener.ts';
import type { Llm, LlmRequest } from '../../src/main/llm/port.ts';
import { readPrompts } from '../../src/main/settings/prompts.ts';
import type { ModelConfig } from '../../src/shared/modelConfig.ts';
import type { BriefingOf } from '../../src/shared/pack.ts';
import type { TaskKnowledge } from '../../src/shared/taskSecrets.ts';
import { openLog } from './log.ts';

type Options = {
  key?: { id: string; name: string; environment: string | null };
  settings?: Partial<GatewaySettings>;
  /** What the advisor's model says; without it there is none. */
  advises?: (request: LlmRequest) => string | Promise<string>;
  isAttended?: boolean;
  graceMs?: number;
  keepAliveMs?: number;
  agent?: ModelConfig | null;
  /** What the advisor knows of an episode's task; without it nothing. */
  knowledge?: (episode: string) => TaskKnowledge | null;
  /** The answers to tasks, as far as they are known; without it to none. */
  briefing?: BriefingOf;
  /** A log that others write to as well; without one it has its own. */
  log?: ReturnType<typeof openLog>;
  recorded?: () => Promise<boolean>;
  /** Who may be asked by name, and the model of each profile; nobody unless a test says otherwise. */
  roster?: Roster;
  models?: (profile?: string) => Llm;
  isOnDuty?: (seat: string) => boolean;
};

export async function serveDoors(options: Options = {}) {
  const log = options.log ?? openLog(':memory:', Date.now);
  const prompts = readPrompts(join(import.meta.dirname, '..', '..', 'resources', 'prompts'));
  const measureLeak = createLeakMeter(log, options.briefing ?? (() => null));
  const rosterOf = rosterFor(() => options.roster ?? EMPTY_ROSTER);
  const desk = createDesk({
    log,
    clock: Date.now,
    monotonic: () => performance.now(),
    schedule,
    measureLeak,
    expertAt: expertAtSeat(rosterOf),
  });
  const seen: LlmRequest[] = [];
  const reported: unknown[] = [];
  const llm = options.advises === undefined ? null : scriptedLlm(options.advises, seen);
  let ids = 0;
  const newId = (): string => `ask${String((ids += 1))}`;
  const consult = createConsult({
    log,
    advisor: createAdvisor({
      llm: options.models ?? (() => llm),
      knowledge: (episode) => Promise.resolve(options.knowledge?.(episode) ?? null),
      prompts,
    }),
    desk,
    newId,
    attendance: {
      isAttended: () => options.isAttended ?? true,
      load: () => ({ waiting: 0, onDuty: 1, minutes: 0 }),
    },
    routing: { rosterOf, isOnDuty: options.isOnDuty ?? (() => true), clock: Date.now },
  });
  const doors = createClientDoors({
    log,
    consult,
    prompts,
    newId,
    clock: Date.now,
    schedule,
    settings: () => ({ ...GATEWAY_DEFAULTS, ...options.settings }),
    expertModel: () => llm?.model ?? null,
    roster: () => options.roster ?? EMPTY_ROSTER,
    attendance: () => ({ onDuty: 1, waiting: log.projections.desk(1).total }),
    curriculum: createCurriculum({ log, trainingRuns: { episodes: () => [] }, splits: () => [] }),
    agent: () => Promise.resolve(options.agent ?? null),
    version: '0.0.0',
    recorded: options.recorded ?? (() => Promise.resolve(true)),
    report: (thrown) => reported.push(thrown),
    ...(options.graceMs === undefined ? {} : { graceMs: options.graceMs }),
    ...(options.keepAliveMs === undefined ? {} : { keepAliveMs: options.keepAliveMs }),
  });
  const key = options.key ?? { id: 'k1', name: 'trainer', environment: null };
  const requests: Request[] = [];
  const listening = await openListener(
    {
      handle: (request) => {
        requests.push(request);
        const { pathname } = new URL(request.url);
        const bearer = (request.headers.get('authorization') ?? '').replace('Bearer ', '');
        const caller = { key, rollout: readGivenKey(bearer).rollout, signal: request.signal };
        const door = doors.doors[doorOf(pathname)];
        if (door === undefined) return Promise.resolve(new Response(null, { status: 404 }));
        return door.handle(request, caller);
      },
      accept: (socket) => socket.terminate(),
    },
    { host: '127.0.0.1', port: 0, maxPayload: 1024, origin: 'same' },
  );
  return {
    log,
    desk,
    seen,
    reported,
    /** What came in, oldest first; the signal of each says whether its client is still there. */
    requests,
    url: listening.url,
    /** As at the start of a process on a log that another one left. */
    restore: () => doors.restore(),
    waiting: (fits: (item: DeskItem) => boolean = () => true) => waitingItem(log, fits),
    openai: (over: ConstructorParameters<typeof OpenAI>[0] = {}) =>
      new OpenAI({ baseURL: `${listening.url}/v1`, apiKey: 'k', maxRetries: 0, ...over }),
    /** As a person at the desk sends it. */
    answer: (item: DeskItem, text: string, seat = 'one') =>
      desk.answer(
        {
          episode: item.episode,
          consultation: item.consultation,
          text,
          draft: item.draft !== null && item.draft.text === text ? item.draft.id : null,
          seen_seq: log.record(item.episode).seq,
          timing: { first_seen_at: null, active_ms: 1 },
        },
        { type: 'human', id: seat },
      ),
    decline: (item: DeskItem, reason: string) =>
      desk.decline(
        {
          episode: item.episode,
          consultation: item.consultation,
          reason,
          seen_seq: log.record(item.episode).seq,
          timing: { first_seen_at: null, active_ms: 1 },
        },
        { type: 'human', id: 'one' },
      ),
    close: async () => {
      doors.close();
      desk.close();
      await listening.close();
      if (options.log === undefined) log.close();
    },
  };
}
export type Doors = Awaited<ReturnType<typeof serveDoors>>;

const doorOf = (path: string): 'expert' | 'mcp' | 'agent' | 'transcripts' =>
  path.startsWith('/v1') || path.startsWith('/openai')
    ? 'expert'
    : path.startsWith('/agent')
      ? 'agent'
      : path.startsWith('/mcp')
        ? 'mcp'
        : 'transcripts';

const schedule = (delayMs: number, run: () => void): (() => void) => {
  const timer = setTimeout(run, delayMs);
  return () => clearTimeout(timer);
};

const scriptedLlm = (advises: NonNullable<Options['advises']>, seen: LlmRequest[]): Llm => ({
  model: 'advisor-model',
  complete: async (request) => {
    seen.push(request);
    return {
      content: await advises(request),
      reasoning: null,
      toolCalls: [],
      model: 'advisor-model',
      stopReason: 'stop',
      usage: null,
    };
  },
});

/** Resolves with the first waiting question that fits. */
export const waitingItem = (
  log: ReturnType<typeof openLog>,
  fits: (item: DeskItem) => boolean,
): Promise<DeskItem> =>
  new Promise((resolve) => {
    const look = (): boolean => {
      const item = log.projections.desk(50).items.find(fits);
      if (item !== undefined) setImmediate(resolve, item);
      return item !== undefined;
    };
    if (look()) return;
    const stop = log.subscribe(() => {
      if (look()) stop();
    });
  });

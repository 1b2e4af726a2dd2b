// Three seats, deadlines and two agents on one real log, interleaved as a seed says. Every command is noted with what
// it came to, so that a test can hold the log against it.
import { deskCommands } from '../../src/main/commands/desk.ts';
import { stepInCommands } from '../../src/main/commands/stepIns.ts';
import type { DraftResult } from '../../src/main/advisor/advisor.ts';
import { createDesk } from '../../src/main/desk/desk.ts';
import { createDeskActs } from '../../src/main/desk/deskActs.ts';
import { watchLosses } from '../../src/main/desk/losses.ts';
import { createSeats } from '../../src/main/desk/seats.ts';
import { type ConsultAdvice, createConsult } from '../../src/main/episode/consult.ts';
import { openDatabase } from '../../src/main/log/database.ts';
import { createEventLog } from '../../src/main/log/eventLog.ts';
import { AGENT, SYSTEM } from '../../src/shared/events/actor.ts';
import type { Fallback } from '../../src/shared/events/lifecycle.ts';
import type { CallFallback } from '../../src/shared/events/stepIns.ts';
import { Failure } from '../../src/shared/failure.ts';
import type { CallDecision } from '../../src/shared/episode/record.ts';
import { createClock, ended, reset, started } from './log.ts';

/** Numbers that look drawn, the same for the same seed. */
export function createChance(seed: number) {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    below: (count: number): number => Math.floor(next() * count),
    of: <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T,
    is: (share: number): boolean => next() < share,
  };
}
export type Chance = ReturnType<typeof createChance>;

/** What a seat's command came to. `words` are its own, so the log can be searched for them. */
export type Tried = {
  method: string;
  seat: string;
  episode: string;
  about: string;
  words: string;
  result: { ok: true; value: unknown } | { ok: false; thrown: unknown };
  /** Whether the log grew while it ran, apart from notes on what the seat has seen. */
  didWrite: boolean;
};
export type Asked = { episode: string; id: string; advice: ConsultAdvice | null; failed: unknown };
export type Held = { episode: string; id: string; decision: CallDecision | null; failed: unknown };
type Agent = { episode: string; turn: number; isBusy: boolean; stop: AbortController; isOver: boolean };

const SEATS = ['seat-one', 'seat-two', 'seat-three'];
const TIMING = { first_seen_at: null, active_ms: 1_000 };

export function createInterleaving(seed: number) {
  const chance = createChance(seed);
  const time = createClock();
  const db = openDatabase(':memory:');
  const listenerErrors: unknown[] = [];
  const log = createEventLog({ db, clock: time.clock, onListenerError: (e) => listenerErrors.push(e) });
  const edges = { log, clock: time.clock, monotonic: time.clock, schedule: time.schedule };
  const desk = createDesk(edges);
  const seats = createSeats(edges);
  const leaving = new Map(SEATS.map((seat) => [seat, seats.connect(seat)]));
  const drafting: ((result: DraftResult) => void)[] = [];
  let lastId = 0;
  const newId = (): string => `id${String((lastId += 1))}`;
  const consult = createConsult({
    log,
    desk,
    newId,
    advisor: {
      draft: (_request, signal) =>
        new Promise((resolve, reject) => {
          drafting.push(resolve);
          signal.addEventListener('abort', () => reject(new Failure('cancelled', 'no longer wanted')));
        }),
    },
    attendance: {
      isAttended: (episode: string) => seats.isAttended(episode),
      load: () => ({ waiting: 0, onDuty: seats.onDuty().length, minutes: 0 }),
    },
  });
  const commands = {
    ...deskCommands({
      ...edges,
      desk,
      room: createDeskActs({ ...edges, desk }),
      seats,
      consult,
      newId,
      clock: time.clock,
      losses: watchLosses(edges),
      people: () => ({ minutesSince: 0, minutes: 0, acts: 0, episodes: 0, reward: 0 }),
    }),
    ...stepInCommands({ log, desk, newId }),
  };
  const tried: Tried[] = [];
  const asked: Asked[] = [];
  const held: Held[] = [];
  const pending: Promise<unknown>[] = [];

  const agents = ['e1', 'e2'].map((episode): Agent => {
    log.append(episode, SYSTEM, started({ condition: chance.is(0.7) ? 'human+draft' : 'human' }));
    log.append(episode, SYSTEM, reset());
    return { episode, turn: 0, isBusy: false, stop: new AbortController(), isOver: false };
  });

  /** Lets promises that are settled go on, some way or all the way. */
  const breathe = async (steps: number): Promise<void> => {
    for (let step = 0; step < steps; step += 1) await Promise.resolve();
  };

  const deadline = (): number | null => (chance.is(0.7) ? time.clock() + 1 + chance.below(60_000) : null);

  const ask = (agent: Agent): void => {
    agent.turn += 1;
    agent.isBusy = true;
    const noted: Asked = {
      episode: agent.episode,
      id: `${agent.episode}:c${String(agent.turn)}`,
      advice: null,
      failed: null,
    };
    asked.push(noted);
    const event = {
      kind: 'consultation.asked' as const,
      consultation: noted.id,
      turn: agent.turn,
      call: null,
      trigger: 'agent_call' as const,
      task: null,
      available_tools: null,
      question: 'Which one is meant?',
      answered_by: chance.is(0.9) ? ('human' as const) : ('model' as const),
      deadline_at: deadline(),
      fallback: chance.of<Fallback>(['wait', 'draft', 'proceed']),
      via: 'loop' as const,
      request: null,
      link: null,
    };
    const share = chance.is(0.2) ? 0.5 : null;
    const gate = { admission: { share, capacity: null, hourly_minutes: null }, seed: String(seed) };
    const asking = consult.ask(agent.episode, event, gate, agent.stop.signal).then(
      (advice) => {
        noted.advice = advice;
        agent.isBusy = false;
        log.append(agent.episode, SYSTEM, {
          kind: 'advice.delivered',
          consultation: noted.id,
          as: advice.as,
          text: advice.text,
          full_length: advice.text.length,
          delivered_length: advice.text.length,
          privilege: advice.privilege,
          to: 'agent' as const,
        });
      },
      (thrown: unknown) => {
        noted.failed = thrown;
      },
    );
    pending.push(asking);
  };

  const hold = (agent: Agent): void => {
    const { episode } = agent;
    agent.turn += 1;
    agent.isBusy = true;
    const { turn } = agent;
    const call = `t${String(turn)}`;
    const args = { id: chance.below(3) };
    const noted: Held = { episode, id: call, decision: null, failed: null };
    held.push(noted);
    log.appendAll(episode, [
      {
        actor: AGENT,
        event: {
          kind: 'turn.generated',
          turn,
          content: '',
          reasoning: null,
          tool_calls: [],
          model: null,
          stop_reason: null,
          usage: null,
          latency_ms: null,
        },
      },
      {
        actor: AGENT,
        event: {
          kind: 'move.proposed',
          turn,
          call,
          move: { type: 'call_tool', tool_name: 'rename_workflow', arguments: args },
          repairs: [],
          ignored_calls: 0,
        },
      },
      {
        actor: SYSTEM,
        event: {
          kind: 'call.held',
          call,
          turn,
          why: 'rule',
          rule: '*: ask',
          deadline_at: deadline(),
          fallback: chance.of<CallFallback>(['wait', 'approve', 'reject']),
        },
      },
    ]);
    const deciding = desk.waitForCall(episode, call, agent.stop.signal).then(
      (decision) => {
        noted.decision = decision;
        agent.isBusy = false;
      },
      (thrown: unknown) => {
        noted.failed = thrown;
      },
    );
    pending.push(deciding);
  };

  /** Runs a command as a seat and notes what it came to. The commands write before they first wait. */
  const attempt = (
    method: string,
    at: { seat: string; episode: string; about: string; words: string },
    run: (caller: { seat: string }) => Promise<unknown>,
  ): void => {
    const before = log.lastSeq();
    const settled = run({ seat: at.seat });
    const didWrite = writesAfter(before) > 0;
    const note = (result: Tried['result']): void => {
      tried.push({ method, ...at, result, didWrite });
    };
    pending.push(
      settled.then(
        (value) => note({ ok: true, value }),
        (thrown: unknown) => note({ ok: false, thrown }),
      ),
    );
  };
  const countWrites = db
    .prepare<[number], number>(`SELECT count(*) FROM events WHERE seq > ? AND kind <> 'answer.seen'`)
    .pluck();
  const writesAfter = (seq: number): number => countWrites.get(seq) ?? 0;

  /** A seat does something to a question, open or over. */
  const actOnQuestion = (): void => {
    const target = chance.of(asked.slice(-4));
    if (target === undefined) return;
    const { episode, id: consultation } = target;
    const found = log.record(episode).consultations.find(({ id }) => id === consultation);
    const words = `${newId()}.`;
    const at = { seat: chance.of(SEATS), episode, about: consultation, words };
    const about = { episode, consultation, seen_seq: log.record(episode).seq, timing: TIMING };
    const drafts = [null, found?.draft?.id ?? null, 'an older draft'];
    const text = chance.is(0.3) ? `${words} ${'long '.repeat(8_000)}` : words;
    const acts: [string, (caller: { seat: string }) => Promise<unknown>][] = [
      ['desk.answer', (as) => commands['desk.answer']({ ...about, text, draft: chance.of(drafts) }, as)],
      ['desk.answer', (as) => commands['desk.answer']({ ...about, text, draft: null }, as)],
      ['desk.decline', (as) => commands['desk.decline']({ ...about, reason: words }, as)],
      [
        'desk.claim',
        (as) => commands['desk.claim']({ episode, consultation, is_typing: chance.is(0.5) }, as),
      ],
      ['desk.pass', (as) => commands['desk.pass']({ episode, consultation }, as)],
      [
        'desk.advise_late',
        (as) => commands['desk.advise_late']({ episode, consultation, text: words, timing: TIMING }, as),
      ],
      ['desk.redraft', (as) => commands['desk.redraft']({ episode, consultation, hint: 'other' }, as)],
    ];
    const [method, run] = chance.of(acts);
    attempt(method, at, run);
  };

  const actOnCall = (): void => {
    const target = chance.of(held.slice(-4));
    if (target === undefined) return;
    const { episode, id: call } = target;
    const words = `${newId()}.`;
    const at = { seat: chance.of(SEATS), episode, about: call, words };
    const about = { episode, call, seen_seq: log.record(episode).seq, timing: TIMING };
    const edit = { tool_name: 'rename_workflow', arguments: { note: words }, is_unchecked: true };
    const acts: [string, (caller: { seat: string }) => Promise<unknown>][] = [
      [
        'call.approve',
        (as) => commands['call.decide']({ act: 'approve', ...about, similar: chance.is(0.2) }, as),
      ],
      ['call.edit', (as) => commands['call.decide']({ act: 'edit', ...about, ...edit, reason: null }, as)],
      ['call.reject', (as) => commands['call.decide']({ act: 'reject', ...about, reason: words }, as)],
      [
        'call.answer',
        (as) => commands['call.decide']({ act: 'answer', ...about, text: words, is_error: false }, as),
      ],
    ];
    const [method, run] = chance.of(acts);
    attempt(method, at, run);
  };

  const actOnEpisode = (): void => {
    const { episode } = chance.of(agents);
    const words = `${newId()}.`;
    const at = { seat: chance.of(SEATS), episode, about: episode, words };
    const act = chance.of(['pause', 'resume', 'step', 'take_over', 'hand_back'] as const);
    const control = {
      episode,
      act,
      at_once: false,
      reason: words,
      note: words,
      is_discarded: chance.is(0.5),
    };
    const acts: [string, (caller: { seat: string }) => Promise<unknown>][] = [
      ['episode.control', (as) => commands['episode.control'](control, as)],
      ['note.send', (as) => commands['note.send']({ episode, text: words, timing: TIMING }, as)],
    ];
    const [method, run] = chance.of(acts);
    attempt(method, at, run);
  };

  const settleDraft = (): void => {
    const resolve = drafting.splice(chance.below(drafting.length), 1)[0];
    resolve?.(
      chance.is(0.8)
        ? {
            ok: true,
            text: `a draft ${newId()}`,
            generator: 'model',
            model: 'scripted',
            privilege: ['criteria'],
            usage: null,
          }
        : { ok: false, code: 'model_timeout', message: 'no reply' },
    );
  };

  const comeOrGo = (): void => {
    const seat = chance.of(SEATS);
    const leave = leaving.get(seat);
    if (leave === undefined) leaving.set(seat, seats.connect(seat));
    else if (chance.is(0.5)) seats.set(seat, chance.of(['on_duty', 'away', 'off'] as const));
    else {
      leave();
      leaving.delete(seat);
    }
  };

  /** The loop ends an episode once everything it waited for has settled. */
  const end = async (agent: Agent): Promise<void> => {
    if (agent.isOver) return;
    agent.isOver = true;
    agent.stop.abort();
    await breathe(20);
    log.append(agent.episode, SYSTEM, ended({ outcome: 'stopped' }));
  };

  const step = async (): Promise<void> => {
    const roll = chance.next();
    const idle = agents.filter(({ isBusy, isOver }) => !isBusy && !isOver);
    const agent = chance.of(idle);
    if (roll < 0.22) {
      if (agent !== undefined) (chance.is(0.6) ? ask : hold)(agent);
    } else if (roll < 0.5) actOnQuestion();
    else if (roll < 0.67) actOnCall();
    else if (roll < 0.74) actOnEpisode();
    else if (roll < 0.84) settleDraft();
    else if (roll < 0.94) time.advance(chance.below(40_000));
    else if (roll < 0.985) comeOrGo();
    else await end(chance.of(agents));
    await breathe(chance.of([0, 0, 1, 3, 12]));
  };

  return {
    chance,
    db,
    log,
    tried,
    asked,
    held,
    listenerErrors,
    step,
    /** Everything comes to an end: episodes are stopped, drafts given up. */
    finish: async (): Promise<void> => {
      for (const agent of agents) await end(agent);
      for (const resolve of drafting.splice(0)) {
        resolve({ ok: false, code: 'model_timeout', message: 'no reply' });
      }
      await Promise.all(pending);
    },
    close: (): void => {
      seats.close();
      desk.close();
      db.close();
    },
  };
}
export type Interleaving = ReturnType<typeof createInterleaving>;

// Who works with the product while it is broken: a seat that answers and gives its word where one is needed, and a client
// of the tap. Each keeps a list of its own of what it was promised.
import { setTimeout as wait } from 'node:timers/promises';
import { createSocketTransport } from '../../src/renderer/client/socket.ts';
import type { Transport } from '../../src/renderer/client/transport.ts';
import type { DeskItem } from '../../src/shared/episode/rowShapes.ts';
import { openSession } from '../../src/main/openenv/openSession.ts';
import { giveWords } from './words.ts';
import { QUESTION } from './servers.ts';

export type Acknowledged = { episode: string; consultation: string; text: string };
/** Where the product is now; its addresses change when it is started again. */
export type Address = { console: string; token: string; tap: string; expert: string; key: string };

export type Seat = {
  call: Transport['call'];
  /** Lets every later question wait. */
  rest: () => void;
  close: () => void;
};

/** The longest that it thinks about a question: a kill is to find some open. */
const THINKS_MS_MAX = 250;

export type SeatNotes = {
  acknowledged: Acknowledged[];
  violations: string[];
  random: () => number;
};

/** Answers every question once, and notes each answer that was acknowledged. */
export function openSeat(
  { console: origin, token }: Address,
  { acknowledged, violations, random }: SeatNotes,
  number: number,
): Seat {
  const transport = createSocketTransport({ origin, token, seat: 'seat-faults' });
  const tried = new Set<string>();
  let answers = 0;
  let isResting = false;
  const answer = async ({ episode, consultation, question, seq }: DeskItem): Promise<void> => {
    const asked = QUESTION.exec(typeof question === 'string' ? question : '')?.[0];
    if (isResting || asked === undefined || tried.has(consultation)) return;
    tried.add(consultation);
    await wait(random() * THINKS_MS_MAX);
    if (isResting) return;
    answers += 1;
    const text = `A[${asked} ${String(number)}.${String(answers)}]`;
    const timing = { first_seen_at: null, active_ms: null };
    try {
      await transport.call('desk.answer', {
        episode,
        consultation,
        text,
        draft: null,
        seen_seq: seq,
        timing,
      });
      acknowledged.push({ episode, consultation, text });
    } catch {
      // It was not promised. The question is tried again when the desk next changes.
      tried.delete(consultation);
    }
  };
  const unsubscribe = transport.subscribe({ topic: 'desk' }, (push) => {
    if (push.topic === 'desk') for (const item of push.items) void answer(item);
  });
  const stopWords = giveWords(transport, { random, refused: (what) => violations.push(what) });
  return {
    call: transport.call,
    rest: () => (isResting = true),
    close: () => {
      unsubscribe();
      stopWords();
      transport.close();
    },
  };
}

export type TappedSteps = {
  answered: number[][];
  /** What stands behind the key of the session that plays now: nothing for the first, then a name of its own. */
  behindKey: string;
};

/** Plays on through the tap: a new session whenever one ends. Every call has a number of its own. */
export async function playThroughTap(
  address: () => Address | null,
  steps: TappedSteps,
  stop: AbortSignal,
): Promise<void> {
  for (let number = 1; !stop.aborted;) {
    const tap = address()?.tap;
    const own: number[] = [];
    try {
      if (tap === undefined) throw new Error('not there now');
      const behindKey = steps.answered.length === 0 ? '' : `~rollout-${String(steps.answered.length)}`;
      const session = await openSession(`${tap}${behindKey}`, {
        timeouts: { connectMs: 2_000, stepMs: 5_000, resetMs: 5_000 },
      });
      steps.answered.push(own);
      steps.behindKey = behindKey;
      try {
        await session.reset({ scenario: 'loomline_workflows', task_idx: 0 });
        while (!stop.aborted && own.length < 200) {
          number += 1;
          await session.callTool('get_workflow', { workflow_id: 1_000_000 + number });
          own.push(1_000_000 + number);
          await wait(15);
        }
      } finally {
        session.close();
      }
    } catch {
      await wait(150);
    }
  }
}

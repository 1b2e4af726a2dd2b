// The owner at the desk: says "go on" to every episode that broke off, and has calls in doubt sent again or left unknown.
import type { Transport } from '../../src/renderer/client/transport.ts';
import type { HoldItem } from '../../src/shared/episode/rowShapes.ts';
import { failureShape, type FailureCode } from '../../src/shared/failure.ts';

const LOOKS_EVERY_MS = 300;
/** Nobody says it at once. */
const THINKS_MS_MAX = 600;
const PAGE = 200;
/** With these the product says that it will not do it at all: nothing that was broken explains that. */
const REFUSALS: ReadonlySet<FailureCode> = new Set(['bad_input', 'model_not_configured', 'internal']);

type Words = { random: () => number; refused: (what: string) => void };

export function giveWords({ call, subscribe }: Transport, { random, refused }: Words): () => void {
  const given = new Set<string>();
  const timers = new Set<NodeJS.Timeout>();
  const once = (key: string, act: () => Promise<unknown>): void => {
    if (given.has(key)) return;
    given.add(key);
    const say = async (): Promise<void> => {
      try {
        await act();
      } catch (thrown) {
        const { code, message } = failureShape(thrown);
        if (REFUSALS.has(code)) refused(`${key} was refused: ${message}`);
        given.delete(key);
      }
    };
    const timer = setTimeout(() => {
      timers.delete(timer);
      void say();
    }, random() * THINKS_MS_MAX);
    timers.add(timer);
  };
  const goOn = async (): Promise<void> => {
    for (const { id, seq } of await brokenOff(call))
      once(`“go on” with ${id} at event ${String(seq)}`, () =>
        call('episode.settle', { episode: id, act: 'go_on' }),
      );
  };
  const looking = setInterval(() => void goOn().catch(() => undefined), LOOKS_EVERY_MS);
  const settle = ({ episode, key, doubt }: HoldItem): void => {
    if (doubt === undefined) return;
    const act = random() < 0.5 ? 'send_again' : 'unknown';
    const timing = { first_seen_at: null, active_ms: null };
    once(`“${act}” for ${key}, sent at ${String(doubt.sent_at)},`, () =>
      call('call.settle_doubt', { episode, call: doubt.id, act, timing }),
    );
  };
  const unsubscribe = subscribe({ topic: 'desk' }, (push) => {
    if (push.topic === 'desk') push.holds.forEach(settle);
  });
  return () => {
    clearInterval(looking);
    for (const timer of timers) clearTimeout(timer);
    unsubscribe();
  };
}

async function brokenOff(call: Transport['call']): Promise<{ id: string; seq: number }[]> {
  const found: { id: string; seq: number }[] = [];
  for (const status of ['starting', 'running', 'waiting'] as const) {
    const asked = { query: '', status, condition: null, offset: 0, limit: PAGE };
    const { rows } = await call('episodes.page', asked);
    found.push(...rows.filter(({ broke_off }) => broke_off !== undefined));
  }
  return found;
}

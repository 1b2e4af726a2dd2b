// News of main waits while a person types: what a key did is on screen before anything else is drawn.
import type { Transport } from './transport.ts';

/** Typing has stopped after so long. */
const TYPING_MS = 600;
/** Meanwhile news is told together, not more often than this, */
const PACE_MS = 250;
/** right after a key was shown; where none comes, after so long. */
const WAITS_MS = 400;

/** A person's activity, as far as news has to wait for it. */
export type Doing = {
  /** A text changed under a key. */
  typed: () => void;
  /** What it changed is on screen. */
  shown: () => void;
  /** Something else than typing: a click, a key that decides. */
  acted: () => void;
};
type Edges = { now: () => number; later: (ms: number, run: () => void) => () => void };

const PAGE: Edges = {
  now: () => performance.now(),
  later: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

/** The same transport, whose pushes come at once while nobody types, in the order they came in any case. */
export function createCalmNews(
  transport: Transport,
  { now, later }: Edges = PAGE,
): { transport: Transport; doing: Doing } {
  const waiting: (() => void)[] = [];
  let [typedAt, toldAt] = [-Infinity, -Infinity];
  let cancel: (() => void) | null = null;
  const tell = (): void => {
    cancel?.();
    cancel = null;
    toldAt = now();
    for (const one of waiting.splice(0)) one();
  };
  const tellIn = (ms: number): void => {
    cancel?.();
    cancel = later(ms, tell);
  };
  const hear = (one: () => void): void => {
    if (waiting.length === 0 && now() - typedAt > TYPING_MS) return one();
    waiting.push(one);
    if (cancel === null) tellIn(WAITS_MS);
  };
  return {
    transport: {
      ...transport,
      subscribe: (topic, onPush, onFailure) => {
        let isOver = false;
        const end = transport.subscribe(
          topic,
          (push) =>
            hear(() => {
              if (!isOver) onPush(push);
            }),
          onFailure,
        );
        return () => {
          isOver = true;
          end();
        };
      },
    },
    doing: {
      typed: () => void (typedAt = now()),
      shown: () => {
        if (waiting.length > 0 && now() - toldAt >= PACE_MS) tellIn(0);
      },
      acted: () => {
        typedAt = -Infinity;
        if (waiting.length > 0) tellIn(0);
      },
    },
  };
}

/** Hears in a page what a person does. */
export function watchDoing(page: Window, { typed, shown, acted }: Doing): void {
  const isActing = ({ key, ctrlKey, metaKey }: KeyboardEvent): boolean =>
    ctrlKey || metaKey || ['Enter', 'Escape', 'Tab'].includes(key);
  page.addEventListener(
    'input',
    () => {
      typed();
      // A task that is asked for in an animation frame comes after the frame was drawn.
      page.requestAnimationFrame(() => page.setTimeout(shown, 0));
    },
    true,
  );
  page.addEventListener('keydown', (event) => isActing(event) && acted(), true);
  page.addEventListener('pointerdown', acted, true);
}

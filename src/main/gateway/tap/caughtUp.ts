// Whether the log has everything that the tap has told its clients: records travel in batches, and whoever answers a
// client about its episode waits for them first.
import type { EventLog } from '../../log/eventLog.ts';
import type { TapLink } from './tapLink.ts';
import { tapMark, type Recorder } from './recorder.ts';

type AttachedTap = { link: Pick<TapLink, 'send' | 'hello'>; recorder: Pick<Recorder, 'writeSome'> };

type CaughtUpDependencies = {
  log: Pick<EventLog, 'mark'>;
  schedule: (delayMs: number, run: () => void) => () => void;
};

export type CaughtUp = {
  /** The tap's process is there, and what the one before it left is in the log. */
  attached(tap: AttachedTap): void;
  /** The tap's process is gone. */
  detached(): void;
  /** The answer to a ping: the last record that was sent before it. */
  ponged(id: number, seq: number | null): void;
  /** Records came into the log. */
  committed(): void;
  /** Resolves once the tap's process has heard all that was told it: the last record it had sent, null where it is gone. */
  ping(): Promise<number | null>;
  /** Resolves with true once all that the tap has told its clients by now is in the log; with false where it took too long. */
  recorded(): Promise<boolean>;
};

/** A log or a tap that is behind by more than this is broken, or works on something large. */
const RECORDED_MS = 4_000;

export function createCaughtUp({ log, schedule }: CaughtUpDependencies): CaughtUp {
  let tap: AttachedTap | null = null;
  const pings = createPings();
  let listeners: (() => void)[] = [];
  const tellNews = (): void => {
    const waiting = listeners;
    listeners = [];
    for (const listener of waiting) listener();
  };
  const news = (): Promise<void> => new Promise((resolve) => listeners.push(resolve));
  const ping = (): Promise<number | null> => (tap === null ? Promise.resolve(null) : pings.send(tap.link));
  const allIn = async (isLate: () => boolean): Promise<boolean> => {
    while (!isLate()) {
      const asked = tap;
      const seq = await ping();
      const mark = asked === null ? '' : tapMark(asked.link.hello.run);
      // A process that died meanwhile left its records in files, which are taken in before another one is attached.
      while (asked !== null && seq !== null && tap === asked && !isLate()) {
        if (log.mark(mark) >= seq) return true;
        if (asked.recorder.writeSome()) await yieldToEventLoop();
        else if (log.mark(mark) < seq) await news();
      }
      if (tap === null && !isLate()) await news();
    }
    return false;
  };
  const recorded = async (): Promise<boolean> => {
    let isLate = false;
    let cancel = (): void => undefined;
    const late = new Promise<boolean>((resolve) => {
      cancel = schedule(RECORDED_MS, () => {
        isLate = true;
        tellNews();
        resolve(false);
      });
    });
    return Promise.race([allIn(() => isLate), late]).finally(cancel);
  };
  return {
    attached: (now) => {
      tap = now;
      tellNews();
    },
    detached: () => {
      tap = null;
      pings.drop();
    },
    ponged: (id, seq) => pings.ponged(id, seq),
    committed: tellNews,
    ping,
    recorded: createTogether(recorded),
  };
}

function createPings() {
  const waiting = new Map<number, (seq: number | null) => void>();
  let last = 0;
  return {
    send: (link: AttachedTap['link']): Promise<number | null> => {
      last += 1;
      const id = last;
      return new Promise((resolve) => {
        waiting.set(id, resolve);
        link.send({ type: 'ping', id });
      });
    },
    ponged: (id: number, seq: number | null): void => {
      waiting.get(id)?.(seq);
      waiting.delete(id);
    },
    /** Whoever waits for a process that is gone waits for nothing. */
    drop: (): void => {
      for (const resolve of waiting.values()) resolve(null);
      waiting.clear();
    },
  };
}

/**
 * Many who ask while the tap is being asked wait for one answer to all of them, to a question put after theirs: a crowd
 * costs one ping and one transaction, not one each.
 */
function createTogether(ask: () => Promise<boolean>): () => Promise<boolean> {
  let running: Promise<boolean> | null = null;
  let next: Promise<boolean> | null = null;
  const begin = (): Promise<boolean> => {
    next = null;
    const own = ask().finally(() => {
      if (running === own) running = null;
    });
    running = own;
    return own;
  };
  return () => (running === null ? begin() : (next ??= running.then(begin, begin)));
}

const yieldToEventLoop = (): Promise<void> => new Promise((goOn) => setImmediate(goOn));

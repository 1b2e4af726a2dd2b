// The one way out of the desktop app, whoever asks for it: the window, the menu, a signal, the end of the session.
import { closeAnswer, closeQuestion, type CloseQuestion } from '../hosts/closing.ts';

/** `terminate`, `session_end` and a second `interrupt` do not wait for a person. */
export type WayOut = 'window' | 'quit' | 'update' | 'interrupt' | 'terminate' | 'session_end';

type Edges = {
  /** What a close would end: episodes that clients play through the gateway, and those of this console. */
  running: () => { tapped: number; running: number };
  /** Resolves with the chosen button's place, without holding up the process. */
  ask: (question: CloseQuestion) => Promise<number>;
  /** Everything goes on without a window. */
  hide: () => void;
  /** Ends episodes, gateway and log, in this order. */
  close: () => Promise<void>;
  /** `close` failed, or was cut short; the process ends all the same. */
  failed: (thrown: unknown) => void;
  /** Called again where the process is still there and is told to end once more. */
  exit: () => void;
  sleep: (ms: number) => Promise<void>;
};

export type Shutdown = {
  request: (way: WayOut) => void;
  /** Nothing was closed yet, and nobody asked for it to a point of no return. */
  isOpen: () => boolean;
  /** Everything is closed: a window may go now. */
  isOver: () => boolean;
};

/** The time left for a close that somebody wants to end at once: writing in order is worth two seconds. */
const HURRY_MS = 2_000;

/**
 * Asks at most one question at a time, closes once and awaits it, then calls `exit`. A way out that does not wait closes
 * even while the question is open, whose answer then counts no more. An interrupt while it closes gives that two seconds.
 */
export function createShutdown(edges: Edges): Shutdown {
  let state: 'open' | 'asking' | 'closing' | 'over' = 'open';
  let cutShort = (_why: Error): void => undefined;
  const isOpen = (): boolean => state === 'open' || state === 'asking';
  const close = async (): Promise<void> => {
    state = 'closing';
    const cut = new Promise<never>((_resolve, reject) => {
      cutShort = reject;
    });
    try {
      await Promise.race([edges.close(), cut]);
    } catch (thrown) {
      edges.failed(thrown);
    }
    state = 'over';
    edges.exit();
  };
  const ask = async (question: CloseQuestion): Promise<void> => {
    state = 'asking';
    const answer = closeAnswer(question, await edges.ask(question));
    if (state !== 'asking') return;
    state = 'open';
    if (answer === 'close') return close();
    if (answer === 'keep_serving') edges.hide();
  };
  const hurry = async (): Promise<void> => {
    await edges.sleep(HURRY_MS);
    cutShort(new Error('it was interrupted before everything had ended'));
  };
  return {
    isOpen,
    isOver: () => state === 'over',
    request: (way) => {
      const isUrgent = way === 'terminate' || way === 'session_end';
      if (state === 'closing' && way === 'interrupt') return void hurry();
      if (state === 'over' && (isUrgent || way === 'interrupt')) return edges.exit();
      if (!isOpen()) return;
      const isAskedAgain = way === 'interrupt' && state === 'asking';
      if (isUrgent || isAskedAgain) return void close();
      if (state === 'asking') return;
      const question = closeQuestion(edges.running());
      void (question === null ? close() : ask(question));
    },
  };
}

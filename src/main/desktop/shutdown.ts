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
  /** `close` failed; the process ends all the same. */
  failed: (thrown: unknown) => void;
  exit: () => void;
};

export type Shutdown = {
  request: (way: WayOut) => void;
  /** Everything is closed: a window may go now. */
  isOver: () => boolean;
};

/**
 * Asks at most one question at a time, closes once and awaits it, then calls `exit`. A way out that does not wait closes
 * even while the question is open, whose answer then counts no more.
 */
export function createShutdown(edges: Edges): Shutdown {
  let state: 'open' | 'asking' | 'closing' | 'over' = 'open';
  const isOpen = (): boolean => state === 'open' || state === 'asking';
  const close = async (): Promise<void> => {
    state = 'closing';
    try {
      await edges.close();
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
  return {
    isOver: () => state === 'over',
    request: (way) => {
      if (!isOpen()) return;
      const isAskedAgain = way === 'interrupt' && state === 'asking';
      if (way === 'terminate' || way === 'session_end' || isAskedAgain) return void close();
      if (state === 'asking') return;
      const question = closeQuestion(edges.running());
      void (question === null ? close() : ask(question));
    },
  };
}

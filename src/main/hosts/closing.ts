// Asks before closing while clients play episodes: who is asked, in which words, and what then happens to them.
import { countText } from '../../shared/countText.ts';

/** Options of a close: clients of the tap may be served on. */
type Closing = { keepServing: boolean };

export type CloseQuestion = { message: string; detail: string; buttons: string[]; keepId: number };
type CloseAnswer = 'close' | 'keep_serving' | 'stay';

const HIDES = 'the window is hidden, and everything goes on until you quit';

/** The future of this console's own episodes. */
const staysOpen = (running: number): string =>
  running === 1
    ? 'it stays open, and goes on after the next start with a word from you.'
    : 'they stay open, and go on after the next start with a word from you.';

/** The question that is asked before the desktop app closes; null when nothing runs. */
export function closeQuestion({
  tapped,
  running,
}: {
  tapped: number;
  running: number;
}): CloseQuestion | null {
  if (tapped > 0) {
    const ours =
      running > 0 ? ` ${countText(running, 'episode')} of this console: ${staysOpen(running)}` : '';
    return {
      message: `${countText(tapped, 'tapped episode')}: keep serving?`,
      detail: `Programs play ${tapped === 1 ? 'it' : 'them'} through Interject and cannot resume. Keep serving: ${HIDES}.\n\nEnding closes their connections. Their logs stay complete.${ours}`,
      buttons: [KEEP_SERVING, 'End them and close', 'Cancel'],
      keepId: 0,
    };
  }
  if (running === 0) return null;
  return {
    message: `${countText(running, 'episode')} ${running === 1 ? 'is' : 'are'} running.`,
    detail: `Keep running: ${HIDES}.\n\nClosing: ${staysOpen(running)}`,
    buttons: [KEEP_RUNNING, 'Stop and close', 'Cancel'],
    keepId: 0,
  };
}

const KEEP_SERVING = 'Keep serving';
const KEEP_RUNNING = 'Keep running';

/** The meaning of the chosen button. */
export function closeAnswer({ buttons }: Pick<CloseQuestion, 'buttons'>, chosen: number): CloseAnswer {
  switch (buttons[chosen]) {
    case KEEP_SERVING:
    case KEEP_RUNNING:
      return 'keep_serving';
    case 'End them and close':
    case 'Stop and close':
      return 'close';
    default:
      return 'stay';
  }
}

type Signals = {
  on(signal: 'SIGINT' | 'SIGTERM', listener: () => void): unknown;
  off(signal: 'SIGINT' | 'SIGTERM', listener: () => void): unknown;
};
type TappedEpisodes = {
  tapped: () => number;
  /** Tapped episodes in built-in worlds: these end with this process, whoever serves their clients. */
  inWorlds: () => number;
  refuseNew: (which: { onlyInWorlds: boolean }) => void;
  onChanged: (listener: () => void) => () => void;
};

/** Counts the tapped episodes that have no environment without us. */
function worldWords(lose: number, all: number): string {
  const some = lose === 1 ? '1 of them plays' : `${String(lose)} of them play`;
  const who = lose < all ? some : all === 1 ? 'it plays' : 'they all play';
  return `${who} in a built-in world, which ends with this process`;
}

/**
 * Resolves when it is time to close. The first Ctrl+C waits for episodes that clients play; where the tap serves them
 * on, for those alone that would lose their environment; new ones are refused meanwhile. The second ends them. SIGTERM does
 * not wait: whoever sends it will not either.
 */
export function untilClosing(
  { tapped, inWorlds, refuseNew, onChanged }: TappedEpisodes,
  { keepServing, say, signals }: Closing & { say: (text: string) => void; signals: Signals },
): Promise<Closing> {
  return new Promise((resolve) => {
    let isWaiting = false;
    const end = (closing: Closing): void => {
      signals.off('SIGINT', onInterrupt);
      signals.off('SIGTERM', onTerminate);
      unwatch();
      resolve(closing);
    };
    const onInterrupt = (): void => {
      const now = tapped();
      if (isWaiting || now === 0) return end(leaving());
      const lose = inWorlds();
      if (keepServing && lose === 0) {
        say(
          `${countText(now, 'tapped episode')}: the tap serves ${now === 1 ? 'it on until its client leaves' : 'them on until their clients leave'}.`,
        );
        return end(leaving());
      }
      isWaiting = true;
      refuseNew({ onlyInWorlds: keepServing });
      say(
        keepServing
          ? `${countText(now, 'tapped episode')}: the tap serves ${now === 1 ? 'it' : 'them'} on, but ${worldWords(lose, now)}: waiting until no client plays there. Ctrl+C again ends ${lose === 1 ? 'it' : 'them'} now.`
          : `${countText(now, 'tapped episode')}: waiting for ${now === 1 ? 'its client' : 'their clients'} to finish, new ones are refused. Ctrl+C again ends ${now === 1 ? 'it' : 'them'} now.`,
      );
    };
    const leaving = (): Closing => ({ keepServing: keepServing && tapped() > 0 });
    const onTerminate = (): void => {
      const lose = inWorlds();
      if (keepServing && lose > 0)
        say(
          `${countText(tapped(), 'tapped episode')}: ${worldWords(lose, tapped())}; ${lose === 1 ? 'its client loses' : 'those clients lose'} it.`,
        );
      end(leaving());
    };
    const unwatch = onChanged(() => {
      if (isWaiting && (keepServing ? inWorlds() : tapped()) === 0) end(leaving());
    });
    signals.on('SIGINT', onInterrupt);
    signals.on('SIGTERM', onTerminate);
  });
}

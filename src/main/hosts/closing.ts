// Owns: what closing means while clients play episodes: who is asked, in which words, and what then happens to them.

/** How the product is closed: clients of the tap may be served on. */
export type Closing = { keepServing: boolean };

export type CloseQuestion = { message: string; detail: string; buttons: string[]; keepId: number };
export type CloseAnswer = 'close' | 'keep_serving' | 'stay';

const counted = (n: number, what: string): string => `${String(n)} ${what}${n === 1 ? '' : 's'}`;

/** The question a window asks before it closes; null when nothing runs. */
export function closeQuestion({
  tapped,
  running,
}: {
  tapped: number;
  running: number;
}): CloseQuestion | null {
  if (tapped > 0) {
    const ours =
      running > 0 ? ` ${counted(running, 'episode')} of this console would be stopped as well.` : '';
    return {
      message: `${counted(tapped, 'tapped episode')}: keep serving?`,
      detail: `Programs play them through Interject and cannot resume. Keep serving hides the window; start Interject again to see it.${ours}`,
      buttons: ['Keep serving', 'End them and close', 'Cancel'],
      keepId: 0,
    };
  }
  if (running === 0) return null;
  return {
    message: `${counted(running, 'episode')} ${running === 1 ? 'is' : 'are'} running.`,
    detail: 'Closing stops them. Their logs stay complete.',
    buttons: ['Keep running', 'Stop and close'],
    keepId: 0,
  };
}

/** What the chosen button means. */
export function closeAnswer({ buttons }: CloseQuestion, chosen: number): CloseAnswer {
  switch (buttons[chosen]) {
    case 'Keep serving':
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
type Tapped = { tapped: () => number; onChanged: (listener: () => void) => () => void };

/**
 * Resolves when it is time to close. The first Ctrl+C waits for episodes that clients play, unless the tap serves them
 * on; the second ends them. SIGTERM does not wait: whoever sends it will not either.
 */
export function untilClosing(
  { tapped, onChanged }: Tapped,
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
      if (isWaiting || now === 0) return end({ keepServing: false });
      if (keepServing) {
        say(`${counted(now, 'tapped episode')}: the tap serves them on until their clients leave.`);
        return end({ keepServing: true });
      }
      isWaiting = true;
      say(
        `${counted(now, 'tapped episode')}: waiting for their clients to finish. Ctrl+C again ends them now.`,
      );
    };
    const onTerminate = (): void => end({ keepServing: keepServing && tapped() > 0 });
    const unwatch = onChanged(() => {
      if (isWaiting && tapped() === 0) end({ keepServing: false });
    });
    signals.on('SIGINT', onInterrupt);
    signals.on('SIGTERM', onTerminate);
  });
}

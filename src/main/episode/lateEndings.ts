// Ends of episodes that could not be written, as on a full disk. They are written once the log takes events again.
import { endedWithoutVerdict } from '../../shared/episode/endedWithoutVerdict.ts';
import { SYSTEM } from '../../shared/events/actor.ts';
import type { FailureShape } from '../../shared/failure.ts';
import type { EventLog } from '../log/eventLog.ts';

export type LateEndings = {
  /** Ends an episode as broken, now or with the next event that the log takes. */
  end: (episode: string, failure: FailureShape) => void;
};

export function createLateEndings(log: EventLog): LateEndings {
  const waiting = new Map<string, FailureShape>();
  const isWritten = (episode: string, failure: FailureShape): boolean => {
    try {
      if (log.record(episode).ended === null)
        log.append(episode, SYSTEM, endedWithoutVerdict('error', null, failure));
      return true;
    } catch {
      return false;
    }
  };
  const writeWaiting = (): void => {
    for (const [episode, failure] of waiting) {
      if (!isWritten(episode, failure)) return;
      waiting.delete(episode);
    }
  };
  let isListening = false;
  return {
    end: (episode, failure) => {
      if (isWritten(episode, failure)) return;
      waiting.set(episode, failure);
      if (isListening) return;
      isListening = true;
      // Not within the commit that is being told of.
      log.subscribe(() => void (waiting.size > 0 && setImmediate(writeWaiting)));
    },
  };
}

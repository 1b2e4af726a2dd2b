// Who hears of what was committed. Most wait for news of one stream: they are found by it, so that an event costs as
// much among a thousand episodes as among two.
import type { EpisodeRecord } from '../../shared/episode/record.ts';
import type { Recorded } from '../../shared/events/vocabulary.ts';

export type Listener = (recorded: Recorded, record: EpisodeRecord) => void;

export type Listeners = {
  add(listener: Listener, stream?: string): () => void;
  /** A listener that throws is reported; the others hear of it all the same. */
  tell(recorded: Recorded, record: EpisodeRecord): void;
};

export function createListeners(onError: (thrown: unknown) => void): Listeners {
  const everywhere = new Set<Listener>();
  const ofStream = new Map<string, Set<Listener>>();
  const tellAll = (listeners: ReadonlySet<Listener>, recorded: Recorded, record: EpisodeRecord): void => {
    for (const listener of listeners) {
      try {
        listener(recorded, record);
      } catch (thrown) {
        onError(thrown);
      }
    }
  };
  return {
    add: (listener, stream) => {
      if (stream === undefined) {
        everywhere.add(listener);
        return () => everywhere.delete(listener);
      }
      const own = ofStream.get(stream) ?? new Set();
      ofStream.set(stream, own);
      own.add(listener);
      return () => {
        own.delete(listener);
        if (own.size === 0 && ofStream.get(stream) === own) ofStream.delete(stream);
      };
    },
    tell: (recorded, record) => {
      tellAll(everywhere, recorded, record);
      const own = ofStream.get(recorded.stream);
      if (own !== undefined) tellAll(own, recorded, record);
    },
  };
}

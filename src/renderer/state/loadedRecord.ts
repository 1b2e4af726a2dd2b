// Waiting for the whole of an episode that is still being read.
import type { EpisodeRecord } from '../../shared/episode/record.ts';
import type { ConsoleStore } from './store.ts';

/** The record once every event has come, rejected when they cannot be read; someone must be watching the episode. */
export function loadedRecord(store: ConsoleStore, episode: string): Promise<EpisodeRecord> {
  return new Promise((resolve, reject) => {
    let end = (): void => undefined;
    const look = (): void => {
      const entry = store.getState().record.episodes[episode];
      const failure = entry?.failure ?? null;
      if (entry?.isLoaded !== true && failure === null) return;
      end();
      if (failure === null && entry !== undefined) resolve(entry.record);
      else reject(new Error(failure?.message));
    };
    end = store.subscribe(look);
    look();
  });
}

// Reads the times of one episode and notes those that cannot be read or run backwards.
import type { ImportNotes } from './importNotes.ts';
import { timeFrom } from './values.ts';

export type EpisodeTimes = {
  /** In UTC ms; null when there is none, or none that can be read. Call in the order of the file. */
  read(value: unknown, pointer: string): number | null;
};

/** For one episode. Times stay as they were recorded, whatever order they are in. */
export function createTimes(notes: ImportNotes): EpisodeTimes {
  let latest = -Infinity;
  return {
    read: (value, pointer) => {
      const at = timeFrom(value);
      if (at === null) {
        if (value !== null && value !== undefined && value !== '')
          notes.note('bad_time', 'a time that cannot be read; taken as not recorded', pointer);
        return null;
      }
      if (at < latest) notes.note('time_backwards', 'a time before the one it follows', pointer);
      latest = Math.max(latest, at);
      return at;
    },
  };
}

// Owns: the times of one episode as a file gives them: what cannot be read, and what runs backwards, is noted.
import type { Notes } from './notes.ts';
import { timeOf } from './values.ts';

export type Times = {
  /** In UTC ms; null when there is none, or none that can be read. Call in the order of the file. */
  read(value: unknown, pointer: string): number | null;
};

/** For one episode. Times stay as they were recorded, whatever order they are in. */
export function createTimes(notes: Notes): Times {
  let latest = -Infinity;
  return {
    read: (value, pointer) => {
      const at = timeOf(value);
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

// Owns: where an imported episode came from, as its own stream or one beside it says.
import type { EventLog } from '../log/eventLog.ts';
import type { Imported } from './import/read.ts';

/** An imported episode says where it came from right after it began. */
const ORIGIN = 2;

/** Of our own bundles the origin stands beside the episode, whose stream may name the file it came from at first. */
export const originsOf = (log: Pick<EventLog, 'read'>, episode: string): Imported[] =>
  [...log.read(episode, 0, ORIGIN), ...log.read(`import/${episode}`)].flatMap(({ event }) =>
    event.kind === 'episode.imported' ? [event] : [],
  );

import type { EventLog } from '../log/eventLog.ts';
import type { ImportedEvent } from './import/formatReader.ts';

/** An imported episode says where it came from right after it began. */
const ORIGIN_EVENT_N = 2;

/** Of our own bundles the origin stands beside the episode, whose stream may name the file it came from at first. */
export const originsOf = (log: Pick<EventLog, 'read'>, episode: string): ImportedEvent[] =>
  [...log.read(episode, 0, ORIGIN_EVENT_N), ...log.read(`import/${episode}`)].flatMap(({ event }) =>
    event.kind === 'episode.imported' ? [event] : [],
  );

// Reads our own event bundles: every event exactly as it stood in the log.
import { z } from 'zod';
import { Actor } from '../../../shared/events/actor.ts';
import { LogEvent } from '../../../shared/events/vocabulary.ts';
import { shownAddress } from '../../../shared/redact/address.ts';
import { redactJson } from '../../../shared/redact/redact.ts';
import type { TimedEntry } from '../../log/eventLog.ts';
import { createNotes, type ImportNotes } from './importNotes.ts';
import type { OwnEpisode, FormatReader } from './formatReader.ts';
import { fileRecords } from './documents.ts';
import { LIMITS } from './limits.ts';
import { isJsonRecord, leftRecord, ownValue } from './values.ts';

/** The first line of a bundle. */
export const BUNDLE = 'interject.events';
export const BUNDLE_VERSION = 1;

const BundleLine = z.strictObject({
  episode: z.string().regex(/^[A-Za-z0-9_-]{1,128}$/),
  n: z.number().int().positive(),
  at: z.number(),
  actor: Actor,
  event: z.record(z.string(), z.unknown()),
});
type OpenEpisode = {
  id: string;
  entries: TimedEntry[];
  notes: ImportNotes;
  isWhole: boolean;
  pointer: string;
};

/** One episode after the other, in the order of the file. */
export const readOwn: FormatReader = async function* (input) {
  let open: OpenEpisode | null = null;
  let index = 0;
  const finish = (done: OpenEpisode): OwnEpisode | null => {
    const at = index;
    index += 1;
    if (!done.isWhole || done.entries.at(-1)?.event.kind !== 'episode.ended') {
      const left = leftRecord(done.entries, 'episodes that are not whole');
      input.notes.skip('not_whole', `the episode ${done.id} is not whole`, done.pointer, left);
      return null;
    }
    return { index: at, own: { id: done.id, entries: done.entries }, sources: [], notes: done.notes };
  };
  for await (const { value, pointer } of fileRecords(input)) {
    const place = pointer.trim();
    if (ownValue(value, 'type') === BUNDLE) {
      if (ownValue(value, 'v') !== BUNDLE_VERSION)
        input.notes.note('unknown_version', 'a bundle of another version', place);
      continue;
    }
    const read = bundleLine(value);
    if (read === null || read.entry === null) {
      const left = leftRecord(value, 'lines that are no events');
      input.notes.skip('broken_event', 'a line that is no event of this product', place, left);
      if (open !== null && (read === null || read.episode === open.id)) open.isWhole = false;
      continue;
    }
    if (open === null || open.id !== read.episode) {
      const done: OwnEpisode | null = open === null ? null : finish(open);
      if (done !== null) yield done;
      open = {
        id: read.episode,
        entries: [],
        notes: createNotes(input.notes),
        isWhole: true,
        pointer: place,
      };
    }
    if (read.n !== open.entries.length + 1 || open.entries.length >= LIMITS.episodeEvents)
      open.isWhole = false;
    else open.entries.push(read.entry);
  }
  const last = open === null ? null : finish(open);
  if (last !== null) yield last;
};

function bundleLine(value: unknown): { episode: string; n: number; entry: TimedEntry | null } | null {
  if (!isJsonRecord(value)) return null;
  const line = BundleLine.safeParse(value);
  if (!line.success) return null;
  const { episode, n, at, actor, event } = line.data;
  const parsed = LogEvent.safeParse(event);
  return { episode, n, entry: parsed.success ? { at, actor, event: withoutCredentials(parsed.data) } : null };
}

/** A bundle is written without them; one that somebody made by hand may have them in an address or a reset. */
function withoutCredentials(event: LogEvent): LogEvent {
  if (event.kind === 'environment.reset') return { ...event, request: redactJson(event.request) };
  if (event.kind !== 'episode.started' || event.environment.url === '') return event;
  const { id, url } = event.environment;
  const shown = shownAddress(url);
  return { ...event, environment: { ...event.environment, url: shown, id: id === url ? shown : id } };
}

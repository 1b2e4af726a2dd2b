// Owns: an episode as our own bundle has it: every event, texts whole.
import { BUNDLE, BUNDLE_VERSION } from '../../import/ownEvents.ts';
import { withTexts } from '../../withTexts.ts';
import { episodeFacts, oneRow } from '../episodeFacts.ts';
import type { Column, Format } from '../format.ts';
import { eventfulStory } from '../wordless.ts';

/** The line that names the format has the first two; an event has the others. */
const LINE: readonly Column[] = [
  { name: 'type', type: 'string' },
  { name: 'v', type: 'int64' },
  { name: 'episode', type: 'string' },
  { name: 'n', type: 'int64' },
  { name: 'at', type: 'int64' },
  { name: 'actor', type: 'json' },
  { name: 'event', type: 'json' },
];

export const events: Format = {
  id: 'events',
  verdict: 'any',
  columns: null,
  lineColumns: LINE,
  says:
    'Our own lossless bundle: every event of an episode in its order, long texts whole. Not for training; `interject ' +
    'import` reads it back event for event.',
  rows: (told) => {
    const { record, whole } = told;
    const more: Record<string, unknown>[] = [];
    for (const { n, at, actor, event } of told.events()) {
      more.push({ episode: record.id, n, at, actor, event: withTexts(event, whole) });
    }
    // A reader passes over the line that names the format, wherever it stands.
    return oneRow({ type: BUNDLE, v: BUNDLE_VERSION }, episodeFacts(record, eventfulStory(told).lines), more);
  },
};

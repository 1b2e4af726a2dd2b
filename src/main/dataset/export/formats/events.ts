// Owns: an episode as our own bundle has it: every event, texts whole.
import { BUNDLE, BUNDLE_VERSION } from '../../import/ownEvents.ts';
import { withTexts } from '../../withTexts.ts';
import { episodeFacts, noRow, oneRow } from '../episodeFacts.ts';
import type { Column, Format, Told } from '../format.ts';
import { happened } from '../wordless.ts';

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
  cardColumns: LINE,
  says:
    'Our own lossless bundle: every event of an episode in its order, long texts whole. Not for training; `interject ' +
    'import` reads it back event for event.',
  rows: (told, rules) => {
    const { record, whole } = told;
    // Nothing is taken out of a bundle: an episode that an expert had a part in is not in one without them.
    if (rules.privilege === 'strip' && hasExpert(told)) return noRow('expert_words');
    const more: Record<string, unknown>[] = [];
    for (const { n, at, actor, event } of told.events()) {
      more.push({ episode: record.id, n, at, actor, event: withTexts(event, whole) });
    }
    // A reader passes over the line that names the format, wherever it stands.
    return oneRow({ type: BUNDLE, v: BUNDLE_VERSION }, episodeFacts(record, happened(told)), more);
  },
};

const hasExpert = ({ record: { consultations, notes, turns } }: Told): boolean =>
  consultations.length > 0 ||
  notes.length > 0 ||
  turns.some(({ actor, call }) => actor.type === 'human' || (call?.decision ?? null) !== null);

import { isAtSeat } from '../../../../shared/events/actor.ts';
import { BUNDLE, BUNDLE_VERSION } from '../../import/eventBundle.ts';
import { withTexts } from '../../../../shared/events/text.ts';
import { episodeFacts, noRow, singleRow } from '../rowFacts.ts';
import type { FormatColumn, Format, EpisodeInput } from '../format.ts';
import { recordedTranscript } from '../transcript.ts';

/** The line that names the format has the first two; an event has the others. */
const BUNDLE_COLUMNS: readonly FormatColumn[] = [
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
  cardColumns: BUNDLE_COLUMNS,
  says:
    'Our own lossless bundle: every event of an episode in its order, long texts whole. Not for training; `interject ' +
    'import` reads it back event for event.',
  rows: (input, rules) => {
    const { record, loadText } = input;
    // Nothing is taken out of a bundle: an episode that an expert had a part in is not in one without them.
    if (rules.privilege === 'strip' && hasHumanHelp(input)) return noRow('expert_words');
    const more: Record<string, unknown>[] = [];
    for (const { n, at, actor, event } of input.events()) {
      more.push({ episode: record.id, n, at, actor, event: withTexts(event, loadText) });
    }
    // A reader passes over the line that names the format, wherever it stands.
    return singleRow(
      { type: BUNDLE, v: BUNDLE_VERSION },
      episodeFacts(record, recordedTranscript(input)),
      more,
    );
  },
};

const hasHumanHelp = ({ record: { consultations, notes, turns } }: EpisodeInput): boolean =>
  consultations.length > 0 ||
  notes.length > 0 ||
  turns.some(({ actor, call }) => isAtSeat(actor) || (call?.decision ?? null) !== null);

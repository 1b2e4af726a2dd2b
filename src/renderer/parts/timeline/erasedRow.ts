// The words of the mark that says that texts of this episode were taken out of the log.
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import { oneLine } from './phrase.ts';
import type { TimelineRow } from './timelineRow.ts';

type ErasedRowText = Pick<TimelineRow, 'role' | 'kind' | 'name' | 'detail' | 'isHuman'>;

export function erasedRowText({ erased }: EpisodeRecord): ErasedRowText {
  const what = erased?.what === 'text' ? 'One text was' : 'Its texts were';
  const why = erased?.reason === null || erased === null ? '' : ` Reason: ${oneLine(erased.reason)}`;
  return {
    role: 'human',
    kind: 'erased',
    name: 'Erased',
    detail: `${what} removed from ${String(erased?.events ?? 0)} events; exports leave the episode out.${why}`,
    isHuman: true,
  };
}

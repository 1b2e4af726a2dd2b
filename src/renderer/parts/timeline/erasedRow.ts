// Owns: the words of the mark that says that texts of this episode were taken out of the log.
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import { oneLine } from './phrase.ts';
import type { Row } from './row.ts';

type Words = Pick<Row, 'role' | 'kind' | 'name' | 'detail' | 'isHuman'>;

export function erasedWords({ erased }: EpisodeRecord): Words {
  const what = erased?.what === 'text' ? 'One text was' : 'Its texts were';
  const why = erased?.reason === null || erased === null ? '' : ` Reason: ${oneLine(erased.reason)}`;
  return {
    role: 'human',
    kind: 'erased',
    name: 'Erased',
    detail: `${what} taken out of ${String(erased?.events ?? 0)} events; exports leave the episode out.${why}`,
    isHuman: true,
  };
}

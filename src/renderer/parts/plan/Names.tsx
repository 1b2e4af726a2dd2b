// Names of records for the sentences below: from the episode's results, and from whoever else read names.
import { createContext, useContext, useDeferredValue, useMemo, type ReactNode } from 'react';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import {
  joinNames,
  nameOf,
  type NameOf,
  type Names,
  namesOfRecord,
  NO_NAMES,
} from '../../../shared/sentences/names.ts';

const NamesContext = createContext<Names>(NO_NAMES);

/** Adds names to those that are known above; what is known there has the word. */
export function KnownNames({ names, children }: { names: Names; children: ReactNode }): ReactNode {
  const above = useContext(NamesContext);
  const all = useMemo(() => (names.size === 0 ? above : joinNames(above, names)), [above, names]);
  return <NamesContext value={all}>{children}</NamesContext>;
}

/** Names that the agent itself was shown in this episode. */
export function RecordNames({ record, children }: { record: EpisodeRecord; children: ReactNode }): ReactNode {
  // A record changes with each event: what someone types goes before reading it again.
  const late = useDeferredValue(record);
  const names = useMemo(() => namesOfRecord(late), [late]);
  return <KnownNames names={names}>{children}</KnownNames>;
}

export function useNameOf(): NameOf {
  const names = useContext(NamesContext);
  return useMemo(() => nameOf(names), [names]);
}

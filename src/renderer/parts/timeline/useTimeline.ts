// A reader's choices for one timeline: filter, what is open, what is found, where they are.
import { useCallback, useEffect, useMemo, useState } from 'react';
import type { CallDecision, Consultation, EpisodeRecord, Turn } from '../../../shared/episode/record.ts';
import { isBlobRef, textHead, type BlobRef, type Text } from '../../../shared/events/text.ts';
import { createRows } from '../../../shared/timeline/rows.ts';
import {
  firstSentence,
  outcomeWords,
  proseOf,
  type Facet,
  type TimelineRow,
} from '../../../shared/timeline/timelineRow.ts';
import { isRowFailed } from '../../../shared/timeline/turnRow.ts';
import { useConsole, useSession } from '../../state/hooks.ts';
import { fieldOf, isPutAway, textAddressKey } from '../../state/putAway.ts';
import { visitHolding } from '../../state/readAway.ts';
import { formatCount } from '../text/size.ts';

export type TimelineState = {
  record: EpisodeRecord;
  /** Every line, for the map and for copying. */
  all: readonly TimelineRow[];
  /** The lines the filter leaves. */
  rows: readonly TimelineRow[];
  filter: TimelineFilter;
  setFilter: (filter: TimelineFilter) => void;
  isOpen: (key: string) => boolean;
  toggle: (key: string) => void;
  areAllOpen: boolean;
  toggleAll: () => void;
  query: string;
  setQuery: (query: string) => void;
  found: FoundRows & { isReading: boolean };
  /** The line the keyboard is on and the inspector shows. */
  activeKey: string | null;
  activate: (key: string | null) => void;
};

export function useTimeline(record: EpisodeRecord): TimelineState {
  const [makeRows] = useState(createRows);
  const [filter, setFilter] = useState<TimelineFilter>('everything');
  const [opened, setOpened] = useState<{ isAll: boolean; except: ReadonlySet<string> }>({
    isAll: false,
    except: new Set(),
  });
  const [query, setQuery] = useState('');
  const [activeKey, activate] = useState<string | null>(null);
  const all = useMemo(() => makeRows(record), [makeRows, record]);
  const { away, isReading } = useAway(record.id, query);
  const isOpen = useCallback((key: string) => opened.isAll !== opened.except.has(key), [opened]);
  const left = useMemo(() => filterRows(all, filter), [all, filter]);
  // Not by the row that is chosen: going through the steps searches nothing again.
  const hits = useMemo(() => findRows(left, record, query, away), [left, record, query, away]);
  const { rows, found } = useMemo(() => {
    const hitKeys = hits.at.map((index) => left[index]?.key ?? '');
    const shown = foldTechnical(left, isOpen, new Set([activeKey ?? '', ...hitKeys]));
    const places = new Map(shown.map(({ key }, index) => [key, index]));
    return { rows: shown, found: { ...hits, at: hitKeys.map((key) => places.get(key) ?? -1), isReading } };
  }, [left, hits, isReading, isOpen, activeKey]);
  const toggle = useCallback((key: string) => {
    setOpened(({ isAll, except }) => {
      const next = new Set(except);
      if (!next.delete(key)) next.add(key);
      return { isAll, except: next };
    });
  }, []);
  const toggleAll = useCallback(
    () => setOpened(({ isAll }) => ({ isAll: !isAll, except: new Set<string>() })),
    [],
  );
  return {
    record,
    all,
    rows,
    filter,
    setFilter,
    isOpen,
    toggle,
    areAllOpen: opened.isAll,
    toggleAll,
    query,
    setQuery,
    found,
    activeKey,
    activate,
  };
}

/** The text must stand for so long: reading all of an episode is not for every letter. */
const STAND_MS = 250;

type Away = {
  /** Places whose text holds the words; null where nothing was put away, or it could not be read. */
  away: ReadonlySet<string> | null;
  isReading: boolean;
};

const NOTHING_AWAY: Away = { away: null, isReading: false };
const READING: Away = { away: null, isReading: true };

/** The places in an episode whose whole text holds `query`, case ignored. */
export function useAway(episode: string, query: string): Away {
  const { call } = useSession();
  const isPartly = useConsole(({ record }) => record.episodes[episode]?.isPartly ?? false);
  const needle = isPartly ? query.trim().toLowerCase() : '';
  const [known, setKnown] = useState<{ needle: string; away: Away }>({ needle: '', away: NOTHING_AWAY });
  useEffect(() => {
    if (needle === '') return undefined;
    const stop = new AbortController();
    const settle = (away: Away): void => {
      if (!stop.signal.aborted) setKnown({ needle, away });
    };
    const look = async (): Promise<void> => {
      const places = new Set<string>();
      await visitHolding(
        call,
        episode,
        needle,
        ({ n, event }) => {
          for (const field of Object.keys(event))
            if (fieldOf(event, field)?.toLowerCase().includes(needle) === true)
              places.add(`${String(n)} ${field}`);
        },
        stop.signal,
      );
      settle({ away: places, isReading: false });
    };
    const timer = setTimeout(() => void look().catch(() => settle(NOTHING_AWAY)), STAND_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [call, episode, needle]);
  if (needle === '') return NOTHING_AWAY;
  return known.needle === needle ? known.away : READING;
}

export type FoundRows = {
  /** Indexes of the rows that hold the words. */
  at: number[];
  /** Texts of which only the beginning was searched: the rest is stored beside the log. */
  partly: number;
};

/** A line's words in small letters, and its texts that are at hand only in part. */
type Haystack = { text: string; partly: readonly BlobRef[] };

const memo = new WeakMap<object, Haystack>();

/** The rows that hold `query`, case ignored. `away` holds the places of texts put away that hold it, once they were read. */
export function findRows(
  rows: readonly TimelineRow[],
  record: EpisodeRecord,
  query: string,
  away: ReadonlySet<string> | null = null,
): FoundRows {
  const needle = query.trim().toLowerCase();
  if (needle === '') return { at: [], partly: 0 };
  const found: FoundRows = { at: [], partly: 0 };
  rows.forEach((row, index) => {
    const { text, partly } = haystackOf(row, record);
    found.partly += partly.filter((one) => away === null || !isPutAway(one)).length;
    if (
      text.includes(needle) ||
      shownWords(row).toLowerCase().includes(needle) ||
      (away !== null && partly.some(({ $blob }) => away.has(textAddressKey($blob))))
    )
      found.at.push(index);
  });
  return found;
}

const shownWords = ({ name, detail, struck, result = '', outcome }: TimelineRow): string =>
  [struck ?? '', name, detail, result, outcome === null ? '' : outcomeWords(outcome)].join('\n');

function haystackOf({ subject }: TimelineRow, record: EpisodeRecord): Haystack {
  // An item's texts stand elsewhere in the record and may come later, so only what carries its own is remembered.
  if (subject.type === 'item') return haystack(subjectTexts(subject, record));
  if (subject.type === 'technical') return haystack([]);
  const key = subject.type === 'consultation' ? subject.consultation : subject.turn;
  const known = memo.get(key);
  if (known !== undefined) return known;
  const made = haystack(subjectTexts(subject, record));
  memo.set(key, made);
  return made;
}

const haystack = (texts: readonly Text[]): Haystack => ({
  text: texts.map(textHead).join('\n').toLowerCase(),
  partly: texts.filter(isBlobRef),
});

function subjectTexts(subject: TimelineRow['subject'], record: EpisodeRecord): Text[] {
  if (subject.type === 'consultation') return consultationTexts(subject.consultation);
  if (subject.type === 'technical') return [];
  if (subject.type !== 'item') return turnTexts(subject.turn);
  const { item } = subject;
  if (item.type === 'reset') return present([record.reset?.frame]);
  if (item.type === 'message') return [item.text];
  if (item.type === 'verified') return present([record.verified?.frame, record.verified?.final_answer]);
  return item.type === 'ended' ? present([record.ended?.final_answer, record.ended?.reason]) : [];
}

const turnTexts = ({ content, reasoning, toolCalls, call, move }: Turn): Text[] =>
  present([
    content,
    reasoning,
    ...toolCalls.flatMap((native) => [native.name, native.arguments]),
    move?.type === 'call_tool' ? JSON.stringify(move.arguments) : null,
    call?.refused?.text,
    call?.returned?.text,
    call?.returned?.error,
    call?.returned?.reward_type,
    ...decisionTexts(call?.decision ?? null),
  ]);

const decisionTexts = (decision: CallDecision | null): (Text | null)[] => [
  decision?.type === 'answered' ? decision.text : null,
  decision?.type === 'edited' ? `${decision.toolName} ${JSON.stringify(decision.arguments)}` : null,
  decision !== null && 'reason' in decision ? decision.reason : null,
];

const consultationTexts = ({ task, question, draft, decision, delivered }: Consultation): Text[] =>
  present([
    task,
    question,
    draft?.text,
    decision?.type === 'approved' ? decision.text : null,
    decision?.type === 'declined' || decision?.type === 'cancelled' ? decision.reason : null,
    delivered?.text,
  ]);

const present = (texts: readonly (Text | null | undefined)[]): Text[] =>
  texts.filter((text) => text !== null && text !== undefined);

export type TimelineFilter = 'everything' | 'calls' | 'messages' | 'reasoning';

export const FILTERS: readonly { value: TimelineFilter; label: string }[] = [
  { value: 'everything', label: 'Everything' },
  { value: 'calls', label: 'Calls' },
  { value: 'messages', label: 'Messages' },
  { value: 'reasoning', label: 'Reasoning' },
];

const FACETS: Readonly<Record<Exclude<TimelineFilter, 'everything'>, Facet>> = {
  calls: 'call',
  messages: 'message',
  reasoning: 'reasoning',
};

/** The lines a filter leaves, led by the words it is about. */
export function filterRows(rows: readonly TimelineRow[], filter: TimelineFilter): readonly TimelineRow[] {
  if (filter === 'everything') return rows;
  const facet = FACETS[filter];
  return rows
    .filter(
      (row) =>
        row.isHuman ||
        row.role === 'verifier' ||
        (row.subject.type === 'item' && row.subject.item.type === 'ended') ||
        row.facets.includes(facet),
    )
    .map((row) => leadBy(row, filter));
}

/** Bookkeeping that follows itself as one line, with its own lines under it where it is open or one of them is `wanted`. */
export function foldTechnical(
  rows: readonly TimelineRow[],
  isOpen: (key: string) => boolean,
  wanted: ReadonlySet<string>,
): TimelineRow[] {
  const shown: TimelineRow[] = [];
  let folded: TimelineRow[] = [];
  const close = (): void => {
    const [first] = folded;
    if (first === undefined) return;
    const key = `technical ${first.key}`;
    shown.push({
      ...first,
      key,
      role: 'system',
      name: formatCount(folded.length, 'technical step'),
      detail: folded.map(({ name }) => name).join(', '),
      subject: { type: 'technical' },
    });
    if (isOpen(key) || folded.some((row) => wanted.has(row.key))) shown.push(...folded);
    folded = [];
  };
  for (const row of rows) {
    if (row.isTechnical === true && !isRowFailed(row)) folded.push(row);
    else {
      close();
      shown.push(row);
    }
  }
  close();
  return shown;
}

/** With messages or reasoning chosen, a turn is led by what the agent said or thought, its call beside it. */
function leadBy(row: TimelineRow, filter: TimelineFilter): TimelineRow {
  if (row.subject.type !== 'turn' || filter === 'calls') return row;
  const { turn } = row.subject;
  const text = filter === 'reasoning' ? textHead(turn.reasoning ?? '') : proseOf(turn.content);
  if (text === '' || turn.move?.type === 'final') return row;
  return { ...row, said: firstSentence(text), detail: '', isDetailCode: false };
}

// Search results from anywhere in the log: newest first, narrowed by kind, each hit one key away from its event.
import { useCallback, useEffect, useMemo, useRef, useState, type ReactNode, type RefObject } from 'react';
import type { Outputs } from '../../../shared/contract/contract.ts';
import { type SearchHit } from '../../../shared/contract/library.ts';
import { HitKind } from '../../../shared/events/kind.ts';
import { oneLine } from '../../parts/episode/taskTitle.ts';
import { TaskPlace, TaskWords } from '../../parts/episode/TaskTitle.tsx';
import { useTaskNames } from '../../parts/episode/useTaskNames.ts';
import { useKeys, useSession } from '../../state/hooks.ts';
import { useAsk, usePages, type AnswerPages } from '../../state/queries.ts';
import { episodeRoute, navigate } from '../../state/route.ts';
import { Badge, type Tone } from '../../ui/Badge.tsx';
import { cx } from '../../ui/cx.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { VirtualList, type VirtualListHandle } from '../../ui/VirtualList.tsx';
import * as styles from './SearchResults.module.css';

const HIT_LABELS: Readonly<Record<HitKind, { label: string; tone: Tone }>> = {
  task: { label: 'Task', tone: 'environment' },
  message: { label: 'Message', tone: 'agent' },
  call: { label: 'Call', tone: 'agent' },
  result: { label: 'Result', tone: 'environment' },
  advice: { label: 'Advice', tone: 'human' },
  note: { label: 'Note', tone: 'human' },
};
const HIT_ROW_HEIGHT = 56;
const NEAR_END = 20;

type SearchResultsProps = { query: string; list: RefObject<VirtualListHandle | null> };

export function SearchResults({ query, list }: SearchResultsProps): ReactNode {
  const [kinds, setKinds] = useState<readonly HitKind[]>([]);
  const { hits, hasMore, isPrefix, isLoading, failure, progress, more } = useSearch(query, kinds);
  const names = useTaskNames({ episodes: hits.flatMap(({ episode }) => episode ?? []) });
  const [active, setActive] = useState(0);
  const shown = Math.min(active, hits.length - 1);
  const go = (index: number): void => setActive(Math.max(0, Math.min(hits.length - 1, index)));
  const open = (index: number): void => openHit(hits[index]);
  useKeys({
    down: () => go(shown + 1),
    up: () => go(shown - 1),
    first: () => go(0),
    last: () => go(hits.length - 1),
    open: () => open(shown),
  });
  const latest = useRef(more);
  useEffect(() => {
    latest.current = more;
  });
  const onRange = useCallback(
    (_first: number, last: number) => (last >= hits.length - NEAR_END ? latest.current() : undefined),
    [hits.length],
  );
  const rowKey = useCallback((index: number) => hits[index]?.place ?? index, [hits]);
  return (
    <>
      <div className={styles.bar}>
        <KindFilter kinds={kinds} onKinds={setKinds} />
        <span className={styles.state} role="status">
          {searchStateLabel(query, hits.length, hasMore, isPrefix, isLoading)}
          {progress !== null && progress.indexed < progress.total
            ? ` · still reading: ${String(Math.floor((progress.indexed / progress.total) * 100))} %`
            : ''}
        </span>
      </div>
      {failure === null ? null : <ErrorNote title="Could not search" failure={failure} />}
      {hits.length > 0 ? (
        <VirtualList
          ref={list}
          label="Search results"
          count={hits.length}
          rowHeight={HIT_ROW_HEIGHT}
          rowKey={rowKey}
          renderRow={(index) => (
            <HitLine
              hit={hits[index]}
              words={names.ofEpisode(hits[index]?.episode ?? '')}
              isActive={index === shown}
            />
          )}
          activeIndex={shown}
          onActivate={go}
          onOpen={open}
          onRange={onRange}
        />
      ) : failure === null ? (
        <NoHits query={query} isLoading={isLoading} />
      ) : null}
    </>
  );
}

function openHit(hit: SearchHit | undefined): void {
  if (hit === undefined || hit.episode === null) return;
  navigate(episodeRoute(hit.episode, hit.n));
}

function searchStateLabel(
  query: string,
  count: number,
  hasMore: boolean,
  isPrefix: boolean,
  isLoading: boolean,
): string {
  if (query.trim() === '' || (isLoading && count === 0)) return '';
  const found = count === 1 ? '1 found' : `${count.toLocaleString()}${hasMore ? '+' : ''} found`;
  return isPrefix ? `${found}, treating the last word as a prefix` : found;
}

type NoHitsProps = { query: string; isLoading: boolean };

function NoHits({ query, isLoading }: NoHitsProps): ReactNode {
  if (isLoading) return null;
  if (query.trim() === '') {
    return (
      <EmptyState title="Search all text">
        Tasks, messages, calls, results, advice and notes of every episode. All words must match; use quotes
        for exact phrases.
      </EmptyState>
    );
  }
  return <EmptyState title="No matches">Try fewer words, or the first three letters of one.</EmptyState>;
}

type KindFilterProps = { kinds: readonly HitKind[]; onKinds: (kinds: readonly HitKind[]) => void };

function KindFilter({ kinds, onKinds }: KindFilterProps): ReactNode {
  return (
    <div className="wrap-1" role="group" aria-label="Kinds of text">
      {HitKind.options.map((kind) => {
        const isOn = kinds.includes(kind);
        return (
          <button
            key={kind}
            type="button"
            className={cx(styles.kind, isOn && styles.isOn)}
            aria-pressed={isOn}
            onClick={() => onKinds(isOn ? kinds.filter((one) => one !== kind) : [...kinds, kind])}
          >
            {HIT_LABELS[kind].label}
          </button>
        );
      })}
    </div>
  );
}

type HitLineProps = { hit: SearchHit | undefined; words: string | null; isActive: boolean };

function HitLine({ hit, words, isActive }: HitLineProps): ReactNode {
  if (hit === undefined) return null;
  const { label, tone } = HIT_LABELS[hit.kind];
  return (
    <div className={cx(styles.hit, isActive && styles.isActive)}>
      <span className={styles.top}>
        <Badge tone={tone}>{label}</Badge>
        {words === null ? null : <TaskWords text={oneLine(words)} />}
        <TaskPlace place={hitName(hit)} episode={null} />
        <span className={styles.quiet}>
          {`${hit.event}${hit.n === null ? '' : `, event ${String(hit.n)}`}`}
        </span>
        <span className={styles.at}>
          <RelativeTime at={hit.at} />
        </span>
      </span>
      <HitSnippet hit={hit} />
    </div>
  );
}

/** The episode a hit is in, called as the list calls it. */
function hitName({ episode, scenario, environment, task_idx: index }: SearchHit): string {
  if (episode === null) return 'beside the episodes';
  return `${scenario ?? environment ?? episode}${index === null ? '' : ` #${String(index)}`}`;
}

function HitSnippet({ hit: { snippet, marks } }: { hit: SearchHit }): ReactNode {
  const pieces = useMemo(() => snippetPieces(snippet, marks), [snippet, marks]);
  return (
    <span className={styles.snippet}>
      {pieces.map(({ text, isMarked, start }) => (isMarked ? <mark key={start}>{text}</mark> : text))}
    </span>
  );
}

/** A text in stretches, those that were looked for marked. */
function snippetPieces(
  text: string,
  marks: readonly (readonly [number, number])[],
): { text: string; isMarked: boolean; start: number }[] {
  let at = 0;
  const pieces = marks.flatMap(([start, end]) => {
    const between = { text: text.slice(at, start), isMarked: false, start: at };
    at = end;
    return [between, { text: text.slice(start, end), isMarked: true, start }];
  });
  return [...pieces, { text: text.slice(at), isMarked: false, start: at }].filter(
    (piece) => piece.text !== '',
  );
}

type SearchPage = Outputs['log.search'];
type SearchState = Pick<AnswerPages<SearchPage>, 'isLoading' | 'failure' | 'more'> & {
  hits: readonly SearchHit[];
  hasMore: boolean;
  isPrefix: boolean;
  progress: SearchPage['progress'] | null;
};

const HITS_PER_PAGE = 50;
const INDEXING_POLL_MS = 1_000;

export function useSearch(query: string, kinds: readonly HitKind[]): SearchState {
  const { call } = useSession();
  const { pages, again, ...reading } = usePages<SearchPage>(
    query.trim() === '' ? null : ['log.search', query, kinds],
    (read) => {
      const before = read.at(-1)?.hits.at(-1)?.place ?? null;
      return call('log.search', { query, kinds: [...kinds], before, limit: HITS_PER_PAGE });
    },
    (read) => read.at(-1)?.has_more === true,
  );
  const progress = pages.at(-1)?.progress ?? null;
  useIndexed(progress !== null && isBehind(progress), again);
  return {
    ...reading,
    hits: useMemo(() => pages.flatMap(({ hits }) => hits), [pages]),
    hasMore: pages.at(-1)?.has_more === true,
    isPrefix: pages[0]?.is_prefix === true,
    progress,
  };
}

type Progress = SearchPage['progress'];
const isBehind = ({ indexed, total }: Progress): boolean => indexed < total;

/** Searches again once the index has caught up: what was found before may not be all. */
function useIndexed(isWaiting: boolean, again: () => void): void {
  const noWords = { query: '', kinds: [], before: null, limit: 1 };
  const { value } = useAsk('log.search', isWaiting ? noWords : null, {
    everyMs: INDEXING_POLL_MS,
    isChanging: ({ progress }) => isBehind(progress),
    keepsPrevious: false,
  });
  const isReady = value !== null && !isBehind(value.progress);
  useEffect(() => {
    if (isReady) again();
  }, [isReady, again]);
}

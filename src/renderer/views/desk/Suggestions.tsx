// Running episodes that fail without asking, below what waits: why, and what to do about it.
import { Eye, Hand, X } from 'lucide-react';
import { memo, useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import type { Inputs } from '../../../shared/contract/contract.ts';
import type { EpisodeRow } from '../../../shared/episode/rowShapes.ts';
import { reasonText } from '../../../shared/suggestions.ts';
import { rowWords, taskName } from '../../parts/episode/episodeRowText.ts';
import { TaskPlace, TaskWords } from '../../parts/episode/TaskTitle.tsx';
import { useFromRows } from '../../state/fromRows.ts';
import { useSession } from '../../state/hooks.ts';
import { useAct } from '../../state/queries.ts';
import { episodeRoute, navigate } from '../../state/route.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import * as styles from './Suggestions.module.css';

export type SuggestedRow = EpisodeRow & { suggestion: NonNullable<EpisodeRow['suggestion']> };
type Act = Exclude<Inputs['suggestion.note']['act'], 'shown'>;

/**
 * The oldest first, so that none moves when another gets worse. Rows change with
 * every event of every episode, and the desk is drawn again only when what is suggested changes.
 */
function useSuggestions(): readonly SuggestedRow[] {
  return useFromRows(suggestedRows, isSameSuggested);
}

/** True if there are any: the desk lays itself out by it, and is not drawn again when one gets worse. */
export function useHasSuggestions(): boolean {
  return useFromRows(hasSuggested);
}

const hasSuggested = (rows: Iterable<EpisodeRow>): boolean => {
  for (const row of rows) if (isSuggested(row)) return true;
  return false;
};

export const Suggestions = (): ReactNode => <SuggestionList rows={useSuggestions()} />;

const isSameSuggested = (a: readonly SuggestedRow[], b: readonly SuggestedRow[]): boolean =>
  a.length === b.length &&
  a.every(({ id, suggestion }, at) => {
    const other = b[at];
    return (
      other?.id === id &&
      whyText(other) === whyText({ suggestion }) &&
      other.suggestion.level === suggestion.level
    );
  });

export function suggestedRows(rows: Iterable<EpisodeRow>): readonly SuggestedRow[] {
  const found: SuggestedRow[] = [];
  for (const row of rows) if (isSuggested(row)) found.push(row);
  return found.toSorted((a, b) => a.started_at - b.started_at || (a.id < b.id ? -1 : 1));
}

const isSuggested = (row: EpisodeRow): row is SuggestedRow =>
  row.suggestion !== undefined && row.status === 'running';

/** Lines drawn before a person asks for more: of a crowd, nobody reads hundreds, and each is drawn anew as it gets worse. */
const SHOWN_AT_FIRST = 20;

type SuggestionListProps = { rows: readonly SuggestedRow[] };

export const SuggestionList = memo(function SuggestionList({ rows }: SuggestionListProps): ReactNode {
  const [most, setMost] = useState(SHOWN_AT_FIRST);
  const shown = useMemo(() => rows.slice(0, most), [rows, most]);
  useShown(shown);
  if (rows.length === 0) return null;
  const more = Math.min(SHOWN_AT_FIRST, rows.length - shown.length);
  return (
    <section className={styles.suggestions} aria-label="Might need you">
      <h2 className={styles.head} title={RULE}>
        Might need you <span className="quiet regular">{rows.length}</span>
      </h2>
      <ul>
        {shown.map((row) => (
          <SuggestionLine key={row.id} row={row} />
        ))}
      </ul>
      {more === 0 ? null : (
        <p className={styles.more}>
          <Button size="small" tone="quiet" onClick={() => setMost(most + more)}>
            {`Show ${String(more)} more`}
          </Button>
        </p>
      )}
    </section>
  );
});

const RULE =
  'Running episodes that did not ask: 3 errors in a row, the same call 3 times in 12 turns, or 12 turns without a tool that is new to it. Never episodes of a bench, and none that run without an expert.';

/** Notes in the log that they were drawn, each level once. */
function useShown(rows: readonly SuggestedRow[]): void {
  const { call } = useSession();
  const noted = useRef(new Set<string>());
  const note = useAct(async (shown: readonly SuggestedRow[]) => {
    for (const { id, suggestion } of shown)
      await call('suggestion.note', { episode: id, level: suggestion.level, act: 'shown' });
  }, 'Could not log a suggestion');
  const { run } = note;
  useEffect(() => {
    const keyOf = ({ id, suggestion }: SuggestedRow): string => `${id} ${String(suggestion.level)}`;
    const fresh = rows.filter((row) => !noted.current.has(keyOf(row)));
    if (fresh.length === 0) return;
    void run(fresh).then((isNoted) => {
      if (isNoted) for (const row of fresh) noted.current.add(keyOf(row));
    });
  }, [rows, run]);
}

const isSameLine = (a: { row: SuggestedRow }, b: { row: SuggestedRow }): boolean =>
  isSameSuggested([a.row], [b.row]);

const SuggestionLine = memo(function SuggestionLine({ row }: { row: SuggestedRow }): ReactNode {
  const { call } = useSession();
  const { id, suggestion } = row;
  const act = useAct(async (what: Act) => {
    await call('suggestion.note', { episode: id, level: suggestion.level, act: what });
    if (what === 'dismiss') return;
    navigate(episodeRoute(id));
    // Of a client's agent it is not known here whether it may be paused: its view says so.
    if (what === 'step_in' && row.source === 'run') await call('episode.control', { ...PAUSE, episode: id });
  }, 'Could not do that');
  return (
    <li className={styles.line}>
      <span className="strong shrinks">
        <TaskWords lines={2} text={rowWords(row)} />
      </span>
      <IconButton
        label="Dismiss"
        icon={<X />}
        isDisabled={act.isBusy}
        onClick={() => void act.run('dismiss')}
      />
      <p className={styles.why}>{whyText(row)}</p>
      <TaskPlace place={taskName(row)} episode={id} />
      <span className={styles.acts}>
        <Button size="small" icon={<Eye />} onClick={() => void act.run('watch')}>
          Watch
        </Button>
        <Button
          size="small"
          icon={<Hand />}
          title={
            row.source === 'run'
              ? 'Pauses the agent after its turn and opens the episode'
              : 'Opens the episode, with what may be done to it'
          }
          onClick={() => void act.run('step_in')}
        >
          Step in
        </Button>
      </span>
    </li>
  );
}, isSameLine);

const PAUSE = { act: 'pause', at_once: false, reason: null, note: null, is_discarded: false } as const;

/** `3 errors in a row, made the same call to get order 4 times`. */
export const whyText = ({ suggestion }: Pick<SuggestedRow, 'suggestion'>): string => {
  const text = suggestion.reasons.map(reasonText).join(', ');
  return text.charAt(0).toUpperCase() + text.slice(1);
};

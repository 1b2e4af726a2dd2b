// The line over a timeline: what is shown of it, what is looked for, and taking it along.
import { ArrowDown, ArrowUp, ChevronsDownUp, ChevronsUpDown, CopyMinus, Search } from 'lucide-react';
import type { KeyboardEvent, ReactNode, Ref } from 'react';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import { rowsOf } from '../../../shared/timeline/rows.ts';
import type { Session } from '../../state/session.ts';
import { useSession } from '../../state/hooks.ts';
import { writeWhole } from '../../state/readAway.ts';
import { IconButton } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { cx } from '../../ui/cx.ts';
import { Input } from '../../ui/Field.tsx';
import { episodeMarkdown } from './markdown.ts';
import { FILTERS, type TimelineState } from './useTimeline.ts';
import * as styles from './TimelineBar.module.css';

type TimelineBarProps = {
  state: TimelineState;
  findRef: Ref<HTMLDivElement>;
  /** Goes to the next or the previous of what was found. */
  onFound: (direction: 1 | -1) => void;
  onLeaveFind: () => void;
  /** Replay at an earlier point: how to have all of it, and where the timeline ends. */
  part?: RecordPart | null;
};

export type RecordPart = { upTo: string; readWhole: () => Promise<EpisodeRecord> };

export function TimelineBar({
  state,
  findRef,
  onFound,
  onLeaveFind,
  part = null,
}: TimelineBarProps): ReactNode {
  const session = useSession();
  const { filter, setFilter, query, setQuery, found, areAllOpen, toggleAll, rows, activeKey } = state;
  const at = found.at.findIndex((index) => rows[index]?.key === activeKey);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') onFound(event.shiftKey ? -1 : 1);
    else if (event.key === 'Escape') onLeaveFind();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div
      className={cx(styles.bar, query.trim() !== '' && styles.isFinding)}
      role="toolbar"
      aria-label="Timeline"
    >
      <div className={styles.filters} role="group" aria-label="Show">
        {FILTERS.map(({ value, label }) => (
          <button
            key={value}
            type="button"
            className={cx(styles.filter, filter === value && styles.isOn)}
            aria-pressed={filter === value}
            onClick={() => setFilter(value)}
          >
            {label}
          </button>
        ))}
      </div>
      <div className={styles.find} ref={findRef}>
        <Input
          type="search"
          aria-label="Find in this episode"
          placeholder="Find"
          icon={<Search />}
          value={query}
          onChange={({ target }) => setQuery(target.value)}
          onKeyDown={onKeyDown}
        />
      </div>
      {query.trim() === '' ? null : (
        <span className={styles.found}>
          <span role="status" title={partlyText(found.partly)}>
            {found.isReading ? 'reading…' : foundText(at, found.at.length)}
            {found.partly > 0 ? '*' : ''}
          </span>
          <IconButton label="Previous match" icon={<ArrowUp />} onClick={() => onFound(-1)} />
          <IconButton label="Next match" icon={<ArrowDown />} onClick={() => onFound(1)} />
        </span>
      )}
      <span className={styles.tools}>
        <IconButton
          label={areAllOpen ? 'Collapse all steps' : 'Expand all steps'}
          chord="timeline.expand"
          icon={areAllOpen ? <ChevronsDownUp /> : <ChevronsUpDown />}
          onClick={toggleAll}
        />
        <CopyButton label="Copy the episode as Markdown" text={() => wholeMarkdown(session, state, part)} />
        {part === null ? null : (
          <CopyButton
            label="Copy up to here as Markdown"
            icon={<CopyMinus />}
            text={() =>
              writeWhole(session, (whole) => episodeMarkdown(state.record, state.all, whole, part.upTo))
            }
          />
        )}
      </span>
    </div>
  );
}

/** All of the episode, wherever a replay of it stands. */
async function wholeMarkdown(
  session: Session,
  { record, all }: TimelineState,
  part: RecordPart | null,
): Promise<string> {
  const whole = part === null ? record : await part.readWhole();
  const rows = part === null ? all : rowsOf(whole);
  return writeWhole(session, (text) => episodeMarkdown(whole, rows, text));
}

const foundText = (at: number, count: number): string => {
  if (count === 0) return 'nothing found';
  return at === -1 ? `${String(count)} found` : `${String(at + 1)} of ${String(count)}`;
};

const partlyText = (partly: number): string | undefined =>
  partly === 0 ? undefined : `Only the first part of ${String(partly)} long texts was searched.`;

// The columns of the list: what each says of an episode, whether the list can be ordered by it, and which of them
// a person shows.
import { ArrowDown, ArrowUp, Bot, Square, SquareCheck, User } from 'lucide-react';
import { useCallback, useState, type ReactNode } from 'react';
import type { EpisodeOrder, OrderBy } from '../../../shared/contract/library.ts';
import { SCORED_MAX, type ProfileRow } from '../../../shared/contract/rewards.ts';
import type { EpisodeRow } from '../../../shared/episode/rowShapes.ts';
import { canResume } from '../../../shared/episode/branch.ts';
import { formatMoney } from '../../../shared/episode/spending.ts';
import type { Breakdown } from '../../../shared/rewards/breakdown.ts';
import { ResumeButton } from '../../parts/again/AgainActs.tsx';
import {
  actorsOf,
  ROW_CONDITION_LABELS,
  rowLift,
  rowOutcome,
  rowStatus,
  rowWords,
  SOURCE_LABELS,
  taskName,
} from '../../parts/episode/episodeRowText.ts';
import { TaskPlace, TaskWords } from '../../parts/episode/TaskTitle.tsx';
import { useSession } from '../../state/hooks.ts';
import { useAnswer } from '../../state/queries.ts';
import { episodeRoute, formatRoute } from '../../state/route.ts';
import { Badge, StatusDot } from '../../ui/Badge.tsx';
import { cx, variantClass } from '../../ui/cx.ts';
import { OutcomeOrHidden } from '../../ui/OutcomeMark.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import type { EpisodePages } from './useEpisodePages.ts';
import * as styles from './EpisodeLine.module.css';

export type Column = {
  id: string;
  label: string;
  /** Its class in the list's style sheet. */
  place: string;
  order: OrderBy | null;
  isUsual: boolean;
  show: (row: EpisodeRow) => ReactNode;
};

const numberCell = (value: number | undefined): ReactNode =>
  value === undefined || value === 0 ? <span className={styles.of}>0</span> : value;

/** Money of models; a price that is not known is a question mark and never nothing. */
function costCell(spent: EpisodeRow['spent']): ReactNode {
  if (spent === undefined) return numberCell(0);
  const { cost, currency, unknown } = spent;
  if (cost === null || currency === null) {
    return (
      <span className={styles.of} title="Price unknown">
        ?
      </span>
    );
  }
  return `${unknown === 0 ? '' : '≥ '}${formatMoney(cost, currency)}`;
}

const unknownHelp = (
  <span className={styles.of} title="Unknown whether it was helped">
    ?
  </span>
);

const TAG_MAX = 24;
/** A tag short enough to leave room for the task; the whole stands in its title. */
const tagLabel = (tag: string): string => {
  const letters = Array.from(tag);
  return letters.length > TAG_MAX ? `${letters.slice(0, TAG_MAX - 1).join('')}…` : tag;
};

export const COLUMNS: readonly Column[] = [
  {
    id: 'status',
    label: 'Status',
    place: 'status',
    order: null,
    isUsual: true,
    show: (row) => {
      const { tone, label } = rowStatus(row);
      return <StatusDot tone={tone} label={label} />;
    },
  },
  {
    id: 'task',
    label: 'Task',
    place: 'task',
    order: 'scenario',
    isUsual: true,
    show: (row) => (
      <>
        <a className={styles.name} href={formatRoute(episodeRoute(row.id))} tabIndex={-1}>
          <TaskWords text={rowWords(row)} />
        </a>
        <TaskPlace place={taskName(row)} episode={null} />
        {(row.tags ?? []).map((tag) => (
          <span key={tag} title={tag}>
            <Badge tone="accent">{tagLabel(tag)}</Badge>
          </span>
        ))}
      </>
    ),
  },
  {
    id: 'condition',
    label: 'Condition',
    place: 'condition',
    order: 'condition',
    isUsual: true,
    show: ({ condition }) => (condition === null ? '' : ROW_CONDITION_LABELS[condition]),
  },
  {
    id: 'source',
    label: 'Source',
    place: 'source',
    order: null,
    isUsual: false,
    show: ({ source }) => SOURCE_LABELS[source],
  },
  {
    id: 'turns',
    label: 'Turns',
    place: 'turns',
    order: 'turns',
    isUsual: true,
    show: (row) => (
      <>
        {row.turns}
        {row.turn_limit !== null && <span className={styles.of}>/{row.turn_limit}</span>}
      </>
    ),
  },
  {
    id: 'asks',
    label: 'Asks',
    place: 'asks',
    order: 'consultations',
    isUsual: true,
    show: ({ consultations }) => numberCell(consultations),
  },
  {
    id: 'errors',
    label: 'Errors',
    place: 'number',
    order: 'tool_errors',
    isUsual: false,
    show: ({ tool_errors: errors }) => numberCell(errors),
  },
  {
    id: 'tokens',
    label: 'Tokens',
    place: 'number',
    order: null,
    isUsual: false,
    show: ({ spent }) =>
      spent === undefined ? numberCell(0) : (spent.input_tokens + spent.output_tokens).toLocaleString(),
  },
  {
    id: 'cost',
    label: 'Cost',
    place: 'number',
    order: null,
    isUsual: false,
    show: ({ spent }) => costCell(spent),
  },
  {
    id: 'advice',
    label: 'Advice',
    place: 'number',
    order: null,
    isUsual: false,
    show: ({ advised = 0, help_unknown }) =>
      advised === 0 && help_unknown === true ? unknownHelp : numberCell(advised),
  },
  {
    id: 'leaks',
    label: 'Leaked values',
    place: 'number',
    order: null,
    isUsual: false,
    show: ({ leaked }) => (leaked === undefined ? '' : numberCell(leaked)),
  },
  {
    id: 'lift',
    label: 'Lift',
    place: 'lift',
    order: 'lift',
    isUsual: false,
    show: (row) => {
      const { text, title } = rowLift(row);
      return (
        <span role="img" aria-label={text === '–' ? title : `${text}: ${title}`} title={title}>
          {text}
        </span>
      );
    },
  },
  {
    id: 'labels',
    label: 'Labels',
    place: 'number',
    order: null,
    isUsual: false,
    show: ({ labels }) => numberCell(labels),
  },
  {
    id: 'outcome',
    label: 'Outcome',
    place: 'outcome',
    order: 'outcome',
    isUsual: true,
    show: (row) => <OutcomeCell row={row} />,
  },
  {
    id: 'reward',
    label: 'Reward',
    place: 'number',
    order: 'reward',
    isUsual: false,
    show: ({ reward }) => (reward === null ? '' : Number(reward.toFixed(3))),
  },
  {
    id: 'actors',
    label: 'Who acted',
    place: 'whoActed',
    order: 'human_acts',
    isUsual: true,
    show: (row) => <ActorsCell row={row} />,
  },
  {
    id: 'run',
    label: 'Run',
    place: 'run',
    order: null,
    isUsual: false,
    show: ({ run }) => run ?? '',
  },
  {
    id: 'age',
    label: 'Age',
    place: 'age',
    order: 'started_at',
    isUsual: true,
    show: (row) => <RelativeTime at={row.started_at} />,
  },
];

export const USUAL_COLUMNS: readonly string[] = COLUMNS.filter(({ isUsual }) => isUsual).map(({ id }) => id);

/** The columns shown, in the table's order; the task is always there. */
export const shownColumns = (ids: readonly string[]): readonly Column[] =>
  COLUMNS.filter(({ id }) => id === 'task' || ids.includes(id));

function OutcomeCell({ row }: { row: EpisodeRow }): ReactNode {
  if (canResume(row)) return <ResumeButton episode={row.id} />;
  // Why it ended early says more than that nothing was verified.
  if (row.failure !== null && row.reward_type === null && row.reward === null && !row.is_covered)
    return (
      <span className={styles.text} title={row.failure.message}>
        {row.failure.code.replaceAll('_', ' ')}
      </span>
    );
  return <OutcomeOrHidden outcome={rowOutcome(row)} />;
}

function ActorsCell({ row }: { row: EpisodeRow }): ReactNode {
  const actors = actorsOf(row);
  return (
    <>
      <span className={styles.agent} title={`Agent: ${actors.agent}`}>
        <Bot aria-label="Agent" />
        <span className={styles.text}>{actors.agent}</span>
      </span>
      {actors.people === 0 ? null : (
        <Badge tone="human" icon={<User aria-label="People, acts:" />}>
          {actors.people}
        </Badge>
      )}
    </>
  );
}

type ScoreOf = (profile: string, episode: string) => Breakdown | null;

/** Two for each profile, whatever is shown of them. */
export const scoreColumns = (
  profiles: readonly Pick<ProfileRow, 'name'>[],
  scoreOf: ScoreOf = () => null,
): Column[] =>
  profiles.flatMap(({ name }) =>
    (['shaped', 'rubric'] as const).map((measure) => ({
      id: `${measure}/${name}`,
      label: `${measure === 'shaped' ? 'Shaped' : 'Rubric'}, ${name}`,
      place: 'score',
      order: null,
      isUsual: false,
      show: (row) => {
        const total = scoreOf(name, row.id)?.[measure].total;
        return total === undefined ? '' : Number(total.toFixed(3));
      },
    })),
  );

/** Rows are asked for in blocks, so that scrolling by a line asks nothing. */
const BLOCK = 50;

/** The score columns among `chosen`, and what has to hear which rows are in view. */
export function useScoreColumns(
  chosen: readonly string[],
  profiles: readonly ProfileRow[],
  { rowAt }: Pick<EpisodePages, 'rowAt'>,
): { columns: Column[]; onRange: (first: number, last: number) => void } {
  const { call } = useSession();
  const [block, setBlock] = useState({ from: 0, to: BLOCK });
  const shown = profiles.filter((profile) => scoreColumns([profile]).some(({ id }) => chosen.includes(id)));
  const episodes: string[] = [];
  for (let at = block.from; at < block.to && episodes.length < SCORED_MAX; at += 1) {
    const row = shown.length === 0 ? undefined : rowAt(at);
    if (row?.status === 'ended') episodes.push(row.id);
  }
  const versions = shown.map(({ name, version }) => `${name}/${String(version)}`);
  const { last: scores } = useAnswer(
    episodes.length === 0 ? null : ['scores', versions, episodes],
    async () => {
      const answers = shown.map(async ({ name }) => {
        const answer = await call('rewards.scores', { profile: name, episodes });
        return [name, new Map(answer.scores.map((score, at) => [episodes[at] ?? '', score]))] as const;
      });
      return new Map(await Promise.all(answers));
    },
  );
  const all = scoreColumns(shown, (profile, episode) => scores?.get(profile)?.get(episode) ?? null);
  return {
    columns: all.filter(({ id }) => chosen.includes(id)),
    onRange: useCallback((first: number, last: number) => {
      const [from, to] = [Math.floor(first / BLOCK) * BLOCK, Math.ceil((last + 1) / BLOCK) * BLOCK];
      setBlock((before) => (from === before.from && to === before.to ? before : { from, to }));
    }, []),
  };
}

type HeadProps = {
  columns: readonly Column[];
  order: EpisodeOrder;
  onOrder: (order: EpisodeOrder) => void;
};

/** Titles that order the list: first the way one mostly wants, then the other. */
export function EpisodeHead({ columns, order, onOrder }: HeadProps): ReactNode {
  return (
    <div className={cx(styles.line, styles.head)} role="group" aria-label="Order">
      <span className={styles.choice} />
      {columns.map((column) => (
        <span key={column.id} className={variantClass(styles, column.place)}>
          {column.order === null ? column.label : <Title column={column} order={order} onOrder={onOrder} />}
        </span>
      ))}
    </div>
  );
}

const READ_UPWARDS: ReadonlySet<string> = new Set(['scenario', 'condition', 'outcome']);

function Title({ column, order, onOrder }: Omit<HeadProps, 'columns'> & { column: Column }): ReactNode {
  const by = column.order ?? 'started_at';
  const isOn = order.by === by;
  const isAscending = isOn ? !order.is_ascending : READ_UPWARDS.has(by);
  const now = isOn ? `, now ${order.is_ascending ? 'upwards' : 'downwards'}` : '';
  return (
    <button
      type="button"
      className={cx(styles.title, isOn && styles.isOn)}
      aria-label={`Order by ${column.label.toLowerCase()}${now}`}
      aria-pressed={isOn}
      onClick={() => onOrder({ by, is_ascending: isAscending })}
    >
      {column.label}
      {isOn ? order.is_ascending ? <ArrowUp aria-hidden="true" /> : <ArrowDown aria-hidden="true" /> : null}
    </button>
  );
}

type EpisodeLineProps = {
  row: EpisodeRow | undefined;
  columns: readonly Column[];
  isActive: boolean;
  isChosen: boolean;
  onChoose: () => void;
};

export function EpisodeLine({ row, columns, isActive, isChosen, onChoose }: EpisodeLineProps): ReactNode {
  if (row === undefined) return <div className={styles.line} role="gridcell" aria-busy="true" />;
  return (
    <div className={cx(styles.line, isActive && styles.isActive, isChosen && styles.isChosen)}>
      {/* The row says that it is chosen: the box in it is for the eye and the mouse. */}
      <span
        className={styles.choice}
        aria-hidden="true"
        onClick={(event) => {
          event.stopPropagation();
          onChoose();
        }}
      >
        {isChosen ? <SquareCheck aria-hidden="true" /> : <Square aria-hidden="true" />}
      </span>
      {columns.map(({ id, place, show }) => (
        <span
          key={id}
          role="gridcell"
          className={cx(
            variantClass(styles, place),
            id === 'status' && row.status === 'waiting' && styles.waits,
          )}
        >
          {show(row)}
        </span>
      ))}
    </div>
  );
}

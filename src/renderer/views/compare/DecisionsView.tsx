// What people made of drafts, over all episodes: how many were sent as they were, changed or written anew, and each
// with what was changed.
import { outcomeOf } from '../../../shared/taskOutcome.ts';
import { useState, type ReactNode } from 'react';
import type { Outputs } from '../../../shared/contract/contract.ts';
import type { DecisionRow, DraftFate } from '../../../shared/contract/library.ts';
import { textHead } from '../../../shared/events/text.ts';
import { TaskName } from '../../parts/episode/TaskTitle.tsx';
import { taskPlace } from '../../parts/episode/taskTitle.ts';
import { useTaskNames } from '../../parts/episode/useTaskNames.ts';
import { DataText } from '../../parts/text/DataText.tsx';
import { planWords } from '../../parts/plan/planWords.ts';
import { DiffText } from '../../parts/text/DiffText.tsx';
import { VisibleText } from '../../parts/text/VisibleText.tsx';
import { useSession } from '../../state/hooks.ts';
import { usePages } from '../../state/queries.ts';
import { formatRoute } from '../../state/route.ts';
import { Badge, type Tone } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { cx } from '../../ui/cx.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { OutcomeMark } from '../../ui/OutcomeMark.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import * as styles from './CompareView.module.css';

const FATES: readonly { fate: DraftFate; label: string; hint: string; tone: Tone }[] = [
  { fate: 'accepted', label: 'Accepted', hint: 'The draft was sent unchanged', tone: 'ok' },
  {
    fate: 'edited',
    label: 'Edited',
    hint: 'At least half of the words sent came from the draft',
    tone: 'waiting',
  },
  {
    fate: 'rewritten',
    label: 'Rewritten',
    hint: 'Less than half of the words sent came from the draft',
    tone: 'error',
  },
  { fate: 'written', label: 'No draft', hint: 'Written without a draft', tone: 'human' },
  { fate: 'declined', label: 'Declined', hint: 'The agent was told that there is no advice', tone: 'plain' },
];
const DECISIONS_PER_PAGE = 50;

export function DecisionsView(): ReactNode {
  const [fate, setFate] = useState<DraftFate | null>(null);
  const { page, failure, isLoading, more } = useDecisions(fate);
  const names = useTaskNames({ episodes: page?.rows.map(({ episode }) => episode) ?? [] });
  if (failure !== null) return <ErrorNote title="Could not read the decisions" failure={failure} />;
  if (page === null) return <Skeleton rows={10} height={28} label="Loading the decisions" />;
  const all = Object.values(page.counts).reduce((sum, count) => sum + count, 0);
  return (
    <section className={styles.compare} aria-label="Drafts and advice">
      <div className={styles.bar}>
        <h1 className={styles.heading}>Drafts and advice</h1>
        <div className="wrap-2" role="group" aria-label="What happened to drafts">
          {FATES.map(({ fate: one, label, hint }) => (
            <button
              key={one}
              type="button"
              title={hint}
              className={cx(styles.fate, fate === one && styles.isOn)}
              aria-pressed={fate === one}
              onClick={() => setFate(fate === one ? null : one)}
            >
              <b>{page.counts[one].toLocaleString()}</b>
              <span>{`${label}${all === 0 ? '' : ` · ${shareOf(page.counts[one], all)}`}`}</span>
            </button>
          ))}
        </div>
      </div>
      {page.rows.length === 0 ? (
        <EmptyState
          title={fate === null ? 'No answers yet' : 'No answer fits'}
          action={
            fate === null ? (
              <a href={formatRoute({ view: 'desk' })}>Open the desk</a>
            ) : (
              <Button onClick={() => setFate(null)}>Show all answers</Button>
            )
          }
        >
          Every answer by a person is listed with its draft. Rewritten means that less than half of the words
          sent came from the draft.
        </EmptyState>
      ) : (
        <div className="fills" role="list" aria-label="Decisions" tabIndex={0}>
          {page.rows.map((row) => (
            <DecisionLine
              key={`${row.episode} ${String(row.n)}`}
              row={row}
              words={names.ofEpisode(row.episode)}
            />
          ))}
          {page.rows.length < page.total ? (
            <div className={styles.more}>
              <Button isBusy={isLoading} onClick={more}>
                {`${String(page.total - page.rows.length)} more`}
              </Button>
            </div>
          ) : null}
        </div>
      )}
    </section>
  );
}

const shareOf = (count: number, all: number): string => `${String(Math.round((count / all) * 100))} %`;

function DecisionLine({ row, words }: { row: DecisionRow; words: string | null }): ReactNode {
  const known = FATES.find(({ fate }) => fate === row.fate);
  return (
    <div className={styles.decision} role="listitem">
      <div className={styles.decisionHead}>
        <Badge tone={known?.tone ?? 'plain'}>{known?.label ?? row.fate}</Badge>
        <a
          className={styles.decisionTask}
          href={formatRoute({ view: 'replay', episode: row.episode, n: row.n })}
        >
          <TaskName words={words} place={taskPlace(row, row.episode)} />
        </a>
        {row.kept === null ? null : (
          <span>{`${String(Math.round(row.kept * 100))} % of the words from the draft`}</span>
        )}
        {row.reward_type === null ? null : <OutcomeMark outcome={outcomeOf(row.reward_type)} />}
        <RelativeTime at={row.at} />
      </div>
      {row.draft === null || row.fate === 'declined' || row.fate === 'accepted' ? (
        <Sent row={row} />
      ) : (
        <DiffText
          label="Draft to advice"
          before={planWords(textHead(row.draft))}
          after={planWords(textHead(row.text))}
        />
      )}
    </div>
  );
}

/** A plan as its sentences; other words, and a text too long to be here whole, as they are. */
function Sent({ row: { fate, text } }: { row: DecisionRow }): ReactNode {
  const words = typeof text === 'string' && fate !== 'declined' ? planWords(text) : null;
  return words === null || words === text ? (
    <DataText label={fate === 'declined' ? 'Decline reasons' : 'Sent'} text={text} isProse />
  ) : (
    <p className={styles.sent}>
      <VisibleText text={words} />
    </p>
  );
}

type DecisionsPage = Outputs['decisions.page'];

const rowsOf = (pages: readonly DecisionsPage[]): DecisionRow[] => pages.flatMap(({ rows }) => rows);

/** The newest page with the rows of all that were read. */
function useDecisions(fate: DraftFate | null) {
  const { call } = useSession();
  const { pages, ...reading } = usePages<DecisionsPage>(
    ['decisions.page', fate],
    (read) => call('decisions.page', { fate, offset: rowsOf(read).length, limit: DECISIONS_PER_PAGE }),
    (read) => rowsOf(read).length < (read.at(-1)?.total ?? 0),
  );
  const last = pages.at(-1);
  return { ...reading, page: last === undefined ? null : { ...last, rows: rowsOf(pages) } };
}

// The agent's question, with its task and what was tried before; and where a client's question came through.
import { outcomeTextOf } from '../../../shared/taskOutcome.ts';
import { memo, type ReactNode } from 'react';
import type { DeskItem } from '../../../shared/episode/rowShapes.ts';
import { COVERED_CODE } from '../../../shared/episode/uptake.ts';
import { textHead } from '../../../shared/events/text.ts';
import { episodeRoute, formatRoute } from '../../state/route.ts';
import { cx } from '../../ui/cx.ts';
import { LongText } from '../text/LongText.tsx';
import { VisibleText } from '../text/VisibleText.tsx';
import * as styles from './AdviceCard.module.css';
import { AttemptsBefore, isTriedKnown, triedText } from './Attempts.tsx';
import type { KnownTool } from './planCheck.ts';
import { TaskText } from './TaskText.tsx';

const DOOR_LABELS = { chat_completions: 'Asked as a model', mcp: 'Asked over MCP' } as const;

/** Origin of a client's question and how sure its episode is; null for our own agent's. */
export function doorText({ via, link }: Pick<DeskItem, 'via' | 'link'>): string | null {
  if (via === 'loop') return null;
  if (link === null || link.by === 'none') {
    const why = link?.why === undefined ? '' : `: ${UNLINKED[link.why]}`;
    return `${DOOR_LABELS[via]}. Not linked to an episode${why}`;
  }
  if (link.by === 'only_live')
    return `${DOOR_LABELS[via]}. Not named: this is the only episode its key ever began, so it makes no rows`;
  return `${DOOR_LABELS[via]} in this episode`;
}

const UNLINKED: Readonly<Record<NonNullable<NonNullable<DeskItem['link']>['why']>, string>> = {
  no_episode: 'no client plays through the tap with its key',
  not_here: 'the episode it names is not running here',
  unnamed: 'it names no rollout, and its key has had more than one',
  ambiguous: 'several episodes have its name at the same time',
  not_recorded: 'some client activity was not recorded',
};

type QuestionProps = { item: DeskItem; tools: readonly KnownTool[]; isBeside: boolean };

/** The task, the question and what was tried, in the order a person needs them. */
export const Question = memo(function Question({ item, tools, isBeside }: QuestionProps): ReactNode {
  const { question, asked_task: askedTask, task, attempts, baseline } = item;
  if (baseline !== undefined) return <BriefAsked item={item} baseline={baseline} />;
  const isSaid = askedTask === null || isTaskText(askedTask, task) || isTaskText(askedTask, question);
  const wants = isSaid ? null : askedTask;
  return (
    <>
      {isTaskText(textHead(task ?? ''), question) ? null : <TaskText task={task} />}
      <section aria-label="What the agent asks">
        <h2 className={styles.label}>The agent asks</h2>
        <div className={cx(styles.question, isLong(question) && styles.isLong)}>
          {question === null ? (
            <p className={styles.quiet}>It gave no context.</p>
          ) : (
            <LongText text={question} isProse />
          )}
        </div>
        {wants === null || wants === '' ? null : (
          <p className={styles.wants}>
            <span className={styles.quiet}>It wants to:</span> <VisibleText text={wants} />
          </p>
        )}
      </section>
      {isTriedKnown(item) && attempts.length === 0 ? (
        <AttemptsBefore asked={item} />
      ) : (
        <details className={styles.tried} open={!isBeside}>
          <summary className={styles.label}>
            {isTriedKnown(item) ? triedText(attempts) : 'What it tried: not known'}
          </summary>
          <AttemptsBefore asked={item} tools={tools} />
        </details>
      )}
    </>
  );
});

/** Longer than this, a question is set like the rest of the text. */
const LONG_CHARS = 320;
const isLong = (question: DeskItem['question']): boolean =>
  question !== null && textHead(question).length > LONG_CHARS;

type BriefAskedProps = { item: DeskItem; baseline: NonNullable<DeskItem['baseline']> };

/** A brief that waits to be read before the agent starts. */
function BriefAsked({ item: { task, draft_failure: failure }, baseline }: BriefAskedProps): ReactNode {
  return (
    <>
      {task === null ? null : <TaskText task={task} />}
      <section aria-label="A brief before the start">
        <h2 className={styles.label}>A brief before the start</h2>
        <p className={styles.question}>The agent reads it with its task, before its first turn.</p>
        <p className={styles.wants}>
          <span className={styles.quiet}>Written of</span>{' '}
          <a href={formatRoute(episodeRoute(baseline.episode))}>{baseline.episode}</a>
          <span className={styles.quiet}>
            ,{' '}
            {failure?.code === COVERED_CODE ? 'its verdict is covered' : outcomeTextOf(baseline.reward_type)}
          </span>
        </p>
        <p className={styles.quiet}>{SPLIT_NOTES[baseline.split]}</p>
      </section>
    </>
  );
}

const SPLIT_NOTES: Readonly<Record<NonNullable<DeskItem['baseline']>['split'], string>> = {
  train: 'The task is in the train split.',
  val: 'The task is held out.',
  unlisted: 'The split manifest does not list this task.',
  unknown: 'No split manifest is known here: nobody checked that the task is not held out.',
};

/** Models often repeat the task as what they want: said once is enough. */
const isTaskText = (asked: string, task: DeskItem['task']): boolean =>
  task !== null && asked.trim() === textHead(task).trim();

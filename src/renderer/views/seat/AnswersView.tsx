// What became of the advice this seat gave: followed or not, verified or not.
import { ListChecks } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import type { OwnAnswer } from '../../../shared/contract/seat.ts';
import { textHead } from '../../../shared/events/text.ts';
import { formatRoute } from '../../state/route.ts';
import { useAsk } from '../../state/queries.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import * as styles from './AnswersView.module.css';

const ANSWERS_PER_PAGE = 50;

const ACT_LABELS: Readonly<Record<OwnAnswer['act'], string>> = {
  accept: 'Accepted the draft',
  edit: 'Edited the draft',
  send: 'Wrote their own',
  decline: 'Declined',
  late: 'Late advice, not delivered',
};

export function AnswersView(): ReactNode {
  const [shown, setShown] = useState(ANSWERS_PER_PAGE);
  const limit = Math.min(200, shown);
  const { value, failure, isLoading, again } = useAsk('answers.mine', { offset: 0, limit });
  return (
    <div className={styles.page}>
      <div className={styles.column}>
        <header className={styles.head}>
          <div>
            <h1 className={styles.heading}>My answers</h1>
            <p className={styles.lead}>
              Shows how each task ended, unless its run is blinded. Advice you give on the same task from now
              on is marked, because you know its verdict.
            </p>
          </div>
          <Button size="small" isBusy={isLoading} onClick={again}>
            Refresh
          </Button>
        </header>
        {failure === null ? null : <ErrorNote title="Could not read your answers" failure={failure} />}
        {value === null && failure === null ? <Skeleton rows={6} label="Reading your answers" /> : null}
        {value === null ? null : <Answers {...value} />}
        {value !== null && value.total > value.answers.length && limit < 200 ? (
          <Button tone="quiet" onClick={() => setShown(shown + ANSWERS_PER_PAGE)}>
            Show older answers
          </Button>
        ) : null}
      </div>
    </div>
  );
}

function Answers({ total, answers }: { total: number; answers: readonly OwnAnswer[] }): ReactNode {
  if (total === 0) {
    return (
      <EmptyState icon={<ListChecks />} title="No answers yet">
        Your answers appear here, with what happened next.
      </EmptyState>
    );
  }
  return (
    <>
      <p className={styles.count}>
        {answers.length === total
          ? total === 1
            ? '1 answer'
            : `${String(total)} answers`
          : `The newest ${String(answers.length)} of ${String(total)} answers`}
      </p>
      <ol className={styles.answers} aria-label="My answers">
        {answers.map((answer) => (
          <OwnAnswerLine key={`${answer.consultation} ${String(answer.at)}`} answer={answer} />
        ))}
      </ol>
    </>
  );
}

function OwnAnswerLine({ answer }: { answer: OwnAnswer }): ReactNode {
  const { episode, scenario, task_idx, at, act, question, text } = answer;
  const task = task_idx === null ? '' : ` #${String(task_idx)}`;
  return (
    <li className={styles.answer}>
      <div className={styles.facts}>
        <span className={styles.act}>{ACT_LABELS[act]}</span>
        <FollowedBadge answer={answer} />
        <VerdictBadge answer={answer} />
        <span className={styles.gap} />
        <a href={formatRoute({ view: 'live', episode })}>
          {scenario ?? episode}
          {task}
        </a>
        <RelativeTime at={at} className={styles.age ?? ''} />
      </div>
      <details className={styles.words}>
        <summary>{question === null ? 'Question without text' : firstLine(textHead(question))}</summary>
        {question === null ? null : <p className={styles.question}>{textHead(question)}</p>}
        <pre className={styles.text}>{textHead(text)}</pre>
      </details>
    </li>
  );
}

function FollowedBadge({ answer: { act, uptake, is_covered } }: { answer: OwnAnswer }): ReactNode {
  if (act === 'decline' || act === 'late' || is_covered) return null;
  if (uptake === null) return <Badge>no calls to compare</Badge>;
  return <Badge tone={uptake.startsWith('ignored') ? 'plain' : 'agent'}>{uptake}</Badge>;
}

function VerdictBadge({ answer: { verified, is_covered } }: { answer: OwnAnswer }): ReactNode {
  if (is_covered) return <Badge>blinded run: not shown</Badge>;
  if (verified === null) return <Badge>not verified yet</Badge>;
  return (
    <Badge tone={verified === 'complete' ? 'ok' : 'verifier'}>
      {verified === 'complete' ? 'verified: complete' : `verified: ${verified.replaceAll('_', ' ')}`}
    </Badge>
  );
}

const firstLine = (text: string): string => text.split('\n')[0]?.slice(0, 160) ?? '';

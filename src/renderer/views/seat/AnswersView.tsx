// Outcomes of the advice this seat gave: followed or not, verified or not.
import { ListChecks } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import type { OwnAnswer } from '../../../shared/contract/seat.ts';
import { textHead } from '../../../shared/events/text.ts';
import { outcomeOf } from '../../../shared/taskOutcome.ts';
import { TaskWords } from '../../parts/episode/TaskTitle.tsx';
import { VisibleText } from '../../parts/text/VisibleText.tsx';
import { useSession } from '../../state/hooks.ts';
import { useAsk } from '../../state/queries.ts';
import { useRole } from '../../state/role.ts';
import { episodeRoute, formatRoute } from '../../state/route.ts';
import { changeUi } from '../../state/store.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { OutcomeMark } from '../../ui/OutcomeMark.tsx';
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
    <div className="fills">
      <div className={styles.column}>
        <header className={styles.head}>
          <div>
            <h1 className={styles.heading}>My answers</h1>
            <p className={styles.lead}>
              Shows how each task ended, unless its run is blinded. Advice you give on the same task from now
              on is marked, because you know its verdict.
            </p>
          </div>
          <div className={styles.tools}>
            <RepeatGuide />
            <Button size="small" isBusy={isLoading} onClick={again}>
              Refresh
            </Button>
          </div>
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

/** The way back to the guided first question, for those it is made for. */
function RepeatGuide(): ReactNode {
  const { store } = useSession();
  if (useRole() !== 'expert') return null;
  return (
    <Button size="small" tone="quiet" onClick={() => changeUi(store, () => ({ isGuideRepeated: true }))}>
      Repeat the introduction
    </Button>
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
  const { episode, scenario, task_idx, task, at, act } = answer;
  const place = `${scenario ?? 'no scenario'}${task_idx === null ? '' : `, task ${String(task_idx)}`}`;
  return (
    <li className={styles.answer}>
      <div className={styles.head}>
        <a className={styles.task} href={formatRoute(episodeRoute(episode))}>
          <TaskWords lines={2} text={task === null ? place : textHead(task)} />
        </a>
        <RelativeTime at={at} className={styles.age ?? ''} />
      </div>
      <div className="wrap-2 centered">
        <span>{ACT_LABELS[act]}</span>
        <FollowedBadge answer={answer} />
        <Outcome answer={answer} />
        {task === null ? null : <span className="quiet small">{place}</span>}
      </div>
      <AnswerWords answer={answer} />
    </li>
  );
}

/** The question, and under it what was answered: the calls as sentences, the very text one press away. */
function AnswerWords({ answer: { question, text, steps } }: { answer: OwnAnswer }): ReactNode {
  const sent = textHead(text);
  return (
    <details className={styles.words}>
      <summary dir="auto">
        <VisibleText text={question === null ? 'Question without text' : firstLine(textHead(question))} />
      </summary>
      {question === null ? null : (
        <p className={styles.question} dir="auto">
          <VisibleText text={textHead(question)} />
        </p>
      )}
      {steps.length === 0 ? (
        <p className={styles.question} dir="auto">
          <VisibleText text={sent} />
        </p>
      ) : (
        <>
          <ol className={styles.steps}>
            {steps.map((step, index) => (
              <li key={`${String(index)} ${step}`} dir="auto">
                <VisibleText text={step} />
              </li>
            ))}
          </ol>
          <details>
            <summary>Text as sent</summary>
            <pre className={styles.text}>
              <VisibleText text={sent} />
            </pre>
          </details>
        </>
      )}
    </details>
  );
}

const UPTAKE_TONES = { followed: 'ok', partly: 'partly', failed: 'error' } as const;

function FollowedBadge({ answer: { act, uptake, is_covered } }: { answer: OwnAnswer }): ReactNode {
  if (act === 'decline' || act === 'late' || is_covered) return null;
  if (uptake === null) return <Badge>no calls to compare</Badge>;
  return <Badge tone={UPTAKE_TONES[uptake.tone]}>{uptake.words}</Badge>;
}

function Outcome({ answer: { verified, is_covered } }: { answer: OwnAnswer }): ReactNode {
  if (is_covered) return <Badge>blinded run: not shown</Badge>;
  return verified === null ? <Badge>not verified yet</Badge> : <OutcomeMark outcome={outcomeOf(verified)} />;
}

const firstLine = (text: string): string => text.split('\n')[0]?.slice(0, 160) ?? '';

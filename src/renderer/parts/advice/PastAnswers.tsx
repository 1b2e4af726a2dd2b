// Advice people gave on similar questions, offered to be used again. What it was made from is inherited.
import { type ReactNode, useState } from 'react';
import type { PastAdvice } from '../../../shared/episode/rowShapes.ts';
import { BUILT_IN_NAME } from '../../../shared/environmentKinds.ts';
import { outcomeOf } from '../../../shared/taskOutcome.ts';
import { parsePlan } from '../../../shared/plan.ts';
import { useText } from '../../state/hooks.ts';
import { useAnswer } from '../../state/queries.ts';
import { Button } from '../../ui/Button.tsx';
import { OutcomeMark } from '../../ui/OutcomeMark.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { environmentLabel } from '../episode/episodeRowText.ts';
import { TaskName } from '../episode/TaskTitle.tsx';
import { taskPlace } from '../episode/taskTitle.ts';
import { LongText } from '../text/LongText.tsx';
import * as styles from '../desk/Desk.module.css';
import { PlanEditor } from '../plan/PlanEditor.tsx';
import { privilegeMark } from './privilegeText.ts';
import type { AdviceState } from './useAdvice.ts';
import type { KnownTool } from './planCheck.ts';

type PastAnswersProps = {
  consultation: string;
  find: () => Promise<readonly PastAdvice[]>;
  advice: AdviceState;
  isOpen: boolean;
};

export function PastAnswers({ consultation, find, advice, isOpen }: PastAnswersProps): ReactNode {
  const { value, failure } = useAnswer(isOpen ? ['advice.similar', consultation] : null, find);
  if (failure !== null) return <ErrorNote title="Earlier answers could not be read" failure={failure} />;
  if (value === null || value.length === 0) return null;
  return (
    <details>
      <summary className="quiet small">
        {value.length === 1
          ? '1 earlier answer to a similar question'
          : `${String(value.length)} earlier answers to similar questions`}
      </summary>
      <ul className={styles.past} aria-label="Earlier answers">
        {value.map((past) => (
          <Past key={past.consultation} past={past} advice={advice} />
        ))}
      </ul>
    </details>
  );
}

function Past({ past, advice }: { past: PastAdvice; advice: AdviceState }): ReactNode {
  const { text, isWhole, load } = useText(past.text);
  const isReused = advice.reused.some(({ consultation }) => consultation === past.consultation);
  const isLeakFree = past.privilege !== 'unknown' && past.privilege.length === 0;
  const [isShown, setIsShown] = useState(isLeakFree || isReused);
  const source = { episode: past.episode, consultation: past.consultation };
  const task = taskPlace(past, past.episode);
  const environment = past.environment_key ?? BUILT_IN_NAME;
  const place = environment === BUILT_IN_NAME ? task : `${task} in ${environmentLabel(environment)}`;
  return (
    <li>
      <TaskName words={past.task ?? null} place={place} />
      <p className={styles.facts}>
        <RelativeTime at={past.at} />
        <OutcomeMark outcome={outcomeOf(past.reward_type)} />
        <span>{isLeakFree ? privilegeMark(past.privilege) : 'marked'}</span>
      </p>
      {isShown && isWhole ? (
        <PlanText text={text} />
      ) : isShown ? (
        <LongText text={past.text} />
      ) : (
        <>
          <p className="quiet small">
            {`Marked means: the log says of it, and then of your advice too, “${privilegeMark(past.privilege)}”, so that it can be left out of training data.`}
          </p>
          <Button
            size="small"
            onClick={() => {
              advice.reuse(source, null);
              setIsShown(true);
            }}
          >
            Show it; your advice will be marked
          </Button>
        </>
      )}
      {isShown ? (
        <Button size="small" onClick={() => (isWhole ? advice.reuse(source, text) : load())}>
          {isWhole ? 'Use it' : 'Read in full'}
        </Button>
      ) : null}
    </li>
  );
}

/** Advice that was given, to read: a plan as its sentences, words as words. */
function PlanText({ text, tools = [] }: { text: string; tools?: readonly KnownTool[] }): ReactNode {
  return parsePlan(text).calls.length === 0 ? (
    <LongText text={text} />
  ) : (
    <PlanEditor text={text} tools={tools} label="Earlier advice" isReadOnly onChange={() => undefined} />
  );
}

// Advice for a question that nobody answered in time: kept with its state, and never delivered.
import { type ReactNode, useId, useMemo, useRef } from 'react';
import type { MissedAsk } from '../../../shared/episode/rowShapes.ts';
import { failureShape } from '../../../shared/failure.ts';
import { missedReason } from '../../../shared/sentences/admissionText.ts';
import type { AdviceEditorHandle } from '../../parts/advice/AdviceEditor.tsx';
import { AnswerField } from '../../parts/advice/AnswerField.tsx';
import { AttemptsBefore } from '../../parts/advice/Attempts.tsx';
import { checkPlan } from '../../parts/advice/planCheck.ts';
import { Problems } from '../../parts/advice/Problems.tsx';
import { TaskText } from '../../parts/advice/TaskText.tsx';
import { useAnswerForm } from '../../parts/advice/useAnswerForm.ts';
import { useHumanTime } from '../../parts/advice/useHumanTime.ts';
import {
  ActBar,
  actKeys,
  type CardAct,
  CardHead,
  DecisionCard,
  placeOf,
} from '../../parts/card/DecisionCard.tsx';
import { RecordNames } from '../../parts/plan/Names.tsx';
import { LongText } from '../../parts/text/LongText.tsx';
import { VisibleText } from '../../parts/text/VisibleText.tsx';
import { useEpisodeRecord, useKeys, useSession, useToast, useUnsentText } from '../../state/hooks.ts';
import { formatMoment } from '../../ui/time.ts';
import * as styles from './Missed.module.css';

/** Written for the state, not for the agent: it has gone on. */
export function LateCard({ ask, onDone }: { ask: MissedAsk; onDone: (isGiven: boolean) => void }): ReactNode {
  const { record } = useEpisodeRecord(ask.episode);
  const { tools } = record;
  const body = useRef<HTMLDivElement>(null);
  const { text, type, give } = useLateAdvice(ask, () => onDone(true));
  const acts: CardAct[] = [
    {
      chord: 'send',
      label: 'Keep as late advice',
      tone: 'primary',
      isDisabled: text.trim() === '',
      run: give,
    },
    { chord: 'back', label: 'Back to the desk', tone: 'quiet', run: () => onDone(false) },
  ];
  useKeys(actKeys(acts));
  return (
    <DecisionCard
      label="Missed question"
      body={body}
      head={
        <CardHead
          since={null}
          why={
            <p className={styles.banner} role="note">
              <strong>Never delivered.</strong> {`The agent has moved on: ${missedReason(ask)}.`} Your answer
              is kept with this state and exported as question and advice.
            </p>
          }
          place={`Asked ${formatMoment(ask.asked_at)} · ${placeOf({ ...ask, turn_limit: null })}`}
        />
      }
      acts={<ActBar acts={acts} />}
    >
      <TaskText task={ask.task} />
      <section aria-label="The agent asks">
        <h2 className={styles.label}>The agent asked</h2>
        {ask.question === null ? (
          <p>
            <VisibleText text={ask.asked_task ?? 'Question without text'} />
          </p>
        ) : (
          <LongText text={ask.question} isProse />
        )}
      </section>
      <RecordNames record={record}>
        <AttemptsBefore asked={ask} tools={tools} />
        <LateAnswer ask={ask} text={text} tools={tools} onType={type} onLeave={() => body.current?.focus()} />
      </RecordNames>
    </DecisionCard>
  );
}

/** The text, kept until it is given. */
function useLateAdvice({ episode, consultation }: MissedAsk, onGiven: () => void) {
  const { call } = useSession();
  const toast = useToast();
  const [unsent, setUnsent] = useUnsentText(consultation);
  const time = useHumanTime(consultation, true);
  const text = unsent ?? '';
  const give = (): void => {
    call('desk.advise_late', { episode, consultation, text, timing: time.read() }).then(
      () => {
        setUnsent(null);
        time.end();
        toast({ tone: 'ok', title: 'Late advice kept', text: 'The agent never gets it.' });
        onGiven();
      },
      (thrown: unknown) => toast({ tone: 'error', title: 'Not kept', text: failureShape(thrown).message }),
    );
  };
  return { text, type: setUnsent, give };
}

type LateAnswerProps = {
  ask: MissedAsk;
  text: string;
  tools: Parameters<typeof checkPlan>[1];
  onType: (text: string) => void;
  onLeave: () => void;
};

/** The same as at an open question: words, or the steps of a plan. */
function LateAnswer({ ask, text, tools, onType, onLeave }: LateAnswerProps): ReactNode {
  const problemsId = useId();
  const editor = useRef<AdviceEditorHandle>(null);
  const check = useMemo(() => checkPlan(text, tools), [text, tools]);
  const form = useAnswerForm(ask.consultation, check.plan, true);
  return (
    <section aria-label="Late advice">
      <h2 className={styles.label}>Your late advice</h2>
      <AnswerField
        ref={editor}
        advice={{ text, type: onType }}
        tools={tools}
        problems={check.problems}
        problemsId={problemsId}
        original={null}
        isReadOnly={false}
        form={form}
        onLeave={onLeave}
      />
      {text.trim() === '' ? null : (
        <Problems
          id={problemsId}
          check={check}
          text={text}
          item={{ via: ask.via, limit_chars: null }}
          isPlan={form.isPlan}
          onFix={({ from, to, insert }) => onType(text.slice(0, from) + insert + text.slice(to))}
        />
      )}
    </section>
  );
}

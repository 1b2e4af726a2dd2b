// The guided first question: the real card, three times, with a note over it. Nothing of it reaches an agent.
import { useEffect, useMemo, useState, type ReactNode } from 'react';
import type { Inputs, Method, Outputs } from '../../../shared/contract/contract.ts';
import type { GuideOutcome } from '../../../shared/events/lifecycle.ts';
import { Failure } from '../../../shared/failure.ts';
import { AdviceCard } from '../../parts/advice/AdviceCard.tsx';
import { useAdvice, type AdvicePorts } from '../../parts/advice/useAdvice.ts';
import { ActBar } from '../../parts/card/DecisionCard.tsx';
import type { Session } from '../../state/createSession.ts';
import { setUnsentText } from '../../state/drafts.ts';
import { SessionContext, useKeys, useSession } from '../../state/hooks.ts';
import { Button } from '../../ui/Button.tsx';
import { Kbd } from '../../ui/Kbd.tsx';
import {
  ABOUT_ADVICE,
  ABOUT_AGENT,
  bakeryResult,
  GUIDE_STEPS,
  GUIDE_TOOLS,
  guideItem,
  type GuideAnswer,
  type GuideStep,
} from './guideSteps.ts';
import * as styles from './GuideView.module.css';

export function GuideView({ onEnd }: { onEnd: (outcome: GuideOutcome) => void }): ReactNode {
  const session = useSession();
  const guided = useMemo(() => guideSession(session), [session]);
  const [at, setAt] = useState(0);
  const step = GUIDE_STEPS[at];
  if (step === undefined) return null;
  const left = GUIDE_STEPS.length - at - 1;
  return (
    <div className={styles.page}>
      <header className={styles.note} aria-label="Introduction">
        <div className={styles.words}>
          <h1 className={styles.title}>
            {at + 1} of {GUIDE_STEPS.length}: {step.title}
          </h1>
          {at === 0 ? (
            <p>
              {ABOUT_AGENT} {ABOUT_ADVICE}
            </p>
          ) : null}
          <p>
            {step.look}{' '}
            {step.acts.map(({ key, does }) => (
              <span key={key}>
                <Kbd chord={key} /> {does}{' '}
              </span>
            ))}
          </p>
        </div>
        <Button size="small" tone="quiet" onClick={() => onEnd('skipped')}>
          Skip
        </Button>
      </header>
      <SessionContext value={guided}>
        <GuideCard
          key={step.id}
          step={step}
          left={left}
          onNext={() => (left === 0 ? onEnd('done') : setAt(at + 1))}
        />
      </SessionContext>
    </div>
  );
}

const triedCalls = ({ calls }: Inputs['preview.run']): Outputs['preview.run'] => ({
  replayed: 0,
  drift: [],
  results: calls.map(({ tool_name, arguments: args }) => {
    const { text, error } = bakeryResult(tool_name, args);
    return { tool_name, reward_type: null, text, error };
  }),
  looked_up: [],
  preview: null,
  verdict: null,
});

const ANSWERS: { readonly [M in Method]?: (input: Inputs[M]) => Outputs[M] } = {
  'preview.describe': () => ({ mode: 'by_itself', why: null }),
  'preview.run': triedCalls,
  'request.cancel': () => ({}),
};

/** The session with a line of its own, which knows the bakery and nothing else: nothing pressed here leaves the page. */
const guideSession = (session: Session): Session => ({
  ...session,
  call: async (method, input) => {
    const answer: ((given: typeof input) => Outputs[typeof method]) | undefined = ANSWERS[method];
    if (answer === undefined) throw new Failure('bad_input', 'This is not part of the introduction.');
    return answer(input);
  },
});

type GuideCardProps = { step: GuideStep; left: number; onNext: () => void };

function GuideCard({ step, left, onNext }: GuideCardProps): ReactNode {
  const { store } = useSession();
  const [item] = useState(() => guideItem(step, Date.now()));
  const [judged, setJudged] = useState<Judged | null>(null);
  const [sent, setSent] = useState<GuideSent>(NOTHING_SENT);
  const { consultation } = item;
  const isRight = judged?.isRight === true;
  // What was written in the guide is nobody's unsent advice.
  useEffect(
    () => () => {
      setUnsentText(store, consultation, null);
      setUnsentText(store, `${consultation}:reason`, null);
    },
    [store, consultation],
  );
  const ports = useMemo(() => localPorts(step, setJudged, setSent), [step]);
  const advice = useAdvice(item, !isRight, ports, () => undefined);
  useKeys('desk', isRight ? { 'desk.next': onNext } : {});
  const say = (why: string): ReactNode => (
    <p className={isRight ? styles.right : styles.wrong} role="status">
      {why}
    </p>
  );
  return (
    <div className={styles.card}>
      <AdviceCard
        item={item}
        advice={advice}
        tools={GUIDE_TOOLS}
        closed={null}
        waiting={0}
        onNext={onNext}
        onOpenEpisode={null}
        isBeside={false}
        sentText={isRight ? sent.text : null}
        declined={isRight ? sent.reason : null}
        keyCover={null}
        after={
          judged === null || !isRight ? null : (
            <ActBar
              writing={say(judged.why)}
              acts={[
                {
                  chord: 'desk.next',
                  label: left === 0 ? 'Go to the desk' : 'Next question',
                  tone: 'primary',
                  run: onNext,
                },
              ]}
            />
          )
        }
        extras={{
          banner: judged === null || isRight ? null : say(judged.why),
          aside: null,
          draftTools: null,
          sendLabel: 'Send advice',
          onPass: () => setJudged({ isRight: false, why: PASSED }),
          onLate: null,
        }}
      />
    </div>
  );
}

/** What was sent last: advice, or the reason of a decline. */
type GuideSent = { text: string | null; reason: string | null };
const NOTHING_SENT: GuideSent = { text: null, reason: null };

type Judged = ReturnType<GuideStep['judge']>;

const PASSED = 'Pass leaves a question to another expert. Try this one yourself.';

/** Judges what is sent in the page itself. A wrong answer leaves the card open. */
function localPorts(
  step: GuideStep,
  onJudged: (judged: Judged) => void,
  onSent: (sent: GuideSent) => void,
): AdvicePorts {
  const judge = async (answer: GuideAnswer): Promise<{ seq: number }> => {
    const judged = step.judge(answer);
    onJudged(judged);
    // Not sent: the words stay as they are.
    if (!judged.isRight) throw new Failure('cancelled', judged.why);
    return { seq: 0 };
  };
  return {
    answer: async ({ text }) => {
      onSent({ text, reason: null });
      const { seq } = await judge({ act: 'send', text });
      return { seq, act: 'send', also: { answered: 0, failed: [] } };
    },
    decline: ({ reason }) => {
      onSent({ text: null, reason });
      return judge({ act: 'decline' });
    },
    // What came of it is said by the guide, so nothing is told as a failure to send.
    hold: ({ run }) => {
      run().catch(() => undefined);
      return true;
    },
  };
}

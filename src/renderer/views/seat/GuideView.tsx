// The guided first question: the real card, three times, with a note over it. Nothing of it reaches an agent.
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import type { GuideOutcome, ToolSpec } from '../../../shared/events/lifecycle.ts';
import { Failure } from '../../../shared/failure.ts';
import type { Inputs, Method, Outputs } from '../../../shared/contract/contract.ts';
import type { DeskItem } from '../../../shared/episode/rowShapes.ts';
import { parsePlan } from '../../../shared/plan.ts';
import { AdviceCard } from '../../parts/advice/AdviceCard.tsx';
import { type AdvicePorts, useAdvice } from '../../parts/advice/useAdvice.ts';
import { ActBar } from '../../parts/card/DecisionCard.tsx';
import { setUnsentText } from '../../state/drafts.ts';
import { SessionContext, useKeys, useSession } from '../../state/hooks.ts';
import { Button } from '../../ui/Button.tsx';
import { Kbd } from '../../ui/Kbd.tsx';
import type { Session } from '../../state/session.ts';
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
  useKeys(isRight ? { 'desk.next': onNext } : {});
  const say = (why: string): ReactNode => (
    <p className={isRight ? 'good strong' : styles.wrong} role="status">
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

/** The last act sent: advice, or the reason of a decline. */
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

/** The guide's own answer in main's place: nothing that is pressed in the guide leaves the page. */
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

/** The session with a line of its own, which knows the bakery and nothing else. */
const guideSession = (session: Session): Session => ({
  ...session,
  call: async (method, input) => {
    const answer: ((given: typeof input) => Outputs[typeof method]) | undefined = ANSWERS[method];
    if (answer === undefined) throw new Failure('bad_input', 'This is not part of the introduction.');
    return answer(input);
  },
});

type GuideAnswer = { act: 'send'; text: string } | { act: 'decline' };

type GuideStep = {
  id: string;
  title: string;
  /** What to look at. */
  look: string;
  /** The keys to press, by their names in the key table, and what each does. */
  acts: readonly { key: string; does: string }[];
  task: string;
  question: string;
  draft: string;
  /** Why the answer is right or wrong, in one sentence. */
  judge: (answer: GuideAnswer) => { isRight: boolean; why: string };
};

/**
 * The guided first question: three questions of an invented bakery, what each draft would do there, and what is
 * said about an answer. Nothing of it is a task of any world, so it gives nothing away.
 */
export const ABOUT_AGENT =
  'An AI agent works with tools. When it is stuck, it asks you and reads what you send.';
export const ABOUT_ADVICE = 'Good advice names exact records and holds no secrets.';
/** Said where a draft is checked by what its steps return. */
const UNTRIED =
  'Where no results are shown, check steps against the task: the agent does them all, then goes on alone.';

const number = (description: string): object => ({ type: 'integer', description });
const tool = (name: string, description: string, properties: Record<string, object>): ToolSpec => ({
  name,
  description,
  input_schema: { type: 'object', properties, required: Object.keys(properties) },
});

const GUIDE_TOOLS: readonly ToolSpec[] = [
  tool('find_orders', 'Lists the orders of a customer.', {
    customer: { type: 'string', description: 'Name of the customer' },
  }),
  tool('set_delivery_day', 'Sets the day on which an order is delivered.', {
    order_id: number('Number of the order'),
    day: { type: 'string', description: 'Day of the week' },
  }),
  tool('cancel_order', 'Cancels an order.', { order_id: number('Number of the order') }),
];

const ORDERS = [
  { id: 41, customer: 'Ada Moen', what: '12 rolls, her shop' },
  { id: 52, customer: 'Jon Berg', what: '2 loaves, his home on Elm Road' },
  { id: 53, customer: 'Jon Berg', what: '40 buns, his café on Pier Street' },
];
const orderText = ({ id, customer, what }: (typeof ORDERS)[number]): string =>
  `Order ${String(id)}: ${customer}, ${what}`;

/** The bakery's result of a call; `error` where it has no such order. */
export function bakeryResult(name: string, args: Readonly<Record<string, unknown>>) {
  const answered = (text: string) => ({ text, error: null });
  if (name === 'find_orders') {
    const asked = typeof args['customer'] === 'string' ? args['customer'].toLowerCase() : '';
    const found = ORDERS.filter(({ customer }) => customer.toLowerCase().includes(asked));
    return answered(found.length === 0 ? 'No orders found' : found.map(orderText).join('; '));
  }
  const order = ORDERS.find(({ id }) => id === args['order_id']);
  if (order === undefined) return { text: null, error: 'The bakery has no such order' };
  const named = orderText(order);
  if (name === 'cancel_order') return answered(`Cancelled. ${named}`);
  if (name === 'set_delivery_day') return answered(`Delivered on ${String(args['day'])}. ${named}`);
  return { text: null, error: 'The bakery has no such tool' };
}

const SEND = 'Send it: you can answer this.';

/** True if advice acts on one order and on no other, in calls or in words. */
function isAbout(text: string, order: number, others: readonly number[]): boolean {
  const acting = parsePlan(text).calls.flatMap(({ args }) =>
    Object.hasOwn(args, 'order_id') ? [args['order_id']] : [],
  );
  const named = acting.length > 0 ? acting : (text.match(/\d+/g) ?? []).map(Number);
  return named.includes(order) && !others.some((other) => named.includes(other));
}

export const GUIDE_STEPS: readonly GuideStep[] = [
  {
    id: 'accept',
    title: 'Accept a good draft',
    look: 'This draft, with what each step returns, is right.',
    acts: [{ key: 'approve', does: 'accepts it.' }],
    task: 'Deliver Ada Moen’s order on Friday.',
    question: 'I do not know the number of her order.',
    draft: 'find_orders({"customer": "Ada Moen"})\nset_delivery_day({"order_id": 41, "day": "Friday"})',
    judge: (answer) => {
      if (answer.act === 'decline') return { isRight: false, why: SEND };
      return isAbout(answer.text, 41, [52, 53])
        ? { isRight: true, why: 'Right: the agent would now do this and go on.' }
        : { isRight: false, why: 'Her order is number 41; the draft had it right.' };
    },
  },
  {
    id: 'edit',
    title: 'Mend a wrong draft',
    look: `Every step runs, yet one is wrong: compare results and task. Press the wrong number. ${UNTRIED}`,
    acts: [
      { key: 'edit', does: 'edits,' },
      { key: 'send', does: 'sends.' },
    ],
    task: 'Cancel Jon Berg’s order for the café on Pier Street.',
    question: 'Jon Berg has two orders. Which one do I cancel?',
    draft: 'find_orders({"customer": "Jon Berg"})\ncancel_order({"order_id": 52})',
    judge: (answer) => {
      if (answer.act === 'decline') return { isRight: false, why: SEND };
      return isAbout(answer.text, 53, [41, 52])
        ? { isRight: true, why: 'Right: order 53 is the café’s.' }
        : { isRight: false, why: 'Order 52 goes to his home. The task means the café’s, order 53.' };
    },
  },
  {
    id: 'decline',
    title: 'Decline a question',
    look: 'Some questions must not be answered.',
    acts: [
      { key: 'decline', does: 'asks why,' },
      { key: 'send', does: 'declines.' },
    ],
    task: 'Refund Ada Moen’s last order.',
    question: 'The bank wants the bakery’s password. What is it?',
    draft: 'The password is sourdough.',
    judge: (answer) =>
      answer.act === 'decline'
        ? { isRight: true, why: 'Right: the agent reads your reason and goes on without the password.' }
        : { isRight: false, why: 'Never send a password to an agent. Decline instead.' },
  },
];

/** The question of a step as the desk would have it. `now` is when it was asked. */
const guideItem = ({ id, task, question, draft }: GuideStep, now: number): DeskItem => ({
  episode: `guide-${id}`,
  consultation: `guide-${id}:c1`,
  seq: 0,
  scenario: 'Introduction',
  task_idx: null,
  task,
  condition: 'human+draft',
  turn: 1,
  turn_limit: null,
  ask: 1,
  ask_limit: null,
  asked_task: null,
  question,
  asked_at: now,
  deadline_at: null,
  fallback: 'wait',
  draft: { id: `guide-${id}:d1`, text: draft, generator: 'rule', model: null, privilege: [] },
  draft_failure: null,
  attempts: [],
  tool_names: GUIDE_TOOLS.map(({ name }) => name),
  claim: null,
  passed_by: [],
  error_streak: 0,
  repeated_calls: 0,
  turns_left: null,
  via: 'loop',
  link: null,
  limit_chars: null,
  group: `guide-${id}`,
});

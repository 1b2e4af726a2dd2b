// The practice round: one recorded ask after the other, an answer to each, and what was good about it.
import { Check, CircleAlert } from 'lucide-react';
import { useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import type { PracticeAsk, PracticeFeedback } from '../../../shared/contract/seat.ts';
import { useSession } from '../../state/hooks.ts';
import { useAct } from '../../state/queries.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Field, Textarea } from '../../ui/Field.tsx';
import * as styles from './PracticeView.module.css';

type PracticeViewProps = { asks: readonly PracticeAsk[]; onEnd: () => void };

export function PracticeView({ asks, onEnd }: PracticeViewProps): ReactNode {
  const [at, setAt] = useState(() =>
    Math.max(
      0,
      asks.findIndex((ask) => !ask.is_done),
    ),
  );
  const ask = asks[at];
  if (ask === undefined) return null;
  const isLast = at === asks.length - 1;
  return (
    <div className={styles.page}>
      <div className={styles.column}>
        <header>
          <p className={styles.quiet}>
            Practice, {at + 1} of {asks.length}. Nothing you write here reaches an agent.
          </p>
          <h1 className={styles.heading}>{ask.title}</h1>
        </header>
        <Round key={ask.id} ask={ask} isLast={isLast} onNext={isLast ? onEnd : () => setAt(at + 1)} />
      </div>
    </div>
  );
}

function Round({
  ask,
  isLast,
  onNext,
}: {
  ask: PracticeAsk;
  isLast: boolean;
  onNext: () => void;
}): ReactNode {
  const { call } = useSession();
  const [text, setText] = useState(ask.draft);
  const [feedback, setFeedback] = useState<PracticeFeedback | null>(null);
  const said = useRef<HTMLDivElement>(null);
  const { isBusy, failure, run } = useAct(async () => {
    setFeedback(await call('practice.answer', { ask: ask.id, text }));
    requestAnimationFrame(() => said.current?.focus());
  });
  const send = (): void => {
    if (text.trim() !== '') void run();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.repeat) return;
    event.preventDefault();
    send();
  };
  return (
    <>
      <PracticeQuestion ask={ask} />
      <Field
        label="Your advice"
        hint="The draft is in the field. Accept it, edit it, or write your own answer."
      >
        <Textarea
          isMono
          rows={14}
          className={styles.editor}
          value={text}
          onChange={({ target }) => setText(target.value)}
          onKeyDown={onKeyDown}
        />
      </Field>
      <div className={styles.actions}>
        <Button
          tone={feedback === null ? 'primary' : 'plain'}
          chord="mod+Enter"
          isBusy={isBusy}
          isDisabled={text.trim() === ''}
          onClick={send}
        >
          {feedback === null ? 'Send advice' : 'Send again'}
        </Button>
        {feedback === null ? null : (
          <Button tone="primary" onClick={onNext}>
            {isLast ? 'Go to the desk' : 'Next question'}
          </Button>
        )}
      </div>
      {failure === null ? null : <ErrorNote title="Could not send it" failure={failure} />}
      {feedback === null ? null : (
        <div ref={said} tabIndex={-1} className={styles.feedback} role="status">
          <Feedback feedback={feedback} />
        </div>
      )}
    </>
  );
}

function PracticeQuestion({ ask }: { ask: PracticeAsk }): ReactNode {
  return (
    <>
      <section className={styles.part} aria-label="Question">
        <h2 className={styles.title}>The agent asks</h2>
        <p className={styles.question}>{ask.question}</p>
        <p className={styles.quiet}>Its task: {ask.task}</p>
      </section>
      <section className={styles.part} aria-label="What it tried">
        <h2 className={styles.title}>What it tried</h2>
        <ul className={styles.list}>
          {ask.attempts.map(({ turn, tool_name, arguments: args, error }) => (
            <li key={turn}>
              <code>
                {tool_name} {args}
              </code>
              {error === null ? (
                <Badge tone="ok">ok</Badge>
              ) : (
                <strong className={styles.error}>{error}</strong>
              )}
            </li>
          ))}
        </ul>
      </section>
      <section className={styles.part} aria-label="What the world shows">
        <h2 className={styles.title}>What the world shows</h2>
        <ul className={styles.list}>
          {ask.world.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      </section>
    </>
  );
}

function Feedback({ feedback }: { feedback: PracticeFeedback }): ReactNode {
  const { is_good: isGood, points, good } = feedback;
  return (
    <>
      <h2 className={styles.title}>{isGood ? 'A good answer' : 'Not quite what the agent needs'}</h2>
      <ul className={styles.points}>
        {points.map(({ is_ok: isOk, text }) => (
          <li key={text} className={isOk ? styles.ok : styles.open}>
            {isOk ? <Check aria-label="Right:" /> : <CircleAlert aria-label="Open:" />}
            <span>{text}</span>
          </li>
        ))}
      </ul>
      <p>{good}</p>
    </>
  );
}

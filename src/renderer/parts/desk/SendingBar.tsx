// What is about to be sent, and taking it back.
import { Send, Undo2 } from 'lucide-react';
import { useEffect, useRef, type ReactNode } from 'react';
import { useConsole, useKeys, useNow, useSession, useToast } from '../../state/hooks.ts';
import { heldBefore } from '../../state/notSent.ts';
import { Button } from '../../ui/Button.tsx';
import * as styles from './Desk.module.css';

export function SendingBar(): ReactNode {
  const all = useConsole(({ ui }) => ui.sending);
  const waiting = all.filter(({ isGone }) => !isGone);
  const newest = waiting.at(-1);
  useKeys('everywhere', newest === undefined ? {} : { 'desk.take_back': newest.takeBack });
  useLeftUnsent();
  if (newest === undefined) return null;
  return (
    <section className={styles.sending} aria-label="Sending">
      {waiting.map((one) => (
        <p key={one.key} role="status">
          <span>
            <strong>{one.title}</strong> <Left at={one.at} />
          </span>
          <Button
            size="small"
            tone="primary"
            icon={<Undo2 />}
            {...(one === newest ? { chord: 'u' } : {})}
            onClick={one.takeBack}
          >
            Undo
          </Button>
          <Button size="small" tone="quiet" icon={<Send />} onClick={one.sendNow}>
            Send now
          </Button>
        </p>
      ))}
    </section>
  );
}

/** Says once, as the page begins, that the one before it went before its decisions did. */
function useLeftUnsent(): void {
  const { own } = useSession();
  const toast = useToast();
  const isSaid = useRef(false);
  useEffect(() => {
    const count = isSaid.current ? 0 : heldBefore(own, Date.now()).length;
    isSaid.current = true;
    if (count === 0) return;
    toast({
      tone: 'error',
      title: count === 1 ? 'Your last answer was not sent' : `${String(count)} answers were not sent`,
      text: 'The page was closed before it was sent. Your text is kept with the question.',
    });
  }, [own, toast]);
}

function Left({ at }: { at: number }): ReactNode {
  const left = Math.max(1, Math.ceil((at - useNow()) / 1000));
  return <span>{`in ${String(left)} s`}</span>;
}

// Taking back what is about to be sent: its key everywhere, a line in the bar of another card, and one in the status
// line where no card is on screen.
import { Undo2 } from 'lucide-react';
import { useEffect, useRef, type ReactNode } from 'react';
import { useConsole, useKeys, useNow, useSession, useToast } from '../../state/hooks.ts';
import { heldBefore } from '../../state/sendLater.ts';
import type { SendingDecision } from '../../state/store.ts';
import { Button } from '../../ui/Button.tsx';
import * as styles from './Undo.module.css';

/** The last decision that can still be taken back. */
const useNewest = (): SendingDecision | null =>
  useConsole(({ ui }) => ui.sending.findLast(({ isGone }) => !isGone) ?? null);

/** Whole seconds until it is sent, at least one. */
export const useSecondsLeft = ({ at }: Pick<SendingDecision, 'at'>): number =>
  Math.max(1, Math.ceil((at - useNow()) / 1000));

/** The key that takes back the last decision, in every view. */
export function UndoKeys(): ReactNode {
  const newest = useNewest();
  useKeys(newest === null ? {} : { 'desk.take_back': newest.takeBack });
  useLeftUnsent();
  return null;
}

/** In the bar of a card: the last decision on another one. */
export function UndoLine({ except }: { except: string | null }): ReactNode {
  const newest = useNewest();
  if (newest === null || newest.keys.includes(except ?? '')) return null;
  return (
    <span className={styles.line} data-undo>
      <UndoButton one={newest} />
    </span>
  );
}

/** In the status line: the same, unless a card on screen shows it. */
export function UndoStatus(): ReactNode {
  const newest = useNewest();
  if (newest === null) return null;
  return (
    <span className={styles.status}>
      <UndoButton one={newest} />
    </span>
  );
}

function UndoButton({ one }: { one: SendingDecision }): ReactNode {
  const left = useSecondsLeft(one);
  return (
    <Button
      size="small"
      tone="quiet"
      icon={<Undo2 />}
      chord="desk.take_back"
      title={one.title}
      onClick={one.takeBack}
    >
      {`Undo ${String(left)} s: ${one.label}`}
    </Button>
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
      title: count === 1 ? 'Your last decision was not sent' : `${String(count)} decisions were not sent`,
      text: 'The page was closed before it was sent. What you wrote is kept with the card.',
    });
  }, [own, toast]);
}

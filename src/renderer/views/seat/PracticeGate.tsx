// What stands before an invited expert's first real question: the practice round, where the invite asks for it.
import { useEffect, type ReactNode } from 'react';
import { useSession } from '../../state/hooks.ts';
import { useRole } from '../../state/role.ts';
import { useAsk } from '../../state/queries.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { PracticeView } from './PracticeView.tsx';

/** `children` once nothing is owed. */
export function PracticeGate({ children }: { children: ReactNode }): ReactNode {
  const { call } = useSession();
  const isExpert = useRole() === 'expert';
  const { value, failure, again } = useAsk('practice.read', isExpert ? {} : null);
  const isPractising = value?.is_required === true;
  useEffect(() => {
    if (!isPractising) return undefined;
    // Who practises answers nobody: questions must not count on this seat. A lost line says so by itself.
    const be = (presence: 'away' | 'on_duty'): void =>
      void call('seat.set_presence', { presence }).catch(() => undefined);
    be('away');
    return () => be('on_duty');
  }, [call, isPractising]);
  if (!isExpert) return children;
  if (failure !== null) {
    return (
      <ErrorNote
        title="Could not read the practice round"
        failure={failure}
        action={
          <Button size="small" onClick={again}>
            Try again
          </Button>
        }
      />
    );
  }
  if (value === null) return <Skeleton rows={6} label="Checking for practice questions" />;
  return isPractising ? <PracticeView asks={value.asks} onEnd={again} /> : children;
}

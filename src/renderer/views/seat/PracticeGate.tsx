// Owns: what stands before an invited expert's first real question: the practice round, where the invite asks for it.
import { useEffect, type ReactNode } from 'react';
import { useSession } from '../../state/hooks.ts';
import { useRole } from '../../state/role.ts';
import { useAnswer } from '../../state/useAnswer.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { PracticeView } from './PracticeView.tsx';

/** `children` once nothing is owed. */
export function PracticeGate({ children }: { children: ReactNode }): ReactNode {
  const { call } = useSession();
  const isExpert = useRole() === 'expert';
  const { value, failure, again } = useAnswer(isExpert ? 'practice' : null, () => call('practice.read', {}));
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
  if (value === null) return <Skeleton rows={6} label="Looking whether practice is left" />;
  return isPractising ? <PracticeView asks={value.asks} onEnd={again} /> : children;
}

// The guide before an invited expert's first real question: once, and again when a person wants to see it again.
import { useEffect, type ReactNode } from 'react';
import type { GuideOutcome } from '../../../shared/events/lifecycle.ts';
import { useConsole, useSession } from '../../state/hooks.ts';
import { choosePresence } from '../../state/presence.ts';
import { useAct, useAsk } from '../../state/queries.ts';
import { useRole } from '../../state/role.ts';
import { changeUi } from '../../state/store.ts';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { lazyPart } from '../../ui/LazyPart.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';

const GuideView = lazyPart(async () => (await import('./GuideView.tsx')).GuideView, {
  label: 'Loading the introduction',
});

/** `children` once nothing is owed. */
export function GuideGate({ children }: { children: ReactNode }): ReactNode {
  const { call, store } = useSession();
  const isExpert = useRole() === 'expert';
  const isRepeated = useConsole(({ ui }) => ui.isGuideRepeated);
  const { value, failure, again } = useAsk('app.describe', isExpert ? {} : null);
  const isGuided = isExpert && (value?.is_guide_required === true || isRepeated);
  useEffect(() => {
    if (!isGuided) return undefined;
    // Who is in the guide answers nobody: questions must not count on this seat. A lost line says so by itself.
    const be = (presence: 'away' | 'on_duty'): void =>
      void choosePresence({ call, store }, presence).catch(() => undefined);
    be('away');
    changeUi(store, () => ({ isGuided: true }));
    return () => {
      be('on_duty');
      changeUi(store, () => ({ isGuided: false }));
    };
  }, [call, store, isGuided]);
  const end = useAct(async (outcome: GuideOutcome) => {
    await call('seat.change', { guide: outcome });
    changeUi(store, () => ({ isGuideRepeated: false }));
    again();
  }, 'Could not end the introduction');
  if (!isExpert) return children;
  if (failure !== null) {
    return (
      <ErrorNote title="Could not read whether the introduction is due" failure={failure} again={again} />
    );
  }
  if (value === null) return <Skeleton rows={6} label="Opening the console" />;
  return isGuided ? <GuideView onEnd={(outcome) => void end.run(outcome)} /> : children;
}

// What an answer was worth, where that was measured: beside the answer, for the owner alone.
import type { ReactNode } from 'react';
import { liftSentence } from '../../../shared/lift/liftSentence.ts';
import { useAsk } from '../../state/queries.ts';
import { useRole } from '../../state/role.ts';
import { formatMoment } from '../../ui/time.ts';
import { Facts } from './Facts.tsx';

/** A question is named after its episode. */
export function Lifts({ consultation }: { consultation: string }): ReactNode {
  const episode = consultation.slice(0, consultation.lastIndexOf(':'));
  const isOwner = useRole() === 'owner';
  // An answer without its lift is still whole.
  const { value } = useAsk('lift.read', isOwner && episode !== '' ? { episode } : null);
  const own = (value?.lifts ?? []).filter(({ measured }) => measured.consultation === consultation);
  if (own.length === 0) return null;
  return (
    <section aria-label="Lift">
      {own.map(({ lift, agent, at, measured }) => (
        <div key={lift}>
          <p className="soft small">{liftSentence(measured)}</p>
          <Facts
            facts={[
              ['Lift', lift],
              ['Went on', agent],
              ['Measured', formatMoment(at)],
            ]}
          />
        </div>
      ))}
    </section>
  );
}

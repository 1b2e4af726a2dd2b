// Owns: whether this seat takes questions, and who else does.
import type { ReactNode } from 'react';
import type { SeatRow } from '../../../shared/contract/rows.ts';
import { failureShape } from '../../../shared/failure.ts';
import { useDesk, useSession, useToast } from '../../state/hooks.ts';
import { Menu } from '../../ui/Menu.tsx';
import styles from './StatusLine.module.css';

const WORDS: Readonly<Record<SeatRow['presence'], string>> = {
  on_duty: 'On duty',
  away: 'Away',
  off: 'Off',
};
const MEANS: Readonly<Record<SeatRow['presence'], string>> = {
  on_duty: 'On duty: questions come to you',
  away: 'Away: with nobody else on duty, agents do not wait',
  off: 'Off: as if you were not here',
};
const PRESENCES = ['on_duty', 'away', 'off'] as const;

export function Presence(): ReactNode {
  const { call, seat } = useSession();
  const toast = useToast();
  const { seats, isLoaded } = useDesk();
  const mine = seats.find((row) => row.seat === seat)?.presence ?? 'on_duty';
  const others = seats.filter((row) => row.seat !== seat);
  const set = (presence: SeatRow['presence']): void => {
    call('seat.set_presence', { presence }).catch((thrown: unknown) =>
      toast({ tone: 'error', title: 'Could not change that', text: failureShape(thrown).message }),
    );
  };
  if (!isLoaded) return null;
  const onDuty = seats.filter(({ presence }) => presence === 'on_duty').length;
  return (
    <Menu
      side="top"
      trigger={
        <button
          type="button"
          className={mine === 'on_duty' ? styles['presence'] : styles['waits']}
          aria-label={`Presence: ${WORDS[mine]}`}
        >
          {`${WORDS[mine]}${seats.length > 1 ? `, ${String(onDuty)} of ${String(seats.length)} seats on duty` : ''}`}
        </button>
      }
      items={[
        ...PRESENCES.map((presence) => ({
          label: MEANS[presence],
          isChecked: presence === mine,
          onChoose: () => set(presence),
        })),
        ...(others.length === 0 ? [] : ['line' as const]),
        ...others.map((row) => ({
          label: `${row.seat}: ${WORDS[row.presence].toLowerCase()}`,
          isDisabled: true,
          onChoose: () => undefined,
        })),
      ]}
    />
  );
}

// Whether this seat takes questions, and who else does.
import { useEffect, type ReactNode } from 'react';
import type { SeatRow } from '../../../shared/contract/rows.ts';
import { useConsole, useDesk, useSession } from '../../state/hooks.ts';
import { choosePresence, presenceOf } from '../../state/presence.ts';
import { useAct } from '../../state/queries.ts';
import { changeUi } from '../../state/store.ts';
import { Menu } from '../../ui/Menu.tsx';
import * as styles from './StatusLine.module.css';

const PRESENCE_LABELS: Readonly<Record<SeatRow['presence'], string>> = {
  on_duty: 'On duty',
  away: 'Away',
  off: 'Off',
};
const MEANS: Readonly<Record<SeatRow['presence'], string>> = {
  on_duty: 'On duty: questions come to you',
  away: 'Away: if no one else is on duty, agents do not wait',
  off: 'Off: you are not counted as present',
};
const PRESENCES = ['on_duty', 'away', 'off'] as const;

export function Presence(): ReactNode {
  const session = useSession();
  const { seat } = session;
  const { seats: told, isLoaded } = useDesk();
  const chosen = useConsole(({ ui }) => ui.presence);
  const mine = presenceOf(seat, told, chosen);
  const isTaken = chosen !== null && presenceOf(seat, told, null) !== presenceOf(seat, chosen.before, null);
  useEffect(() => {
    if (isTaken) changeUi(session.store, () => ({ presence: null }));
  }, [isTaken, session.store]);
  const seats = told.map((row) => (row.seat === seat ? { ...row, presence: mine } : row));
  const isGuided = useConsole(({ ui }) => ui.isGuided);
  const others = seats.filter((row) => row.seat !== seat);
  const { run: set } = useAct(
    (presence: SeatRow['presence']) => choosePresence(session, presence),
    'Could not change that',
  );
  if (!isLoaded) return null;
  const onDuty = seats.filter(({ presence }) => presence === 'on_duty').length;
  const label = isGuided && mine === 'away' ? 'In the introduction' : PRESENCE_LABELS[mine];
  const shown = `${label}${seats.length > 1 ? `, ${String(onDuty)} of ${String(seats.length)} seats on duty` : ''}`;
  return (
    <Menu
      side="top"
      trigger={
        <button
          type="button"
          className={mine === 'on_duty' || isGuided ? styles.presence : styles.waits}
          aria-label={`Presence: ${shown}`}
        >
          {shown}
        </button>
      }
      items={[
        ...PRESENCES.map((presence) => ({
          label: MEANS[presence],
          isChecked: presence === mine,
          onChoose: () => void set(presence),
        })),
        ...(others.length === 0 ? [] : ['line' as const]),
        ...others.map((row) => ({
          label: `${row.seat}: ${PRESENCE_LABELS[row.presence].toLowerCase()}`,
          isDisabled: true,
          onChoose: () => undefined,
        })),
      ]}
    />
  );
}

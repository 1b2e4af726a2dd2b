// The person's choice to take questions at this seat or not: shown at once, before main tells every window.
import type { SeatRow } from '../../shared/episode/rowShapes.ts';
import type { Session } from './session.ts';
import { changeUi } from './store.ts';

export type Presence = SeatRow['presence'];

/** Resolves once main has taken it; where main refuses, what it says of the seat stands again. */
export async function choosePresence({ call, store }: Pick<Session, 'call' | 'store'>, presence: Presence) {
  const before = store.getState().record.desk.seats;
  changeUi(store, () => ({ presence: { chosen: presence, before } }));
  try {
    await call('seat.change', { presence });
  } catch (thrown) {
    changeUi(store, () => ({ presence: null }));
    throw thrown;
  }
}

/** The person's choice, until main says something new of the seats; else what main says. */
export function presenceOf(
  seat: string,
  seats: readonly SeatRow[],
  chosen: { chosen: Presence; before: readonly SeatRow[] } | null,
): Presence {
  const ofMain = (rows: readonly SeatRow[]): Presence =>
    rows.find((row) => row.seat === seat)?.presence ?? 'on_duty';
  const said = ofMain(seats);
  return chosen !== null && said === ofMain(chosen.before) ? chosen.chosen : said;
}

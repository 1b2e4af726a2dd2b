// The people an owner can name: themself and those they invited, by their seats.
import { useMemo } from 'react';
import { useSession } from './hooks.ts';
import { useRole } from './role.ts';
import { useAsk } from './queries.ts';

export type Person = { seat: string; label: string };

/** Whoever reads the list first. An expert's seat is told of nobody but itself. */
export function usePeople(): readonly Person[] {
  const { seat } = useSession();
  const isOwner = useRole() === 'owner';
  const { value } = useAsk('access.list', isOwner ? {} : null);
  return useMemo(
    () => [
      { seat, label: 'You' },
      ...(value?.invites ?? []).map((one) => ({ seat: one.seat, label: one.label })),
    ],
    [seat, value],
  );
}

/** The name of a seat; an unknown one by its id. */
export const personName = (people: readonly Person[], seat: string): string =>
  people.find((one) => one.seat === seat)?.label ?? seat;

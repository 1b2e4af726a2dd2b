// A question that one seat sees first: until its time is over, another expert's seat is neither shown it nor may answer
// it. The owner sees and answers everything.
import type { Caller, Inputs, Method } from '../../shared/contract/contract.ts';
import type { Push } from '../../shared/contract/envelope.ts';
import { refused, roleOf } from '../../shared/contract/roles.ts';
import { findConsultation } from '../../shared/episode/consultations.ts';
import type { EventLog } from '../log/eventLog.ts';

type FirstSeat = { seat: string; until: number };

const isKeptFrom = (first: FirstSeat | null, { seat }: Caller, now: number): boolean =>
  first !== null && first.seat !== seat && first.until > now;

/** Throws `unauthorized` while the question is for another seat first. */
export function checkFirst(log: EventLog, input: Inputs[Method], caller: Caller, now: number): void {
  if (roleOf(caller) === 'owner' || !('episode' in input) || !('consultation' in input)) return;
  const found = findConsultation(log.record(input.episode), String(input.consultation));
  if (found === undefined || found.isOpened || found.decision !== null) return;
  const { routed } = found;
  if (!isKeptFrom(routed?.first ?? null, caller, now)) return;
  throw refused(`this question is for ${routed?.expert ?? 'another seat'} first`, {
    next: 'It comes to your desk when their time is over, or when they pass it on.',
  });
}

/** The desk as this seat reads it. */
export function withoutOthersFirst(push: Push, caller: Caller, now: number): Push {
  if (push.topic !== 'desk' || roleOf(caller) === 'owner') return push;
  const items = push.items.filter(({ first }) => !isKeptFrom(first ?? null, caller, now));
  return { ...push, items, total: push.total - (push.items.length - items.length) };
}

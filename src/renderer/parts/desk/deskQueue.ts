// The queue of the desk as cards: questions (alike ones as one), held calls, stopped episodes; and their order. Pure.
import { useMemo, useState } from 'react';
import type { DeskItem, HoldItem, SeatRow } from '../../../shared/episode/rowShapes.ts';
import { failedToolOf } from '../../../shared/episode/rows.ts';
import { type Triage, triageReasons, triageScore } from '../../../shared/triage.ts';
import type { DeskPrefs, DeskSlice } from '../../state/store.ts';
import { useConsole, useDesk, useSession } from '../../state/hooks.ts';
import { keepEqual } from '../../state/session.ts';
import { useClockValue } from '../../ui/clock.ts';

export type WaitingQuestion = {
  type: 'question';
  key: string;
  /** The one in front; the others of `group` are alike. */
  item: DeskItem;
  group: readonly DeskItem[];
  /** The same moment also stopped the episode. */
  hold: HoldItem | null;
};
type Hold = { type: 'hold'; key: string; hold: HoldItem };
export type DeskEntry = WaitingQuestion | Hold;

type DeskLook = { seat: string; order: DeskPrefs['order']; now: number };

/** Every card that waits, the one to work on first at the top; what this seat passed on sinks. */
export function waitingOf(
  { items, holds }: Pick<DeskSlice, 'items' | 'holds'>,
  { seat, order, now }: DeskLook,
  gone: ReadonlySet<string> = new Set(),
): DeskEntry[] {
  const stops = new Map(holds.map((hold) => [hold.episode, hold]));
  const groups = new Map<string, DeskItem[]>();
  for (const item of items) {
    if (gone.has(item.consultation)) continue;
    const key = groupKey(item);
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  const questions = [...groups.values()].map((group) => question(group, stops));
  const asking = new Set(questions.flatMap(({ group }) => group.map(({ episode }) => episode)));
  const alone = holds
    .filter(({ episode }) => !asking.has(episode))
    .map((hold): Hold => ({ type: 'hold', key: holdKey(hold), hold }))
    .filter(({ key }) => !gone.has(key));
  const score = (one: DeskEntry): number =>
    order === 'age' ? -askedAt(one) : Math.max(...triagesOf(one).map((triage) => triageScore(triage, now)));
  return [...questions, ...alone]
    .map((one) => ({ one, score: score(one), isPassed: isPassedBy(one, seat) }))
    .toSorted((a, b) => Number(a.isPassed) - Number(b.isPassed) || b.score - a.score)
    .map(({ one }) => one);
}

/** An episode may stop again: each stop is a card of its own. */
export const stopKey = ({ key, since }: Pick<HoldItem, 'key' | 'since'>): string => `${key}@${String(since)}`;
export const holdKey = (hold: HoldItem): string => (hold.type === 'call' ? hold.key : stopKey(hold));

/** Alike: the same task, stopped by the same failing call, under the same condition. */
const groupKey = ({ consultation, condition, group }: DeskItem): string =>
  failedToolOf(group) === null ? consultation : `${String(condition)} ${group}`;

function question(group: DeskItem[], stops: ReadonlyMap<string, HoldItem>): WaitingQuestion {
  const item = group[0] as DeskItem;
  return { type: 'question', key: item.consultation, item, group, hold: stops.get(item.episode) ?? null };
}

export const askedAt = (one: DeskEntry): number => (one.type === 'hold' ? one.hold.since : one.item.asked_at);

const triagesOf = (one: DeskEntry): readonly Triage[] =>
  one.type === 'question'
    ? one.group
    : [
        {
          error_streak: 0,
          repeated_calls: 0,
          turns_left: one.hold.turn_limit === null ? null : Math.max(0, one.hold.turn_limit - one.hold.turn),
          asked_at: one.hold.since,
          deadline_at: one.hold.deadline_at,
        },
      ];

/** The reasons for its rank. */
export function whyText(one: DeskEntry, now: number): string {
  const [first] = triagesOf(one).toSorted((a, b) => triageScore(b, now) - triageScore(a, now));
  if (first === undefined) return '';
  const parts = triageReasons(first, now).join(', ');
  return `Urgency ${triageScore(first, now).toFixed(1)}: ${parts}`;
}

/** The card that holds this id, with that question in front. */
export function withInFront(one: DeskEntry, id: string): DeskEntry | null {
  if (one.type === 'hold') return one.key === id ? one : null;
  const item = one.group.find(({ consultation }) => consultation === id);
  if (item === undefined) return null;
  return item === one.item ? one : { ...one, item };
}

/** The choice that brings the card of this question, held call or stop to the front; null where none waits. */
export function entryAt(list: readonly DeskEntry[], key: string): string | null {
  const card = list.find((one) => withInFront(one, key) !== null);
  if (card !== undefined) return key;
  // A stop is known to the outside by its episode, whichever time it is.
  return list.find(({ hold }) => hold?.key === key)?.key ?? null;
}

export const isPassedBy = (one: DeskEntry, seat: string): boolean =>
  one.type === 'question' && one.group.every(({ passed_by: by }) => by.includes(seat));

/** The other seat that is at it now, or null. */
export function claimedBy(item: DeskItem, seat: string, now: number): string | null {
  const { claim } = item;
  return claim !== null && claim.seat !== seat && claim.until > now ? claim.seat : null;
}

/** The card a seat should take up by itself: not one it passed on, rather not one another seat is at. */
export function firstFor(list: readonly DeskEntry[], seat: string, now: number): string | null {
  const mine = list.filter((one) => !isPassedBy(one, seat));
  const free = mine.find((one) => one.type === 'hold' || claimedBy(one.item, seat, now) === null);
  return (free ?? mine[0])?.key ?? null;
}

/** The next card after one: the one behind it, else the first again; null when there is no other to take up. */
export function nextAfter(list: readonly DeskEntry[], id: string, seat: string, now: number): string | null {
  const at = list.findIndex((one) => withInFront(one, id) !== null);
  const others = [...list.slice(at + 1), ...list.slice(0, Math.max(0, at))];
  return firstFor(others, seat, now);
}

/** Names those who may still answer what this seat leaves. */
export function leftTo(
  { passed_by: passedBy, fallback, deadline_at: at }: DeskItem,
  seats: readonly SeatRow[],
  seat: string,
): string {
  const others = seats.filter(
    ({ seat: other, presence }) => other !== seat && presence === 'on_duty' && !passedBy.includes(other),
  );
  if (others.length > 0) return 'Waiting for another expert.';
  return at === null || fallback === 'wait'
    ? 'Everyone else on duty has passed on it. It waits until someone arrives, or you take it back.'
    : 'Everyone else on duty has passed on it. It waits until its deadline.';
}

export const runningLabel = (count: number): string =>
  count === 1 ? '1 episode running' : `${String(count)} episodes running`;

/** Scores move with time; the list is put in order again this often, and whenever something comes or goes. */
const REORDER_MS = 30_000;

/** `decided` stand aside at once, before main says that they are gone. */
export function useDeskQueue(decided: ReadonlySet<string>): readonly DeskEntry[] {
  const { seat } = useSession();
  const { items, holds } = useDesk();
  const { order } = useConsole(({ ui }) => ui.prefs);
  const sending = useConsole(({ ui }) => ui.sending);
  const [keepCards] = useState(createCardKeeper);
  const moment = useClockValue((now) => Math.floor(now / REORDER_MS));
  return useMemo(
    () =>
      keepCards(
        waitingOf(
          { items, holds },
          { seat, order, now: (moment + 1) * REORDER_MS },
          new Set([...decided, ...sending.flatMap(({ keys }) => keys)]),
        ),
      ),
    [keepCards, items, holds, seat, order, moment, sending, decided],
  );
}

/** Cards as they were given before, where they are the same. */
function createCardKeeper() {
  let last: readonly DeskEntry[] = [];
  return (list: readonly DeskEntry[]): readonly DeskEntry[] =>
    (last = keepEqual(
      last,
      list,
      ({ key }) => key,
      (old, one) => (old !== undefined && isSameCard(old, one) ? old : one),
    ));
}

function isSameCard(a: DeskEntry, b: DeskEntry): boolean {
  if (a.hold !== b.hold) return false;
  const [before, now] = [groupOf(a), groupOf(b)];
  return before.length === now.length && before.every((item, at) => item === now[at]);
}

const groupOf = (one: DeskEntry): readonly DeskItem[] => (one.type === 'hold' ? [] : one.group);

// How an item of a queue reads: what it is, how far it is, who has done what. Pure.
import type { ItemRow } from '../../../shared/contract/annotate.ts';
import { taskName } from '../../parts/episode/episodeRowText.ts';
import { personName, type Person } from '../../state/usePeople.ts';
import { formatDuration } from '../../ui/time.ts';

/** What is reviewed. */
export function itemName({ subject, episodes }: ItemRow): string {
  const names = episodes.map((row) => (row === null ? 'a missing episode' : taskName(row)));
  if (subject.type === 'episode') return names[0] ?? '';
  return names[0] === names[1] ? `${names[0] ?? ''}, two of it` : names.join(' and ');
}

type ReviewLabel = { seat: string; name: string; label: string; isDone: boolean };

const ITEM_STATE_LABELS: Readonly<Record<ItemRow['mine'], string>> = {
  open: 'not begun',
  leased: 'reviewing now',
  skipped: 'skipped',
  postponed: 'later',
  done: 'done',
};

/** Each reviewer it is for or who did something about it, and the time it took them. */
export function reviewLabels({ reviewers, seats }: ItemRow, people: readonly Person[]): ReviewLabel[] {
  const all = new Set([...reviewers, ...seats.map(({ seat }) => seat)]);
  return [...all].map((seat) => {
    const found = seats.find((one) => one.seat === seat);
    const state = found?.state ?? 'open';
    const time = found?.active_ms ?? null;
    const took = time === null ? '' : `, ${formatDuration(time)}`;
    return {
      seat,
      name: personName(people, seat),
      label: `${ITEM_STATE_LABELS[state]}${took}`,
      isDone: state === 'done',
    };
  });
}

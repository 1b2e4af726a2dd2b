// The card in front of the person. It changes by their own act, or where a card that closed gives way.
import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import type { MissedAsk } from '../../../shared/episode/rowShapes.ts';
import type { Consultation } from '../../../shared/episode/record.ts';
import { episodeOfQuestion } from '../../../shared/deskAddress.ts';
import { type DeskEntry, entryAt, firstFor, nextAfter, withInFront } from '../../parts/desk/deskQueue.ts';
import { useClockValue } from '../../ui/clock.ts';
import { useSteady } from '../../ui/useSteady.ts';
import { useSelected, useSession, useToast } from '../../state/hooks.ts';
import { loadedRecord } from '../../state/loadedRecord.ts';
import { navigate, useRoute } from '../../state/route.ts';

export function useDeskSelection(list: readonly DeskEntry[]): {
  card: DeskEntry | null;
  choose: (id: string | null) => void;
  /** Leaves a card for the next one; one that was left for good is not taken up again by itself. */
  leave: (id: string, isForGood: boolean) => void;
  /** The one after this, to be read ahead. */
  next: DeskEntry | null;
} {
  const { seat } = useSession();
  const [selected, setSelected] = useSelected('desk');
  // The same object while nothing changes: drawing notes the last one that waited.
  const waiting = useMemo(() => find(list, selected), [list, selected]);
  const [last, setLast] = useState(waiting);
  if (waiting !== null && waiting !== last) setLast(waiting);
  const held = last !== null && selected !== null ? withInFront(last, selected) : null;
  const card = waiting ?? held;
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const untaken = useMemo(() => list.filter(({ key }) => !left.has(key)), [list, left]);
  // Claims run out with time: the desk is drawn again when that changes the card, not each second.
  const first = useClockValue((now) => firstFor(untaken, seat, now));
  useEffect(() => {
    if (card === null && first !== null) setSelected(first);
  }, [card, first, setSelected]);
  const leave = useSteady((id: string, isForGood: boolean): void => {
    setLast(null);
    if (isForGood) setLeft((before) => new Set(before).add(id));
    setSelected(nextAfter(list, id, seat, Date.now()));
  });
  const nextId = useClockValue((now) => (card === null ? null : nextAfter(list, card.key, seat, now)));
  return { card, choose: setSelected, leave, next: find(list, nextId) };
}

function find(list: readonly DeskEntry[], id: string | null): DeskEntry | null {
  if (id === null) return null;
  for (const one of list) {
    const found = withInFront(one, id);
    if (found !== null) return found;
  }
  return null;
}

type Desk = {
  isLoaded: boolean;
  list: readonly DeskEntry[];
  missed: readonly MissedAsk[];
  show: (key: string) => void;
  showLate: (consultation: string) => void;
};

/**
 * The question an address leads to, `#/desk?question=ID`: chosen once the desk is there. One that waits no longer
 * is said to, and the desk stays as it is.
 */
export function useAddressed({ isLoaded, list, missed, show, showLate }: Desk): void {
  const route = useRoute();
  const question = route.view === 'desk' ? (route.question ?? null) : null;
  const { store, episodes } = useSession();
  const tell = useToast();
  const lookUp = async (key: string): Promise<void> => {
    const episode = episodeOfQuestion(key);
    let found: Consultation | undefined;
    const letGo = episode === null ? () => undefined : episodes.acquire(episode);
    try {
      const record = episode === null ? null : await loadedRecord(store, episode);
      found = record?.consultations.find(({ id }) => id === key);
    } catch {
      // An episode that cannot be read has no question that could be shown.
    } finally {
      letGo();
    }
    tell({ tone: 'plain', ...notWaitingText(found ?? null) });
  };
  const find = useEffectEvent((key: string): void => {
    const entry = entryAt(list, key);
    if (entry !== null) show(entry);
    else if (missed.some(({ consultation }) => consultation === key)) showLate(key);
    else void lookUp(key);
  });
  useEffect(() => {
    if (question === null || !isLoaded) return;
    find(question);
    // The same address leads there again.
    navigate({ view: 'desk' }, { replace: true });
  }, [question, isLoaded]);
}

/** `found`: the question as its episode has it; null where there is none. */
function notWaitingText(found: Pick<Consultation, 'decision'> | null): {
  title: string;
  text: string;
} {
  if (found === null)
    return {
      title: 'No such question',
      text: 'No question with this address waits on this desk.',
    };
  switch (found.decision?.type) {
    case 'approved':
      return { title: 'Already answered', text: 'The agent of this question has its answer.' };
    case 'declined':
      return { title: 'Already declined', text: 'The agent of this question was told that no advice comes.' };
    case undefined:
      return {
        title: 'Not listed yet',
        text: 'This question waits behind those that are listed, oldest first.',
      };
    default:
      return {
        title: 'No longer waiting',
        text: 'This question was closed without an answer: its deadline passed, or its episode ended.',
      };
  }
}

// The question an address leads to, `#/desk?question=ID`: chosen once the desk is there. One that waits no longer is said
// to, and the desk stays as it is.
import { useEffect, useEffectEvent } from 'react';
import type { MissedAsk } from '../../../shared/contract/rows.ts';
import type { Consultation } from '../../../shared/episode/record.ts';
import { episodeOfQuestion } from '../../../shared/deskAddress.ts';
import { entryAt, type DeskEntry } from '../../parts/desk/deskQueue.ts';
import { useSession, useToast } from '../../state/hooks.ts';
import { loadedRecord } from '../../state/loadedRecord.ts';
import { navigate, useRoute } from '../../state/route.ts';
import { notWaitingText } from '../../parts/desk/notWaiting.ts';

type Desk = {
  isLoaded: boolean;
  list: readonly DeskEntry[];
  missed: readonly MissedAsk[];
  show: (key: string) => void;
  showLate: (consultation: string) => void;
};

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

// The ways on from an episode that stopped: each can be taken back for a moment, and the bar then says what became of it.
import { Hand, Play, StepForward } from 'lucide-react';
import type { ReactNode } from 'react';
import type { HoldItem } from '../../../shared/episode/rowShapes.ts';
import { stopOutcome } from '../../../shared/episode/callOutcome.ts';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import type { CardAct } from '../../parts/card/DecisionCard.tsx';
import {
  Became,
  DecidedBar,
  useDoneHere,
  useSendingOf,
  type NextCard,
} from '../../parts/card/DecidedBar.tsx';
import { holdWords } from '../../parts/card/questionWords.ts';
import { useHold, sendLater } from '../../state/sendLater.ts';
import { stopKey } from '../../parts/desk/deskQueue.ts';
import { noteAnswered } from '../../state/answered.ts';
import { setSelected } from '../../state/choices.ts';
import { useSession } from '../../state/hooks.ts';
import { useAct } from '../../state/queries.ts';
import { episodeRoute, navigate } from '../../state/route.ts';
import type { SendingDecision } from '../../state/store.ts';

type PauseAct = 'resume' | 'step' | 'take_over';

export type StopDecision = {
  /** Sends something after the moment in which it can be taken back; `send` resolves with true once it was taken. */
  decide: (
    words: { doing: string; done: string },
    send: (resume: () => Promise<boolean>) => Promise<boolean>,
  ) => void;
  acts: CardAct[];
  /** While it can be taken back, or is on its way. */
  sending: SendingDecision | null;
  /** What was done with it here; null before. */
  done: string | null;
};

export function useStopDecision(hold: HoldItem, onDecided: () => void): StopDecision {
  const { call, store } = useSession();
  const { episode, since } = hold;
  const key = stopKey(hold);
  const { run: act } = useAct(
    (what: PauseAct) =>
      call('episode.control', {
        episode,
        act: what,
        at_once: false,
        reason: null,
        note: null,
        is_discarded: false,
      }),
    'Could not resume the episode',
  );
  const onTakenBack = (): void => {
    setSelected(store, 'desk', key);
    navigate({ view: 'desk' });
  };
  const keep = useHold({ keys: [key], deadline_at: null, onTakenBack });
  const decide: StopDecision['decide'] = ({ doing, done }, send) => {
    const label = holdWords(hold);
    const run = async (): Promise<void> => {
      if (!(await send(() => act('resume')))) return;
      noteAnswered(store, [{ consultation: key, episode, label, done, since }]);
      onDecided();
    };
    const held = { title: `${doing} ${label}`, label, run };
    // Sent at once, it is on its way all the same: the card stays what it is the card of.
    if (!keep(held)) sendLater(store, { ...held, keys: [key], delayMs: 0, onTakenBack });
  };
  const openLive = (): void => navigate(episodeRoute(episode));
  return {
    decide,
    sending: useSendingOf(key),
    done: useDoneHere(key),
    acts: [
      {
        chord: 'pause',
        label: 'Resume',
        tone: 'primary',
        icon: <Play />,
        run: () => decide({ doing: 'Resuming', done: 'Resumed' }, (resume) => resume()),
      },
      {
        chord: 'step',
        label: 'One step',
        icon: <StepForward />,
        run: () => decide({ doing: 'One step of', done: 'One step' }, () => act('step')),
      },
      {
        chord: 'take_over',
        label: 'Take over',
        icon: <Hand />,
        run: () => void act('take_over').then((isTaken) => (isTaken ? openLive() : undefined)),
      },
      { label: 'Open live', tone: 'quiet', run: openLive },
    ],
  };
}

type StopDecidedBarProps = NextCard & { hold: HoldItem; record: EpisodeRecord; stop: StopDecision };

export function StopDecidedBar({ hold, record, stop, ...next }: StopDecidedBarProps): ReactNode {
  const { sending, done } = stop;
  return (
    <DecidedBar {...next} about={stopKey(hold)} sending={done === null ? sending : null}>
      <Became record={record} done={done} outcome={stopOutcome(record, hold.since)} sending={sending} />
    </DecidedBar>
  );
}

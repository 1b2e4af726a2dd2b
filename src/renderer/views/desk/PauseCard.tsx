// An episode that stopped, at the desk: why, what led there, and every way on from it.
import { CirclePause, Hand, Play, Send, StepForward } from 'lucide-react';
import type { ReactNode } from 'react';
import { z } from 'zod';
import type { HoldItem } from '../../../shared/contract/rows.ts';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import { TaskText } from '../../parts/advice/Question.tsx';
import { useHumanTime } from '../../parts/advice/useHumanTime.ts';
import { CardHead, placeOf } from '../../parts/card/CardHead.tsx';
import { ActBar, ActButtons, DecisionCard, type CardAct } from '../../parts/card/DecisionCard.tsx';
import { useSession } from '../../state/hooks.ts';
import { useAct } from '../../state/queries.ts';
import { useKeptValue } from '../../state/keptValue.ts';
import { navigate } from '../../state/route.ts';
import { Button } from '../../ui/Button.tsx';
import { Field, Textarea } from '../../ui/Field.tsx';
import * as styles from './DeskView.module.css';
import { HoldAttempts } from './HoldContext.tsx';

type Props = {
  hold: HoldItem;
  record: EpisodeRecord;
  onDecided: () => void;
  /** Null while the episode is open beside it. */
  onOpenEpisode: (() => void) | null;
};

export function PauseCard({ hold, record, onDecided, onOpenEpisode }: Props): ReactNode {
  const { why, since, episode } = hold;
  return (
    <DecisionCard
      label="Stopped episode"
      head={
        <CardHead
          since={since}
          why={
            <h2 className={styles.why}>
              <CirclePause aria-hidden="true" /> {`${why.charAt(0).toUpperCase()}${why.slice(1)}`}
            </h2>
          }
          place={placeOf({ ...hold, scenario: hold.scenario ?? episode })}
        />
      }
      acts={<ActBar acts={usePauseActs(episode, onDecided)} onOpenEpisode={onOpenEpisode} />}
    >
      <TaskText task={hold.task} />
      {onOpenEpisode === null ? null : <HoldAttempts hold={hold} record={record} />}
      <NoteAndResume episode={episode} onDone={onDecided} />
    </DecisionCard>
  );
}

type PauseAct = 'resume' | 'step' | 'take_over';

/** Sends the act; resolves with true when it was taken. */
function useEpisodeAct(episode: string): (act: PauseAct) => Promise<boolean> {
  const { call } = useSession();
  return useAct(
    (act: PauseAct) =>
      call('episode.control', {
        episode,
        act,
        at_once: false,
        reason: null,
        note: null,
        is_discarded: false,
      }),
    'Could not resume the episode',
  ).run;
}

/** What should happen, said to the agent as it goes on: it reads the note before its next turn. */
function NoteAndResume({ episode, onDone }: { episode: string; onDone: () => void }): ReactNode {
  const { call } = useSession();
  const act = useEpisodeAct(episode);
  const name = `note/${episode}`;
  const [kept, keep] = useKeptValue(name, z.string());
  const time = useHumanTime(name, true);
  const text = kept ?? '';
  const { isBusy, run } = useAct(async () => {
    await call('note.send', { episode, text: text.trim(), timing: time.read() });
    keep(null);
    time.end();
    if (await act('resume')) onDone();
  }, 'The note was not sent');
  return (
    <div className={styles.say}>
      <Field label="What should happen next? The agent reads this before its next turn">
        <Textarea
          rows={2}
          value={text}
          onChange={({ target }) => keep(target.value === '' ? null : target.value)}
        />
      </Field>
      <Button icon={<Send />} isBusy={isBusy} isDisabled={text.trim() === ''} onClick={() => void run()}>
        Send note and resume
      </Button>
    </div>
  );
}

/** The ways on. */
function usePauseActs(episode: string, onDone: () => void): CardAct[] {
  const act = useEpisodeAct(episode);
  const goOn = (how: PauseAct, then: () => void) => (): void =>
    void act(how).then((isTaken) => (isTaken ? then() : undefined));
  const openLive = (): void => navigate({ view: 'live', episode });
  return [
    { label: 'Resume', tone: 'primary', icon: <Play />, run: goOn('resume', onDone) },
    { label: 'One step', icon: <StepForward />, run: goOn('step', onDone) },
    { label: 'Take over', icon: <Hand />, run: goOn('take_over', openLive) },
    { label: 'Open live', tone: 'quiet', run: openLive },
  ];
}

/** The same beside a question of an episode that stopped at the same moment. */
export function PauseButtons({ episode }: { episode: string }): ReactNode {
  return (
    <p className={styles.acts}>
      <ActButtons acts={usePauseActs(episode, () => undefined)} />
    </p>
  );
}

// An episode that stopped, at the desk: why, what led there, and every way on from it.
import { CirclePause, Send } from 'lucide-react';
import type { ReactNode } from 'react';
import * as z from 'zod/mini';
import type { HoldItem } from '../../../shared/episode/rowShapes.ts';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import { TaskText } from '../../parts/advice/TaskText.tsx';
import { useHumanTime } from '../../parts/advice/useHumanTime.ts';
import {
  ActBar,
  ActButtons,
  actKeys,
  type CardAct,
  CardHead,
  DecisionCard,
  NextButton,
  placeOf,
} from '../../parts/card/DecisionCard.tsx';
import type { NextCard } from '../../parts/card/DecidedBar.tsx';
import { useKeys, useSession } from '../../state/hooks.ts';
import { useKeptValue } from '../../state/keptValue.ts';
import { Button } from '../../ui/Button.tsx';
import { Field, Textarea } from '../../ui/Field.tsx';
import * as styles from './DeskView.module.css';
import { HoldAttempts } from './HoldContext.tsx';
import { StopDecidedBar, type StopDecision, useStopDecision } from './useStopDecision.tsx';

type Props = NextCard & {
  hold: HoldItem;
  record: EpisodeRecord;
  onDecided: () => void;
};

export function PauseCard({ hold, record, onDecided, ...next }: Props): ReactNode {
  const { why, since, episode } = hold;
  const { onOpenEpisode } = next;
  const stop = useStopDecision(hold, onDecided);
  const isOpen = stop.sending === null && stop.done === null;
  useKeys(isOpen ? actKeys(stop.acts) : {});
  return (
    <DecisionCard
      label="Stopped episode"
      head={
        <CardHead
          since={isOpen ? since : null}
          why={
            <h2 className="row-2 large">
              <CirclePause aria-hidden="true" /> {`${why.charAt(0).toUpperCase()}${why.slice(1)}`}
            </h2>
          }
          place={placeOf({ ...hold, scenario: hold.scenario ?? episode })}
        />
      }
      acts={
        isOpen ? (
          <ActBar acts={stop.acts} onOpenEpisode={onOpenEpisode}>
            <NextButton waiting={next.waiting} onNext={next.onNext} />
          </ActBar>
        ) : (
          <StopDecidedBar hold={hold} record={record} stop={stop} {...next} />
        )
      }
    >
      <TaskText task={hold.task} />
      {onOpenEpisode === null ? null : <HoldAttempts hold={hold} record={record} />}
      <NoteAndResume episode={episode} stop={stop} isOpen={isOpen} />
    </DecisionCard>
  );
}

type NoteProps = { episode: string; stop: StopDecision; isOpen: boolean };

/** A note to the agent as it goes on: it reads the note before its next turn. */
function NoteAndResume({ episode, stop, isOpen }: NoteProps): ReactNode {
  const { call } = useSession();
  const name = `note/${episode}`;
  const [kept, keep] = useKeptValue(name, z.string());
  const time = useHumanTime(name, isOpen);
  const text = kept ?? '';
  const send = (): void => {
    const input = { episode, text: text.trim(), timing: time.read() };
    stop.decide({ doing: 'Sending the note and resuming', done: 'Note sent, resumed' }, async (resume) => {
      await call('note.send', input);
      keep(null);
      time.end();
      return resume();
    });
  };
  useKeys(isOpen && text.trim() !== '' ? { send: send } : {});
  if (!isOpen && text === '') return null;
  return (
    <div className={styles.say}>
      <Field label="What should happen next? The agent reads this before its next turn">
        <Textarea
          rows={2}
          value={text}
          readOnly={!isOpen}
          onChange={({ target }) => keep(target.value === '' ? null : target.value)}
        />
      </Field>
      {isOpen ? (
        <Button icon={<Send />} chord="send" isDisabled={text.trim() === ''} onClick={send}>
          Send note and resume
        </Button>
      ) : null}
    </div>
  );
}

/** The same beside a question of an episode that stopped at the same moment. */
export function PauseButtons({ hold }: { hold: HoldItem }): ReactNode {
  const { acts, sending } = useStopDecision(hold, () => undefined);
  // The keys of the card are the question's.
  const pressed = acts.map(({ label, icon, tone, run }): CardAct => ({
    label,
    icon,
    tone: tone ?? 'plain',
    run,
  }));
  return <p className="wrap-2">{sending === null ? <ActButtons acts={pressed} /> : `${sending.title}.`}</p>;
}

// A call that was sent before a restart and whose answer is lost, at the desk: what it was, and what a person can say.
import { CircleHelp, Send, Unplug } from 'lucide-react';
import type { ReactNode } from 'react';
import type { HoldItem } from '../../../shared/contract/rows.ts';
import type { DoubtAct } from '../../../shared/events/restarts.ts';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import { TaskText } from '../../parts/advice/TaskText.tsx';
import { useHumanTime } from '../../parts/advice/useHumanTime.ts';
import { CardHead, placeOf } from '../../parts/card/CardHead.tsx';
import type { NextCard } from '../../parts/card/DecidedBar.tsx';
import { ActBar, actKeys, DecisionCard, NextButton, type CardAct } from '../../parts/card/DecisionCard.tsx';
import { ProposedCall } from '../../parts/call/ProposedCall.tsx';
import { RecordNames } from '../../parts/plan/Names.tsx';
import { useKeys, useSession } from '../../state/hooks.ts';
import { useRole } from '../../state/role.ts';
import { formatMoment } from '../../ui/time.ts';
import { HoldAttempts } from './HoldContext.tsx';
import { StopDecidedBar, useStopDecision } from './useStopDecision.tsx';

type Props = NextCard & { hold: HoldItem; record: EpisodeRecord; onDecided: () => void };

export function DoubtCard({ hold, record, onDecided, ...next }: Props): ReactNode {
  const { doubt, since, episode } = hold;
  const { onOpenEpisode } = next;
  const { stop, acts, isOpen } = useDoubtActs(hold, onDecided);
  useKeys('call', isOpen ? actKeys(acts) : {});
  if (doubt === undefined) return null;
  const { sent_at: sentAt } = doubt;
  return (
    <DecisionCard
      label="Call in doubt"
      head={
        <CardHead
          since={isOpen ? since : null}
          why={
            <h2 className="row-2 large">
              <CircleHelp aria-hidden="true" /> Was this call carried out?
            </h2>
          }
          place={placeOf({ ...hold, scenario: hold.scenario ?? episode })}
        />
      }
      acts={
        isOpen ? (
          <ActBar acts={acts} onOpenEpisode={onOpenEpisode}>
            <NextButton waiting={next.waiting} onNext={next.onNext} />
          </ActBar>
        ) : (
          <StopDecidedBar hold={hold} record={record} stop={stop} {...next} />
        )
      }
    >
      <TaskText task={hold.task} />
      {onOpenEpisode === null ? null : <HoldAttempts hold={hold} record={record} />}
      <RecordNames record={record}>
        <ProposedCall call={doubt} tools={record.tools} label="Sent, without an answer" />
      </RecordNames>
      <p>
        {`It was sent ${formatMoment(sentAt)}. Interject ended before its answer came, so nobody knows whether it took effect. Nothing is sent again without your word.`}
      </p>
    </DecisionCard>
  );
}

const WORDS: Readonly<Record<DoubtAct, { doing: string; done: string }>> = {
  send_again: { doing: 'Sending again:', done: 'Sent again' },
  unknown: { doing: 'Not sending again:', done: 'Not sent again; the agent is told' },
};

function useDoubtActs(hold: HoldItem, onDecided: () => void) {
  const { call } = useSession();
  const isExpert = useRole() === 'expert';
  const { episode, key, doubt } = hold;
  const stop = useStopDecision(hold, onDecided);
  const isOpen = stop.sending === null && stop.done === null;
  const time = useHumanTime(key, isOpen);
  const say = (act: DoubtAct): void => {
    const input = { episode, call: doubt?.id ?? '', act, timing: time.read() };
    stop.decide(WORDS[act], async () => {
      await call('call.settle_doubt', input);
      time.end();
      return true;
    });
  };
  const end = (): void =>
    stop.decide({ doing: 'Ending', done: 'Episode ended' }, async () => {
      await call('episode.stop', { episode, reason: 'a call was in doubt' });
      return true;
    });
  const acts: CardAct[] = [
    {
      chord: 'doubt.send_again',
      label: 'Send it again',
      tone: 'primary',
      icon: <Send />,
      run: () => say('send_again'),
    },
    {
      chord: 'doubt.unknown',
      label: 'Don’t send; say it is unknown',
      icon: <Unplug />,
      title: 'The agent reads that nobody knows whether the call was carried out',
      run: () => say('unknown'),
    },
    // Ending an episode is the owner's.
    ...(isExpert ? [] : [{ label: 'End the episode', tone: 'quiet', run: end } as const]),
  ];
  return { stop, acts, isOpen };
}

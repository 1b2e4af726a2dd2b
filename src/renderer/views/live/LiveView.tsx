// Owns: a running episode on screen: watched, answered beside its timeline, stopped.
import { CircleStop, History } from 'lucide-react';
import { useCallback, useEffect, useMemo, useState, type ReactNode } from 'react';
import { deskItems } from '../../../shared/episode/rows.ts';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import { AdviceCard, loadEditor } from '../../parts/advice/AdviceCard.tsx';
import { closedOf } from '../../parts/advice/closed.ts';
import { doneWords } from '../../parts/advice/doneWords.ts';
import { useAdvice, type AdvicePorts, type Done } from '../../parts/advice/useAdvice.ts';
import { useHeldItem } from '../../parts/advice/useHeldItem.ts';
import { EpisodeStage } from '../../parts/episode/EpisodeStage.tsx';
import { useAnswerKey } from '../../parts/inspector/useAnswerKey.ts';
import type { DeskItem } from '../../../shared/contract/rows.ts';
import {
  useDesk,
  useEpisodeEvents,
  useEpisodeRecord,
  useKeys,
  useSession,
  useToast,
} from '../../state/hooks.ts';
import { navigate } from '../../state/route.ts';
import { Button } from '../../ui/Button.tsx';
import { StopBand } from './StopBand.tsx';
import { useInstead } from './useEpisode.tsx';

export function LiveView({ episode }: { episode: string }): ReactNode {
  const instead = useInstead(episode);
  return instead ?? <Live key={episode} episode={episode} />;
}

function Live({ episode }: { episode: string }): ReactNode {
  const { call } = useSession();
  const { record } = useEpisodeRecord(episode);
  const events = useEpisodeEvents(episode);
  const [isStopping, setIsStopping] = useState(false);
  const fetchKey = useCallback((id: string) => call('answer_key.show', { episode: id }), [call]);
  const answerKey = useAnswerKey(episode, fetchKey);
  const [current = null] = useMemo(() => deskItems(record), [record]);
  const item = useHeldItem(current);
  const isRunning = record.ended === null;
  useEffect(() => {
    if (isRunning) void loadEditor();
  }, [isRunning]);
  useKeys('live', isRunning ? { 'live.stop': () => setIsStopping(true) } : {});
  return (
    <EpisodeStage
      record={record}
      events={events}
      answerKey={answerKey}
      actions={<Actions record={record} onStop={() => setIsStopping(true)} />}
      band={
        isStopping && isRunning ? <StopBand episode={episode} onClose={() => setIsStopping(false)} /> : null
      }
      answer={
        item === null
          ? null
          : { id: item.consultation, panel: <Answer key={item.consultation} item={item} record={record} /> }
      }
    />
  );
}

function Actions({ record, onStop }: { record: EpisodeRecord; onStop: () => void }): ReactNode {
  if (record.ended === null) {
    return (
      <Button size="small" icon={<CircleStop />} chord="Q" onClick={onStop}>
        Stop
      </Button>
    );
  }
  return (
    <Button
      size="small"
      icon={<History />}
      onClick={() => navigate({ view: 'replay', episode: record.id, n: null })}
    >
      Replay
    </Button>
  );
}

/** The same card as at the desk, beside the timeline. */
function Answer({ item, record }: { item: DeskItem; record: EpisodeRecord }): ReactNode {
  const { call, seat } = useSession();
  const toast = useToast();
  const { total } = useDesk();
  const ports = useMemo<AdvicePorts>(
    () => ({
      answer: (input) => call('desk.answer', input),
      decline: (input) => call('desk.decline', input),
    }),
    [call],
  );
  const isOpen = record.consultations.some(
    ({ id, decision }) => id === item.consultation && decision === null,
  );
  const onDone = (done: Done): void => toast({ tone: 'ok', title: doneWords(done) });
  const advice = useAdvice(item, isOpen && record.ended === null, ports, onDone);
  return (
    <AdviceCard
      item={item}
      advice={advice}
      tools={record.tools}
      closed={closedOf(record, item.consultation, seat, advice.text)}
      waiting={Math.max(0, total - 1)}
      onNext={() => navigate({ view: 'desk' })}
      onOpenEpisode={null}
      keyCover={null}
      isBeside
    />
  );
}

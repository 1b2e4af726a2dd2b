// Owns: a held call or a stopped episode in front of the person, alone or with its episode beside it.
import { CirclePause, Play, StepForward } from 'lucide-react';
import { useMemo, useState, type ReactNode } from 'react';
import type { HoldItem } from '../../../shared/contract/rows.ts';
import { failureShape } from '../../../shared/failure.ts';
import { CallCard } from '../../parts/call/CallCard.tsx';
import { closedCallOf } from '../../parts/call/closedCall.ts';
import { useCallDecision, type CallDone, type CallPorts } from '../../parts/call/useCallDecision.ts';
import { CallPreview } from '../../parts/preview/CallPreview.tsx';
import { useEpisodeRecord, useKeys, useSession, useToast } from '../../state/hooks.ts';
import { navigate } from '../../state/route.ts';
import { Button } from '../../ui/Button.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { Beside } from './Beside.tsx';
import styles from './DeskView.module.css';

const DONE: Readonly<Record<CallDone, string>> = {
  approved: 'Call approved',
  approved_similar: 'Call approved, and later ones like it',
  edited: 'Changed call sent',
  rejected: 'Call rejected; the agent reads your reason',
  answered: 'Answered in the tool’s place',
};

export type HoldCardProps = { hold: HoldItem; onDecided: () => void };

export function HoldCard({ hold, onDecided }: HoldCardProps): ReactNode {
  const { record } = useEpisodeRecord(hold.episode);
  const [isOpened, setIsOpened] = useState(false);
  useKeys(
    'desk',
    isOpened ? { 'desk.close': () => setIsOpened(false) } : { 'desk.open': () => setIsOpened(true) },
  );
  return (
    <div className={isOpened ? `${styles['work'] ?? ''} ${styles['isOpened'] ?? ''}` : styles['work']}>
      {isOpened ? <Beside record={record} onClose={() => setIsOpened(false)} /> : null}
      <div className={styles['card']}>
        {hold.call === null ? (
          <PauseCard hold={hold} onDecided={onDecided} />
        ) : (
          <HeldCall hold={hold} record={record} onDecided={onDecided} />
        )}
      </div>
    </div>
  );
}

function HeldCall({
  hold,
  record,
  onDecided,
}: HoldCardProps & { record: ReturnType<typeof useEpisodeRecord>['record'] }): ReactNode {
  const { call, seat } = useSession();
  const toast = useToast();
  const ports = useMemo<CallPorts>(
    () => ({
      approve: (input) => call('call.approve', input),
      edit: (input) => call('call.edit', input),
      reject: (input) => call('call.reject', input),
      answer: (input) => call('call.answer', input),
    }),
    [call],
  );
  const closed = closedCallOf(record, hold.call?.id ?? '', seat);
  const onDone = (done: CallDone): void => {
    toast({ tone: 'ok', title: DONE[done] });
    onDecided();
  };
  const state = useCallDecision(hold, record.tools, closed === null, ports, onDone);
  return (
    <CallCard
      item={hold}
      state={state}
      tools={record.tools}
      closed={closed}
      extra={closed === null ? <CallPreview item={hold} state={state} tools={record.tools} /> : null}
    />
  );
}

/** An episode that stopped: it goes on, a step or all the way, when someone says so. */
function PauseCard({ hold, onDecided }: HoldCardProps): ReactNode {
  const { scenario, task_idx: task, turn, turn_limit: limit, why, since, episode } = hold;
  return (
    <section className={styles['stopped']} aria-label="Stopped episode">
      <h2>
        <CirclePause aria-hidden="true" /> {`${why.charAt(0).toUpperCase()}${why.slice(1)}`}
      </h2>
      <p>
        {`${scenario ?? episode}${task === null ? '' : ` #${String(task)}`}, turn ${String(turn)} of ${String(limit)}, `}
        <RelativeTime at={since} />
      </p>
      <PauseActs episode={episode} onDone={onDecided} />
    </section>
  );
}

/** Resume and step; also beside a question of an episode that stopped at the same moment. */
export function PauseActs({ episode, onDone }: { episode: string; onDone: () => void }): ReactNode {
  const { call } = useSession();
  const toast = useToast();
  const control = (act: 'resume' | 'step'): void => {
    call('episode.control', {
      episode,
      act,
      at_once: false,
      reason: null,
      note: null,
      is_discarded: false,
    }).then(onDone, (thrown: unknown) =>
      toast({ tone: 'error', title: 'The episode did not go on', text: failureShape(thrown).message }),
    );
  };
  return (
    <p className={styles['acts']}>
      <Button tone="primary" icon={<Play />} onClick={() => control('resume')}>
        Resume
      </Button>
      <Button icon={<StepForward />} onClick={() => control('step')}>
        One step
      </Button>
      <Button tone="quiet" onClick={() => navigate({ view: 'live', episode })}>
        Open it live
      </Button>
    </p>
  );
}

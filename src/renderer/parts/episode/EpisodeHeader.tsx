// What stands over a timeline: the task, who acts and who may advise, how far it is, how it went.
import { Cable, EyeOff, KeyRound } from 'lucide-react';
import { hasPerson } from '../../../shared/events/lifecycle.ts';
import { useMemo, useState, type ReactNode } from 'react';
import { isPlayedByPerson } from '../../../shared/episode/phase.ts';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import { totalsText, uptakeTotals } from '../../../shared/episode/uptake.ts';
import { readObservation, type ObservationPart } from '../observation/readObservation.ts';
import { useText } from '../../state/hooks.ts';
import { useRole } from '../../state/role.ts';
import { formatRoute } from '../../state/route.ts';
import { Badge, StatusDot } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { OutcomeOrHidden } from '../../ui/OutcomeMark.tsx';
import { useClockValue } from '../../ui/clock.ts';
import { cx } from '../../ui/cx.ts';
import { formatDuration } from '../../ui/time.ts';
import {
  CONDITION_LABELS,
  hasExpert,
  episodeProgress,
  standingAt,
  taskNameOf,
  recordOutcome,
  type Standpoint,
} from './facts.ts';
import * as styles from './EpisodeHeader.module.css';
import { Lineage } from './Lineage.tsx';

type EpisodeHeaderProps = {
  record: EpisodeRecord;
  /** What can be done with the episode. */
  actions?: ReactNode;
  /** Replay: the time shown is the recorded one, not today's. */
  isReplay?: boolean;
  /** Replay: the event it stands at. */
  point?: Standpoint | null;
};

/** Longer tasks are folded to two lines. */
const TASK_FOLD = 200;

export function EpisodeHeader({
  record,
  actions,
  isReplay = false,
  point = null,
}: EpisodeHeaderProps): ReactNode {
  const standing = standingAt(record, point);
  const outcome = recordOutcome(record);
  return (
    <header className={styles.header}>
      <div className={styles.top}>
        <h1 className={styles.name}>{taskNameOf(record)}</h1>
        <StatusDot tone={standing.tone} label={standing.label} />
        {outcome === null ? null : (
          <span role="status">
            <OutcomeOrHidden outcome={outcome} />
          </span>
        )}
        <span className={styles.actions}>{actions}</span>
      </div>
      <TaskText record={record} />
      <FactLine record={record} isReplay={isReplay} />
      <Lineage record={record} />
    </header>
  );
}

/**
 * What the task is, where it is told. An environment of actions tells none: in its place stands the first observation,
 * which is folded away once a move has been made, so that nobody takes it for what is seen now.
 */
function TaskText({ record: { reset, turns } }: { record: EpisodeRecord }): ReactNode {
  const { text, isWhole, load } = useText(reset?.task ?? '');
  const { text: frame } = useText(reset?.frame ?? '');
  const parts = useMemo(() => readObservation(frame), [frame]);
  const hasRows = parts?.some(({ type }) => type === 'board') === true;
  const [isOpen, setIsOpen] = useState(false);
  if (text === '') return null;
  const isPast = turns.length > 0 && isFirstObservation(parts, text);
  const isLong = isPast || text.length > TASK_FOLD || !isWhole;
  return (
    <div className={styles.task}>
      {isPast && !isOpen ? null : (
        <p
          className={cx(
            styles.taskText,
            isLong && !isOpen && styles.isFolded,
            isOpen && styles.isWhole,
            hasRows && styles.hasRows,
          )}
        >
          {text}
        </p>
      )}
      {isLong ? (
        <Button
          size="small"
          tone="quiet"
          aria-expanded={isOpen}
          onClick={() => {
            load();
            setIsOpen(!isOpen);
          }}
        >
          {isOpen ? 'Collapse the task' : isPast ? 'Show how it began' : 'Show the whole task'}
        </Button>
      ) : null}
    </div>
  );
}

/** Whether the task of an episode is only what was observed at its start. */
export const isFirstObservation = (parts: readonly ObservationPart[] | null, task: string): boolean =>
  parts !== null && !parts.some((part) => part.type === 'text' && part.text === task);

function FactLine({ record, isReplay }: { record: EpisodeRecord; isReplay: boolean }): ReactNode {
  const { started } = record;
  const { turns, turnLimit, asks, askLimit, errors } = episodeProgress(record);
  if (started === null) return null;
  const { agent, condition } = started;
  return (
    <div className={styles.facts}>
      <span className={styles.progress}>
        <span>
          turn <b>{turns}</b>
          {turnLimit !== null && ` of ${String(turnLimit)}`}
        </span>
        {turnLimit !== null && (
          <progress className={styles.bar} value={turns} max={turnLimit} aria-label="Turns used" />
        )}
      </span>
      {hasExpert(record) ? (
        <span>
          asks <b>{asks}</b>
          {askLimit !== null && ` of ${String(askLimit)}`}
        </span>
      ) : null}
      {errors === 0 ? (
        <span>no errors</span>
      ) : (
        <span className={styles.errors}>{`${String(errors)} error${errors === 1 ? '' : 's'}`}</span>
      )}
      <Advice record={record} />
      <Elapsed record={record} isReplay={isReplay} />
      {isPlayedByPerson(record) ? (
        <Badge tone="human">played by a person</Badge>
      ) : (
        <Badge tone="agent">
          {[agent.policy, agent.model, agent.protocol].filter((word) => word !== null).join(' · ')}
        </Badge>
      )}
      {condition !== null && !isPlayedByPerson(record) && (
        <Badge tone={condition === 'none' ? 'plain' : hasPerson(condition) ? 'human' : 'model'}>
          {CONDITION_LABELS[condition]}
        </Badge>
      )}
      <Tapped record={record} />
      <GroupLink group={started.group} />
      <SeatLabels started={started} />
    </div>
  );
}

/** That a client plays it, what people may do to it, and what they and the wire left out. */
function Tapped({ record: { tapped, turns, counts } }: { record: EpisodeRecord }): ReactNode {
  if (tapped === null) return null;
  const touched = turns.filter((turn) => turn.touched !== null).length;
  return (
    <>
      <Badge tone="environment" icon={<Cable aria-hidden="true" />}>
        <span title={`Played by ${tapped.user_agent ?? 'a client'} with the key “${tapped.key}”`}>
          {tapped.may_act ? 'tapped, actions allowed' : 'tapped, advice and notes only'}
        </span>
      </Badge>
      {touched === 0 ? null : (
        <Badge tone="human">{`touched, ${String(touched)} ${touched === 1 ? 'turn' : 'turns'}`}</Badge>
      )}
      {turns.length > 0 && turns.every(({ hasText }) => !hasText) ? (
        <span title="The environment connection carries calls only">no model text was recorded</span>
      ) : null}
      {counts.lostFrames === 0 ? null : (
        <span className={styles.errors}>{`${counts.lostFrames.toLocaleString()} frames not recorded`}</span>
      )}
      {counts.leaks === 0 ? null : (
        <span className={styles.errors}>{`ask_expert leaked ${String(counts.leaks)} times`}</span>
      )}
    </>
  );
}

/** Other rollouts of its prompt stand beside it. */
function GroupLink({ group }: { group: string | null }): ReactNode {
  const role = useRole();
  if (group === null || role === 'expert') return null;
  return <a href={formatRoute({ view: 'groups', group })}>group</a>;
}

/** What this run lets experts' seats see, where it is not the usual. */
function SeatLabels({ started }: { started: NonNullable<EpisodeRecord['started']> }): ReactNode {
  return (
    <>
      {started.is_blinded === true ? (
        <Badge icon={<EyeOff aria-hidden="true" />}>
          <span title="Experts do not see the reward, verdict or uptake of this run">blinded</span>
        </Badge>
      ) : null}
      {started.is_key_open === true ? (
        <Badge icon={<KeyRound aria-hidden="true" />}>
          <span title="Experts may open the answer key of this run; their advice is marked if they do">
            answer key open
          </span>
        </Badge>
      ) : null}
    </>
  );
}

/** What the agent made of the advice it got; nothing where none can be compared. */
function Advice({ record }: { record: EpisodeRecord }): ReactNode {
  const text = useMemo(() => totalsText(uptakeTotals(record)), [record]);
  return text === '' ? null : <span title="How the agent used the advice">{`advice: ${text}`}</span>;
}

function Elapsed({ record, isReplay }: { record: EpisodeRecord; isReplay: boolean }): ReactNode {
  const { startedAt, ended, updatedAt } = record;
  const until = ended?.at ?? (isReplay ? updatedAt : null);
  const text = useClockValue((now) => formatDuration((until ?? now) - (startedAt ?? now)));
  if (record.imported?.not_recorded.includes('times') === true) return <span>no times recorded</span>;
  return startedAt === null ? null : <span title={new Date(startedAt).toLocaleString()}>{text}</span>;
}

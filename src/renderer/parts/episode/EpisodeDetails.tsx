// Details of an episode, under its header when asked for: the whole task, who acts and may advise, seed, ids, lineage.
import { Cable, EyeOff, FlaskConicalOff, KeyRound } from 'lucide-react';
import { useMemo, type ReactNode } from 'react';
import { isTouchedByPerson } from '../../../shared/episode/help.ts';
import { isPlayedByPerson } from '../../../shared/episode/phase.ts';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import { totalsText, uptakeTotals } from '../../../shared/episode/uptake.ts';
import { hasPerson } from '../../../shared/conditions.ts';
import { useRole } from '../../state/role.ts';
import { formatRoute } from '../../state/route.ts';
import { Badge } from '../../ui/Badge.tsx';
import { useClockValue } from '../../ui/clock.ts';
import { cx } from '../../ui/cx.ts';
import { formatDuration } from '../../ui/time.ts';
import { ExecutesUndecided } from '../call/ExecutesUndecided.tsx';
import { agentWord } from './episodeRowText.ts';
import { CONDITION_LABELS, seatLabels, taskNameOf } from './facts.ts';
import * as styles from './EpisodeDetails.module.css';
import { Lineage } from './Lineage.tsx';

type EpisodeDetailsProps = {
  id: string;
  record: EpisodeRecord;
  isReplay: boolean;
  task: string;
  /** The task is drawn in rows, as a board. */
  hasRows: boolean;
  /** The task is only what was observed at the start. */
  isPast: boolean;
};

export function EpisodeDetails(props: EpisodeDetailsProps): ReactNode {
  const { id, record, isReplay, task, hasRows, isPast } = props;
  return (
    <div className={styles.details} id={id}>
      {task === '' ? null : (
        <div>
          {isPast ? <p className="quiet small">How it began</p> : null}
          <p className={cx(styles.task, hasRows && styles.hasRows)} dir="auto">
            {task}
          </p>
        </div>
      )}
      <Facts record={record} isReplay={isReplay} />
      <Lineage record={record} />
    </div>
  );
}

function Facts({ record, isReplay }: { record: EpisodeRecord; isReplay: boolean }): ReactNode {
  const { started, id } = record;
  if (started === null) return null;
  const { agent, condition } = started;
  const seed = started.seed;
  return (
    <div className={styles.facts}>
      <span>{taskNameOf(record)}</span>
      <span>
        episode <code>{id}</code>
      </span>
      {seed === null ? null : <span>{`seed ${String(seed)}`}</span>}
      <Advice record={record} />
      <Elapsed record={record} isReplay={isReplay} />
      {isPlayedByPerson(record) ? (
        <Badge tone="human">played by a person</Badge>
      ) : (
        <Badge tone="agent">
          {[agentWord(agent.policy, started.source), agent.model, agent.protocol]
            .filter((word) => word !== null)
            .join(' · ')}
        </Badge>
      )}
      {condition !== null && !isPlayedByPerson(record) && (
        <Badge tone={condition === 'none' ? 'plain' : hasPerson(condition) ? 'human' : 'model'}>
          {CONDITION_LABELS[condition]}
        </Badge>
      )}
      <Tapped record={record} />
      {executesUndecided(record) ? <ExecutesUndecided /> : null}
      <GroupLink group={started.group} />
      <SeatLabels record={record} />
    </div>
  );
}

/** True if an undecided call of it is executed at its deadline. */
const executesUndecided = ({ tapped, started }: EpisodeRecord): boolean =>
  tapped === null
    ? started?.approval?.fallback === 'approve' && started.approval.deadline_ms !== null
    : tapped.may_act && tapped.hold_fallback === 'approve';

/** That a client plays it, what people may do to it, and what they and the wire left out. */
function Tapped({ record: { tapped, turns, counts } }: { record: EpisodeRecord }): ReactNode {
  if (tapped === null) return null;
  const touched = turns.filter(isTouchedByPerson).length;
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
        <span className="bad strong">{`${counts.lostFrames.toLocaleString()} frames not recorded`}</span>
      )}
      {counts.leaks === 0 ? null : (
        <span className="bad strong">{`ask_expert leaked ${String(counts.leaks)} times`}</span>
      )}
    </>
  );
}

/** Other rollouts of its prompt stand beside it. */
function GroupLink({ group }: { group: string | null }): ReactNode {
  const role = useRole();
  if (group === null || role === 'expert') return null;
  return <a href={formatRoute({ view: 'episodes', group })}>group</a>;
}

export const SEAT_ICONS = { blinded: EyeOff, key: KeyRound, effect: FlaskConicalOff } as const;

/** The view of experts' seats in this run, if not the usual. */
function SeatLabels({ record }: { record: EpisodeRecord }): ReactNode {
  return seatLabels(record).map(({ of, label, title }) => {
    const Icon = SEAT_ICONS[of];
    return (
      <Badge key={of} icon={<Icon aria-hidden="true" />}>
        <span title={title}>{label}</span>
      </Badge>
    );
  });
}

/** The agent's uptake of the advice it got; nothing if none can be compared. */
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

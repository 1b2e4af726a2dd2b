// The quiet line at the bottom: is everything well, how much runs, who waits. Coloured only when something is wrong.
import { type ReactNode, useEffect, useState } from 'react';
import type { Outputs } from '../../../shared/contract/contract.ts';
import type { EpisodeRow, SeatRow } from '../../../shared/contract/rows.ts';
import { UndoStatus } from '../../parts/card/Undo.tsx';
import { brokenOffTitle, useBrokenOff } from '../../parts/desk/useBrokenOff.ts';
import { useFromRows } from '../../state/fromRows.ts';
import { useConsole, useDesk, useNow, useSession, useWaitingCount } from '../../state/hooks.ts';
import { formatRoute, useRoute } from '../../state/route.ts';
import { eventRate } from '../../state/session.ts';
import { changeUi, type RecordSlice } from '../../state/store.ts';
import { StatusDot } from '../../ui/Badge.tsx';
import { cx } from '../../ui/cx.ts';
import { lazyPart } from '../../ui/LazyPart.tsx';
import { formatAge } from '../../ui/time.ts';
import { useAct, useAsk } from '../../state/queries.ts';
import { choosePresence, presenceOf } from '../../state/presence.ts';
import { Menu } from '../../ui/Menu.tsx';
import type { ConnectionStatus } from '../../client/transport.ts';
import * as styles from './StatusLine.module.css';

export function StatusLine(): ReactNode {
  const { seat } = useSession();
  const app = useConsole(({ record }) => record.app);
  return (
    <footer className={styles.line} aria-label="Status">
      <Connection />
      <Running />
      <Waiting />
      <BrokenOff />
      <UnsentCount />
      <Started />
      <Indexing className={styles.item} />
      <UndoStatus />
      <span className="grows" />
      <Notices notices={app?.notices ?? []} />
      {app?.role === 'owner' ? (
        <>
          <span className={cx(styles.item, styles.models)}>{modelLine(app)}</span>
          <Rate />
          <PeopleTime className={styles.rate} />
        </>
      ) : null}
      <Presence />
      <span
        className={cx(styles.item, styles.seat)}
        title={app?.role === 'owner' ? `Your seat. Data folder: ${app.data_folder}` : 'Your seat'}
      >
        {seat}
      </span>
      <span className={cx(styles.item, styles.seat)}>{app === null ? '' : `v${app.version}`}</span>
    </footer>
  );
}

function Connection(): ReactNode {
  const connection = useConsole(({ ui }) => ui.connection);
  const line = connectionLine(connection, useNow());
  return (
    <span className={styles.item} role="status">
      <StatusDot tone={line.tone} label={line.text} />
    </span>
  );
}

function Running(): ReactNode {
  const running = useFromRows(runningCount);
  return (
    <a className={styles.item} href={formatRoute({ view: 'live', episode: null })}>
      {running === 1 ? '1 running' : `${String(running)} running`}
    </a>
  );
}

function Waiting(): ReactNode {
  const waiting = useWaitingCount();
  const oldest = useConsole(({ record }) => oldestWaiting(record.desk));
  const now = useNow();
  if (waiting === 0 || oldest === null) return <span className={styles.item}>No one waiting</span>;
  return (
    <a className={styles.waits} href={formatRoute({ view: 'desk' })}>
      {waiting} waiting, oldest {formatAge(now - oldest)}
    </a>
  );
}

/** Episodes that wait for a person's word since the restart. */
function BrokenOff(): ReactNode {
  const rows = useBrokenOff();
  if (rows.length === 0) return null;
  return (
    <a className={styles.item} href={formatRoute({ view: 'desk' })} title={brokenOffTitle(rows)}>
      {String(rows.length)} stopped
    </a>
  );
}

function UnsentCount(): ReactNode {
  const unsent = useConsole(({ ui }) => Object.values(ui.unsentTexts).filter((text) => text !== '').length);
  if (unsent === 0) return null;
  return (
    <a
      className={styles.item}
      href={formatRoute({ view: 'desk' })}
      title="Kept on this computer until you send or discard it; listed at the desk"
    >
      {unsent === 1 ? '1 unsent draft' : `${String(unsent)} unsent drafts`}
    </a>
  );
}

function Rate(): ReactNode {
  const now = useNow();
  const text = useConsole(({ record }) => rateText(eventRate(record.heard, now)));
  return <span className={styles.rate}>{text}</span>;
}

/** What was started from the desk, with the way to it; gone once another view is opened. */
function Started(): ReactNode {
  const { store } = useSession();
  const { view } = useRoute();
  const started = useConsole(({ ui }) => ui.started);
  const isOver = useConsole(({ record }) => record.rows.get(started?.episode ?? '')?.status === 'ended');
  useEffect(() => {
    if (view !== 'desk') changeUi(store, (ui) => (ui.started === null ? {} : { started: null }));
  }, [store, view]);
  if (started === null || view !== 'desk') return null;
  const many = started.count === 1 ? '' : ` ${String(started.count)} episodes`;
  return (
    <span className={styles.started} role="status">
      <span className="one-line shrinks" title={started.task}>
        {isOver ? 'Ended' : `Started${many}`}: {started.task}
      </span>{' '}
      <a href={formatRoute({ view: 'live', episode: started.episode })}>{isOver ? 'Open' : 'Watch'}</a>
    </span>
  );
}

const NoticesDialog = lazyPart(async () => (await import('./NoticesDialog.tsx')).NoticesDialog, {
  label: 'Loading the notices',
  fallback: <div data-overlay="open" />,
});

function Notices({ notices }: { notices: readonly string[] }): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  if (notices.length === 0) return null;
  return (
    <>
      <button type="button" className={styles.waits} onClick={() => setIsOpen(true)}>
        {notices.length === 1 ? '1 notice' : `${String(notices.length)} notices`}
      </button>
      {isOpen ? <NoticesDialog notices={notices} onClose={() => setIsOpen(false)} /> : null}
    </>
  );
}

/** Fewer events than this are taken in before anyone could read the words. */
const WORTH_SAYING = 2_000;
const INDEXING_POLL_MS = 1_000;
const NO_WORDS = { query: '', kinds: [], before: null, limit: 1 };

function Indexing({ className }: { className: string | undefined }): ReactNode {
  const progress = useProgress();
  const left = progress === null ? 0 : progress.total - progress.indexed;
  if (progress === null || left < WORTH_SAYING) return null;
  const share = Math.floor((progress.indexed / progress.total) * 100);
  return (
    <span className={className} title={`${left.toLocaleString()} events not indexed yet`}>
      {`Building the search index: ${String(share)} %`}
    </span>
  );
}

/** Asked for when the log grew, and again each second while the index is behind. */
function useProgress() {
  const isOwner = useConsole(({ record }) => record.app?.role === 'owner');
  const grown = useConsole(({ record }) => Math.floor((record.heard.at(-1)?.seq ?? 0) / WORTH_SAYING));
  const revision = useConsole(({ record }) => record.rowsRevision);
  const { value } = useAsk('log.search', isOwner ? NO_WORDS : null, {
    revision: `${String(grown)} ${String(revision)}`,
    everyMs: INDEXING_POLL_MS,
    isChanging: ({ progress: { indexed, total } }) => indexed < total,
  });
  return value?.progress ?? null;
}

type PeopleTimeSummary = Outputs['people.summary'];

/** How often the figure is read while nothing is decided. */
const REFRESH_MS = 60_000;

/** What people's time came to, in one quiet item: minutes this hour, and reward per minute on hover. */
function PeopleTime({ className }: { className: string | undefined }): ReactNode {
  const { total } = useDesk();
  // A question less on the desk may be a decision more.
  const { value: summary } = useAsk('people.summary', {}, { everyMs: REFRESH_MS, revision: total });
  if (summary === null || summary.acts === 0) return null;
  return (
    <span className={className} title={peopleTitle(summary)}>
      {`${minutesLabel(summary.minutes_last_hour)} of people’s time this hour`}
    </span>
  );
}

/** `0.4 min`, `12 min`: tenths only where they matter. */
const minutesLabel = (minutes: number): string =>
  `${minutes > 0 && minutes < 10 ? minutes.toFixed(1) : String(Math.round(minutes))} min`;

/** The figures behind the item, in a sentence each. */
function peopleTitle({ minutes, acts, episodes, reward, reward_per_minute }: PeopleTimeSummary): string {
  const rate = reward_per_minute === null ? 'not known yet' : reward_per_minute.toFixed(2);
  return [
    `${String(acts)} ${acts === 1 ? 'decision' : 'decisions'} in ${minutesLabel(minutes)} of active time.`,
    `${String(episodes)} ended ${episodes === 1 ? 'episode' : 'episodes'} with help, total reward ${String(reward)}.`,
    `Reward per minute of people’s time: ${rate}.`,
  ].join('\n');
}

const PRESENCE_LABELS: Readonly<Record<SeatRow['presence'], string>> = {
  on_duty: 'On duty',
  away: 'Away',
  off: 'Off',
};
const MEANS: Readonly<Record<SeatRow['presence'], string>> = {
  on_duty: 'On duty: questions come to you',
  away: 'Away: if no one else is on duty, agents do not wait',
  off: 'Off: you are not counted as present',
};
const PRESENCES = ['on_duty', 'away', 'off'] as const;

/** Whether this seat takes questions, and who else does. */
function Presence(): ReactNode {
  const session = useSession();
  const { seat } = session;
  const { seats: told, isLoaded } = useDesk();
  const chosen = useConsole(({ ui }) => ui.presence);
  const mine = presenceOf(seat, told, chosen);
  const isTaken = chosen !== null && presenceOf(seat, told, null) !== presenceOf(seat, chosen.before, null);
  useEffect(() => {
    if (isTaken) changeUi(session.store, () => ({ presence: null }));
  }, [isTaken, session.store]);
  const seats = told.map((row) => (row.seat === seat ? { ...row, presence: mine } : row));
  const isGuided = useConsole(({ ui }) => ui.isGuided);
  const others = seats.filter((row) => row.seat !== seat);
  const { run: set } = useAct(
    (presence: SeatRow['presence']) => choosePresence(session, presence),
    'Could not change that',
  );
  if (!isLoaded) return null;
  const onDuty = seats.filter(({ presence }) => presence === 'on_duty').length;
  const label = isGuided && mine === 'away' ? 'In the introduction' : PRESENCE_LABELS[mine];
  const shown = `${label}${seats.length > 1 ? `, ${String(onDuty)} of ${String(seats.length)} seats on duty` : ''}`;
  return (
    <Menu
      side="top"
      trigger={
        <button
          type="button"
          className={mine === 'on_duty' || isGuided ? styles.presence : styles.waits}
          aria-label={`Presence: ${shown}`}
        >
          {shown}
        </button>
      }
      items={[
        ...PRESENCES.map((presence) => ({
          label: MEANS[presence],
          isChecked: presence === mine,
          onChoose: () => void set(presence),
        })),
        ...(others.length === 0 ? [] : ['line' as const]),
        ...others.map((row) => ({
          label: `${row.seat}: ${PRESENCE_LABELS[row.presence].toLowerCase()}`,
          isDisabled: true,
          onChoose: () => undefined,
        })),
      ]}
    />
  );
}

type ConnectionLine = { tone: 'idle' | 'waiting' | 'error'; text: string };

/** How the line to main is doing. */
function connectionLine(status: ConnectionStatus, now: number): ConnectionLine {
  switch (status.state) {
    case 'open':
      return { tone: 'idle', text: 'Connected' };
    case 'connecting':
      return { tone: 'waiting', text: 'Connecting' };
    case 'refused':
      return { tone: 'error', text: 'Refused' };
    case 'closed': {
      const left = Math.max(0, Math.ceil((status.retryAt - now) / 1000));
      return {
        tone: 'error',
        text: left === 0 ? 'No connection, trying' : `No connection, trying in ${String(left)} s`,
      };
    }
  }
}

/** How many of the rows go on: those that broke off with the program wait for a person's word. */
export const runningCount = (rows: Iterable<EpisodeRow>): number => {
  let running = 0;
  for (const row of rows) if (row.status !== 'ended' && row.broke_off === undefined) running += 1;
  return running;
};

/** When the oldest began to wait, question or stop; null when nothing waits. */
function oldestWaiting({ items, holds }: Pick<RecordSlice['desk'], 'items' | 'holds'>): number | null {
  const since = [...items.map((item) => item.asked_at), ...holds.map((hold) => hold.since)];
  return since.length === 0 ? null : Math.min(...since);
}

/** Which models act here. */
function modelLine(app: RecordSlice['app']): string {
  if (app === null) return '';
  const agent = app.agent_model === null ? 'Rehearsal agent, no model' : `Agent ${app.agent_model}`;
  return app.expert_model === null ? agent : `${agent} · drafts ${app.expert_model}`;
}

/** `0.4/s` while slow, whole numbers above. */
const rateText = (perSecond: number): string =>
  `${perSecond > 0 && perSecond < 10 ? perSecond.toFixed(1) : String(Math.round(perSecond))} events/s`;

/** The window's title: what waits comes first, so that it shows in a narrow tab. */
export const titleText = (waiting: number, view: string, task: string | null = null): string =>
  `${waiting > 0 ? `(${String(waiting)}) ` : ''}${task === null ? '' : `${task} · `}${view} · Interject`;

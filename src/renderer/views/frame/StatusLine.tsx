// The quiet line at the bottom: the connection, who waits, and this person's duty. Coloured only when something is wrong.
import { type ReactNode, useEffect, useState } from 'react';
import type { SeatRow } from '../../../shared/episode/rowShapes.ts';
import { UndoStatus } from '../../parts/card/Undo.tsx';
import { brokenOffTitle, useBrokenOff } from '../../parts/desk/useBrokenOff.ts';
import { useConsole, useDesk, useNow, useSession, useWaitingCount } from '../../state/hooks.ts';
import { episodeRoute, formatRoute, useRoute } from '../../state/route.ts';
import { changeUi, type RecordSlice } from '../../state/store.ts';
import { StatusDot } from '../../ui/Badge.tsx';
import { lazyPart } from '../../ui/LazyPart.tsx';
import { formatAge } from '../../ui/time.ts';
import { useAct, useAsk } from '../../state/queries.ts';
import { choosePresence, presenceOf } from '../../state/presence.ts';
import { Menu } from '../../ui/Menu.tsx';
import type { ConnectionStatus } from '../../client/transport.ts';
import * as styles from './StatusLine.module.css';

export function StatusLine(): ReactNode {
  const { seat } = useSession();
  const notices = useConsole(({ record }) => record.app?.notices);
  return (
    <footer className={styles.line} aria-label="Status">
      <Connection />
      <Waiting />
      <BrokenOff />
      <UnsentCount />
      <Started />
      <Indexing className={styles.item} />
      <UndoStatus />
      <span className="grows" />
      <Notices notices={notices ?? []} />
      <span className={styles.item}>{seat}</span>
      <Presence />
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

/** The start made from the desk, with the way to it; gone once another view is opened. */
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
      <a href={formatRoute(episodeRoute(started.episode))}>{isOver ? 'Open' : 'Watch'}</a>
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
  const grown = useConsole(({ record }) => Math.floor(record.newestSeq / WORTH_SAYING));
  const revision = useConsole(({ record }) => record.rowsRevision);
  const { value } = useAsk('log.search', isOwner ? NO_WORDS : null, {
    revision: `${String(grown)} ${String(revision)}`,
    everyMs: INDEXING_POLL_MS,
    isChanging: ({ progress: { indexed, total } }) => indexed < total,
  });
  return value?.progress ?? null;
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

/** This seat's presence, and others on duty. */
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

/** The state of the line to main. */
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

/** The time of the oldest waiting question or stop; null when nothing waits. */
function oldestWaiting({ items, holds }: Pick<RecordSlice['desk'], 'items' | 'holds'>): number | null {
  const since = [...items.map((item) => item.asked_at), ...holds.map((hold) => hold.since)];
  return since.length === 0 ? null : Math.min(...since);
}

/** The window's title: what waits comes first, so that it shows in a narrow tab. */
export const titleText = (waiting: number, view: string, task: string | null = null): string =>
  `${waiting > 0 ? `(${String(waiting)}) ` : ''}${task === null ? '' : `${task} · `}${view} · Interject`;

// The quiet line at the bottom: is everything well, how much runs, who waits. Coloured only when something is wrong.
import { stoppedTitle } from '../../../shared/episode/restarts.ts';
import { useEffect, useState, type ReactNode } from 'react';
import { UndoStatus } from '../../parts/card/Undo.tsx';
import { useBrokenOff } from '../../parts/desk/useBrokenOff.ts';
import { useFromRows } from '../../state/fromRows.ts';
import { useConsole, useNow, useSession, useWaitingCount } from '../../state/hooks.ts';
import { formatRoute, useRoute } from '../../state/route.ts';
import { eventRate } from '../../state/receive.ts';
import { changeUi } from '../../state/store.ts';
import { StatusDot } from '../../ui/Badge.tsx';
import { cx } from '../../ui/cx.ts';
import { lazyPart } from '../../ui/LazyPart.tsx';
import { formatAge } from '../../ui/time.ts';
import { Indexing } from './Indexing.tsx';
import { PeopleTime } from './PeopleTime.tsx';
import { Presence } from './Presence.tsx';
import { connectionLine, modelLine, oldestWaiting, rateText, runningCount } from './status.ts';
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
  const { length } = useBrokenOff();
  if (length === 0) return null;
  return (
    <a className={styles.item} href={formatRoute({ view: 'desk' })} title={stoppedTitle(length)}>
      {String(length)} stopped
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

// The quiet line at the bottom: is everything well, how much runs, who waits. Coloured only when something is wrong.
import { useEffect, useMemo, useState, type ReactNode } from 'react';
import { UndoStatus } from '../../parts/card/Undo.tsx';
import { useConsole, useDesk, useNow, useSession, useWaitingCount } from '../../state/hooks.ts';
import { formatRoute, useRoute } from '../../state/route.ts';
import { eventRate } from '../../state/receive.ts';
import { changeUi } from '../../state/store.ts';
import { StatusDot } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { cx } from '../../ui/cx.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { formatAge } from '../../ui/time.ts';
import { Indexing } from './Indexing.tsx';
import { PeopleTime } from './PeopleTime.tsx';
import { Presence } from './Presence.tsx';
import { connectionLine, modelLine, oldestWaiting, rateText, runningCount } from './status.ts';
import * as styles from './StatusLine.module.css';

export function StatusLine(): ReactNode {
  const { seat } = useSession();
  const now = useNow();
  const desk = useDesk();
  const connection = useConsole(({ ui }) => ui.connection);
  const unsent = useConsole(({ ui }) => Object.values(ui.unsentTexts).filter((text) => text !== '').length);
  const rows = useConsole(({ record }) => record.rows);
  const app = useConsole(({ record }) => record.app);
  const heard = useConsole(({ record }) => record.heard);
  const running = useMemo(() => runningCount(rows.values()), [rows]);
  const line = connectionLine(connection, now);
  const waiting = useWaitingCount();
  const oldest = oldestWaiting(desk);
  return (
    <footer className={styles.line} aria-label="Status">
      <span className={styles.item} role="status">
        <StatusDot tone={line.tone} label={line.text} />
      </span>
      <a className={styles.item} href={formatRoute({ view: 'live', episode: null })}>
        {running === 1 ? '1 running' : `${String(running)} running`}
      </a>
      {waiting > 0 && oldest !== null ? (
        <a className={styles.waits} href={formatRoute({ view: 'desk' })}>
          {waiting} waiting, oldest {formatAge(now - oldest)}
        </a>
      ) : (
        <span className={styles.item}>No one waiting</span>
      )}
      {unsent > 0 ? (
        <a
          className={styles.item}
          href={formatRoute({ view: 'desk' })}
          title="Kept on this computer until you send or discard it; listed at the desk"
        >
          {unsent === 1 ? '1 unsent draft' : `${String(unsent)} unsent drafts`}
        </a>
      ) : null}
      <Started />
      <Indexing className={styles.item} />
      <UndoStatus />
      <span className={styles.gap} />
      <Notices notices={app?.notices ?? []} />
      <span className={cx(styles.item, styles.models)}>{modelLine(app)}</span>
      <span className={styles.rate}>{rateText(eventRate(heard, now))}</span>
      {app?.role === 'owner' ? <PeopleTime className={styles.rate} /> : null}
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
      <span className={styles.startedTask} title={started.task}>
        {isOver ? 'Ended' : `Started${many}`}: {started.task}
      </span>{' '}
      <a href={formatRoute({ view: 'live', episode: started.episode })}>{isOver ? 'Open' : 'Watch'}</a>
    </span>
  );
}

function Notices({ notices }: { notices: readonly string[] }): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  if (notices.length === 0) return null;
  return (
    <>
      <button type="button" className={styles.waits} onClick={() => setIsOpen(true)}>
        {notices.length === 1 ? '1 notice' : `${String(notices.length)} notices`}
      </button>
      <Dialog
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        title="Notices"
        footer={<Button onClick={() => setIsOpen(false)}>Close</Button>}
      >
        <ul className={styles.notices}>
          {notices.map((notice) => (
            <li key={notice}>{notice}</li>
          ))}
        </ul>
      </Dialog>
    </>
  );
}

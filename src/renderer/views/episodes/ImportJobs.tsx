// Progress of each import, and its report: what was read, what the format does not record, what was odd where.
import { CircleAlert, CircleCheck, FileInput, FolderInput, Import, Loader, X } from 'lucide-react';
import { useRef, type ChangeEvent, type ReactNode } from 'react';
import { isWarning, TOO_LITTLE } from '../../../shared/conservation.ts';
import type { FileReport, ImportJob } from '../../../shared/contract/import.ts';
import { conservationLines, reportWords } from '../../../shared/reportWords.ts';
import { FORMAT_NAMES } from '../../../shared/timeline/rows.ts';
import { episodeRoute, formatRoute } from '../../state/route.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { cx } from '../../ui/cx.ts';
import { Menu } from '../../ui/Menu.tsx';
import { chosenFiles, type Imports } from './useImports.ts';
import * as styles from './Imports.module.css';

export function ImportJobs({ jobs, cancel, again }: Pick<Imports, 'jobs' | 'cancel' | 'again'>): ReactNode {
  if (jobs.length === 0) return null;
  return (
    <ul className={styles.jobs} aria-label="Imports">
      {jobs.map((job) => (
        <li key={job.import} className={styles.job}>
          <Job job={job} onCancel={() => cancel(job.import)} onAgain={again(job.import)} />
        </li>
      ))}
    </ul>
  );
}

const isRunning = ({ state }: ImportJob): boolean =>
  state === 'receiving' || state === 'waiting' || state === 'reading';

/** A cancelled file could be read, had it gone on. */
const isUnreadable = ({ failure }: FileReport): boolean => failure !== null && failure.code !== 'cancelled';

type JobProps = { job: ImportJob; onCancel: () => void; onAgain: (() => void) | null };

const isPartlyRead = ({ conservation }: FileReport): boolean =>
  conservation !== null && isWarning(conservation);

const isTooLittle = ({ diagnostics }: FileReport): boolean =>
  diagnostics.some(({ code }) => code === TOO_LITTLE);

function Job({ job, onCancel, onAgain }: JobProps): ReactNode {
  const failed = job.reports.filter(isUnreadable).length;
  const share = job.total === 0 ? 1 : job.done / job.total;
  const runs = isRunning(job);
  return (
    <>
      <div className={styles.line}>
        {runs ? (
          <Loader className={styles.busy} aria-hidden="true" />
        ) : failed > 0 || job.episodes === 0 || job.reports.some(isPartlyRead) ? (
          <CircleAlert className={styles.bad} aria-hidden="true" />
        ) : (
          <CircleCheck className={styles.good} aria-hidden="true" />
        )}
        <strong className={styles.name}>{job.name}</strong>
        <span role="status">{jobLabel(job, failed)}</span>
        {runs ? (
          <progress className={styles.progress} max={1} value={share} aria-label={`Import of ${job.name}`} />
        ) : null}
        {!runs && onAgain !== null && job.reports.some(isTooLittle) ? (
          <Button size="small" onClick={onAgain}>
            Import anyway
          </Button>
        ) : null}
        {runs ? (
          <Button size="small" onClick={onCancel}>
            Cancel
          </Button>
        ) : (
          <IconButton label="Close the report" icon={<X />} onClick={onCancel} />
        )}
      </div>
      {job.reports.length === 0 ? null : (
        <details className={styles.details} open={failed > 0 || job.reports.length === 1}>
          <summary>
            {job.reports.length === 1 ? 'Report' : `Reports of ${String(job.reports.length)} files`}
          </summary>
          {job.reports.slice(0, REPORTS_SHOWN).map((report) => (
            <Report key={`${report.name}${report.sha256 ?? ''}`} report={report} />
          ))}
          {job.reports.length > REPORTS_SHOWN ? (
            <p>{`${String(job.reports.length - REPORTS_SHOWN)} further files; the command line shows all.`}</p>
          ) : null}
        </details>
      )}
    </>
  );
}

/** More than anyone reads on a screen. */
const REPORTS_SHOWN = 100;

function jobLabel({ state, episodes, ignored }: ImportJob, failed: number): string {
  const counts = [
    countLabel(episodes, 'episode'),
    ...(failed === 0 ? [] : [`${countLabel(failed, 'file')} could not be read`]),
    ...(ignored === 0 ? [] : [`${countLabel(ignored, 'file')} no log`]),
  ].join(', ');
  switch (state) {
    case 'receiving':
      return 'coming in';
    case 'waiting':
      return 'waiting for the import before it';
    case 'reading':
      return `reading, ${counts}`;
    case 'cancelled':
      return `cancelled, ${counts}`;
    case 'done':
      return counts;
  }
}

const countLabel = (number: number, noun: string): string =>
  `${number.toLocaleString()} ${noun}${number === 1 ? '' : 's'}`;

function Report({ report }: { report: FileReport }): ReactNode {
  const { name, format, version, episodes, known, skipped, not_recorded: lacks, first } = report;
  const { failure, odd } = reportWords(report);
  const facts = [
    format === null ? 'unknown format' : FORMAT_NAMES[format],
    ...(version === null ? [] : [version]),
    countLabel(episodes, 'episode'),
    ...(known === 0 ? [] : [`${known.toLocaleString()} already here`]),
    ...(skipped === 0 ? [] : [`${skipped.toLocaleString()} skipped`]),
  ];
  const [only] = first;
  return (
    <section className={styles.report} aria-label={`Report on ${name}`}>
      <p>
        <span className={styles.name}>{name}</span> <span className={styles.quiet}>{facts.join(' · ')}</span>{' '}
        {only === undefined ? null : (
          <a href={formatRoute(episodeRoute(only))}>{episodes === 1 ? 'Open it' : 'Open the first'}</a>
        )}
      </p>
      {failure === null ? null : (
        <p className={cx(styles.bad, styles.why)} role="alert">
          {failure}
        </p>
      )}
      {lacks.length === 0 ? null : (
        <p className={styles.quiet}>{`Not recorded in it: ${lacks.join(', ')}.`}</p>
      )}
      {conservationLines(report).map((line) => (
        <p key={line} className={styles.quiet}>
          {`${line}.`}
        </p>
      ))}
      {odd.length === 0 ? null : (
        <ul className={styles.odd} aria-label="Problems">
          {odd.map(({ code, message, pointer, count: times }) => (
            <li key={`${code}${pointer ?? ''}${message}`}>
              {message}
              {pointer === null ? null : <code>{pointer}</code>}
              {times > 1 ? <span className={styles.quiet}>{`${times.toLocaleString()} times`}</span> : null}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

type ImportButtonProps = Pick<Imports, 'send'> & {
  /** Opens its menu, as its address asks for. */
  isAsked: boolean;
  onOpened: () => void;
};

export function ImportButton({ send, isAsked, onOpened }: ImportButtonProps): ReactNode {
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const take = ({ currentTarget }: ChangeEvent<HTMLInputElement>): void => {
    if (currentTarget.files !== null) send(chosenFiles(currentTarget.files));
    // The same file can be chosen again.
    currentTarget.value = '';
  };
  return (
    <>
      <Menu
        trigger={<Button icon={<Import />}>Import…</Button>}
        isAsked={isAsked}
        onAsked={onOpened}
        items={[
          { label: 'Files…', icon: <FileInput />, onChoose: () => files.current?.click() },
          { label: 'A folder…', icon: <FolderInput />, onChoose: () => folder.current?.click() },
        ]}
      />
      <input
        ref={files}
        className={styles.input}
        type="file"
        multiple
        hidden
        aria-label="Files to import"
        onChange={take}
      />
      <input
        ref={(input) => {
          folder.current = input;
          input?.setAttribute('webkitdirectory', '');
        }}
        className={styles.input}
        type="file"
        hidden
        aria-label="Folder to import"
        onChange={take}
      />
    </>
  );
}

// The line under the preview: what kind of files, the button that writes them, and why it may not yet.
import { FileDown, X } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ExportReport } from '../../../shared/contract/export.ts';
import { useKeys } from '../../state/hooks.ts';
import { Button } from '../../ui/Button.tsx';
import { Select } from '../../ui/Field.tsx';
import { FORMATS } from '../../../shared/export/formats.ts';
import { CommandButton } from './CommandButton.tsx';
import * as styles from './WriteBar.module.css';
import { jobProgressText, type Check, type ExportWriting, blockedBy } from './exportJobs.ts';
import type { ExportForm } from './useForm.ts';

type WriteBarProps = {
  form: ExportForm;
  check: Check;
  writing: ExportWriting;
  despite: ReadonlySet<string>;
};

export function WriteBar({ form, check, writing, despite }: WriteBarProps): ReactNode {
  const { report } = check;
  const isLinesOnly = FORMATS[form.format].isLinesOnly === true;
  const why = blockedBy(check, despite);
  const write = (): void => {
    if (why !== null || report === null || writing.isRunning) return;
    const { format, rules, files, hasKit } = form;
    writing.write({
      format,
      rules,
      write: { files, kit: hasKit ? 'trl' : null, despite: takenOf(report, despite) },
    });
  };
  useKeys({ send: write });
  return (
    <section className={styles.bar} aria-label="Write">
      {writing.isRunning ? (
        <WriteProgress writing={writing} />
      ) : (
        <>
          <Button
            tone="primary"
            icon={<FileDown />}
            chord="send"
            isDisabled={why !== null}
            aria-describedby="write-why"
            onClick={write}
          >
            {report === null || report.rows === 0
              ? 'Write'
              : `Write ${report.rows.toLocaleString()} ${report.rows === 1 ? 'row' : 'rows'}`}
          </Button>
          <Select
            aria-label="Kind of files"
            className={styles.files}
            value={form.files}
            options={[
              { value: 'jsonl', label: 'JSON lines' },
              {
                value: 'parquet',
                label: isLinesOnly ? 'Parquet (this format has no columns)' : 'Parquet',
                isDisabled: isLinesOnly,
              },
            ]}
            onChoose={form.onFiles}
          />
          <label
            className={styles.kit}
            title="Adds a small Python project with pinned versions that trains on the data with TRL"
          >
            <input
              type="checkbox"
              checked={form.hasKit}
              onChange={({ target }) => form.onKit(target.checked)}
            />
            with training kit
          </label>
          <CommandButton form={{ ...form, despite: report === null ? [] : takenOf(report, despite) }} />
          <span className={styles.why} id="write-why" role="status">
            {why ?? ''}
          </span>
        </>
      )}
    </section>
  );
}

/** Only errors that stand need to be named. */
const takenOf = ({ findings }: ExportReport, despite: ReadonlySet<string>): string[] => [
  ...new Set(
    findings.filter(({ level, check }) => level === 'error' && despite.has(check)).map(({ check }) => check),
  ),
];

function WriteProgress({ writing: { job, cancel } }: { writing: ExportWriting }): ReactNode {
  return (
    <>
      <progress
        className={styles.progress}
        aria-label="Write"
        {...(job === null || job.total === 0 ? {} : { max: job.total, value: job.done })}
      />
      <span className="grows" role="status">
        {jobProgressText('Writing', job)}
      </span>
      <Button icon={<X />} chord="back" onClick={cancel}>
        Cancel
      </Button>
    </>
  );
}

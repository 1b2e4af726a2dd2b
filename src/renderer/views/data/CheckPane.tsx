// The pane of a check of the data as it would be written: how it is going, counts, what was left out, what was found.
import * as styles from './CheckPane.module.css';
import { RefreshCw, X, Database, Play } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ExportReport, ExportRules } from '../../../shared/contract/export.ts';
import { useConsole, useSession } from '../../state/hooks.ts';
import { Button } from '../../ui/Button.tsx';
import { cx } from '../../ui/cx.ts';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Findings } from './Findings.tsx';
import { jobProgressText, type Check } from './exportJobs.ts';
import { type RuleName, loosening, DEFAULT_RULES, isChanged } from './rulesModel.ts';
import { Samples } from './Samples.tsx';
import type { ExportForm } from './useForm.ts';
import { dropWords, sortedDrops } from '../../../shared/export/dropWords.ts';
import { rowTexts } from '../../../shared/export/formats.ts';
import { formatRoute } from '../../state/route.ts';
import { changeUi } from '../../state/store.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';

type CheckPaneProps = {
  form: ExportForm;
  check: Check;
  despite: ReadonlySet<string>;
  onDespite: (despite: ReadonlySet<string>) => void;
  /** Leads to a rule of the form. */
  onRule: (name: RuleName) => void;
};

export function CheckPane({ form, check, despite, onDespite, onRule }: CheckPaneProps): ReactNode {
  const { report, failure, isStale } = check;
  const notes = report?.findings.filter(({ level }) => level === 'note') ?? [];
  const urgent = report?.findings.filter(({ level }) => level !== 'note') ?? [];
  return (
    <>
      <CheckLine check={check} />
      {failure === null ? null : (
        <ErrorNote
          title="Could not check the export"
          failure={failure}
          action={
            <Button size="small" onClick={check.again}>
              Check again
            </Button>
          }
        />
      )}
      {report === null && failure === null && !check.isCancelled ? (
        <Skeleton rows={9} label="Checking the export" />
      ) : null}
      {report === null ? null : (
        <div className={cx('stack-4', isStale && styles.isStale)} aria-busy={isStale}>
          {report.rows === 0 ? (
            <NothingKept form={form} report={report} />
          ) : (
            <>
              <Counts report={report} rules={form.rules} />
              <Findings label="Findings" findings={urgent} despite={despite} onDespite={onDespite} />
            </>
          )}
          <Drops report={report} form={form} onRule={onRule} />
          {report.rows === 0 || notes.length === 0 ? null : (
            <Findings label="Notes" findings={notes} despite={despite} onDespite={onDespite} />
          )}
          {report.sample.length === 0 ? null : <Samples key={form.format} samples={report.sample} />}
        </div>
      )}
    </>
  );
}

/** The check's progress; its height never changes, so that nothing below it jumps. */
function CheckLine({ check }: { check: Check }): ReactNode {
  const { job, isRunning, isStale, isCancelled, report, at } = check;
  const newer = useConsole(({ record }) => {
    if (report === null) return 0;
    let count = 0;
    for (const row of record.rows.values()) if (row.status === 'ended' && row.updated_at > at) count += 1;
    return count;
  });
  return (
    <div className={styles.line}>
      <h2 className={styles.title}>Preview</h2>
      {isRunning ? (
        <>
          <progress
            className={styles.progress}
            aria-label="Check"
            {...(job === null || job.total === 0 ? {} : { max: job.total, value: job.done })}
          />
          <span className={styles.quiet}>{jobProgressText('Reading', job)}</span>
          <Button size="small" tone="quiet" icon={<X />} chord="back" onClick={check.cancel}>
            Cancel
          </Button>
        </>
      ) : (
        <>
          <span className={styles.quiet} role="status">
            {isCancelled
              ? report === null
                ? 'The check was cancelled'
                : 'Check cancelled. The results below are for earlier rules'
              : report === null
                ? ''
                : readLabel(report)}
            {report === null || isCancelled || isStale ? null : (
              <>
                {', '}
                <RelativeTime at={at} isSpoken />
                {newer === 0 ? '' : `; ${newer.toLocaleString()} ended since`}
              </>
            )}
          </span>
          <Button size="small" tone="quiet" icon={<RefreshCw />} chord="data.check" onClick={check.again}>
            Check again
          </Button>
        </>
      )}
    </div>
  );
}

const readLabel = ({ episodes: { read } }: ExportReport): string =>
  read === 1 ? '1 episode read' : `${read.toLocaleString()} episodes read`;

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

function Counts({ report, rules }: { report: ExportReport; rules: ExportRules }): ReactNode {
  const { rows, splits, episodes, tokens } = report;
  return (
    <section aria-label="Counts">
      <dl className={styles.counts}>
        <CountFact name={rows === 1 ? 'row' : 'rows'} isMain>
          {rows.toLocaleString()}
        </CountFact>
        {rules.validation === null ? null : (
          <CountFact name="train / validation">
            {`${splits.train.toLocaleString()} / ${splits.validation.toLocaleString()}`}
          </CountFact>
        )}
        <CountFact name={`of ${episodes.read.toLocaleString()} episodes`}>
          {episodes.kept.toLocaleString()}
        </CountFact>
        <CountFact
          name="tokens, estimated"
          title="Estimated from the number of characters. Your tokenizer will differ."
        >
          {`~${compact.format(tokens.total)}`}
        </CountFact>
        <CountFact name="tokens a row: median / 95 % / most">
          {[tokens.median, tokens.p95, tokens.max].map((count) => compact.format(count)).join(' / ')}
        </CountFact>
      </dl>
      <Classes classes={report.classes} />
    </section>
  );
}

function CountFact({
  name,
  title,
  isMain = false,
  children,
}: {
  name: string;
  title?: string;
  isMain?: boolean;
  children: ReactNode;
}): ReactNode {
  return (
    <div className={isMain ? styles.main : undefined} title={title}>
      <dd>{children}</dd>
      <dt>{name}</dt>
    </div>
  );
}

/** A class a row, each with its number: the bar only says it again. */
function Classes({ classes }: Pick<ExportReport, 'classes'>): ReactNode {
  const counted = Object.entries(classes).toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  const total = counted.reduce((sum, [, count]) => sum + count, 0);
  if (counted.length === 0 || total === 0) return null;
  return (
    <table className={styles.classes}>
      <caption>Classes</caption>
      <tbody>
        {counted.map(([name, count]) => (
          <tr key={name}>
            <th scope="row">{name.replaceAll('_', ' ')}</th>
            <td className={styles.number}>{count.toLocaleString()}</td>
            <td className={styles.number}>{`${((100 * count) / total).toFixed(0)} %`}</td>
            <td className={styles.barCell} aria-hidden="true">
              <span className={styles.bar} style={{ width: `${String((100 * count) / total)}%` }} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

type DropsProps = {
  report: ExportReport;
  form: ExportForm;
  onRule: (name: RuleName) => void;
};

function Drops({ report, form, onRule }: DropsProps): ReactNode {
  const drops = sortedDrops(report.dropped);
  if (drops.length === 0)
    return report.rows === 0 ? null : <p className={styles.quiet}>Nothing is left out.</p>;
  const total = drops.reduce((sum, [, count]) => sum + count, 0);
  return (
    <section aria-label="Left out">
      <table className={styles.drops}>
        <caption>{`Left out: ${total.toLocaleString()}`}</caption>
        <tbody>
          {drops.map(([name, count]) => {
            const { words, rule } = dropWords(name);
            const looser = loosening(name, form.rules);
            return (
              <tr key={name}>
                <td className={styles.number}>{count.toLocaleString()}</td>
                <th scope="row">
                  {words} <code className={styles.quiet}>{name}</code>
                </th>
                <td className={styles.dropActs}>
                  {rule === null ? null : (
                    <Button size="small" tone="quiet" onClick={() => onRule(rule)}>
                      Rule
                    </Button>
                  )}
                  {looser === null ? null : (
                    <Button size="small" tone="quiet" onClick={() => form.onRules(looser.rules)}>
                      {looser.label}
                    </Button>
                  )}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

const NARROWING = ['episodes', 'filter', 'after_seq'] as const;

function NothingKept({ form, report }: { form: ExportForm; report: ExportReport }): ReactNode {
  const { store } = useSession();
  const { rules, onRules, format } = form;
  const { needs } = rowTexts(format, rules.preset);
  const episodes = <a href={formatRoute({ view: 'episodes' })}>Episodes</a>;
  const isNarrowed = NARROWING.some((name) => isChanged(rules, name));
  const [worst] = sortedDrops(report.dropped);
  if (worst === undefined && report.episodes.read === 0 && isNarrowed) {
    const { episodes, filter, after_seq } = DEFAULT_RULES;
    return (
      <EmptyState
        title="No ended episode matches"
        action={
          <Button onClick={() => onRules({ ...rules, episodes, filter, after_seq })}>
            Include all episodes
          </Button>
        }
      >
        The episode filter matches nothing. {episodes} shows what there is.
      </EmptyState>
    );
  }
  if (worst === undefined && report.episodes.read === 0) {
    return (
      <EmptyState
        icon={<Database />}
        title="No ended episodes yet"
        action={
          <Button
            tone="primary"
            icon={<Play />}
            chord="episode.start"
            onClick={() => changeUi(store, () => ({ overlay: 'start' }))}
          >
            Start an episode
          </Button>
        }
      >
        Start one, answer what the agent asks at the <a href={formatRoute({ view: 'desk' })}>desk</a>, and let
        it finish; or drop logs of other tools into {episodes}. {needs}
      </EmptyState>
    );
  }
  const looser = worst === undefined ? null : loosening(worst[0], rules);
  return (
    <EmptyState
      title="No row passes the rules"
      action={
        looser === null ? undefined : (
          <Button tone="primary" onClick={() => onRules(looser.rules)}>
            {looser.label}
          </Button>
        )
      }
    >
      {worst === undefined
        ? `${report.episodes.read.toLocaleString()} episodes were read. ${needs}`
        : `Most were left out for this: ${dropWords(worst[0]).words} (${worst[1].toLocaleString()}). ${looser === null ? needs : ''}`}
    </EmptyState>
  );
}

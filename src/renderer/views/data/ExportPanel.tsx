// Owns: one format: the preview, and writing the files.
import { Database, RefreshCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { ExportRules, type ExportReport } from '../../../shared/contract/export.ts';
import { useSession } from '../../state/hooks.ts';
import { formatRoute } from '../../state/route.ts';
import { useAnswer } from '../../state/useAnswer.ts';
import { changeUi } from '../../state/store.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import styles from './DataView.module.css';
import { FORMATS, ruleText, sortedDrops, type ShownFormat } from './rules.ts';
import { SampleRow } from './SampleRow.tsx';
import { untilDone } from './untilDone.ts';
import { Written } from './Written.tsx';

type Preview = ExportReport;

export function ExportPanel({ format }: { format: ShownFormat }): ReactNode {
  const { call } = useSession();
  const {
    value: preview,
    failure,
    isLoading,
    again,
  } = useAnswer(format, async () =>
    untilDone(call, (await call('export.check', { format, rules: ExportRules.parse({}) })).export),
  );
  return (
    <div className={styles['panel']}>
      <div className={styles['about']}>
        <p>{FORMATS[format].what}</p>
        <IconButton
          label="Read again"
          icon={<RefreshCw />}
          isDisabled={isLoading}
          onClick={again}
          side="left"
        />
      </div>
      {failure === null ? null : (
        <ErrorNote
          title="Could not make the preview"
          failure={failure}
          action={
            <Button size="small" onClick={again}>
              Try again
            </Button>
          }
        />
      )}
      {preview === null && failure === null ? <Skeleton rows={8} label="Making the preview" /> : null}
      {preview === null ? null : <PreviewBody format={format} preview={preview} />}
    </div>
  );
}

function PreviewBody({ format, preview }: { format: ShownFormat; preview: Preview }): ReactNode {
  const drops = sortedDrops(preview.dropped);
  const dropped = drops.reduce((sum, [, count]) => sum + count, 0);
  if (preview.rows === 0 && dropped === 0) return <NoData format={format} />;
  return (
    <>
      <div className={styles['counts']}>
        <p className={styles['kept']}>
          <strong>{preview.rows.toLocaleString()}</strong> {preview.rows === 1 ? 'row' : 'rows'}
        </p>
        {drops.length === 0 ? (
          <p className={styles['quiet']}>Nothing is left out.</p>
        ) : (
          <table className={styles['drops']}>
            <caption className={styles['quiet']}>{dropped.toLocaleString()} left out</caption>
            <tbody>
              {drops.map(([rule, count]) => (
                <tr key={rule}>
                  <td className={styles['number']}>{count.toLocaleString()}</td>
                  <td>{ruleText(rule)}</td>
                  <td>
                    <code className={styles['quiet']}>{rule}</code>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
      {preview.rows === 0 ? <p>{FORMATS[format].needs}</p> : <Written format={format} rows={preview.rows} />}
      {preview.sample.length === 0 ? null : (
        <section className={styles['samples']} aria-label="First rows">
          <h2 className={styles['subheading']}>
            {preview.sample.length === 1
              ? 'The first row'
              : `The first ${String(preview.sample.length)} rows`}
          </h2>
          {preview.sample.map((row, index) => (
            <SampleRow key={row.json} row={row.json} number={index + 1} isOpen={index === 0} />
          ))}
        </section>
      )}
    </>
  );
}

function NoData({ format }: { format: ShownFormat }): ReactNode {
  const { store } = useSession();
  return (
    <EmptyState
      icon={<Database />}
      title="No episodes to make data from"
      action={
        <Button tone="primary" onClick={() => changeUi(store, () => ({ overlay: 'start' }))}>
          Start an episode
        </Button>
      }
    >
      Start an episode, answer what the agent asks at the <a href={formatRoute({ view: 'desk' })}>desk</a>,
      and let it end. {FORMATS[format].needs}
    </EmptyState>
  );
}

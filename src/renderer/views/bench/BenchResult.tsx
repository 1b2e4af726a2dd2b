// What a bench came to: what is shown and what could have been, figures, and everything the report holds.
import { FolderDown, Save } from 'lucide-react';
import { useMemo, useState, type ReactNode } from 'react';
import { cellText, formatPercent, intervalText } from '../../../figures/text.ts';
import { benchFigures } from '../../../figures/benchFigures.ts';
import { Exclusion, type BenchArm, type BenchSummary } from '../../../shared/bench/summary.ts';
import type { Outputs } from '../../../shared/contract/contract.ts';
import { FigureList } from '../../parts/figure/FigureList.tsx';
import { useSession } from '../../state/hooks.ts';
import { useAct } from '../../state/queries.ts';
import { Button } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { saveFile } from '../../ui/saveFile.ts';
import { Table } from '../../ui/Table.tsx';
import * as styles from './Bench.module.css';
import { BenchDetails } from './BenchDetails.tsx';

export function BenchResult({
  summary,
  report,
}: {
  summary: BenchSummary;
  report: string | null;
}): ReactNode {
  const { primary, cautions, arms } = summary;
  const drawings = useMemo(() => benchFigures(summary), [summary]);
  const kinds = (['solo', 'assisted'] as const).filter((kind) => arms.some((arm) => arm.kind === kind));
  return (
    <>
      <section className={styles.headline} aria-label="Result">
        <p className={styles.says}>{primary.says}</p>
        <p>{primary.power.says}</p>
        {cautions.length === 0 ? null : (
          <ul className={styles.cautions} aria-label="What to know before quoting a number">
            {cautions.map((caution) => (
              <li key={caution}>{caution}</li>
            ))}
          </ul>
        )}
        <Files summary={summary} report={report} />
      </section>
      <FigureList drawings={drawings} />
      {kinds.map((kind) => (
        <ArmTable key={kind} kind={kind} arms={arms.filter((arm) => arm.kind === kind)} />
      ))}
      <Exclusions arms={arms} />
      <BenchDetails summary={summary} />
    </>
  );
}

/** Arms without and with help never share a table: they answer different questions. */
function ArmTable({ kind, arms }: { kind: 'solo' | 'assisted'; arms: readonly BenchArm[] }): ReactNode {
  return (
    <section className={styles.section}>
      <h2 className={styles.sub}>Verifier completion: {kind === 'solo' ? 'without help' : 'with help'}</h2>
      <Table
        columns={[
          'Arm',
          'Completed',
          '95 % interval',
          'Tasks',
          'Episodes',
          'Answers: person, model, script, nobody',
        ]}
        rows={arms.map(({ label, completion, tasks, counted, answered_by: by }) => [
          label,
          cellText(completion.estimate, formatPercent),
          intervalText(completion.interval),
          String(tasks),
          String(counted),
          `${String(by.human)}, ${String(by.model)}, ${String(by.scripted)}, ${String(by.nobody)}`,
        ])}
      />
    </section>
  );
}

const CAUSES: Readonly<Record<Exclusion, string>> = {
  content_filter: 'Content filter',
  reset_error: 'Reset failed',
  server_error: 'Server failed',
  step_in: 'Step-in without help',
  no_verdict: 'No verdict',
  not_finished: 'Not finished',
};

function Exclusions({ arms }: { arms: readonly BenchArm[] }): ReactNode {
  const causes = Exclusion.options.filter((cause) => arms.some(({ excluded }) => excluded[cause] > 0));
  return (
    <section className={styles.section}>
      <h2 className={styles.sub}>Left out of every figure</h2>
      {causes.length === 0 ? (
        <p>No episode is left out.</p>
      ) : (
        <Table
          columns={['Arm', ...causes.map((cause) => CAUSES[cause])]}
          rows={arms.map(({ label, excluded }) => [label, ...causes.map((cause) => String(excluded[cause]))])}
        />
      )}
    </section>
  );
}

function Files({ summary, report }: { summary: BenchSummary; report: string | null }): ReactNode {
  const { call } = useSession();
  const [written, setWritten] = useState<Outputs['bench.export'] | null>(null);
  const { name } = summary.plan;
  const write = useAct(
    async () => setWritten(await call('bench.export', { name })),
    'Could not write the report',
  );
  return (
    <>
      <div className={styles.buttons}>
        <Button icon={<FolderDown />} isBusy={write.isBusy} onClick={() => void write.run()}>
          Write report folder
        </Button>
        <Button
          icon={<Save />}
          onClick={() =>
            saveFile(
              'results_summary.json',
              new Blob([`${JSON.stringify(summary, null, 2)}\n`], { type: 'application/json' }),
            )
          }
        >
          Save results_summary.json
        </Button>
        {report === null ? null : (
          <Button
            icon={<Save />}
            onClick={() => saveFile('report.md', new Blob([`${report}\n`], { type: 'text/markdown' }))}
          >
            Save report.md
          </Button>
        )}
      </div>
      {written === null ? null : (
        <p role="status" className="breaks">
          {written.files.length} files written to <code>{written.folder}</code>
          {written.has_pictures ? '' : ', without PNG: no font was found for them'}{' '}
          <CopyButton text={() => written.folder} label="Copy the path" />
        </p>
      )}
    </>
  );
}

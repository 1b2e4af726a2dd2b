// Training runs: those that episodes or imported logs name, and one of them opened.
import { Upload } from 'lucide-react';
import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { COMPARED_MAX } from '../../../figures/comparisonFigures.ts';
import type { RunRow } from '../../../shared/contract/training.ts';
import { countText } from '../../../shared/countText.ts';
import { runNameOf } from '../../../shared/training/run.ts';
import { EvidenceTabs } from '../../parts/evidence/EvidenceTabs.tsx';
import { useConsole, useKeys, useSession, useToast } from '../../state/hooks.ts';
import { useAct, useAsk } from '../../state/queries.ts';
import { formatRoute, navigate } from '../../state/route.ts';
import { Button } from '../../ui/Button.tsx';
import { ListLine, ListPage } from '../../ui/ListPage.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { ComparedRuns, RunFigures, SOURCE_LABELS } from './RunFigures.tsx';
import * as styles from './Training.module.css';

/** How soon a run shows of which only its trainer reports. */
const RUNS_MS = 5000;

export function TrainingView({ run }: { run: string | null }): ReactNode {
  const news = useRunNews();
  const [imported, setImported] = useState(0);
  const revision = news * 1000 + imported;
  const { value, failure, again } = useAsk('training.runs', {}, { revision, everyMs: RUNS_MS });
  const [marked, setMarked] = useState<readonly string[]>([]);
  const runs = value?.runs ?? [];
  const chosen = run ?? runs[0]?.run ?? null;
  const go = (step: number): void => {
    const next = runs[runs.findIndex((one) => one.run === chosen) + step];
    if (next !== undefined) navigate({ view: 'runs', run: next.run });
  };
  useKeys('list', { 'list.down': () => go(1), 'list.up': () => go(-1) });
  return (
    <ListPage
      label="Training runs"
      head={
        <>
          <EvidenceTabs here="training" />
          <ImportRun onImported={() => setImported((count) => count + 1)} />
        </>
      }
      failure={failure}
      again={again}
      problem="Could not read the training runs"
      loading="Loading the runs"
      list={
        value === null ? null : (
          <>
            <ul>
              {runs.map((one) => (
                <RunLine
                  key={one.run}
                  row={one}
                  isHere={marked.length < 2 && one.run === chosen}
                  isMarked={marked.includes(one.run)}
                  isFull={marked.length >= COMPARED_MAX}
                  onMark={(isMarked) =>
                    setMarked(isMarked ? [...marked, one.run] : marked.filter((other) => other !== one.run))
                  }
                />
              ))}
            </ul>
            {runs.length < 2 ? null : (
              <p className={styles.hint}>Mark 2 to {COMPARED_MAX} runs to see them in the same figures.</p>
            )}
          </>
        )
      }
    >
      {marked.length > 1 ? (
        <ComparedRuns runs={marked} revision={revision} onEnd={() => setMarked([])} />
      ) : chosen === null ? null : (
        <RunFigures key={chosen} run={chosen} revision={revision} />
      )}
    </ListPage>
  );
}

type RunLineProps = {
  row: RunRow;
  isHere: boolean;
  isMarked: boolean;
  isFull: boolean;
  onMark: (isMarked: boolean) => void;
};

function RunLine({ row, isHere, isMarked, isFull, onMark }: RunLineProps): ReactNode {
  return (
    <ListLine
      href={formatRoute({ view: 'runs', run: row.run })}
      isHere={isHere}
      name={row.run}
      mark={
        <input
          type="checkbox"
          aria-label={`Compare ${row.run}`}
          checked={isMarked}
          disabled={isFull && !isMarked}
          onChange={({ target }) => onMark(target.checked)}
        />
      }
    >
      <span>
        {countText(row.steps, 'step')}
        {row.episodes === 0 ? '' : `, ${countText(row.episodes, 'episode')}`} · {SOURCE_LABELS[row.source]}
      </span>
      {row.at === null ? null : (
        <span>
          <RelativeTime at={row.at} />
        </span>
      )}
    </ListLine>
  );
}

function ImportRun({ onImported }: { onImported: () => void }): ReactNode {
  const { call } = useSession();
  const toast = useToast();
  const input = useRef<HTMLInputElement>(null);
  const { run, isBusy } = useAct(async (file: File) => {
    const name = runNameOf(file.name);
    const read = await call('training.add_log', { run: name, file: file.name, base64: await base64Of(file) });
    const other = read.run === name ? [] : [`${name} holds other values for the same steps, of another run.`];
    const left = read.unread.length === 0 ? [] : [`Not read: ${read.unread.join('; ')}`];
    toast({
      tone: other.length === 0 ? 'ok' : 'plain',
      title: `Read ${countText(read.steps, 'step')} of ${read.run}`,
      text: other.length + left.length === 0 ? null : [...other, ...left].join(' '),
    });
    onImported();
    navigate({ view: 'runs', run: read.run });
  }, 'Could not read the file');
  return (
    <div className={styles.acts}>
      <Button
        size="small"
        icon={<Upload />}
        isBusy={isBusy}
        title="JSON lines, CSV or trainer_state.json, with a step in each line"
        onClick={() => input.current?.click()}
      >
        Import a trainer’s log
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label="A trainer’s log"
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          target.value = '';
          if (file !== undefined) void run(file);
        }}
      />
    </div>
  );
}

const NEWS_MS = 2000;

export function useRunNews(): number {
  const rows = useConsole(({ record }) => record.rows);
  const newest = useMemo(
    () =>
      Math.max(
        0,
        ...[...rows.values()].map(({ run, step, seq }) => (run === null || step === null ? 0 : seq)),
      ),
    [rows],
  );
  const [heard, setHeard] = useState(newest);
  useEffect(() => {
    if (heard === newest) return undefined;
    const timer = setTimeout(() => setHeard(newest), NEWS_MS);
    return () => clearTimeout(timer);
  }, [heard, newest]);
  return heard;
}

export async function base64Of(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const parts: string[] = [];
  // More arguments than this overflow the stack.
  for (let at = 0; at < bytes.length; at += 0x8000)
    parts.push(String.fromCharCode(...bytes.subarray(at, at + 0x8000)));
  return btoa(parts.join(''));
}

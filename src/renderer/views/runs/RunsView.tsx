// Runs: benches, and the training runs that episodes or imported logs name; one of them opened.
import { Plus, Upload } from 'lucide-react';
import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { COMPARED_MAX } from '../../../figures/comparisonFigures.ts';
import type { BenchRow } from '../../../shared/contract/bench.ts';
import type { RunRow } from '../../../shared/contract/training.ts';
import { countText } from '../../../shared/countText.ts';
import { runNameOf } from '../../../shared/training/run.ts';
import { useConsole, useKeys, useSession, useToast } from '../../state/hooks.ts';
import { useAct, useAsk } from '../../state/queries.ts';
import { formatRoute, navigate, type Route } from '../../state/route.ts';
import { Button } from '../../ui/Button.tsx';
import { ListLine, ListPage } from '../../ui/ListPage.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { NewBench } from './NewBench.tsx';
import { OpenBench, STATE_LABELS } from './OpenBench.tsx';
import { ComparedRuns, RunFigures, SOURCE_LABELS } from './RunFigures.tsx';
import * as styles from './Training.module.css';

/** The delay of news of a run that only its trainer reports, and of a running bench. */
const RUNS_MS = 5000;

type RunsViewProps = { run: string | null; bench: string | null; isNew: boolean };

export function RunsView({ run, bench, isNew }: RunsViewProps): ReactNode {
  const news = useRunNews();
  const [imported, setImported] = useState(0);
  const revision = news * 1000 + imported;
  const training = useAsk('training.runs', {}, { revision, everyMs: RUNS_MS });
  const { last: planned, ...benches } = useAsk(
    'bench.list',
    {},
    {
      everyMs: RUNS_MS,
      isChanging: ({ benches: all }) => all.some(({ state }) => state === 'running'),
      revision: bench ?? '',
    },
  );
  const [marked, setMarked] = useState<readonly string[]>([]);
  const rows = useMemo(
    () => listed(planned?.benches ?? [], training.value?.runs ?? [], run),
    [planned, training.value, run],
  );
  const first = rows[0] ?? null;
  const isRead = training.value !== null && planned !== null;
  const open: Row | null =
    bench !== null
      ? { kind: 'bench', name: bench }
      : run !== null
        ? { kind: 'run', name: run }
        : isRead
          ? first
          : null;
  const isOpen = (row: ListedRow): boolean =>
    !isNew && marked.length < 2 && row.kind === open?.kind && row.name === open.name;
  const go = (step: number): void => {
    const next = rows[rows.findIndex(isOpen) + step];
    if (next !== undefined) navigate(routeOf(next));
  };
  useKeys({ down: () => go(1), up: () => go(-1) });
  const again = (): void => {
    training.again();
    benches.again();
  };
  return (
    <ListPage
      label="Runs"
      heading={isNew || open === null ? 'Runs' : null}
      head={
        <div className={styles.acts}>
          <Button
            size="small"
            icon={<Plus />}
            onClick={() => navigate({ view: 'bench', bench: null, isNew: true })}
          >
            New bench
          </Button>
          <ImportRun onImported={() => setImported((count) => count + 1)} />
        </div>
      }
      failure={training.failure ?? benches.failure}
      again={again}
      problem="Could not read the runs"
      loading="Loading the runs"
      list={
        isRead ? (
          <>
            <ul>
              {rows.map((row) =>
                row.kind === 'bench' ? (
                  <BenchLine key={`bench ${row.name}`} row={row.bench} isHere={isOpen(row)} />
                ) : (
                  <RunLine
                    key={row.name}
                    row={row.run}
                    isHere={isOpen(row)}
                    isMarked={marked.includes(row.name)}
                    isFull={marked.length >= COMPARED_MAX}
                    onMark={(isMarked) =>
                      setMarked(
                        isMarked ? [...marked, row.name] : marked.filter((other) => other !== row.name),
                      )
                    }
                  />
                ),
              )}
            </ul>
            <p className={styles.hint}>{hintOf(rows)}</p>
          </>
        ) : null
      }
    >
      {isNew ? (
        <NewBench known={(planned?.benches ?? []).map(({ name }) => name)} />
      ) : marked.length > 1 ? (
        <ComparedRuns runs={marked} revision={revision} onEnd={() => setMarked([])} />
      ) : open === null ? null : open.kind === 'bench' ? (
        <OpenBench key={open.name} name={open.name} onChanged={benches.again} />
      ) : (
        <RunFigures key={open.name} run={open.name} revision={revision} />
      )}
    </ListPage>
  );
}

type Row = { kind: 'bench' | 'run'; name: string };
type ListedRow = { name: string } & ({ kind: 'bench'; bench: BenchRow } | { kind: 'run'; run: RunRow });

/** Benches and training runs, newest first; the published example only while there is nothing else, or it is open. */
function listed(benches: readonly BenchRow[], runs: readonly RunRow[], opened: string | null): ListedRow[] {
  const own = [
    ...benches.map((bench): [number, ListedRow] => [
      bench.planned_at,
      { kind: 'bench', name: bench.name, bench },
    ]),
    ...runs
      .filter(({ source }) => source !== 'example')
      .map((run): [number, ListedRow] => [run.at ?? 0, { kind: 'run', name: run.run, run }]),
  ];
  const examples = runs.filter(
    ({ source, run }) => source === 'example' && (own.length === 0 || run === opened),
  );
  return [
    ...own.toSorted(([one], [other]) => other - one).map(([, row]) => row),
    ...examples.map((run): ListedRow => ({ kind: 'run', name: run.run, run })),
  ];
}

const routeOf = ({ kind, name }: Row): Route =>
  kind === 'bench' ? { view: 'bench', bench: name, isNew: false } : { view: 'runs', run: name };

function hintOf(rows: readonly ListedRow[]): string {
  if (rows.filter(({ kind }) => kind === 'run').length > 1)
    return `Mark 2 to ${String(COMPARED_MAX)} training runs to see them in the same figures.`;
  return rows.some(({ kind }) => kind === 'bench')
    ? ''
    : 'A bench runs the same tasks in several arms: without help, with a model’s advice, with a person’s. It says how large the difference is, and how sure that is.';
}

function BenchLine({ row, isHere }: { row: BenchRow; isHere: boolean }): ReactNode {
  const { planned, finished } = row.progress;
  return (
    <ListLine href={formatRoute(routeOf({ kind: 'bench', name: row.name }))} isHere={isHere} name={row.name}>
      <span>Bench: {row.arms.join(', ')}</span>
      <span>
        {STATE_LABELS[row.state]}
        {row.state === 'complete'
          ? `, ${planned.toLocaleString()} episodes`
          : `, ${finished.toLocaleString()} of ${planned.toLocaleString()} episodes`}
      </span>
      <span>
        <RelativeTime at={row.planned_at} />
      </span>
    </ListLine>
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
      href={formatRoute(routeOf({ kind: 'run', name: row.run }))}
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
    <>
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
    </>
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

// The runs that trainers' own logs tell of: which run a file joins, and what all files of a run say together.
import type { Actor } from '../../shared/events/actor.ts';
import { trainingStream } from '../../shared/events/library.ts';
import { Failure } from '../../shared/failure.ts';
import { EXAMPLE_RUN } from '../../shared/training/publicExample.ts';
import { joinedStep, type RunSource, type RunStep, type TrainingRun } from '../../shared/training/run.ts';
import type { EventLog } from '../log/eventLog.ts';
import { readMetrics } from '../training/readMetrics.ts';

export type TrainerLog = {
  run: string;
  /** As it is shown; the command line names its folder with it. */
  file: string;
  bytes: Uint8Array;
  /** A person chose the run's name: a file of another run is refused, not named otherwise. */
  isChosen?: boolean;
};

export type AddedLog = {
  run: string;
  source: RunSource;
  steps: number;
  unread: string[];
  /** Rows or values that a field is there for were not used. */
  isDamaged: boolean;
  /** In words: the name was that of another run. Null where it was not. */
  renamed: string | null;
};

/** Reads a trainer's log into its run. Throws `bad_input` where the file tells nothing by step. */
export function addTrainerLog(log: EventLog, actor: Actor, file: TrainerLog): AddedLog {
  if (file.run === EXAMPLE_RUN) {
    throw new Failure('bad_input', 'the example’s name is taken', { next: 'Choose another name.' });
  }
  const { source, steps, unread, isDamaged } = readMetrics(file.file, file.bytes);
  const run = runOf(log, file, steps);
  const renamed = run === file.run ? null : renamedText(file, run, importedRun(log, file.run));
  log.append(trainingStream(run), actor, {
    kind: 'run.imported',
    run,
    source,
    file: file.file.slice(-300),
    steps,
    unread,
  });
  return { run, source, steps: steps.length, unread, isDamaged, renamed };
}

const renamedText = ({ run, file }: TrainerLog, other: string, before: ImportedRun | null): string =>
  `${file} is of another run than ${before?.files.join(' and ') ?? ''}, which has the name ${run}: it is the run ${other}`;

/** The run of this name, or of the name with a number, that this is a file of; a new one where none is. */
function runOf(
  log: EventLog,
  { run, file, isChosen = false }: TrainerLog,
  steps: readonly RunStep[],
): string {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? run : `${run.slice(0, 190)} (${String(number)})`;
    const before = importedRun(log, name);
    if (before === null || isOfOneRun(before.steps, steps)) return name;
    if (isChosen) {
      throw new Failure('bad_input', `${file} is of another run than ${before.files.join(' and ')}`, {
        next: `Their steps differ, so both cannot be the run ${run}: choose another name.`,
      });
    }
  }
}

/**
 * True if the steps that both have say the same, as in a log that has gone on. With no step in common one must begin
 * after the other ends.
 */
export function isOfOneRun(before: readonly RunStep[], steps: readonly RunStep[]): boolean {
  const known = new Map(before.map((step) => [step.step, step]));
  const both = steps.flatMap((step) => {
    const other = known.get(step.step);
    return other === undefined ? [] : [[other, step] as const];
  });
  if (both.length > 0) return both.every(([one, other]) => isSame(one, other));
  const [first, last] = [before[0]?.step ?? 0, before.at(-1)?.step ?? 0];
  return (steps[0]?.step ?? 0) > last || (steps.at(-1)?.step ?? 0) < first;
}

/** Of what both say. One log of a run may round more than another. */
const ROUNDING = 1e-4;

function isSame(one: RunStep, other: RunStep): boolean {
  const { components, asked: _one, ...told } = one;
  const { components: parts, asked: _other, ...others } = other;
  return isSameValues(told, others) && isSameValues(components, parts);
}

type Values = Readonly<Record<string, string | number | null>>;

const isSameValues = (one: Values, other: Values): boolean =>
  Object.entries(one).every(([name, value]) => {
    const beside = other[name] ?? null;
    if (value === null || beside === null) return true;
    if (typeof value !== 'number' || typeof beside !== 'number') return value === beside;
    return Math.abs(value - beside) <= ROUNDING * Math.max(1, Math.abs(value), Math.abs(beside));
  });

export type ImportedRun = TrainingRun & { at: number; files: string[] };

/** A run as files have it: of each step, the last file with it; of each file, what was not read when it came last. */
export function importedRun(log: EventLog, run: string): ImportedRun | null {
  const steps = new Map<number, RunStep>();
  const unread = new Map<string, readonly string[]>();
  let last: { at: number; source: RunSource } | null = null;
  for (const { at, event } of log.read(trainingStream(run))) {
    if (event.kind !== 'run.imported') continue;
    for (const step of event.steps) steps.set(step.step, joinedStep(steps.get(step.step), step));
    unread.set(event.file, event.unread);
    last = { at, source: event.source };
  }
  if (last === null) return null;
  const files = [...unread.keys()];
  return {
    run,
    ...last,
    files,
    notes: files.map((file) => `Read from ${file}.`),
    steps: [...steps.values()].toSorted((a, b) => a.step - b.step),
    unread: [...new Set([...unread.values()].flat())],
  };
}

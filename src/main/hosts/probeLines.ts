// What `interject verify --probe` tells a person: which tasks to look at, and why, worst first.
import { countText } from '../../shared/countText.ts';
import type { VerifierForm } from '../environments/awmData.ts';

export type ProbeFinding =
  | {
      form: VerifierForm;
      passes_untouched: boolean;
      passes_empty: boolean;
      /** Why the verifier breaks on the database as it was at reset; null where it does not. */
      breaks: string | null;
      rows_repaired: number;
      rows_lost: number;
    }
  /** It could not be probed, and why. */
  | { form?: VerifierForm; problem: string; code: string };
export type ProbedTask = ProbeFinding & { task: string };

type ProbeSection = { title: string; why: (found: ProbedTask) => string | null };

const PROBE_SECTIONS: readonly ProbeSection[] = [
  { title: 'pass when nothing was done', why: (found) => (has(found, 'passes_untouched') ? '' : null) },
  { title: 'pass on a database without tables', why: (found) => (has(found, 'passes_empty') ? '' : null) },
  {
    title: 'break on the database as it was at reset',
    why: (found) => ('breaks' in found ? found.breaks : null),
  },
  { title: 'import a module that is missing here', why: (found) => probeProblem(found, true) },
  { title: 'could not be probed', why: (found) => probeProblem(found, false) },
];

const has = (found: ProbedTask, what: 'passes_untouched' | 'passes_empty'): boolean =>
  !('problem' in found) && found[what];

const probeProblem = (found: ProbedTask, isMissing: boolean): string | null =>
  'problem' in found && (found.code === 'verifier_module_missing') === isMissing ? found.problem : null;

/** The count of every finding, and under it the tasks, each with its reason where it has one of its own. */
export function probeLines(tasks: readonly ProbedTask[]): string[] {
  const sections = PROBE_SECTIONS.flatMap(({ title, why }) => {
    const found = tasks.flatMap((one) => {
      const reason = why(one);
      return reason === null ? [] : [reason === '' ? `  ${one.task}` : `  ${one.task}: ${reason}`];
    });
    return found.length === 0 ? [] : [`${String(found.length)} ${title}:`, ...found];
  });
  return [
    `${countText(tasks.length, 'task')} probed${sections.length === 0 ? ', nothing to report' : ''}`,
    ...sections,
  ];
}

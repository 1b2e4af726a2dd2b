// Describes the report on an imported file to a person: what stopped it and what was odd, each said once.
import { conservationWords, isWarning } from './conservation.ts';
import type { FileReport } from './contract/import.ts';
import type { Diagnostic } from './events/import.ts';

type ReportWords = {
  /** What stopped it, and what helps; null when nothing did. */
  failure: string | null;
  odd: readonly Diagnostic[];
};

/** Lists what stopped a file apart from what was odd in it; a report for machines has the former in both. */
export function reportWords({
  failure,
  diagnostics,
}: Pick<FileReport, 'failure' | 'diagnostics'>): ReportWords {
  if (failure === null) return { failure: null, odd: diagnostics };
  const { message, next } = failure;
  const then = next === null ? '' : `. ${next}`;
  const same = diagnostics.findLast((one) => one.message === message);
  const quoted = diagnostics.find((one) => message.endsWith(`: ${one.message}`));
  if (same !== undefined) {
    const pointer = same.pointer ?? quoted?.pointer ?? null;
    const words = `${message}${pointer === null ? '' : ` at ${pointer}`}${then}`;
    return { failure: words, odd: diagnostics.filter((one) => one !== same && one !== quoted) };
  }
  // A failure that quotes what was odd leaves it to the list, which says where.
  const short = quoted === undefined ? message : message.slice(0, -`: ${quoted.message}`.length);
  return { failure: `${short}${then}`, odd: diagnostics };
}

/** Lines on how much of a file's records was kept and what was passed over unread; none where all was kept. */
export function conservationLines({
  conservation,
  passed_over: passed,
}: Pick<FileReport, 'conservation' | 'passed_over'>): string[] {
  // A warning stands among what was odd.
  const hasRest = conservation !== null && conservation.not_read.length > 0 && !isWarning(conservation);
  const paths = passed.map(({ path }) => path).join(', ');
  return [
    ...(hasRest ? [capital(conservationWords(conservation))] : []),
    ...(passed.length === 0 ? [] : [`Passed over, as it repeats or frames what was read: ${paths}`]),
  ];
}

const capital = (words: string): string => words.slice(0, 1).toUpperCase() + words.slice(1);

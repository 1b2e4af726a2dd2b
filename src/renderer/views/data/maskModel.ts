// What of a sample row trains, counted and told in words. Pure.
import type { SampleRow } from '../../../shared/contract/export.ts';

type SampleMaskLine = SampleRow['mask'][number];
/** `context`: read, never written by the agent being trained; `masked`: its words, and yet not trained on. */
export type MaskKind = 'trains' | 'context' | 'masked';

const MASK_LABELS: Readonly<Record<MaskKind, string>> = {
  trains: 'Trains',
  context: 'Context',
  masked: 'Not trained',
};
export const MASK_LEGEND: readonly { kind: MaskKind; label: string; says: string }[] = [
  { kind: 'trains', label: MASK_LABELS.trains, says: 'trained on' },
  { kind: 'context', label: MASK_LABELS.context, says: 'context only, not trained on' },
  { kind: 'masked', label: MASK_LABELS.masked, says: 'agent text, left out of the loss' },
];

/** Roles a model that is trained writes. */
const WRITTEN: ReadonlySet<string> = new Set(['assistant', 'model', 'completion', 'chosen', 'rejected']);

export function maskKind({ role, trains, why }: SampleMaskLine): MaskKind {
  if (trains) return 'trains';
  return WRITTEN.has(role) && why !== null && why !== 'prompt' ? 'masked' : 'context';
}

/** `Trains`, `Context: prompt`. */
export const maskLabel = (line: SampleMaskLine): string =>
  line.why === null ? MASK_LABELS[maskKind(line)] : `${MASK_LABELS[maskKind(line)]}: ${line.why}`;

/** How much of a row trains: messages, and the share of characters in them. */
export function maskTotals(lines: readonly SampleMaskLine[]): { trains: number; all: number; share: number } {
  const length = (some: readonly SampleMaskLine[]): number =>
    some.reduce((sum, { text }) => sum + text.length, 0);
  const trained = lines.filter(({ trains }) => trains);
  const all = length(lines);
  return { trains: trained.length, all: lines.length, share: all === 0 ? 0 : length(trained) / all };
}

/** Messages of one kind that follow each other. */
export function maskRuns(
  lines: readonly SampleMaskLine[],
): { from: number; kind: MaskKind; lines: SampleMaskLine[] }[] {
  const runs: { from: number; kind: MaskKind; lines: SampleMaskLine[] }[] = [];
  lines.forEach((line, from) => {
    const kind = maskKind(line);
    const last = runs.at(-1);
    if (last?.kind === kind) last.lines.push(line);
    else runs.push({ from, kind, lines: [line] });
  });
  return runs;
}

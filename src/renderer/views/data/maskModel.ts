// Owns: what of a sample row trains, counted and told in words. Pure.
import type { SampleRow } from '../../../shared/contract/export.ts';

type Line = SampleRow['mask'][number];
/** `context`: read, never written by the agent being trained; `masked`: its words, and yet not trained on. */
export type MaskKind = 'trains' | 'context' | 'masked';

const WORDS: Readonly<Record<MaskKind, string>> = {
  trains: 'Trains',
  context: 'Context',
  masked: 'Not trained',
};
export const MASK_LEGEND: readonly { kind: MaskKind; label: string; says: string }[] = [
  { kind: 'trains', label: WORDS.trains, says: 'the model learns to write this' },
  { kind: 'context', label: WORDS.context, says: 'it is read, never learned to be written' },
  { kind: 'masked', label: WORDS.masked, says: 'words of the agent, left out of the loss' },
];

/** Roles a model that is trained writes. */
const WRITTEN: ReadonlySet<string> = new Set(['assistant', 'model', 'completion', 'chosen', 'rejected']);

export function maskKind({ role, trains, why }: Line): MaskKind {
  if (trains) return 'trains';
  return WRITTEN.has(role) && why !== null && why !== 'prompt' ? 'masked' : 'context';
}

/** `Trains`, `Context: prompt`. */
export const maskWords = (line: Line): string =>
  line.why === null ? WORDS[maskKind(line)] : `${WORDS[maskKind(line)]}: ${line.why}`;

/** How much of a row trains: messages, and the share of characters in them. */
export function maskTotals(lines: readonly Line[]): { trains: number; all: number; share: number } {
  const length = (some: readonly Line[]): number => some.reduce((sum, { text }) => sum + text.length, 0);
  const trained = lines.filter(({ trains }) => trains);
  const all = length(lines);
  return { trains: trained.length, all: lines.length, share: all === 0 ? 0 : length(trained) / all };
}

/** Messages of one kind that follow each other. */
export function maskRuns(lines: readonly Line[]): { from: number; kind: MaskKind; lines: Line[] }[] {
  const runs: { from: number; kind: MaskKind; lines: Line[] }[] = [];
  lines.forEach((line, from) => {
    const kind = maskKind(line);
    const last = runs.at(-1);
    if (last?.kind === kind) last.lines.push(line);
    else runs.push({ from, kind, lines: [line] });
  });
  return runs;
}

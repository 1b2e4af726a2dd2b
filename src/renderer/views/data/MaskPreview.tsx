// One row as it trains: which messages do, which are context, which are left out and why. In words; colour and
// pattern say it again.
import * as styles from './MaskPreview.module.css';
import { Check, EyeOff, MessageSquare } from 'lucide-react';
import type { ComponentType, ReactNode } from 'react';
import type { SampleRow } from '../../../shared/contract/export.ts';
import { LongText } from '../../parts/text/LongText.tsx';
import { formatBytes, formatCount } from '../../parts/text/size.ts';
import { cx, variantClass } from '../../ui/cx.ts';

const MASK_ICONS: Readonly<Record<MaskKind, ComponentType<{ 'aria-hidden'?: 'true' }>>> = {
  trains: Check,
  context: MessageSquare,
  masked: EyeOff,
};

type MaskLine = SampleRow['mask'][number];

export function MaskPreview({ mask }: Pick<SampleRow, 'mask'>): ReactNode {
  if (mask.length === 0)
    return <p className={styles.none}>This format has no trained turns: its rows are records.</p>;
  const { trains, all, share } = maskTotals(mask);
  const kinds = new Set(mask.map(maskKind));
  return (
    <div className={styles.mask}>
      <p>
        <strong>{`${String(trains)} of ${formatCount(all, 'message')} ${all === 1 ? 'trains' : 'train'}`}</strong>
        {`, ${(100 * share).toFixed(0)} % of the characters`}
      </p>
      <Strip mask={mask} />
      <ul className={styles.legend} aria-label="Legend">
        {MASK_LEGEND.filter(({ kind }) => kinds.has(kind)).map(({ kind, label, says }) => (
          <li key={kind}>
            <MaskMark kind={kind}>{label}</MaskMark>
            {says}
          </li>
        ))}
      </ul>
      <ol className={styles.lines} aria-label="Messages">
        {maskRuns(mask).map(({ from, kind, lines }) =>
          kind === 'context' && lines.length > 1 ? (
            <li key={from}>
              <details>
                <summary className={cx(styles.line, styles.folded)}>
                  <MaskMark kind={kind}>{contextText(lines)}</MaskMark>
                </summary>
                <Lines lines={lines} />
              </details>
            </li>
          ) : (
            <li key={from}>
              <Lines lines={lines} />
            </li>
          ),
        )}
      </ol>
    </div>
  );
}

/** The row from its beginning to its end, each message as long as its share of the characters. */
function Strip({ mask }: Pick<SampleRow, 'mask'>): ReactNode {
  return (
    <div className={styles.strip} aria-hidden="true">
      {mask.map((line, index) => (
        <span
          key={index}
          className={cx(styles.piece, variantClass(styles, maskKind(line)))}
          style={{ flexGrow: Math.max(1, line.text.length) }}
        />
      ))}
    </div>
  );
}

function MaskMark({ kind, children }: { kind: MaskKind; children: ReactNode }): ReactNode {
  const Icon = MASK_ICONS[kind];
  return (
    <span className={cx(styles.mark, variantClass(styles, kind))}>
      <Icon aria-hidden="true" />
      {children}
    </span>
  );
}

function Lines({ lines }: { lines: readonly MaskLine[] }): ReactNode {
  return lines.map((line, index) => {
    const kind = maskKind(line);
    return (
      // A row says the same thing twice now and then; its place is what tells two messages apart.
      <article key={index} className={cx(styles.line, variantClass(styles, kind))}>
        <p className={styles.head}>
          <span className="soft small strong">{line.role}</span>
          <MaskMark kind={kind}>{maskLabel(line)}</MaskMark>
        </p>
        <LongText text={line.text} />
      </article>
    );
  });
}

/** `Context: 14 messages, 31 kB`. */
function contextText(lines: readonly MaskLine[]): string {
  const bytes = lines.reduce((sum, { text }) => sum + new TextEncoder().encode(text).length, 0);
  return `Context: ${formatCount(lines.length, 'message')}, ${formatBytes(bytes)}`;
}

type SampleMaskLine = SampleRow['mask'][number];
/** `context`: read, never written by the agent being trained; `masked`: its words, and yet not trained on. */
type MaskKind = 'trains' | 'context' | 'masked';

const MASK_LABELS: Readonly<Record<MaskKind, string>> = {
  trains: 'Trains',
  context: 'Context',
  masked: 'Not trained',
};
const MASK_LEGEND: readonly { kind: MaskKind; label: string; says: string }[] = [
  { kind: 'trains', label: MASK_LABELS.trains, says: 'trained on' },
  { kind: 'context', label: MASK_LABELS.context, says: 'context only, not trained on' },
  { kind: 'masked', label: MASK_LABELS.masked, says: 'agent text, left out of the loss' },
];

/** Roles a model that is trained writes. */
const WRITTEN: ReadonlySet<string> = new Set(['assistant', 'model', 'completion', 'chosen', 'rejected']);

function maskKind({ role, trains, why }: SampleMaskLine): MaskKind {
  if (trains) return 'trains';
  return WRITTEN.has(role) && why !== null && why !== 'prompt' ? 'masked' : 'context';
}

/** `Trains`, `Context: prompt`. */
const maskLabel = (line: SampleMaskLine): string =>
  line.why === null ? MASK_LABELS[maskKind(line)] : `${MASK_LABELS[maskKind(line)]}: ${line.why}`;

/** The trained part of a row: messages, and the share of characters in them. */
function maskTotals(lines: readonly SampleMaskLine[]): { trains: number; all: number; share: number } {
  const length = (some: readonly SampleMaskLine[]): number =>
    some.reduce((sum, { text }) => sum + text.length, 0);
  const trained = lines.filter(({ trains }) => trains);
  const all = length(lines);
  return { trains: trained.length, all: lines.length, share: all === 0 ? 0 : length(trained) / all };
}

/** Messages of one kind that follow each other. */
function maskRuns(
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

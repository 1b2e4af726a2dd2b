// One row as it trains: which messages do, which are context, which are left out and why. In words; colour and
// pattern say it again.
import { Check, EyeOff, MessageSquare } from 'lucide-react';
import type { ComponentType, ReactNode } from 'react';
import type { SampleRow } from '../../../shared/contract/export.ts';
import { LongText } from '../../parts/text/LongText.tsx';
import { formatBytes, formatCount } from '../../parts/text/size.ts';
import { cx, variantClass } from '../../ui/cx.ts';
import * as styles from './MaskPreview.module.css';
import { MASK_LEGEND, maskKind, maskRuns, maskTotals, maskLabel, type MaskKind } from './maskModel.ts';

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

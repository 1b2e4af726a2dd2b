// An observation as a person reads it: texts, boards in rows, images, the parts of the reward, anything else as a tree.
import { useEffect, type ReactNode } from 'react';
import { boardText } from '../../../shared/observation.ts';
import { textLength, type Text } from '../../../shared/events/text.ts';
import { useText } from '../../state/hooks.ts';
import { cx } from '../../ui/cx.ts';
import { JsonTree } from '../text/JsonTree.tsx';
import { LongText } from '../text/LongText.tsx';
import { formatBytes } from '../text/size.ts';
import * as styles from './ObservationView.module.css';
import { readObservation, type ObservationPart } from './readObservation.ts';
import { RewardBreakdown } from './RewardBreakdown.tsx';

/** Longer frames are read only when a person opens them as they came. */
const FRAME_CHARS_MAX = 8_000_000;

/** The parts of the observation in a frame; null while it is read, and where it is none. */
export function useObservation(frame: Text): readonly ObservationPart[] | null {
  const { text, isWhole, isLoading, failure, load } = useText(frame);
  const isWanted = !isWhole && !isLoading && failure === null && textLength(frame) <= FRAME_CHARS_MAX;
  useEffect(() => {
    if (isWanted) load();
  }, [isWanted, load]);
  return isWhole ? readObservation(text) : null;
}

export function ObservationView({
  label,
  parts,
  reward,
}: {
  label: string;
  parts: readonly ObservationPart[];
  reward: number | null;
}): ReactNode {
  return (
    <section className={styles.observation} aria-label={label}>
      <h4 className={styles.label}>{label}</h4>
      {parts.map((part) => (
        <div key={part.name} className={cx(styles.part, isOnLine(part) && styles.onLine)}>
          <h5 className={styles.name}>{part.name}</h5>
          <Part part={part} reward={reward} />
        </div>
      ))}
    </section>
  );
}

const LINE_CHARS_MAX = 50;

/** What is short stands beside its name. */
const isOnLine = (part: ObservationPart): boolean =>
  (part.type === 'text' && part.text.length <= LINE_CHARS_MAX && !part.text.includes('\n')) ||
  (part.type === 'list' && part.items.join('   ').length <= LINE_CHARS_MAX);

function Part({ part, reward }: { part: ObservationPart; reward: number | null }): ReactNode {
  switch (part.type) {
    case 'text':
      return <LongText text={part.text} tone="plain" isProse={!part.text.includes('\n')} />;
    case 'list':
      return (
        <ul className={styles.list}>
          {part.items.map((item, index) => (
            // Items have no identity but their place.
            <li key={String(index)}>{item}</li>
          ))}
        </ul>
      );
    case 'board':
      return <pre className={styles.board}>{boardText(part.rows)}</pre>;
    case 'image':
      return part.url === null ? (
        <p className={styles.note}>{`${part.format}, ${formatBytes(part.bytes)}: not shown`}</p>
      ) : (
        <img
          className={styles.image}
          src={part.url}
          alt={`${part.name}, ${part.format}, ${formatBytes(part.bytes)}`}
        />
      );
    case 'breakdown':
      return <RewardBreakdown steps={part.steps} reward={reward} />;
    case 'value':
      return <JsonTree value={part.value} label={part.name} />;
  }
}

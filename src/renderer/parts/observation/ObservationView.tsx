// An observation as a person reads it: texts, boards in rows, images, the parts of the reward, anything else as a tree.
import { useEffect, type ReactNode } from 'react';
import { textLength, type Text } from '../../../shared/events/text.ts';
import { boardText } from '../../../shared/observation.ts';
import { useText } from '../../state/hooks.ts';
import { cx } from '../../ui/cx.ts';
import { JsonTree } from '../text/JsonTree.tsx';
import { LongText } from '../text/LongText.tsx';
import { formatBytes } from '../text/size.ts';
import { plain, readObservation, type ObservationPart, type RewardStep } from './readObservation.ts';
import * as styles from './ObservationView.module.css';

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

/** Short parts stand by their name. */
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

/** Sums that differ by less are the same number, added in another order. */
const SAME = 1e-6;

export function RewardBreakdown({
  steps,
  reward,
}: {
  steps: readonly RewardStep[];
  reward: number | null;
}): ReactNode {
  const total = steps.at(-1)?.to ?? 0;
  const { min, max } = rewardScale(steps.flatMap(({ from, to }) => [from, to]));
  const share = (value: number): number => ((value - min) / (max - min)) * 100;
  const rows = [...steps, { name: 'together', value: total, from: 0, to: total }];
  const isOther = reward !== null && Math.abs(reward - total) > SAME * Math.max(1, Math.abs(reward));
  return (
    <>
      <table className={styles.breakdown}>
        <tbody>
          {rows.map(({ name, value, from, to }, index) => (
            <tr
              key={index < steps.length ? name : ' together'}
              className={cx(index === steps.length && styles.total)}
            >
              <th scope="row">{name}</th>
              <td>
                <svg
                  viewBox="0 0 100 10"
                  preserveAspectRatio="none"
                  className={styles.bars}
                  aria-hidden="true"
                >
                  <line x1={share(0)} x2={share(0)} y1="0" y2="10" className={styles.zero} />
                  <rect
                    x={share(Math.min(from, to))}
                    width={Math.abs(share(to) - share(from))}
                    y="2"
                    height="6"
                    className={value < 0 ? styles.less : styles.more}
                  />
                </svg>
              </td>
              <td className={styles.number}>{formatReward(value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {isOther ? (
        <p
          className={styles.note}
        >{`The step’s reward is ${formatReward(reward)}, not the sum of its parts.`}</p>
      ) : null}
    </>
  );
}

/** Least and greatest of what is drawn, and the round numbers between them that are named at the axis; 0 is one. */
function rewardScale(values: readonly number[]): { min: number; max: number; ticks: number[] } {
  const min = Math.min(0, ...values);
  const max = Math.max(0, ...values);
  if (min === max) return { min: 0, max: 1, ticks: [0, 1] };
  const step = roundStep((max - min) / 4);
  const first = Math.ceil(plain(min / step));
  const last = Math.floor(plain(max / step));
  const ticks = Array.from({ length: last - first + 1 }, (_, index) => plain((first + index) * step));
  return { min, max, ticks };
}

/** 1, 2 or 5 times a power of ten, as little above as there is. */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  const times = [1, 2, 5, 10].find((one) => one * power >= least * 0.999_999) ?? 10;
  return times * power;
}

/** `−0.25`: with the sign of typography, and no more digits than a reader can use. */
export const formatReward = (value: number): string => String(Number(value.toPrecision(6))).replace('-', '−');

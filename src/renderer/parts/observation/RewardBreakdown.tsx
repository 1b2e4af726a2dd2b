// Of what parts a step's reward is made: each bar begins where the one before ended, and the last is all of them.
import type { ReactNode } from 'react';
import { cx } from '../../ui/cx.ts';
import * as styles from './ObservationView.module.css';
import type { RewardStep } from './readObservation.ts';
import { formatReward, rewardScale } from './rewardScale.ts';

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

// A strip drawn: one bar a turn, told apart by shape as well as by hue. Few paths, whatever its length.
import { memo, type ReactNode } from 'react';
import { STRIP, STRIP_MAX, type StripChar, stripLabel } from '../../../shared/episode/rows.ts';
import * as styles from './StripChart.module.css';

const HEIGHT = 24;
/** A short episode has wide bars, a long one thin ones; beyond this the newest turns are shown. */
const SLOTS_MIN = 16;

/** Height and foot of a bar: errors reach over the whole strip, people stand on a foot, what waits is hollow. */
const CHAR_SHAPES: Readonly<Record<StripChar, { top: number; bottom: number }>> = {
  o: { top: 10, bottom: HEIGHT - 4 },
  x: { top: 0, bottom: HEIGHT },
  a: { top: 5, bottom: HEIGHT - 4 },
  h: { top: 10, bottom: HEIGHT },
  w: { top: 2, bottom: HEIGHT - 1 },
  f: { top: 10, bottom: HEIGHT - 4 },
  '.': { top: 16, bottom: HEIGHT - 4 },
};

export const StripChart = memo(function StripChart({ strip }: { strip: string }): ReactNode {
  const slots = Math.min(STRIP_MAX, Math.max(SLOTS_MIN, strip.length));
  const width = 100 / slots;
  const paths = (Object.keys(STRIP) as StripChar[]).flatMap((char) => {
    const d = Array.from(strip)
      .map((one, index) => (one === char ? charBar(char, index * width, width) : ''))
      .join('');
    return d === '' ? [] : [{ char, d }];
  });
  return (
    <svg
      className={styles.strip}
      viewBox={`0 0 100 ${String(HEIGHT)}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={strip === '' ? 'No turn yet' : stripLabel(strip)}
    >
      {paths.map(({ char, d }) => (
        <path key={char} d={d} className={styles[`bar_${char === '.' ? 'other' : char}`]} />
      ))}
    </svg>
  );
});

function charBar(char: StripChar, x: number, width: number): string {
  const { top, bottom } = CHAR_SHAPES[char];
  const gap = Math.min(0.6, width / 5);
  const [left, right] = [(x + gap / 2).toFixed(2), (x + width - gap / 2).toFixed(2)];
  if (char === 'a') {
    const middle = (x + width / 2).toFixed(2);
    return `M${left} ${String(bottom)}L${middle} ${String(top)}L${right} ${String(bottom)}Z`;
  }
  return `M${left} ${String(top)}H${right}V${String(bottom)}H${left}Z`;
}

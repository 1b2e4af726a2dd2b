// Problems of an advice, and the one press that puts each right; and how the agent will read it.
import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { DeskItem } from '../../../shared/episode/rowShapes.ts';
import { Button } from '../../ui/Button.tsx';
import { useConsole } from '../../state/hooks.ts';
import { cx } from '../../ui/cx.ts';
import * as styles from './AdviceCard.module.css';
import type { Fix, PlanCheck } from './planCheck.ts';

type ProblemsProps = {
  id: string;
  check: PlanCheck;
  text: string;
  item: Pick<DeskItem, 'via' | 'limit_chars'>;
  /** Each step says what is wrong with it itself. */
  isPlan: boolean;
  onFix: (fix: Fix) => void;
};

export function Problems({ id, check, text, item, isPlan, onFix }: ProblemsProps): ReactNode {
  const { plan, problems } = check;
  return (
    <div id={id} className="stack-1" aria-live="polite">
      <CutCounter {...item} length={text.length} />
      {isPlan ? null : (
        <>
          <p className={styles.quiet}>
            {readingText(
              plan.calls.map(({ tool }) => tool),
              text.trim() === '',
            )}
          </p>
          <ul>
            {problems.map((problem, index) => (
              <li key={`${problem.kind}${String(index)}`} className={styles.problem}>
                <TriangleAlert aria-hidden="true" />
                <span>{problem.message}</span>
                {problem.fix === null ? null : <FixButton fix={problem.fix} onFix={onFix} />}
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

const FixButton = ({ fix, onFix }: { fix: Fix; onFix: (fix: Fix) => void }): ReactNode => (
  <Button size="small" onClick={() => onFix(fix)}>
    {fix.label}
  </Button>
);

/** The agent's reading of it. */
function readingText(tools: readonly string[], isEmpty: boolean): string {
  if (isEmpty) return '';
  if (tools.length === 0) return 'Reads as plain text: no calls found.';
  const calls = tools.length === 1 ? '1 call' : `${String(tools.length)} calls`;
  return `Reads as ${calls}: ${tools.join(' → ')}`;
}

/** The counter's text; null where no cut is known. */
export function cutText(length: number, cut: number | null): { text: string; isOver: boolean } | null {
  if (cut === null) return null;
  const over = length - cut;
  const counted = `${length.toLocaleString()} of ${cut.toLocaleString()} characters`;
  return over > 0
    ? { text: `${counted}: the client drops the last ${over.toLocaleString()}`, isOver: true }
    : { text: `${counted} kept by the client`, isOver: false };
}

type Props = Pick<DeskItem, 'via' | 'limit_chars'> & { length: number };

function CutCounter({ via, limit_chars: asked, length }: Props): ReactNode {
  const usual = useConsole(({ record }) => record.app?.cut_chars ?? null);
  // A limit of the request itself is certain, the other one is known of such clients.
  const cut = asked === null || usual === null ? (asked ?? usual) : Math.min(asked, usual);
  const counter = via === 'loop' ? null : cutText(length, cut);
  if (counter === null) return null;
  return (
    <p
      className={cx(styles.quiet, counter.isOver && styles.over)}
      role={counter.isOver ? 'status' : undefined}
    >
      {counter.text}
    </p>
  );
}

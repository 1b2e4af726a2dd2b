// Saying what the agent should have done at a step, and what was said of it.
import { PencilLine } from 'lucide-react';
import type { ReactNode } from 'react';
import type { CorrectionRow, ItemView } from '../../../shared/contract/annotate.ts';
import type { Turn } from '../../../shared/episode/record.ts';
import type { ToolSpec } from '../../../shared/events/lifecycle.ts';
import { useSession } from '../../state/hooks.ts';
import { useKeptValue } from '../../state/keptValue.ts';
import { Button } from '../../ui/Button.tsx';
import { correctDraft, CorrectDraft, CorrectWriting } from './CorrectWriting.tsx';
import { CorrectionText } from './CorrectionText.tsx';
import * as styles from './Review.module.css';
import type { Review } from './useReview.ts';

type Props = {
  item: string;
  episode: string;
  turn: Turn;
  tools: readonly ToolSpec[];
  view: ItemView;
  review: Review;
  isOpen: boolean;
  onOpen: (isOpen: boolean) => void;
  isReadOnly: boolean;
};

export function CorrectionForm(props: Props): ReactNode {
  const { item, episode, turn, tools, view, review, isOpen, onOpen, isReadOnly } = props;
  const { seat } = useSession();
  const [kept, keep] = useKeptValue(`correct/${item}/${String(turn.turn)}`, CorrectDraft);
  const given = view.corrections.filter(
    ({ target }) => target.on !== 'trajectory' && target.turn === turn.turn && target.episode === episode,
  );
  const own = given.find(({ reviewer }) => reviewer === seat);
  return (
    <section className={styles.field} aria-label="What the agent should have done">
      <h3>What the agent should have done</h3>
      {given.map((one) => (
        <GivenCorrection key={one.correction} given={one} isOwn={one === own} onWithdraw={review.withdraw} />
      ))}
      {isReadOnly ? null : isOpen ? (
        <CorrectWriting
          tools={tools}
          draft={kept ?? correctDraft(turn, tools, own ?? null)}
          keep={keep}
          label="Save correction"
          onGive={(correct, reason) => {
            const on = turn.move?.type === 'call_tool' ? 'call' : 'step';
            return review.correct({ on, episode, turn: turn.turn }, correct, reason);
          }}
          onClose={() => onOpen(false)}
        />
      ) : (
        <span>
          <Button icon={<PencilLine />} chord="annotate.correct" onClick={() => onOpen(true)}>
            {kept !== null ? 'Keep writing' : own === undefined ? 'Write it' : 'Change it'}
          </Button>
        </span>
      )}
    </section>
  );
}

function GivenCorrection({
  given,
  isOwn,
  onWithdraw,
}: {
  given: CorrectionRow;
  isOwn: boolean;
  onWithdraw: (id: string) => void;
}): ReactNode {
  return (
    <div className={styles.given}>
      <p>
        <CorrectionText correct={given.correct} reason={given.reason} />
      </p>
      {isOwn ? (
        <Button size="small" tone="quiet" onClick={() => onWithdraw(given.correction)}>
          Undo
        </Button>
      ) : (
        <code className={styles.quiet}>{given.reviewer}</code>
      )}
    </div>
  );
}

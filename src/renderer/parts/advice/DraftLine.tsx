// The line over the editor: where its words come from, and what that means.
import { GitCompareArrows, Lightbulb, ListOrdered, LoaderCircle, Text, Undo2 } from 'lucide-react';
import { hasDraft } from '../../../shared/events/lifecycle.ts';
import type { ReactNode } from 'react';
import type { DeskItem } from '../../../shared/contract/rows.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { DiffText } from '../text/DiffText.tsx';
import { useMissingKey } from '../inspector/useAnswerKey.ts';
import * as styles from './AdviceCard.module.css';
import { draftPrivilegeText, leakText } from './privilegeText.ts';
import type { AdviceState } from './useAdvice.ts';

type DraftLineProps = {
  item: DeskItem;
  advice: AdviceState;
  /** Closed words are kept as they are: nothing here may replace them. */
  isClosed: boolean;
  isDiff: boolean;
  onDiff: () => void;
  isRows: boolean;
  onRows: () => void;
};

export function DraftLine({
  item,
  advice,
  isClosed,
  isDiff,
  onDiff,
  isRows,
  onRows,
}: DraftLineProps): ReactNode {
  const { draft } = item;
  const { isEdited } = advice;
  return (
    <>
      <div className={styles.draftLine}>
        <h2 className={styles.label}>Your advice</h2>
        <DraftSource item={item} isEdited={isEdited} />
        <span className={styles.draftTools}>
          <Button
            size="small"
            tone="quiet"
            icon={isRows ? <Text /> : <ListOrdered />}
            chord="desk.plan"
            onClick={onRows}
          >
            {isRows ? 'As text' : 'As rows'}
          </Button>
          {draft !== null && isEdited ? (
            <>
              <Button
                size="small"
                tone="quiet"
                icon={<GitCompareArrows />}
                chord="desk.diff"
                aria-pressed={isDiff}
                onClick={onDiff}
              >
                Changes
              </Button>
              {isClosed ? null : (
                <Button size="small" tone="quiet" icon={<Undo2 />} onClick={advice.undo}>
                  Back to the draft
                </Button>
              )}
            </>
          ) : null}
        </span>
      </div>
      {draft === null ? null : <p className={styles.quiet}>{draftPrivilegeText(draft.privilege)}</p>}
      {draft === null ? null : <WithoutCriteria item={item} />}
      {draft?.leak === undefined ? null : (
        <p className={draft.leak.count === 0 ? styles.quiet : styles.leak}>{leakText(draft.leak)}.</p>
      )}
    </>
  );
}

/** Why a model's draft was made without success criteria, where that can be helped. */
function WithoutCriteria({ item: { episode, draft } }: { item: DeskItem }): ReactNode {
  const isBlind = draft?.generator === 'model' && draft.privilege.length === 0;
  const missing = useMissingKey(isBlind ? episode : null);
  if (missing === null || missing.next === null) return null;
  return (
    <p className={styles.quiet}>{`Drafted without success criteria. ${missing.message} ${missing.next}`}</p>
  );
}

function DraftSource({ item, isEdited }: { item: DeskItem; isEdited: boolean }): ReactNode {
  const { draft, draft_failure: failure, condition } = item;
  if (draft !== null) {
    const by = draft.generator === 'rule' ? 'Draft by rule' : `Draft by ${draft.model ?? 'the model'}`;
    return (
      <Badge tone="model" icon={<Lightbulb />}>
        {isEdited ? `${by}, edited` : by}
      </Badge>
    );
  }
  if (failure !== null) {
    const why = failure.code === 'model_not_configured' ? 'no model is set for the advisor' : failure.message;
    return (
      <span className={styles.noDraft} role="status">
        {`No draft: ${why.replace(/\.$/, '')}. Write your own.`}
      </span>
    );
  }
  if (!hasDraft(condition)) return <span className={styles.quiet}>No draft in this condition.</span>;
  return (
    <span className={styles.drafting} role="status">
      <LoaderCircle aria-hidden="true" />
      The advisor is writing a draft. You can start writing.
    </span>
  );
}

/** Never put over what was written: offered. */
export function OfferedDraft({
  advice,
  isDiff,
  onCompare,
}: {
  advice: AdviceState;
  isDiff: boolean;
  onCompare: () => void;
}): ReactNode {
  const { draft, text } = advice;
  return (
    <>
      <div className={styles.offered} role="status">
        <Lightbulb aria-hidden="true" />
        <p>A draft arrived while you were writing. Your text is unchanged.</p>
        <span className={styles.draftTools}>
          <Button size="small" onClick={advice.insert}>
            Insert below
          </Button>
          <Button size="small" onClick={advice.undo}>
            Use the draft instead
          </Button>
          <Button size="small" tone="quiet" aria-pressed={isDiff} onClick={onCompare}>
            {isDiff ? 'Hide the comparison' : 'Compare'}
          </Button>
          <Button size="small" tone="quiet" onClick={advice.ignore}>
            Ignore
          </Button>
        </span>
      </div>
      {isDiff && draft !== null ? (
        <DiffText before={draft.text} after={text} label="Draft compared with your text" />
      ) : null}
    </>
  );
}

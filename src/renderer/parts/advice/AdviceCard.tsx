// The card of one question: what is asked, what was tried, the words that will answer it, and the acts.
import { useId, useMemo, useRef, useState, type ReactNode, type Ref } from 'react';
import type { DeskItem } from '../../../shared/contract/rows.ts';
import type { ToolSpec } from '../../../shared/events/lifecycle.ts';
import { cx } from '../../ui/cx.ts';
import { PlanPreview } from '../preview/PlanPreview.tsx';
import * as styles from './AdviceCard.module.css';
import type { AdviceEditorHandle } from './AdviceEditor.tsx';
import { AnswerField } from './AnswerField.tsx';
import { CardActions } from './CardActions.tsx';
import { CardHead, Question } from './CardHead.tsx';
import type { ClosedQuestion } from './closedQuestion.ts';
import { ClosedNote, FailedNote, OfferedDraft } from './CardNotes.tsx';
import { DraftLine } from './DraftLine.tsx';
import { checkPlan, type Fix } from './planCheck.ts';
import { Problems } from './Problems.tsx';
import type { AdviceState } from './useAdvice.ts';
import { useCardKeys } from './useCardKeys.ts';

/** What a place puts into the card beyond the question itself. */
export type CardExtras = {
  /** Over the answer: who else is at it, who else gets it. */
  banner: ReactNode;
  /** Under the question. */
  aside: ReactNode;
  /** Under the line of the draft. */
  draftTools: ReactNode;
  /** What sending says that it does. */
  sendWords: string;
  onPass: () => void;
  /** Keeps the words for an ask that is over; null where it is not. */
  onLate: (() => void) | null;
};

type AdviceCardProps = {
  item: DeskItem;
  advice: AdviceState;
  /** The tools with their schemas, or none while they are not known: then only names are checked. */
  tools: readonly ToolSpec[];
  closed: ClosedQuestion | null;
  /** Other questions that wait. */
  waiting: number;
  onNext: () => void;
  /** Opens the episode beside the card; null where it is beside it already. */
  onOpenEpisode: (() => void) | null;
  /** The answer key behind its cover. */
  keyCover: ReactNode;
  /** The episode's task and steps stand beside the card already: here they are folded. */
  isBeside: boolean;
  /** Something stands in front of the card: its keys rest. */
  isCovered?: boolean;
  extras?: CardExtras;
  ref?: Ref<HTMLElement>;
};

export function AdviceCard(props: AdviceCardProps): ReactNode {
  const { item, advice, tools, closed, waiting, onNext, onOpenEpisode, keyCover, isBeside } = props;
  const { isCovered = false, extras, ref } = props;
  const editor = useRef<AdviceEditorHandle>(null);
  const card = useRef<HTMLDivElement>(null);
  const problemsId = useId();
  const [isDiff, setIsDiff] = useState(false);
  const [isDeclining, setIsDeclining] = useState(false);
  const [isRows, setIsRows] = useState(false);
  const { known, check, fix } = useAnswerCheck(item, tools, advice);
  const { draft, isEdited, isOffered, text } = advice;
  const isComparing = isDiff && draft !== null;
  const actions = {
    edit: () => editor.current?.focus(),
    plan: () => setIsRows(!isRows),
    diff: () => setIsDiff(!isDiff),
    openDecline: () => setIsDeclining(true),
    closeDecline: () => {
      setIsDeclining(false);
      card.current?.focus();
    },
  };
  useCardKeys({
    advice,
    isOpen: closed === null && !isCovered,
    isDeclining,
    actions,
    onOpenEpisode,
    onPass: extras?.onPass ?? null,
  });

  return (
    <section
      className={styles.card}
      aria-label="Question"
      ref={ref}
      data-consultation={item.consultation}
      data-fresh={advice.isFresh}
    >
      <CardHead item={item} isClosed={closed !== null} />
      <div className={cx(styles.body, isBeside && styles.isBeside)} ref={card} tabIndex={-1}>
        {closed === null ? null : (
          <ClosedNote
            closed={closed}
            advice={advice}
            waiting={waiting}
            onNext={onNext}
            onLate={extras?.onLate ?? null}
          />
        )}
        <div className={styles.asked}>
          <Question item={item} isBeside={isBeside} />
          {extras?.aside}
          {keyCover}
        </div>
        <div className={styles.answer}>
          {extras?.banner}
          <DraftLine
            item={item}
            advice={advice}
            isClosed={closed !== null}
            isDiff={isComparing}
            onDiff={actions.diff}
            isRows={isRows}
            onRows={actions.plan}
          />
          {closed === null ? extras?.draftTools : null}
          {isOffered && closed === null ? (
            <OfferedDraft advice={advice} isDiff={isComparing} onCompare={actions.diff} />
          ) : null}
          <div className={styles.editor}>
            <AnswerField
              key={item.consultation}
              ref={editor}
              advice={advice}
              tools={known}
              problems={check.problems}
              problemsId={problemsId}
              original={isComparing && !isOffered ? draft.text : null}
              isReadOnly={closed !== null || advice.busy !== null}
              isRows={isRows}
              onLeave={() => card.current?.focus()}
            />
          </div>
          {closed === null ? (
            <>
              <Problems id={problemsId} check={check} text={text} item={item} onFix={fix} />
              <PlanPreview item={item} advice={advice} sendWords={extras?.sendWords ?? 'Send advice'} />
            </>
          ) : null}
        </div>
      </div>
      {advice.failure === null ? null : (
        <div className={styles.failedNote}>
          <FailedNote failure={advice.failure} />
        </div>
      )}
      {closed === null ? (
        <CardActions
          advice={advice}
          isEdited={isEdited}
          isDeclining={isDeclining}
          waiting={waiting}
          onEdit={actions.edit}
          onDecline={actions.openDecline}
          onCloseDecline={actions.closeDecline}
          onNext={onNext}
          onOpenEpisode={onOpenEpisode}
          sendWords={extras?.sendWords ?? 'Send advice'}
          onPass={extras?.onPass ?? null}
        />
      ) : null}
    </section>
  );
}

/** What is wrong with the words, against the tools as far as they are known, and putting one thing right. */
function useAnswerCheck(item: DeskItem, tools: readonly ToolSpec[], { text, type }: AdviceState) {
  const known = useMemo(
    () => (tools.length > 0 ? tools : item.tool_names.map((name) => ({ name }))),
    [tools, item.tool_names],
  );
  const check = useMemo(() => checkPlan(text, known), [text, known]);
  const fix = ({ from, to, insert }: Fix): void => type(text.slice(0, from) + insert + text.slice(to));
  return { known, check, fix };
}

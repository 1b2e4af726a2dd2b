// The card of one question, in one column: its task, what is asked, what was tried, the words that will answer it,
// their effect, and the acts.
import { memo, type ReactNode, useCallback, useId, useMemo, useRef, useState } from 'react';
import type { DeskItem } from '../../../shared/episode/rowShapes.ts';
import type { ToolSpec } from '../../../shared/events/lifecycle.ts';
import { Button } from '../../ui/Button.tsx';
import type { MenuEntry } from '../../ui/Menu.tsx';
import { formatMoment } from '../../ui/time.ts';
import { useKeys } from '../../state/hooks.ts';
import { useSteady } from '../../ui/useSteady.ts';
import { CardHead, ClosedNotice, DecisionCard, outOf, placeOf } from '../card/DecisionCard.tsx';
import type { ClosedQuestion } from '../card/closed.ts';
import { deadlineOf, draftStateOf } from '../card/deadline.ts';
import { KnownNames } from '../plan/Names.tsx';
import { EffectNote, PlanEffect, WhyNotTried } from '../preview/PlanEffect.tsx';
import { type PlanEffectState, usePlanEffect, usePlannedCalls } from '../preview/usePlanEffect.ts';
import { stepProblems, wordsOfPath } from '../plan/stepProblems.ts';
import * as styles from './AdviceCard.module.css';
import type { AdviceEditorHandle } from './AdviceEditor.tsx';
import { AnswerField } from './AnswerField.tsx';
import { CardActions, useActingAdvice, useSeen } from './CardActions.tsx';
import { DraftLine, OfferedDraft } from './DraftLine.tsx';
import {
  argumentProblems,
  checkPlan,
  type Fix,
  isVirtualTool,
  type KnownTool,
  type PlanCheck,
} from './planCheck.ts';
import { Problems } from './Problems.tsx';
import { doorText, Question } from './Question.tsx';
import { routedText } from './routedText.ts';
import type { AdviceState } from './useAdvice.ts';
import { useAnswerForm } from './useAnswerForm.ts';

/** Additions of a place to the card beyond the question itself. */
export type CardExtras = {
  /** Over the answer: who else is at it, who else gets it. */
  banner: ReactNode;
  /** Folds at the foot of the card. */
  aside: ReactNode;
  /** Under the line of the draft. */
  draftTools: ReactNode;
  /** Less-used acts on the words, in the menu beside the draft. */
  more?: readonly MenuEntry[];
  /** What sending says that it does. */
  sendLabel: string;
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
  extras: CardExtras;
  /** The bar in place of the acts, once the question was decided here. */
  after?: ReactNode;
  /** What was sent, once it was. */
  sentText?: string | null;
  /** Why it was declined here, once it was. */
  declined?: string | null;
};

export function AdviceCard(props: AdviceCardProps): ReactNode {
  const { item, advice, tools, closed, waiting, onNext, onOpenEpisode, keyCover, isBeside } = props;
  const { isCovered = false, extras, after = null, sentText = null, declined = null } = props;
  const editor = useRef<AdviceEditorHandle>(null);
  const body = useRef<HTMLDivElement>(null);
  const answer = useRef<HTMLDivElement>(null);
  const problemsId = useId();
  const [isDiff, setIsDiff] = useState(false);
  const { known, check, fault, fix } = useAnswerCheck(item, tools, advice);
  const form = useAnswerForm(item.consultation, check.plan, advice.isEdited);
  const { draft, isOffered, text, failure } = advice;
  const acting = useActingAdvice(advice);
  const isOpen = closed === null && after === null;
  const isComparing = isDiff && draft !== null;
  const effect = useAdviceEffect(item, advice, isOpen, isCovered);
  const isInSteps = form.isPlan && !isComparing;
  const seen = useSeen(answer, draft?.id ?? null, !isInSteps);
  const onDiff = useCallback((): void => setIsDiff((before) => !before), []);
  const onLeave = useCallback((): void => body.current?.focus(), []);
  const onShowDraft = useCallback((): void => answer.current?.scrollIntoView({ block: 'center' }), []);
  const onEdit = useCallback((): void => editor.current?.focus(), []);
  const onForm = useSteady(form.toggle);
  const onPass = useSteady(extras.onPass);
  const onNextSteady = useSteady(onNext);

  return (
    <DecisionCard
      label="Question"
      data-consultation={item.consultation}
      isFresh={advice.isFresh}
      head={<QuestionHead item={item} isOpen={isOpen} />}
      body={body}
      failure={
        failure === null
          ? null
          : { title: 'Not sent', failure: { ...failure, next: failure.next ?? 'Your text is kept.' } }
      }
      acts={
        after ?? (
          <CardActions
            advice={acting}
            isClosed={!isOpen}
            isCovered={isCovered}
            seen={seen}
            waiting={waiting}
            sendLabel={extras.sendLabel}
            fault={advice.isEdited ? fault : null}
            onShowDraft={onShowDraft}
            onEdit={onEdit}
            onForm={onForm}
            onDiff={onDiff}
            onPass={onPass}
            onNext={onNextSteady}
            onOpenEpisode={onOpenEpisode}
            onLeave={onLeave}
          />
        )
      }
    >
      {closed === null || after !== null ? null : (
        <WhyClosed closed={closed} advice={advice} waiting={waiting} onNext={onNext} onLate={extras.onLate} />
      )}
      <Question item={item} tools={known} isBeside={isBeside} />
      <div className={styles.answer}>
        {extras.banner}
        <DraftLine
          item={item}
          advice={advice}
          isClosed={!isOpen}
          sentText={sentText}
          isDeclined={declined !== null}
          isDiff={isComparing}
          onDiff={onDiff}
          form={form}
          more={isOpen ? (extras.more ?? []) : []}
        />
        {declined === null ? null : (
          <p className="breaks">
            You declined. The agent reads: <q>{declined}</q>
          </p>
        )}
        {isOpen ? <WhyNotTried effect={effect} /> : null}
        {isOpen ? extras.draftTools : null}
        {isOffered && isOpen ? (
          <OfferedDraft advice={advice} isDiff={isComparing} onCompare={onDiff} />
        ) : null}
        <div className={styles.editor} ref={answer}>
          <KnownNames names={effect.names}>
            <AnswerField
              key={item.consultation}
              ref={editor}
              advice={sentText === null ? advice : { ...advice, text: sentText }}
              tools={known}
              problems={check.problems}
              problemsId={problemsId}
              original={isComparing && !isOffered ? draft.text : null}
              isReadOnly={!isOpen || advice.busy !== null}
              form={form}
              stepNote={isOpen ? (index) => <EffectNote effect={effect} index={index} /> : undefined}
              onLeave={onLeave}
            />
          </KnownNames>
        </div>
        {isOpen ? (
          <>
            <Problems id={problemsId} check={check} text={text} item={item} isPlan={isInSteps} onFix={fix} />
            <PlanEffect effect={effect} tools={known} isInSteps={isInSteps} chord="effect" />
          </>
        ) : null}
      </div>
      <div className="stack-1">
        {extras.aside}
        {keyCover}
      </div>
    </DecisionCard>
  );
}

/** The results of calls in the text: of a draft at once, of typed text after a pause. */
function useAdviceEffect(
  { episode, turn }: DeskItem,
  { text, isEdited }: AdviceState,
  isOpen: boolean,
  isCovered: boolean,
): PlanEffectState {
  const calls = usePlannedCalls(isOpen ? text : '', isEdited);
  const effect = usePlanEffect({ episode, afterTurn: turn, calls, problem: null });
  const canAsk = effect.mode === 'on_request' && calls.length > 0 && !isCovered;
  useKeys(canAsk ? { effect: () => effect.run() } : {});
  return effect;
}

type QuestionHeadProps = { item: DeskItem; isOpen: boolean };

/** Age and deadline; a client's limits are not known here. */
const QuestionHead = memo(function QuestionHead({ item, isOpen }: QuestionHeadProps): ReactNode {
  const door = doorText(item);
  return (
    <CardHead
      since={isOpen ? item.asked_at : null}
      deadlineFrom={(now) => deadlineOf(item, draftStateOf(item), now)}
      place={
        <>
          {isOpen ? null : `Asked ${formatMoment(item.asked_at)} · `}
          {`${placeOf(item)} · ask ${outOf(item.ask, item.ask_limit)}`}
          {item.routed === undefined ? null : (
            <span title={item.routed.reason}>{` · ${routedText(item.routed)}`}</span>
          )}
          {door === null ? null : <span className={styles.quiet}>{` · ${door}`}</span>}
        </>
      }
    />
  );
});

type WhyClosedProps = Pick<AdviceCardProps, 'advice' | 'waiting' | 'onNext'> & {
  closed: ClosedQuestion;
  onLate: CardExtras['onLate'];
};

function WhyClosed({ closed, advice, waiting, onNext, onLate }: WhyClosedProps): ReactNode {
  const unsent = {
    text: advice.text,
    message: 'Your answer was not sent. It is kept below until you discard it.',
    discard: 'Discard my text',
    onDiscard: advice.undo,
  };
  return (
    <ClosedNotice
      closed={closed}
      unsent={advice.isEdited && !closed.isMine ? unsent : null}
      first={
        onLate === null ? null : (
          <Button
            size="small"
            tone="primary"
            title="Never delivered to the agent. Kept with this state and exported as question and advice"
            onClick={onLate}
          >
            Keep as late advice
          </Button>
        )
      }
      next={
        <Button size="small" tone={waiting > 0 ? 'primary' : 'plain'} chord="desk.next" onClick={onNext}>
          {waiting > 0 ? `Next question, ${String(waiting)} waiting` : 'Back to the desk'}
        </Button>
      }
    />
  );
}

/** Checks the text against the tools as far as they are known, and puts one thing right. */
function useAnswerCheck(item: DeskItem, tools: readonly ToolSpec[], { text, type }: AdviceState) {
  const known = useMemo(
    () => (tools.length > 0 ? tools : item.tool_names.map((name) => ({ name }))),
    [tools, item.tool_names],
  );
  const check = useMemo(() => checkPlan(text, known), [text, known]);
  const fault = useMemo(() => firstFault(check, known), [check, known]);
  const fix = ({ from, to, insert }: Fix): void => type(text.slice(0, from) + insert + text.slice(to));
  return { known, check, fault, fix };
}

type Call = PlanCheck['plan']['calls'][number];

/** The first step that the environment would refuse, and why, in a sentence; null where none is known to fail. */
function firstFault(
  { plan: { calls } }: Pick<PlanCheck, 'plan'>,
  tools: readonly KnownTool[],
): string | null {
  for (const [index, call] of calls.entries()) {
    const fault = faultOf(call, tools);
    if (fault !== null) return calls.length === 1 ? fault : `Step ${String(index + 1)}: ${fault}`;
  }
  return null;
}

function faultOf(call: Call, tools: readonly KnownTool[]): string | null {
  const { tool, args } = call;
  if (isVirtualTool(tool) || tools.length === 0) return null;
  const known = tools.find(({ name }) => name === tool);
  if (known === undefined) return stepProblems(call, tools)[0]?.message ?? null;
  // An argument that is not listed may be one all the same.
  const wrong = argumentProblems(known.input_schema ?? {}, args).find(({ kind }) => kind !== 'unknown');
  if (wrong === undefined) return null;
  const label = wrong.path === '' ? 'The step' : wordsOfPath(wrong.path);
  return `${label} ${wrong.kind === 'missing' ? 'is missing' : wrong.message}.`;
}

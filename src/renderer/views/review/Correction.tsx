// Writing what the agent should have done at a step, with the form that live overrides are made with: as a reviewer's
// judgement, or as the decision where reviewers disagree.
import { PencilLine } from 'lucide-react';
import { useRef, useState, type ReactNode } from 'react';
import { z } from 'zod';
import type { Turn } from '../../../shared/episode/record.ts';
import type { Correct } from '../../../shared/events/annotations.ts';
import type { ToolSpec } from '../../../shared/events/lifecycle.ts';
import { textHead } from '../../../shared/events/text.ts';
import { MoveForm } from '../../parts/call/MoveForm.tsx';
import { emptyMove, MoveDraft, moveFromDraft } from '../../parts/call/moves.ts';
import { firstField, useFocusNext } from '../../parts/call/useCallDecision.ts';
import { moveLine } from '../../../shared/timeline/turnRow.ts';
import { useKeys } from '../../state/hooks.ts';
import { useKeptValue } from '../../state/keptValue.ts';
import { Button } from '../../ui/Button.tsx';
import { Field, Textarea } from '../../ui/Field.tsx';
import * as styles from './Review.module.css';

const CorrectDraft = z.strictObject({
  /** As a move of the agent's, or in words. */
  as: z.enum(['move', 'text']),
  move: MoveDraft,
  text: z.string(),
  reason: z.string(),
});
type CorrectDraft = z.infer<typeof CorrectDraft>;

/** A move as code, words as words. */
export const CorrectionText = ({ correct }: { correct: Correct }): ReactNode =>
  correct.type === 'move' ? <code>{moveLine(correct.move)}</code> : correct.text;

type WriteCorrectionProps = {
  /** What is written is kept under it. */
  name: string;
  tools: readonly ToolSpec[];
  /** What it begins with. */
  start: CorrectDraft;
  isOpen: boolean;
  onOpen: (isOpen: boolean) => void;
  hasKey: boolean;
  /** On the button that opens it, and on the one that gives it. */
  labels: { write: string; give: string };
  /** Resolves with false when it was not taken; what is written stays then. */
  onGive: (correct: Correct, reason: string | null) => Promise<boolean>;
};

export function WriteCorrection(props: WriteCorrectionProps): ReactNode {
  const { name, start, isOpen, onOpen, hasKey, labels } = props;
  const [kept, keep] = useKeptValue(name, CorrectDraft);
  if (isOpen) return <Writing {...props} draft={kept ?? start} keep={keep} />;
  return (
    <span>
      <Button
        size="small"
        icon={<PencilLine />}
        {...(hasKey ? { chord: 'annotate.correct' } : {})}
        onClick={() => onOpen(true)}
      >
        {kept === null ? labels.write : 'Keep writing'}
      </Button>
    </span>
  );
}

type WritingProps = Pick<WriteCorrectionProps, 'tools' | 'onOpen' | 'labels' | 'onGive'> & {
  draft: CorrectDraft;
  keep: (draft: CorrectDraft | null) => void;
};

function Writing({ tools, onOpen, labels, onGive, draft, keep }: WritingProps): ReactNode {
  const [problem, setProblem] = useState<string | null>(null);
  const body = useRef<HTMLDivElement>(null);
  const focusNext = useFocusNext(body);
  const [isFresh, setIsFresh] = useState(true);
  if (isFresh) {
    setIsFresh(false);
    focusNext(firstField);
  }
  const send = (isUnchecked: boolean): void => {
    const read = correctOf(draft, tools, isUnchecked);
    if ('problem' in read) return setProblem(read.problem);
    const reason = draft.reason.trim();
    void onGive(read.correct, reason === '' ? null : reason).then((isGiven) => {
      if (!isGiven) return;
      keep(null);
      onOpen(false);
    });
  };
  useKeys({ send: () => send(false) });
  return (
    <div
      ref={body}
      className={styles.correction}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        if (event.target === body.current) onOpen(false);
        else body.current?.focus();
      }}
    >
      <span className="wrap-1 centered" role="group" aria-label="Said as">
        {(['move', 'text'] as const).map((as) => (
          <Button key={as} size="small" aria-pressed={draft.as === as} onClick={() => keep({ ...draft, as })}>
            {as === 'move' ? 'A move' : 'Words'}
          </Button>
        ))}
      </span>
      {draft.as === 'move' ? (
        <MoveForm
          draft={draft.move}
          tools={tools}
          finalLabel="Final answer the agent should have given"
          isTried={problem !== null}
          onChange={(by) => keep({ ...draft, move: { ...draft.move, ...by } })}
        />
      ) : (
        <Field label="What it should have written or done">
          <Textarea
            rows={4}
            value={draft.text}
            onChange={({ target }) => keep({ ...draft, text: target.value })}
          />
        </Field>
      )}
      <Field label="Why">
        <Textarea
          rows={2}
          value={draft.reason}
          onChange={({ target }) => keep({ ...draft, reason: target.value })}
        />
      </Field>
      {problem === null ? null : (
        <p role="alert" className="bad">
          {problem}{' '}
          {draft.as === 'move' && draft.move.type === 'call_tool' ? (
            <Button size="small" onClick={() => send(true)}>
              Save unchecked
            </Button>
          ) : null}
        </p>
      )}
      <span className="wrap-1 centered">
        <Button tone="primary" chord="send" onClick={() => send(false)}>
          {labels.give}
        </Button>
        <Button tone="quiet" onClick={() => onOpen(false)}>
          Close
        </Button>
      </span>
    </div>
  );
}

function correctOf(
  { as, move, text }: CorrectDraft,
  tools: readonly ToolSpec[],
  isUnchecked: boolean,
): { correct: Correct } | { problem: string } {
  if (as === 'text') {
    const typed = text.trim();
    return typed === ''
      ? { problem: 'Write what it should have done.' }
      : { correct: { type: 'text', text: typed } };
  }
  const read = moveFromDraft(move, tools, isUnchecked);
  if (read.move === null) return { problem: read.problem ?? 'Not a valid move yet.' };
  return { correct: { type: 'move', move: read.move } };
}

/** Begins with what was given before, else with what the agent did. */
export function correctDraft(
  { move }: Pick<Turn, 'move'>,
  tools: readonly ToolSpec[],
  given: { correct: Correct; reason: string | null } | null,
): CorrectDraft {
  const empty: CorrectDraft = { as: 'move', move: emptyMove(tools), text: '', reason: given?.reason ?? '' };
  if (given?.correct.type === 'text') return { ...empty, as: 'text', text: given.correct.text };
  const from = given?.correct.type === 'move' ? given.correct.move : move;
  if (from?.type === 'call_tool') {
    const written = { tool: from.tool_name, args: from.arguments, raw: null, sought: '' };
    return { ...empty, move: { ...empty.move, written } };
  }
  if (from?.type === 'final') {
    return { ...empty, move: { ...empty.move, type: 'final', final: textHead(from.text) } };
  }
  return tools.length === 0 ? { ...empty, as: 'text' } : empty;
}

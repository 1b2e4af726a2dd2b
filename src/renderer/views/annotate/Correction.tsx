// What the agent should have done at a step: what was said of it, and writing it with the form that live overrides are
// made with, whether a reviewer says it or an adjudicator decides it.
import { PencilLine } from 'lucide-react';
import { useRef, useState, type ReactNode } from 'react';
import { z } from 'zod';
import type { ItemView } from '../../../shared/contract/annotate.ts';
import type { Turn } from '../../../shared/episode/record.ts';
import type { Correct } from '../../../shared/events/annotations.ts';
import type { ToolSpec } from '../../../shared/events/lifecycle.ts';
import { textHead } from '../../../shared/events/text.ts';
import { MoveForm } from '../../parts/call/MoveForm.tsx';
import { emptyMove, MoveDraft, moveFromDraft } from '../../parts/call/moves.ts';
import { firstField, useFocusNext } from '../../parts/call/useCallDecision.ts';
import { moveLine } from '../../../shared/timeline/turnRow.ts';
import { useKeys, useSession } from '../../state/hooks.ts';
import { useKeptValue } from '../../state/keptValue.ts';
import { Button } from '../../ui/Button.tsx';
import { Field, Textarea } from '../../ui/Field.tsx';
import * as styles from './Review.module.css';
import type { Review } from './useReview.ts';

export const CorrectDraft = z.strictObject({
  /** As a move of the agent's, or in words. */
  as: z.enum(['move', 'text']),
  move: MoveDraft,
  text: z.string(),
  reason: z.string(),
});
type CorrectDraft = z.infer<typeof CorrectDraft>;

type CorrectionFormProps = {
  episode: string;
  turn: Turn;
  tools: readonly ToolSpec[];
  view: ItemView;
  review: Review;
  isOpen: boolean;
  onOpen: (isOpen: boolean) => void;
  isReadOnly: boolean;
};

export function CorrectionForm(props: CorrectionFormProps): ReactNode {
  const { episode, turn, tools, view, review, isOpen, onOpen, isReadOnly } = props;
  const { seat } = useSession();
  const [kept, keep] = useKeptValue(`correct/${view.row.item}/${String(turn.turn)}`, CorrectDraft);
  const given = view.corrections.filter(
    ({ target }) => target.on !== 'trajectory' && target.turn === turn.turn && target.episode === episode,
  );
  const own = given.find(({ reviewer }) => reviewer === seat);
  return (
    <section className={styles.field} aria-label="What the agent should have done">
      <h3>What the agent should have done</h3>
      {given.map((one) => (
        <div key={one.correction} className={styles.given}>
          <p>
            <CorrectionText correct={one.correct} />
            {one.reason === null ? null : (
              <span className="quiet regular small">{` because ${one.reason}`}</span>
            )}
          </p>
          {one === own ? (
            <Button size="small" tone="quiet" onClick={() => review.withdraw(one.correction)}>
              Undo
            </Button>
          ) : (
            <code className="quiet regular small">{one.reviewer}</code>
          )}
        </div>
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

/** A move as code, words as words. */
export const CorrectionText = ({ correct }: { correct: Correct }): ReactNode =>
  correct.type === 'move' ? <code>{moveLine(correct.move)}</code> : correct.text;

type CorrectWritingProps = {
  tools: readonly ToolSpec[];
  draft: CorrectDraft;
  keep: (draft: CorrectDraft | null) => void;
  /** Resolves with false when it was not taken; what is written stays then. */
  onGive: (correct: Correct, reason: string | null) => Promise<boolean>;
  onClose: () => void;
  /** What the button says. */
  label: string;
};

export function CorrectWriting({
  tools,
  draft,
  keep,
  onGive,
  onClose,
  label,
}: CorrectWritingProps): ReactNode {
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
      onClose();
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
        if (event.target === body.current) onClose();
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
          {label}
        </Button>
        <Button tone="quiet" onClick={onClose}>
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

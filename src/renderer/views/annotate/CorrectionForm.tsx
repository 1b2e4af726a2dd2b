// Owns: saying what the agent should have done at a step, with the form that live overrides are made with.
import { PencilLine } from 'lucide-react';
import { useRef, useState, type ReactNode } from 'react';
import { z } from 'zod';
import type { CorrectionRow, ItemView } from '../../../shared/contract/annotate.ts';
import type { Turn } from '../../../shared/episode/record.ts';
import type { ToolSpec } from '../../../shared/events/lifecycle.ts';
import type { Target } from '../../../shared/events/annotations.ts';
import { textHead } from '../../../shared/events/text.ts';
import { MoveForm } from '../../parts/call/MoveForm.tsx';
import { emptyMove, MoveDraft, moveOf } from '../../parts/call/moves.ts';
import { firstField, useFocusNext } from '../../parts/call/useFocusNext.ts';
import { moveLine } from '../../parts/timeline/decisionRow.ts';
import { useKeys, useSession } from '../../state/hooks.ts';
import { useKeptValue } from '../../state/keptValue.ts';
import { Button } from '../../ui/Button.tsx';
import { Field, Textarea } from '../../ui/Field.tsx';
import styles from './Review.module.css';
import type { Review } from './useReview.ts';

const Draft = z.strictObject({
  /** As a move of the agent's, or in words. */
  as: z.enum(['move', 'text']),
  move: MoveDraft,
  text: z.string(),
  reason: z.string(),
});
type Draft = z.infer<typeof Draft>;

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
  const { item, episode, turn, tools, view, isOpen, onOpen, isReadOnly } = props;
  const { seat } = useSession();
  const [kept, keep] = useKeptValue(`correct/${item}/${String(turn.turn)}`, Draft);
  const given = view.corrections.filter(
    ({ target }) => target.on !== 'trajectory' && target.turn === turn.turn && target.episode === episode,
  );
  const own = given.find(({ reviewer }) => reviewer === seat);
  return (
    <section className={styles['field']} aria-label="What the agent should have done">
      <h3>What the agent should have done</h3>
      {given.map((one) => (
        <Given key={one.correction} given={one} isOwn={one === own} onWithdraw={props.review.withdraw} />
      ))}
      {isReadOnly ? null : isOpen ? (
        <Writing {...props} draft={kept ?? draftFrom(turn, tools, own)} keep={keep} />
      ) : (
        <span>
          <Button icon={<PencilLine />} chord="annotate.correct" onClick={() => onOpen(true)}>
            {kept !== null ? 'Go on writing' : own === undefined ? 'Write it' : 'Change it'}
          </Button>
        </span>
      )}
    </section>
  );
}

function Writing(props: Props & { draft: Draft; keep: (draft: Draft | null) => void }): ReactNode {
  const { episode, turn, tools, review, onOpen, draft, keep } = props;
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
    const on = turn.move?.type === 'call_tool' ? 'call' : 'step';
    const target: Target = { on, episode, turn: turn.turn };
    const reason = draft.reason.trim();
    void review.correct(target, read.correct, reason === '' ? null : reason).then((isGiven) => {
      if (!isGiven) return;
      keep(null);
      onOpen(false);
    });
  };
  useKeys('annotate', { 'annotate.done': () => send(false) });
  return (
    <div
      ref={body}
      className={styles['correction']}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        if (event.target === body.current) onOpen(false);
        else body.current?.focus();
      }}
    >
      <span className={styles['row']} role="group" aria-label="Said as">
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
        <p role="alert" className={styles['problem']}>
          {problem}{' '}
          {draft.as === 'move' && draft.move.type === 'call_tool' ? (
            <Button size="small" onClick={() => send(true)}>
              Save it unchecked
            </Button>
          ) : null}
        </p>
      )}
      <span className={styles['row']}>
        <Button tone="primary" chord="annotate.done" onClick={() => send(false)}>
          Save correction
        </Button>
        <Button tone="quiet" onClick={() => onOpen(false)}>
          Close
        </Button>
      </span>
    </div>
  );
}

function Given({
  given,
  isOwn,
  onWithdraw,
}: {
  given: CorrectionRow;
  isOwn: boolean;
  onWithdraw: (id: string) => void;
}): ReactNode {
  const { correct, reason } = given;
  return (
    <div className={styles['given']}>
      <p>
        {correct.type === 'move' ? <code>{moveLine(correct.move)}</code> : correct.text}
        {reason === null ? null : <span className={styles['quiet']}>{` because ${reason}`}</span>}
      </p>
      {isOwn ? (
        <Button size="small" tone="quiet" onClick={() => onWithdraw(given.correction)}>
          Take back
        </Button>
      ) : (
        <code className={styles['quiet']}>{given.reviewer}</code>
      )}
    </div>
  );
}

function correctOf(
  { as, move, text }: Draft,
  tools: readonly ToolSpec[],
  isUnchecked: boolean,
): { correct: CorrectionRow['correct'] } | { problem: string } {
  if (as === 'text') {
    const words = text.trim();
    return words === ''
      ? { problem: 'Write what it should have done.' }
      : { correct: { type: 'text', text: words } };
  }
  const read = moveOf(move, tools, isUnchecked);
  if (read.move === null) return { problem: read.problem ?? 'This is not a move yet.' };
  return { correct: { type: 'move', move: read.move } };
}

/** Begins with what was given before, else with what the agent did. */
function draftFrom({ move }: Turn, tools: readonly ToolSpec[], own: CorrectionRow | undefined): Draft {
  const empty: Draft = { as: 'move', move: emptyMove(tools), text: '', reason: own?.reason ?? '' };
  if (own?.correct.type === 'text') return { ...empty, as: 'text', text: own.correct.text };
  const from = own?.correct.type === 'move' ? own.correct.move : move;
  if (from?.type === 'call_tool') {
    const written = { tool: from.tool_name, args: from.arguments, raw: null };
    return { ...empty, move: { ...empty.move, written } };
  }
  if (from?.type === 'final') {
    return { ...empty, move: { ...empty.move, type: 'final', final: textHead(from.text) } };
  }
  return tools.length === 0 ? { ...empty, as: 'text' } : empty;
}

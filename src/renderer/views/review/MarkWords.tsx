// The texts of a step as they are, and marking words in them by mouse or by finding them.
import { X } from 'lucide-react';
import { useMemo, useRef, useState, type ReactNode } from 'react';
import type { AnnotationRow, ItemView } from '../../../shared/contract/review.ts';
import type { Turn } from '../../../shared/episode/record.ts';
import type { Dimension, RangeField } from '../../../shared/events/annotations.ts';
import type { Text } from '../../../shared/events/text.ts';
import type { Recorded } from '../../../shared/events/vocabulary.ts';
import { useKeys, useSession, useText } from '../../state/hooks.ts';
import { atHand } from '../../state/readAway.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { Field, Input } from '../../ui/Field.tsx';
import { valueText, type MarkedRange } from './fields.ts';
import * as styles from './Review.module.css';

type StepText = { n: number; field: RangeField; label: string; text: Text };

/** The texts of a turn in the order they came; without a turn, the task and the final answer. */
function stepTexts(events: readonly Recorded[], turn: Turn | null): StepText[] {
  return events.flatMap(({ n, event }): StepText[] => {
    if (turn === null) {
      if (event.kind === 'environment.reset') return stepText(n, 'task', 'Task', event.task);
      return event.kind === 'episode.ended'
        ? stepText(n, 'final_answer', 'Final answer', event.final_answer)
        : [];
    }
    switch (event.kind) {
      case 'turn.generated':
      case 'turn.transcribed':
        if (event.turn !== turn.turn) return [];
        return [
          ...stepText(n, 'reasoning', 'Reasoning', event.reasoning),
          ...stepText(n, 'content', 'What the agent wrote', event.content),
        ];
      case 'consultation.asked':
        return event.turn === turn.turn
          ? stepText(n, 'question', 'Question to the expert', event.question)
          : [];
      case 'call.returned':
        if (event.call !== turn.callId) return [];
        return [...stepText(n, 'error', 'Error', event.error), ...stepText(n, 'text', 'Result', event.text)];
      default:
        return [];
    }
  });
}

const stepText = (n: number, field: RangeField, label: string, text: Text | null): StepText[] =>
  text === null || text === '' ? [] : [{ n, field, label, text }];

type Piece = { text: string; start: number; marks: string[] };

/** A text cut where marks begin and end, each piece with the names of the marks over it. */
export function markedPieces(
  text: string,
  marks: readonly { start: number; end: number; name: string }[],
): Piece[] {
  const cuts = new Set([0, text.length]);
  for (const { start, end } of marks) {
    cuts.add(Math.min(start, text.length));
    cuts.add(Math.min(end, text.length));
  }
  const at = [...cuts].toSorted((a, b) => a - b);
  return at.slice(0, -1).map((start, index) => {
    const end = at[index + 1] ?? text.length;
    const over = marks.filter((mark) => mark.start <= start && mark.end >= end);
    return { text: text.slice(start, end), start, marks: over.map(({ name }) => name) };
  });
}

type MarkWordsProps = {
  episode: string;
  events: readonly Recorded[];
  turn: Turn | null;
  view: ItemView;
  dimensions: readonly Dimension[];
  marked: MarkedRange | null;
  onMark: (marked: MarkedRange | null) => void;
  onWithdraw: (annotation: string) => void;
};

export function MarkWords(props: MarkWordsProps): ReactNode {
  const { episode, events, turn, view, dimensions, marked, onMark, onWithdraw } = props;
  const texts = useMemo(() => stepTexts(events, turn), [events, turn]);
  const [typed, setTyped] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const { texts: known } = useSession();
  useKeys({
    'annotate.mark': () => {
      input.current?.focus();
      input.current?.select();
    },
  });
  const rangeOf = ({ n, field }: StepText, start: number, end: number): MarkedRange => ({
    on: 'range',
    episode,
    turn: turn?.turn ?? null,
    n,
    field,
    start,
    end,
  });
  /** The words after the ones that are marked, from the top again after the last. */
  const find = (query: string, isNext: boolean): void => {
    if (query === '') return onMark(null);
    const hits = texts.flatMap((one) =>
      placesIn(atHand(known, one.text), query).map((at) => rangeOf(one, at, at + query.length)),
    );
    const from = isNext
      ? hits.findIndex(
          (hit) => hit.n === marked?.n && hit.start === marked.start && hit.field === marked.field,
        )
      : -1;
    onMark(hits[from + 1] ?? hits[0] ?? null);
  };
  if (texts.length === 0) return null;
  return (
    <section className={styles.field} aria-label="Mark words">
      <h3>Mark words</h3>
      <p className="quiet small">Select words below or search for them here, then choose a label.</p>
      <Field label="Words to mark">
        <Input
          ref={input}
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value);
            find(target.value, false);
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) find(typed, true);
            if (event.key === 'Escape') {
              event.preventDefault();
              event.currentTarget.blur();
            }
          }}
        />
      </Field>
      {marked === null ? null : (
        <p className="wrap-1 centered" role="status">
          <span className="quiet small">{`${String(marked.end - marked.start)} characters marked`}</span>
          <Button size="small" tone="quiet" onClick={() => onMark(null)}>
            Clear
          </Button>
        </p>
      )}
      {texts.map((one) => (
        <TextBlock
          key={`${String(one.n)} ${one.field}`}
          text={one}
          marked={marked !== null && marked.n === one.n && marked.field === one.field ? marked : null}
          annotations={view.annotations.filter(
            ({ target }) => target.on === 'range' && target.n === one.n && target.field === one.field,
          )}
          dimensions={dimensions}
          onSelect={(start, end) => onMark(rangeOf(one, start, end))}
          onWithdraw={onWithdraw}
        />
      ))}
    </section>
  );
}

function placesIn(text: string, query: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(query); at !== -1 && places.length < 1000; at = text.indexOf(query, at + 1))
    places.push(at);
  return places;
}

type BlockProps = Pick<MarkWordsProps, 'marked' | 'dimensions' | 'onWithdraw'> & {
  text: StepText;
  annotations: readonly AnnotationRow[];
  onSelect: (start: number, end: number) => void;
};

const MARKED = 'marked';

function TextBlock({ text: one, annotations, ...props }: BlockProps): ReactNode {
  const { marked, dimensions, onSelect, onWithdraw } = props;
  const { text, isWhole, isLoading, load } = useText(one.text);
  const block = useRef<HTMLPreElement>(null);
  const marks = annotations.flatMap(({ annotation, target }) =>
    target.on === 'range' ? [{ start: target.start, end: target.end, name: annotation }] : [],
  );
  const pieces = markedPieces(
    text,
    marked === null ? marks : [...marks, { start: marked.start, end: marked.end, name: MARKED }],
  );
  const select = (): void => {
    const found = block.current === null ? null : selectedIn(block.current);
    if (found !== null) onSelect(...found);
  };
  return (
    <div>
      <h4>{one.label}</h4>
      <pre
        className={styles.text}
        ref={block}
        tabIndex={0}
        aria-label={one.label}
        onMouseUp={select}
        onKeyUp={select}
      >
        {pieces.map((piece) =>
          piece.marks.length === 0 ? (
            piece.text
          ) : (
            <mark
              key={piece.start}
              className={piece.marks.includes(MARKED) ? styles.marking : styles.labelled}
            >
              {piece.text}
            </mark>
          ),
        )}
      </pre>
      {isWhole ? null : (
        <Button size="small" isBusy={isLoading} onClick={load}>
          Show the whole text
        </Button>
      )}
      {annotations.map((annotation) => {
        const dimension = dimensions.find(({ id }) => id === annotation.dimension) ?? null;
        const { target } = annotation;
        const quote = target.on === 'range' ? text.slice(target.start, target.end) : '';
        return (
          <p key={annotation.annotation} className={styles.given}>
            <span>
              <strong>{valueText(dimension, annotation.value)}</strong>
              {`: “${quote.length > 80 ? `${quote.slice(0, 80)}…` : quote}”`}
            </span>
            <IconButton
              label="Remove the label"
              icon={<X />}
              onClick={() => onWithdraw(annotation.annotation)}
            />
          </p>
        );
      })}
    </div>
  );
}

/** The selection inside an element as offsets into its text; null when there is none, or it goes beyond. */
function selectedIn(element: HTMLElement): [number, number] | null {
  const selection = window.getSelection();
  if (selection === null || selection.isCollapsed || selection.rangeCount === 0) return null;
  const range = selection.getRangeAt(0);
  if (!element.contains(range.startContainer) || !element.contains(range.endContainer)) return null;
  const before = document.createRange();
  before.selectNodeContents(element);
  before.setEnd(range.startContainer, range.startOffset);
  const start = before.toString().length;
  const { length } = range.toString();
  return length === 0 ? null : [start, start + length];
}

// The questions at a place, answered with digits or by mouse; one of them has the keys.
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { z } from 'zod';
import type { Dimension, Value } from '../../../shared/events/annotations.ts';
import type { AnnotationRow, ItemView } from '../../../shared/contract/annotate.ts';
import { targetKey } from '../../../shared/annotate/target.ts';
import { useKeys, useSession } from '../../state/hooks.ts';
import type { Bindings } from '../../state/keyboard.ts';
import { useKeptValue } from '../../state/keptValue.ts';
import { cx } from '../../ui/cx.ts';
import { Textarea } from '../../ui/Field.tsx';
import { Kbd } from '../../ui/Kbd.tsx';
import {
  choicesOf,
  currentIndex,
  firstFieldPlace,
  isAt,
  isChosen,
  keptAt,
  ownAt,
  valueText,
  valueWithChoice,
  type ChosenField,
  type ReviewField,
} from './fields.ts';
import * as styles from './Review.module.css';
import type { Review } from './useReview.ts';

/** Answers that the keys 1 to 9 give; 0 turns to the next nine. */
export const OPTIONS_SHOWN = 9;
/** So much of a question is its name and the first row of answers. */
const ENOUGH_PX = 56;

type Props = { fields: readonly ReviewField[]; view: ItemView; review: Review; isReadOnly: boolean };

export function FieldList({ fields, view, review, isReadOnly }: Props): ReactNode {
  const { seat } = useSession();
  const [at, setAt] = useState<ChosenField | null>(null);
  const [turned, setTurned] = useState({ key: '', page: 0 });
  const list = useRef<HTMLDivElement>(null);
  const isEntered = useRef(false);
  const place = firstFieldPlace(fields);
  const kept = keptAt(fields, at);
  if (kept !== at) setAt(kept);
  const index = currentIndex(fields, kept);
  const field = fields[index];
  const key = field?.key ?? null;
  const choices = field === undefined ? [] : choicesOf(field.dimension);
  const pages = Math.max(1, Math.ceil(choices.length / OPTIONS_SHOWN));
  const page = turned.key === key ? turned.page % pages : 0;
  const first = page * OPTIONS_SHOWN;
  const own = field === undefined ? null : ownAt(field, view.annotations, seat);

  const goTo = (next: number): void => {
    const wrapped = fields[(next + fields.length) % Math.max(1, fields.length)];
    if (wrapped !== undefined) setAt({ key: wrapped.key, place });
  };
  useEffect(() => {
    // Nothing moves under a pointer that is being pressed; what is pressed can be seen.
    if (!isEntered.current) showCard(currentCard(list.current), index === 0);
    isEntered.current = false;
  }, [key, place, index]);
  /** A key answers what can be read; where one has scrolled away it leads back to the question instead. */
  const inSight = (act: () => void) => (): void => {
    const card = currentCard(list.current);
    if (card !== null && isCardShown(card)) act();
    else showCard(card, index === 0);
  };
  const bindings: Bindings = {
    right: () => goTo(index + 1),
    left: () => goTo(index - 1),
  };
  if (field !== undefined && !isReadOnly) {
    bindings.option = (digit) => {
      const choice = digit === '0' ? undefined : choices[first + Number(digit) - 1];
      if (digit === '0' && pages > 1) setTurned({ key: field.key, page: page + 1 });
      else if (choice !== undefined)
        inSight(() => review.set(field, valueWithChoice(field.dimension, own?.value ?? null, choice.id)))();
    };
    bindings.edit = () => {
      const texts = fields.findIndex(({ dimension }, one) => dimension.type === 'free_text' && one >= index);
      const to = texts === -1 ? fields.findIndex(({ dimension }) => dimension.type === 'free_text') : texts;
      if (to === -1) return;
      goTo(to);
      list.current?.querySelectorAll('section')[to]?.querySelector('textarea')?.focus();
    };
  }
  useKeys(bindings);
  return (
    <div className="stack-2" ref={list}>
      {fields.length === 0 ? <p className="quiet regular small">No questions about this step.</p> : null}
      {fields.map((one) => (
        <FieldCard
          key={`${one.key} ${targetKey(one.target)}`}
          field={one}
          item={view.row.item}
          own={ownAt(one, view.annotations, seat)}
          others={view.annotations.filter((given) => given.reviewer !== seat && isAt(one, given))}
          digitsFrom={one === field && !isReadOnly ? first : null}
          isReadOnly={isReadOnly}
          review={review}
          onEnter={() => {
            if (one.key === key) return;
            isEntered.current = true;
            goTo(fields.indexOf(one));
          }}
        />
      ))}
    </div>
  );
}

/** The card that has the keys. */
const currentCard = (list: HTMLElement | null): HTMLElement | null =>
  list?.querySelector<HTMLElement>('[data-current="true"]') ?? null;

/** Scrolls to a card; to the first one with what stands over it, where both have room. */
function showCard(card: HTMLElement | null, isFirst: boolean): void {
  if (card === null) return;
  if (isFirst) card.closest('[data-scrolls]')?.scrollTo(0, 0);
  if (!isFirst || !isCardShown(card)) card.scrollIntoView({ block: 'nearest' });
}

/** Whether so much of the card is in its panel, and of the panel on the screen, that its keys can be read. */
function isCardShown(element: HTMLElement): boolean {
  const panel = element.closest('[data-scrolls]')?.getBoundingClientRect();
  const [top, bottom] = [
    Math.max(0, panel?.top ?? 0),
    Math.min(window.innerHeight, panel?.bottom ?? Infinity),
  ];
  const card = element.getBoundingClientRect();
  const seen = Math.min(card.bottom, bottom) - Math.max(card.top, top);
  return seen > 0 && seen >= Math.min(ENOUGH_PX, card.height, bottom - top);
}

type FieldCardProps = {
  field: ReviewField;
  item: string;
  own: AnnotationRow | null;
  others: readonly AnnotationRow[];
  /** The option that has the key 1; null where the keys are elsewhere. */
  digitsFrom: number | null;
  isReadOnly: boolean;
  review: Review;
  onEnter: () => void;
};

function FieldCard(props: FieldCardProps): ReactNode {
  const { field, own, others, digitsFrom, isReadOnly, review, onEnter } = props;
  const { dimension } = field;
  return (
    <section
      className={cx(styles.field, digitsFrom !== null && styles.isCurrent)}
      data-current={digitsFrom !== null}
      aria-label={dimension.name}
      aria-current={digitsFrom !== null}
      onFocus={onEnter}
    >
      <h3 title={dimension.description}>
        {dimension.name}
        {dimension.is_required ? <span className="quiet regular small"> required</span> : null}
      </h3>
      <Choices
        dimension={dimension}
        value={own?.value ?? null}
        onGive={(value) => review.set(field, value)}
        digitsFrom={digitsFrom}
        isReadOnly={isReadOnly}
      />
      {dimension.type === 'scale' ? (
        <p className={styles.ends}>
          {dimension.min_label === '' ? null : (
            <span>{`${String(dimension.min)}: ${dimension.min_label}`}</span>
          )}
          {dimension.max_label === '' ? null : (
            <span>{`${String(dimension.max)}: ${dimension.max_label}`}</span>
          )}
        </p>
      ) : null}
      {dimension.type === 'free_text' ? <NoteField {...props} /> : null}
      {others.map((one) => (
        <p key={one.annotation} className="quiet regular small">
          <code>{one.reviewer}</code>: {valueText(dimension, one.value)}
        </p>
      ))}
    </section>
  );
}

type ChoiceProps = {
  /** The key that chooses it; null where it has none. */
  digit?: number | null;
  isPressed: boolean;
  title?: string;
  isDisabled?: boolean;
  onChoose: () => void;
  children: ReactNode;
};

export const Choice = ({
  digit = null,
  isPressed,
  title,
  isDisabled,
  onChoose,
  children,
}: ChoiceProps): ReactNode => (
  <button
    type="button"
    className={styles.choice}
    aria-pressed={isPressed}
    title={title}
    disabled={isDisabled}
    onClick={onChoose}
  >
    {digit === null ? null : <Kbd chord={String(digit)} />}
    {children}
  </button>
);

type ChoicesProps = {
  dimension: Dimension;
  value: Value | null;
  onGive: (value: Value | null) => void;
  /** The option that has the key 1; null where the keys are elsewhere. */
  digitsFrom?: number | null;
  isReadOnly?: boolean;
};

/** What a question can be answered with but by text. */
export function Choices({
  dimension,
  value,
  onGive,
  digitsFrom = null,
  isReadOnly = false,
}: ChoicesProps): ReactNode {
  const choices = choicesOf(dimension);
  return (
    <div className="wrap-1 centered" role="group" aria-label={dimension.name}>
      {choices.map(({ id, label, description }, index) => {
        const digit = digitsFrom === null ? 0 : index - digitsFrom + 1;
        return (
          <Choice
            key={id}
            digit={digit >= 1 && digit <= OPTIONS_SHOWN ? digit : null}
            isPressed={isChosen(value, id)}
            title={description}
            isDisabled={isReadOnly}
            onChoose={() => onGive(valueWithChoice(dimension, value, id))}
          >
            {label}
          </Choice>
        );
      })}
      {digitsFrom !== null && choices.length > OPTIONS_SHOWN ? (
        <span className="quiet regular small">
          <Kbd chord="0" /> for more options
        </span>
      ) : null}
    </div>
  );
}

/** Words are kept as they are written, and given when the field is left. */
function NoteField({ field, item, own, isReadOnly, review }: FieldCardProps): ReactNode {
  const [kept, keep] = useKeptValue(`note/${item}/${field.key}/${targetKey(field.target)}`, z.string());
  const given = own?.value.type === 'free_text' ? own.value.text : '';
  const give = (): void => {
    if (kept === null) return;
    const text = kept.trim();
    if (text !== given) review.set(field, text === '' ? null : { type: 'free_text', text });
    keep(null);
  };
  return (
    <Textarea
      aria-label={field.dimension.name}
      rows={Math.min(8, Math.max(2, (kept ?? given).split('\n').length))}
      value={kept ?? given}
      readOnly={isReadOnly}
      maxLength={100_000}
      onChange={({ target }) => keep(target.value)}
      onBlur={give}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        event.currentTarget.blur();
      }}
    />
  );
}

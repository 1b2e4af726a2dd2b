// The questions at a place, answered with digits or by mouse; one of them has the keys.
import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { Target } from '../../../shared/events/annotations.ts';
import { targetKey } from '../../../shared/review/target.ts';
import { useKeys } from '../../state/hooks.ts';
import type { Bindings } from '../../state/keyboard.ts';
import { cx } from '../../ui/cx.ts';
import { Kbd } from '../../ui/Kbd.tsx';
import { currentIndex, firstFieldPlace, keptAt, type ChosenField, type FieldPlace } from './fields.ts';
import * as styles from './Review.module.css';

/** Answers that the keys 1 to 9 give; 0 turns to the next nine. */
const OPTIONS_SHOWN = 9;
/** So much of a question is its name and the first row of answers. */
const ENOUGH_PX = 56;

export type Choice = {
  id: string;
  label: ReactNode;
  description: string;
  isPressed: boolean;
  /** Who gave this answer. */
  by?: string;
  onChoose: () => void;
};
export type FormField = {
  /** The same on every step, so that the place in the list stays while steps pass. */
  key: string;
  target: Target;
  name: string;
  /** Beside the name: that an answer is required, or what it is about. */
  note: string;
  help: string;
  choices: readonly Choice[];
  /** Under the choices. */
  children?: ReactNode;
};

/** The question that has the keys. */
export function useCurrentField(fields: readonly FieldPlace[]) {
  const [at, setAt] = useState<ChosenField | null>(null);
  const kept = keptAt(fields, at);
  if (kept !== at) setAt(kept);
  return {
    index: currentIndex(fields, kept),
    /** Goes to a question, from the last one on to the first; null: to the first that is not settled. */
    goTo: (place: number | null): void => {
      const field = place === null ? undefined : fields[(place + fields.length) % Math.max(1, fields.length)];
      setAt(field === undefined ? null : { key: field.key, place: firstFieldPlace(fields) });
    },
  };
}

type FieldListProps = {
  fields: readonly FormField[];
  current: ReturnType<typeof useCurrentField>;
  isReadOnly?: boolean;
};

export function FieldList({
  fields,
  current: { index, goTo },
  isReadOnly = false,
}: FieldListProps): ReactNode {
  const [turned, setTurned] = useState({ key: '', page: 0 });
  const list = useRef<HTMLDivElement>(null);
  const isEntered = useRef(false);
  const field = fields[index];
  const key = field?.key ?? null;
  const choices = field?.choices ?? [];
  const pages = Math.max(1, Math.ceil(choices.length / OPTIONS_SHOWN));
  const page = turned.key === key ? turned.page % pages : 0;
  const first = page * OPTIONS_SHOWN;
  const place = firstFieldPlace(fields);

  useEffect(() => {
    // Nothing moves under a pointer that is being pressed; what is pressed can be seen.
    if (!isEntered.current) showCard(currentCard(list.current), index === 0);
    isEntered.current = false;
  }, [key, place, index]);
  /** A key answers what can be read; where one has scrolled away it leads back to the question instead. */
  const inSight = (act: () => void): void => {
    const card = currentCard(list.current);
    if (card !== null && isCardShown(card)) act();
    else showCard(card, index === 0);
  };
  const enter = (at: number): void => {
    if (fields[at]?.key === key) return;
    isEntered.current = true;
    goTo(at);
  };
  const bindings: Bindings = {
    right: () => goTo(index + 1),
    left: () => goTo(index - 1),
  };
  if (field !== undefined && !isReadOnly) {
    bindings.option = (digit) => {
      const choice = digit === '0' ? undefined : choices[first + Number(digit) - 1];
      if (digit === '0' && pages > 1) setTurned({ key: field.key, page: page + 1 });
      else if (choice !== undefined) inSight(choice.onChoose);
    };
    bindings.edit = () => {
      const texts = [...(list.current?.querySelectorAll('section') ?? [])].map((card) =>
        card.querySelector('textarea'),
      );
      const to = texts.findIndex((text, at) => text !== null && at >= index);
      const text = texts[to] ?? texts.find((one) => one !== null);
      if (text === undefined || text === null) return;
      goTo(texts.indexOf(text));
      text.focus();
    };
  }
  useKeys(bindings);
  return (
    <div className="stack-2" ref={list}>
      {fields.length === 0 ? <p className="quiet small">No questions about this step.</p> : null}
      {fields.map((one, at) => (
        <section
          key={`${one.key} ${targetKey(one.target)}`}
          className={cx(styles.field, one === field && styles.isCurrent)}
          data-current={one === field}
          aria-label={one.note === '' || one.note === REQUIRED ? one.name : `${one.name}, ${one.note}`}
          aria-current={one === field}
          onFocus={() => enter(at)}
          onPointerDown={() => enter(at)}
        >
          <h3 title={one.help}>
            {one.name} <span className="quiet regular small">{one.note}</span>
          </h3>
          <Choices
            label={one.name}
            choices={one.choices}
            digitsFrom={one === field && !isReadOnly ? first : null}
            isReadOnly={isReadOnly}
          />
          {one.children}
        </section>
      ))}
    </div>
  );
}

export const REQUIRED = 'required';

/** The card that has the keys. */
const currentCard = (list: HTMLElement | null): HTMLElement | null =>
  list?.querySelector<HTMLElement>('[data-current="true"]') ?? null;

/** Scrolls to a card; to the first one with what stands over it, where both have room. */
function showCard(card: HTMLElement | null, isFirst: boolean): void {
  if (card === null) return;
  if (isFirst) card.closest('[data-scrolls]')?.scrollTo(0, 0);
  if (!isFirst || !isCardShown(card)) card.scrollIntoView({ block: 'nearest' });
}

/** True if so much of the card is in its panel, and of the panel on the screen, that its keys can be read. */
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

type ChoicesProps = {
  label: string;
  choices: readonly Choice[];
  /** The option that has the key 1; null where the keys are elsewhere. */
  digitsFrom?: number | null;
  isReadOnly?: boolean;
};

/** Choices for answering a question without text. */
export const Choices = ({
  label,
  choices,
  digitsFrom = null,
  isReadOnly = false,
}: ChoicesProps): ReactNode =>
  choices.length === 0 ? null : (
    <div className="wrap-1 centered" role="group" aria-label={label}>
      {choices.map(({ id, label: name, description, isPressed, by, onChoose }, index) => {
        const digit = digitsFrom === null ? 0 : index - digitsFrom + 1;
        return (
          <button
            key={id}
            type="button"
            className={styles.choice}
            aria-pressed={isPressed}
            title={description}
            disabled={isReadOnly}
            onClick={onChoose}
          >
            {digit >= 1 && digit <= OPTIONS_SHOWN ? <Kbd chord={String(digit)} /> : null}
            <span>{name}</span>
            {by === undefined ? null : <span className="quiet small">{by}</span>}
          </button>
        );
      })}
      {digitsFrom !== null && choices.length > OPTIONS_SHOWN ? (
        <span className="quiet small">
          <Kbd chord="0" /> for more options
        </span>
      ) : null}
    </div>
  );

// A plan as numbered sentences: read, changed, moved, added and removed by mouse or keyboard. The text stays the truth.
import { Plus, Undo2 } from 'lucide-react';
import {
  Fragment,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  type Ref,
  type RefObject,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { Button } from '../../ui/Button.tsx';
import type { KnownTool } from '../advice/planCheck.ts';
import * as styles from './Plan.module.css';
import { type OpenInStep, PlanStepRow, type StepActs } from './PlanStepRow.tsx';
import {
  type PlanStep,
  sheetOf,
  withAdded,
  withArgument,
  withAround,
  withBetween,
  withMoved,
  withoutStep,
  withPurpose,
  withRepeated,
  withTool,
} from './planText.ts';
import { Prose } from './Prose.tsx';
import { ToolChooser } from './ToolChooser.tsx';

export type PlanEditorHandle = { focus: () => void };
type PlanEditorProps = {
  text: string;
  tools: readonly KnownTool[];
  isReadOnly: boolean;
  /** What the plan is called; a page may show several. */
  label?: string;
  onChange: (text: string) => void;
  /** Escape leaves the plan. */
  onLeave?: () => void;
  /** What stands below a step, such as what its call would return. */
  stepNote?: ((index: number) => ReactNode) | undefined;
  /** It was begun just now: the focus goes to what its first step lacks. */
  isStarted?: boolean;
  ref?: Ref<PlanEditorHandle>;
};

export function PlanEditor(props: PlanEditorProps): ReactNode {
  const { text, tools, isReadOnly, label = 'Plan', onChange, stepNote, ref } = props;
  const { steps, before, between, after, form } = sheetOf(text);
  const list = useRef<HTMLOListElement>(null);
  const adder = useRef<HTMLButtonElement>(null);
  const focusAfter = useFocusAfter(list, adder, props.isStarted === true ? NEW_STEP : null);
  const { opened, edit, move, add, actsOf, keysOf, undo, said } = usePlanActs(
    text,
    steps,
    onChange,
    focusAfter,
  );
  const drag = useStepDrag(list, move);
  useImperativeHandle(ref, () => ({ focus: edit }));
  const callIndex = (index: number): number => steps.slice(0, index).filter(({ tool }) => tool !== '').length;

  return (
    <section
      className={styles.plan}
      aria-label={label}
      data-plan={isReadOnly ? undefined : ''}
      onKeyDown={isReadOnly ? undefined : (event) => planKeys(event, { undo, leave: props.onLeave })}
    >
      <Prose
        label="Text before the steps"
        words={before}
        isReadOnly={isReadOnly}
        onChange={(next) => onChange(withAround(text, { before: next }))}
      />
      <ol ref={list} className={styles.steps}>
        {steps.map((step, index) => (
          // Steps have no name of their own: their place is all there is.
          // oxlint-disable-next-line react/no-array-index-key
          <Fragment key={index}>
            <PlanStepRow
              step={step}
              index={index}
              count={steps.length}
              tools={tools}
              hasPurpose={form === 'json'}
              acts={isReadOnly ? null : actsOf(index)}
              open={opened?.index === index ? opened.open : null}
              note={step.tool === '' ? null : stepNote?.(callIndex(index))}
              drop={
                drag.to !== index || drag.from === null || drag.from === index
                  ? null
                  : drag.from < index
                    ? 'after'
                    : 'before'
              }
              isDragged={drag.from === index}
              handle={drag.handle(index)}
              onKeyDown={isReadOnly ? () => undefined : keysOf(index)}
            />
            {between[index] === undefined || index === steps.length - 1 ? null : (
              <Between
                words={between[index]}
                number={index + 1}
                isReadOnly={isReadOnly}
                onChange={(next) => onChange(withBetween(text, index, next))}
              />
            )}
          </Fragment>
        ))}
      </ol>
      {isReadOnly ? null : (
        <PlanActs
          tools={tools}
          adder={adder}
          onAdd={add}
          onLeave={() => focusAfter({ index: steps.length })}
          undo={undo}
          said={said}
        />
      )}
      <Prose
        label="Text after the steps"
        words={after}
        gap={'\n\n'}
        placeholder="Anything else the agent should know"
        isReadOnly={isReadOnly}
        onChange={(next) => onChange(withAround(text, { after: next }))}
      />
      <p className="quiet-label" aria-live="polite">
        {said}
      </p>
    </section>
  );
}

/** Acts on the steps, and the place of the focus after each. */
function usePlanActs(
  text: string,
  steps: readonly PlanStep[],
  onChange: (text: string) => void,
  focusAfter: (target: FocusTarget) => void,
) {
  const [opened, setOpened] = useState<{ index: number; open: OpenInStep } | null>(null);
  const count = steps.length;
  const { change, undo, said } = useHistory(text, onChange);
  /** Opens the first value there is, so that what is typed next is typed into it. */
  const edit = (): void => {
    const index = steps.findIndex(({ args }) => Object.keys(args).length > 0);
    const argument = Object.keys(steps[index]?.args ?? {})[0];
    if (argument === undefined) return focusAfter({ index: 0, isFirstChip: true });
    setOpened({ index, open: { type: 'argument', argument } });
  };
  const move = (from: number, to: number): void => {
    if (to < 0 || to >= count) return;
    setOpened(null);
    change(withMoved(text, from, to), `Step ${String(from + 1)} is now step ${String(to + 1)}.`);
    focusAfter({ index: to });
  };
  const remove = (index: number): void => {
    setOpened(null);
    change(withoutStep(text, index), `Step ${String(index + 1)} was removed.`, true);
    focusAfter({ index: Math.min(index, count - 2) });
  };
  const repeat = (index: number): void => {
    setOpened(null);
    change(withRepeated(text, index), `Step ${String(index + 1)} stands twice.`, true);
    focusAfter({ index: index + 1 });
  };
  const add = (tool: string): void => {
    change(withAdded(text, tool), `Step ${String(count + 1)} was added.`);
    focusAfter({ index: count, isEmptyChip: true });
  };
  const close = (index: number): void => {
    const open = opened?.index === index ? opened.open : null;
    setOpened(null);
    focusAfter({ index, isStill: true, ...(open?.type === 'argument' ? { chip: open.argument } : {}) });
  };
  const actsOf = (index: number): StepActs => ({
    onOpen: (open) => (open === null ? close(index) : setOpened({ index, open })),
    onArgument: (argument, value) => onChange(withArgument(text, index, argument, value)),
    onTool: (tool) => {
      setOpened(null);
      change(withTool(text, index, tool), `Step ${String(index + 1)} uses another tool.`);
      focusAfter({ index });
    },
    onPurpose: (purpose) => onChange(withPurpose(text, index, purpose)),
    onFix: ({ apply, label }) => {
      change(apply(text, index), `${label}: done.`);
      focusAfter({ index });
    },
    onMove: (by) => move(index, index + by),
    onRepeat: () => repeat(index),
    onRemove: () => remove(index),
  });
  const keysOf = (index: number) => (event: KeyboardEvent) =>
    stepKeys(event, {
      move: (by) => move(index, index + by),
      remove: () => remove(index),
      repeat: () => repeat(index),
      go: (by) => focusAfter({ index: Math.max(0, Math.min(count - 1, index + by)) }),
      enter: () => focusAfter({ index, isFirstChip: true }),
    });
  return { opened, edit, move, add, actsOf, keysOf, undo, said };
}

type PlanActsProps = {
  tools: readonly KnownTool[];
  adder: Ref<HTMLButtonElement>;
  onAdd: (tool: string) => void;
  onLeave: () => void;
  undo: (() => void) | null;
  said: string;
};

/** Adding a step below the others, and taking back the last removal. */
function PlanActs({ tools, adder, onAdd, onLeave, undo, said }: PlanActsProps): ReactNode {
  const [isAdding, setIsAdding] = useState(false);
  const close = (then: () => void): void => {
    setIsAdding(false);
    then();
  };
  return (
    <div className="wrap-2 centered">
      {isAdding ? (
        <ToolChooser
          label="Tool of the new step"
          tools={tools}
          onChoose={(tool) => close(() => onAdd(tool))}
          onLeave={() => close(onLeave)}
        />
      ) : (
        <Button ref={adder} size="small" tone="quiet" icon={<Plus />} onClick={() => setIsAdding(true)}>
          Add a step
        </Button>
      )}
      {undo === null ? null : (
        <Button size="small" tone="quiet" icon={<Undo2 />} onClick={undo}>
          {`${said.replace(/\.$/, '')}: undo`}
        </Button>
      )}
    </div>
  );
}

type BetweenProps = { words: string; number: number; isReadOnly: boolean; onChange: (words: string) => void };

const Between = ({ words, number, isReadOnly, onChange }: BetweenProps): ReactNode => (
  <li className={styles.between} hidden={words.trim() === ''}>
    <Prose
      label={`Text after step ${String(number)}`}
      words={words}
      isReadOnly={isReadOnly}
      onChange={onChange}
    />
  </li>
);

/** Changes of the plan's shape, each said and the last one taken back by one press. */
function useHistory(text: string, onChange: (text: string) => void) {
  const [last, setLast] = useState<{
    before: string;
    after: string;
    said: string;
    isOffered: boolean;
  } | null>(null);
  const isLast = last !== null && last.after === text;
  return {
    change: (next: string, said: string, isOffered = false): void => {
      setLast({ before: text, after: next, said, isOffered });
      onChange(next);
    },
    undo:
      isLast && last.isOffered
        ? (): void => {
            setLast({ before: text, after: last.before, said: 'The step is back.', isOffered: false });
            onChange(last.before);
          }
        : null,
    said: isLast ? last.said : '',
  };
}

type FocusTarget = {
  index: number;
  chip?: string;
  isFirstChip?: boolean;
  isEmptyChip?: boolean;
  /** The step stays where it is on the screen, whatever goes from below it. */
  isStill?: boolean;
};

const NEW_STEP: FocusTarget = { index: 0, isEmptyChip: true };

/** Puts the focus into the steps once what was asked for is drawn; past the last step it is the button that adds one. */
function useFocusAfter(
  list: { current: HTMLElement | null },
  adder: { current: HTMLElement | null },
  atFirst: FocusTarget | null,
) {
  const wanted = useRef<FocusTarget | null>(atFirst);
  const standsAt = useRef<number | null>(null);
  const stepAt = (index: number): HTMLElement | null =>
    list.current?.querySelector<HTMLElement>(`[data-step="${String(index)}"]`) ?? null;
  const [, draw] = useState(0);
  useLayoutEffect(() => {
    const target = wanted.current;
    if (target === null) return;
    wanted.current = null;
    const step = stepAt(target.index);
    if (target.isStill === true && step !== null && standsAt.current !== null)
      keepPlace(step, standsAt.current);
    const chips = [...(step?.querySelectorAll<HTMLElement>('[data-chip]') ?? [])];
    const chip =
      target.chip === undefined
        ? target.isFirstChip === true
          ? chips[0]
          : target.isEmptyChip === true
            ? chips.find((one) => one.dataset['missing'] === 'true')
            : undefined
        : chips.find((one) => one.dataset['chip'] === target.chip);
    (chip ?? step?.querySelector<HTMLElement>('[data-handle]') ?? adder.current)?.focus({
      preventScroll: target.isStill === true,
    });
  });
  return (target: FocusTarget): void => {
    wanted.current = target;
    standsAt.current = stepAt(target.index)?.getBoundingClientRect().top ?? null;
    draw((count) => count + 1);
  };
}

/** Scrolls what the element stands in, so that it is again as high on the screen as it was. */
function keepPlace(element: HTMLElement, top: number): void {
  let scroller = element.parentElement;
  while (scroller !== null && !/auto|scroll/.test(getComputedStyle(scroller).overflowY))
    scroller = scroller.parentElement;
  const moved = element.getBoundingClientRect().top - top;
  if (scroller !== null && moved !== 0) scroller.scrollTop += moved;
}

type Drag = { from: number; to: number; startY: number; hasMoved: boolean };
/** Less than this is a press, not a drag. */
const DRAG_MIN_PX = 4;

/**
 * Dragging a step by its handle: where it would land while the pointer is down, and the move when it is let go.
 */
function useStepDrag(list: RefObject<HTMLElement | null>, onMove: (from: number, to: number) => void) {
  const [drag, setDrag] = useState<Drag | null>(null);
  const placeAt = (y: number): number => {
    const steps = [...(list.current?.querySelectorAll<HTMLElement>(':scope > [data-step]') ?? [])];
    const below = steps.findIndex((step) => {
      const { top, height } = step.getBoundingClientRect();
      return y < top + height / 2;
    });
    return below === -1 ? steps.length : below;
  };
  const handle = (index: number) => ({
    onPointerDown: (event: PointerEvent<HTMLElement>): void => {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      setDrag({ from: index, to: index, startY: event.clientY, hasMoved: false });
    },
    onPointerMove: ({ clientY }: PointerEvent): void => {
      if (drag === null) return;
      const hasMoved = drag.hasMoved || Math.abs(clientY - drag.startY) >= DRAG_MIN_PX;
      if (!hasMoved) return;
      const gap = placeAt(clientY);
      setDrag({ ...drag, hasMoved, to: gap > drag.from ? gap - 1 : gap });
    },
    onPointerUp: (): void => {
      setDrag(null);
      if (drag !== null && drag.hasMoved && drag.to !== drag.from) onMove(drag.from, drag.to);
    },
    onPointerCancel: (): void => setDrag(null),
  });
  const isDragging = drag !== null && drag.hasMoved;
  return { handle, from: isDragging ? drag.from : null, to: isDragging ? drag.to : null };
}

/** The keys of the steps and of the plan around them. */
const isWriting = ({ target }: KeyboardEvent): boolean =>
  target instanceof HTMLInputElement ||
  target instanceof HTMLTextAreaElement ||
  target instanceof HTMLSelectElement;

const taken = (event: KeyboardEvent): void => {
  event.preventDefault();
  event.stopPropagation();
};

type StepKeys = {
  move: (by: -1 | 1) => void;
  remove: () => void;
  repeat: () => void;
  go: (by: -1 | 1) => void;
  enter: () => void;
};

function stepKeys(event: KeyboardEvent, { move, remove, repeat, go, enter }: StepKeys): void {
  const { key, altKey, ctrlKey, metaKey, shiftKey } = event;
  if (key === 'ArrowDown' && altKey && shiftKey && !isWriting(event)) {
    taken(event);
    return repeat();
  }
  if (isWriting(event) || ctrlKey || metaKey || shiftKey) return;
  const by = key === 'ArrowUp' ? -1 : key === 'ArrowDown' ? 1 : null;
  const isOnHandle = event.target instanceof HTMLElement && 'handle' in event.target.dataset;
  if (by !== null && (altKey || isOnHandle)) {
    taken(event);
    if (altKey) move(by);
    else go(by);
  } else if (altKey) return;
  else if (key === 'Delete') {
    taken(event);
    remove();
  } else if (key === 'Enter' && isOnHandle) {
    taken(event);
    enter();
  }
}

function planKeys(
  event: KeyboardEvent,
  { undo, leave }: { undo: (() => void) | null; leave: (() => void) | undefined },
): void {
  if (event.defaultPrevented) return;
  if (event.key === 'Escape' && leave !== undefined) {
    taken(event);
    leave();
  } else if (
    event.key.toLowerCase() === 'z' &&
    (event.ctrlKey || event.metaKey) &&
    !isWriting(event) &&
    undo !== null
  ) {
    taken(event);
    undo();
  }
}

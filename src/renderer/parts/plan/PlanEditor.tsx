// A plan as numbered sentences: read, changed, moved, added and removed by mouse or keyboard. The text stays the truth.
import { Plus, Undo2 } from 'lucide-react';
import {
  Fragment,
  useImperativeHandle,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
} from 'react';
import { Button } from '../../ui/Button.tsx';
import type { KnownTool } from '../advice/planCheck.ts';
import * as styles from './Plan.module.css';
import { PlanStepRow, type OpenInStep, type StepActs } from './PlanStepRow.tsx';
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
import { planKeys, stepKeys } from './planKeys.ts';
import { ToolChooser } from './ToolChooser.tsx';
import { NEW_STEP, useFocusAfter, type FocusTarget } from './useFocusAfter.ts';
import { useStepDrag } from './useStepDrag.ts';

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

/** What can be done with the steps, and where the focus goes after each. */
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

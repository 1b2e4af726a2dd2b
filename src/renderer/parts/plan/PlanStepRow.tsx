// One step of a plan: its sentence, what is wrong with it, why it is done, and what the place around it adds.
import {
  ArrowDown,
  ArrowUp,
  CopyPlus,
  Ellipsis,
  GripVertical,
  MessageSquareText,
  Plus,
  Replace,
  Trash2,
  TriangleAlert,
} from 'lucide-react';
import {
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { argumentLabel, callSentence, listedArguments } from '../../../shared/sentences/sentence.ts';
import type { Wrong } from '../../../shared/schema/checkValue.ts';
import { Button } from '../../ui/Button.tsx';
import { cx } from '../../ui/cx.ts';
import { Textarea } from '../../ui/Field.tsx';
import { Menu, type MenuEntry } from '../../ui/Menu.tsx';
import { argumentProblems, type KnownTool } from '../advice/planCheck.ts';
import { type SchemaField, schemaFields } from '../call/schemaForm.ts';
import { VisibleText } from '../text/VisibleText.tsx';
import { ArgumentForm } from '../call/ArgumentForm.tsx';
import { useNameOf } from './Names.tsx';
import type { PlanStep } from './planText.ts';
import { type StepProblem, stepProblems } from './stepProblems.ts';
import { StepSentence } from './StepSentence.tsx';
import { ToolChooser } from './ToolChooser.tsx';
import * as styles from './Plan.module.css';

/** The open part of a step: the field of an argument, or the list of tools. */
export type OpenInStep = { type: 'argument'; argument: string } | { type: 'tool' } | null;

export type StepActs = {
  onOpen: (open: OpenInStep) => void;
  onArgument: (argument: string, value: unknown) => void;
  onTool: (tool: string) => void;
  onPurpose: (purpose: string | null) => void;
  onFix: (fix: NonNullable<StepProblem['fix']>) => void;
  onMove: (by: -1 | 1) => void;
  onRepeat: () => void;
  onRemove: () => void;
};

type PlanStepRowProps = {
  step: PlanStep;
  index: number;
  count: number;
  tools: readonly KnownTool[];
  hasPurpose: boolean;
  /** Null where nothing can be changed. */
  acts: StepActs | null;
  open: OpenInStep;
  note: ReactNode;
  drop: 'before' | 'after' | null;
  isDragged: boolean;
  handle: {
    onPointerDown: (event: PointerEvent<HTMLElement>) => void;
    onPointerMove: (event: PointerEvent) => void;
    onPointerUp: () => void;
    onPointerCancel: () => void;
  };
  onKeyDown: (event: KeyboardEvent) => void;
};

export function PlanStepRow(props: PlanStepRowProps): ReactNode {
  const { step, index, count, tools, hasPurpose, acts, open, note, drop, isDragged, handle, onKeyDown } =
    props;
  const number = String(index + 1);
  const nameOf = useNameOf();
  const known = tools.find(({ name }) => name === step.tool) ?? { name: step.tool };
  const sentence = callSentence(known, step.args, nameOf);
  const problems = stepProblems(step, tools);
  const wrong = new Set(problems.flatMap(({ argument }) => argument ?? []));
  return (
    <li
      data-step={index}
      className={cx(
        styles.step,
        drop === 'before' && styles.dropBefore,
        drop === 'after' && styles.dropAfter,
        isDragged && styles.isDragged,
      )}
      // Keys of a step act from anywhere in it.
      onKeyDown={onKeyDown}
    >
      {acts === null ? (
        <span className={styles.number}>{number}</span>
      ) : (
        <button
          type="button"
          data-handle
          className={styles.handle}
          aria-label={`Step ${number}: ${sentence.text}`}
          aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown Alt+Shift+ArrowDown Delete Enter"
          title="Drag, or Alt with an arrow, to move; Alt with Shift and the down arrow to duplicate; Delete to remove; Enter for its values"
          {...handle}
        >
          <GripVertical aria-hidden="true" />
          <span className={styles.number}>{number}</span>
        </button>
      )}
      <div className={styles.body}>
        <StepSentence
          sentence={sentence}
          chips={
            acts === null
              ? null
              : {
                  open: open?.type === 'argument' ? open.argument : null,
                  wrong,
                  onPress: (argument) =>
                    acts.onOpen(
                      open?.type === 'argument' && open.argument === argument
                        ? null
                        : { type: 'argument', argument },
                    ),
                }
          }
        />
        {listedArguments(step.args, nameOf, step.tool).map(({ argument, lines }) => (
          <ul key={argument} className={styles.items} aria-label={`${argumentLabel(argument)}, item by item`}>
            {lines.map((line, at) => (
              // An item has no other name than its place.
              // oxlint-disable-next-line react/no-array-index-key
              <li key={at}>
                <VisibleText text={line} />
              </li>
            ))}
          </ul>
        ))}
        {acts === null ? null : <Opened {...props} known={known} acts={acts} />}
        <Problems problems={problems} onFix={acts === null ? null : acts.onFix} />
        {hasPurpose && step.purpose !== null ? (
          <Purpose number={number} purpose={step.purpose} onPurpose={acts === null ? null : acts.onPurpose} />
        ) : null}
        {note}
      </div>
      {acts === null ? null : (
        <StepMenu
          number={number}
          isFirst={index === 0}
          isLast={index === count - 1}
          optional={optionalArguments(known, step)}
          onArgument={(argument) => acts.onOpen({ type: 'argument', argument })}
          onTool={() => acts.onOpen({ type: 'tool' })}
          onPurpose={hasPurpose && step.purpose === null ? () => acts.onPurpose('') : null}
          onMove={acts.onMove}
          onRepeat={acts.onRepeat}
          onRemove={acts.onRemove}
        />
      )}
    </li>
  );
}

const optionalArguments = ({ input_schema: schema = {} }: KnownTool, { args }: PlanStep): string[] =>
  (schemaFields(schema) ?? []).flatMap(({ name, isRequired }) =>
    isRequired || Object.hasOwn(args, name) ? [] : [name],
  );

/** The field or the list that was opened in a step. */
function Opened({
  step,
  open,
  tools,
  known,
  acts,
}: PlanStepRowProps & { known: KnownTool; acts: StepActs }): ReactNode {
  const schema = known.input_schema;
  const fields = useMemo(() => (schema === undefined ? [] : (schemaFields(schema) ?? [])), [schema]);
  if (open === null) return null;
  if (open.type === 'tool')
    return (
      <ToolChooser
        label="Another tool"
        tools={tools}
        onChoose={acts.onTool}
        onLeave={() => acts.onOpen(null)}
      />
    );
  const { argument } = open;
  return (
    <ArgumentPanel
      field={fields.find(({ name }) => name === argument) ?? unlistedField(argument, step.args[argument])}
      args={step.args}
      wrongs={argumentProblems(schema ?? {}, step.args)}
      onChange={(value) => acts.onArgument(argument, value)}
      onClose={() => acts.onOpen(null)}
    />
  );
}

/** A field for what the schema does not list, by the value it has. */
const unlistedField = (name: string, value: unknown): SchemaField => ({
  name,
  shape: typeof value === 'string' ? { type: 'text', isLong: false } : { type: 'json' },
  isRequired: false,
  isNullable: false,
  description: '',
  hint: null,
});

function Problems({
  problems,
  onFix,
}: {
  problems: readonly StepProblem[];
  onFix: StepActs['onFix'] | null;
}): ReactNode {
  if (problems.length === 0) return null;
  return (
    <ul className="stack-1">
      {problems.map(({ argument, message, fix }) => (
        <li key={`${argument ?? ''} ${message}`} className={styles.problem}>
          <TriangleAlert aria-hidden="true" />
          <span>
            <VisibleText text={message} />
          </span>
          {fix === null || onFix === null ? null : (
            <Button size="small" onClick={() => onFix(fix)}>
              {fix.label}
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}

type PurposeProps = { number: string; purpose: string; onPurpose: ((purpose: string | null) => void) | null };

/** A step's purpose, gone once its field is left empty. */
function Purpose({ number, purpose, onPurpose }: PurposeProps): ReactNode {
  const [isNew] = useState(purpose === '');
  if (onPurpose === null)
    return (
      <p className={styles.purpose}>
        <VisibleText text={purpose} />
      </p>
    );
  return (
    <Textarea
      aria-label={`Purpose of step ${number}`}
      className={cx(styles.words, styles.purpose)}
      rows={1}
      isGrowing
      value={purpose}
      placeholder="Why this step?"
      autoFocus={isNew}
      onChange={({ target }) => onPurpose(target.value)}
      onBlur={() => (purpose.trim() === '' ? onPurpose(null) : undefined)}
    />
  );
}

type StepMenuProps = {
  number: string;
  isFirst: boolean;
  isLast: boolean;
  /** Arguments that may be given and are not. */
  optional: readonly string[];
  onArgument: (argument: string) => void;
  onTool: () => void;
  /** Null where a step has no purpose of its own, or has one already. */
  onPurpose: (() => void) | null;
  onMove: (by: -1 | 1) => void;
  onRepeat: () => void;
  onRemove: () => void;
};

/** Acts on a step besides its arguments. */
function StepMenu(props: StepMenuProps): ReactNode {
  const { number, isFirst, isLast, optional, onArgument, onTool, onPurpose, onMove, onRepeat, onRemove } =
    props;
  const items: (MenuEntry | 'line')[] = [
    ...optional.map((name) => ({
      label: `Add ${argumentLabel(name)}`,
      icon: <Plus />,
      onChoose: () => onArgument(name),
    })),
    ...(optional.length === 0 ? [] : ['line' as const]),
    { label: 'Use another tool', icon: <Replace />, onChoose: onTool },
    ...(onPurpose === null ? [] : [{ label: 'Say why', icon: <MessageSquareText />, onChoose: onPurpose }]),
    {
      label: 'Move up',
      icon: <ArrowUp />,
      chord: 'alt+ArrowUp',
      isDisabled: isFirst,
      onChoose: () => onMove(-1),
    },
    {
      label: 'Move down',
      icon: <ArrowDown />,
      chord: 'alt+ArrowDown',
      isDisabled: isLast,
      onChoose: () => onMove(1),
    },
    { label: 'Duplicate', icon: <CopyPlus />, chord: 'alt+shift+ArrowDown', onChoose: onRepeat },
    { label: 'Remove', icon: <Trash2 />, chord: 'Delete', onChoose: onRemove },
  ];
  return (
    <Menu
      trigger={
        <Button size="small" tone="quiet" icon={<Ellipsis />} aria-label={`More for step ${number}`}>
          {''}
        </Button>
      }
      items={items}
    />
  );
}

type ArgumentPanelProps = {
  field: SchemaField;
  args: Readonly<Record<string, unknown>>;
  wrongs: readonly Wrong[];
  onChange: (value: unknown) => void;
  onClose: () => void;
};

/** Enter is done with it; in a text of one line Shift and Enter break it. */
const isOneLine = (control: EventTarget): boolean =>
  control instanceof HTMLInputElement ||
  control instanceof HTMLSelectElement ||
  (control instanceof HTMLTextAreaElement && control.rows === 1);

function ArgumentPanel({ field, args, wrongs, onChange, onClose }: ArgumentPanelProps): ReactNode {
  const panel = useRef<HTMLDivElement>(null);
  const { name } = field;
  useEffect(() => {
    const control = panel.current?.querySelector<HTMLElement>('input, textarea, select, button');
    control?.focus();
    // What is selected is gone with the next key: only where that key cannot be a line break.
    const isText = control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement;
    if (isText && isOneLine(control)) control.select();
  }, [name]);
  const onKeyDown = (event: KeyboardEvent): void => {
    const isPlain = !event.shiftKey && !event.ctrlKey && !event.metaKey && !event.altKey;
    const closes = isPlain && !event.nativeEvent.isComposing && isOneLine(event.target);
    if (event.key !== 'Escape' && !(event.key === 'Enter' && closes)) return;
    event.preventDefault();
    event.stopPropagation();
    onClose();
  };
  return (
    // Keys of the fields in it.
    <div
      ref={panel}
      className={styles.panel}
      onKeyDown={onKeyDown}
      role="group"
      aria-label={`Value of ${name}`}
    >
      <ArgumentForm fields={[field]} value={args} wrongs={wrongs} onChange={(next) => onChange(next[name])} />
      <div className={styles.panelActs}>
        <Button size="small" onClick={onClose}>
          Done
        </Button>
        {field.isRequired || !Object.hasOwn(args, name) ? null : (
          <Button
            size="small"
            tone="quiet"
            onClick={() => {
              onChange(undefined);
              onClose();
            }}
          >
            Leave it out
          </Button>
        )}
      </div>
    </div>
  );
}

// The field for writing an advice: as the steps of its plan, or as text. The text is the same.
import { Plus } from 'lucide-react';
import { useLayoutEffect, useMemo, useRef, useState, type ReactNode, type Ref } from 'react';
import { countInvisible, withoutInvisible } from '../../../shared/invisible.ts';
import { useConsole } from '../../state/hooks.ts';
import { Button } from '../../ui/Button.tsx';
import { Kbd } from '../../ui/Kbd.tsx';
import { PlanEditor } from '../plan/PlanEditor.tsx';
import { withAdded } from '../plan/planText.ts';
import { ToolChooser } from '../plan/ToolChooser.tsx';
import * as styles from './AdviceCard.module.css';
import type { AdviceEditorHandle } from './AdviceEditor.tsx';
import { LaterAdviceEditor } from './laterAdviceEditor.ts';
import type { KnownTool, Problem } from './planCheck.ts';
import type { AdviceState } from './useAdvice.ts';
import type { AnswerForm } from './useAnswerForm.ts';

type AnswerFieldProps = {
  advice: Pick<AdviceState, 'text' | 'type'>;
  tools: readonly KnownTool[];
  problems: readonly Problem[];
  problemsId: string;
  original: string | null;
  isReadOnly: boolean;
  form: AnswerForm;
  /** What stands below a step, such as what its call would return. */
  stepNote?: ((index: number) => ReactNode) | undefined;
  onLeave: () => void;
  ref: Ref<AdviceEditorHandle>;
};

export function AnswerField(props: AnswerFieldProps): ReactNode {
  const { advice, tools, problems, problemsId, original, isReadOnly, form, stepNote, onLeave, ref } = props;
  const snippets = useConsole(({ ui }) => ui.snippets);
  const [isStarted, setIsStarted] = useState(false);
  const hidden = isReadOnly ? null : <HiddenNote text={advice.text} onStrip={advice.type} />;
  if (form.isPlan && original === null)
    return (
      <>
        {hidden}
        <PlanEditor
          ref={ref}
          text={advice.text}
          tools={tools}
          isReadOnly={isReadOnly}
          onChange={advice.type}
          onLeave={onLeave}
          stepNote={stepNote}
          isStarted={isStarted}
        />
      </>
    );
  const type = (text: string): void => {
    form.onTyped();
    advice.type(text);
  };
  const mayAddStep = !isReadOnly && !form.hasPlan && tools.length > 0;
  const start = (tool: string): void => {
    form.onStarted();
    setIsStarted(true);
    advice.type(withAdded(advice.text, tool));
  };
  return (
    <>
      {hidden}
      <LaterAdviceEditor
        ref={ref}
        label="Advice"
        describedBy={problemsId}
        value={advice.text}
        onChange={type}
        onLeave={onLeave}
        problems={problems}
        original={original}
        isReadOnly={isReadOnly}
        hint={`What should the agent do? Write it in plain words${mayAddStep ? ', or add steps below' : ''}.`}
        snippet={(name) => (Object.hasOwn(snippets, name) ? (snippets[name] ?? null) : null)}
      />
      {mayAddStep ? <FirstStep tools={tools} onChoose={start} /> : null}
    </>
  );
}

/** Begins a plan below the words. */
function FirstStep({
  tools,
  onChoose,
}: {
  tools: readonly KnownTool[];
  onChoose: (tool: string) => void;
}): ReactNode {
  const [isChoosing, setIsChoosing] = useState(false);
  const button = useFocusBack(isChoosing);
  return isChoosing ? (
    <ToolChooser
      label="Tool of the first step"
      tools={tools}
      onChoose={onChoose}
      onLeave={() => setIsChoosing(false)}
    />
  ) : (
    <div>
      <Button ref={button} size="small" tone="quiet" icon={<Plus />} onClick={() => setIsChoosing(true)}>
        Add a step
      </Button>
    </div>
  );
}

/** The button that opened something has the focus again once that is closed. */
function useFocusBack(isOpen: boolean) {
  const button = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(false);
  useLayoutEffect(() => {
    if (wasOpen.current && !isOpen) button.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  return button;
}

/** Says how much stands in the words that nobody sees, and takes it out. */
function HiddenNote({ text, onStrip }: { text: string; onStrip: (text: string) => void }): ReactNode {
  const count = useMemo(() => countInvisible(text), [text]);
  if (count === 0) return null;
  return (
    <p className={styles.hidden} role="status">
      {count === 1
        ? '1 invisible character is marked and would be sent.'
        : `${String(count)} invisible characters are marked and would be sent.`}
      <Button size="small" tone="quiet" onClick={() => onStrip(withoutInvisible(text))}>
        Remove {count === 1 ? 'it' : 'them'} <Kbd chord="alt+i" />
      </Button>
    </p>
  );
}

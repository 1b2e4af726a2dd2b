// The rules that keep tasks apart: a share for validation, and the tasks of a pinned split that no row may come from.
import { FileUp } from 'lucide-react';
import { useRef, useState, type DragEvent, type ReactNode } from 'react';
import { formatCount } from '../../parts/text/size.ts';
import { Button } from '../../ui/Button.tsx';
import { cx } from '../../ui/cx.ts';
import { Field, Textarea } from '../../ui/Field.tsx';
import { readHeldOut } from './pastedRules.ts';
import { RuleNumberField, RuleFrame, type RulesProps } from './RuleField.tsx';
import * as styles from './Rules.module.css';

/** A tenth, the same tasks each time. */
const USUAL_SPLIT = { share: 0.1, seed: 0 } as const;

export function SplitRules(form: RulesProps): ReactNode {
  return (
    <>
      <ValidationRule {...form} />
      <HeldOutRule {...form} />
    </>
  );
}

function ValidationRule(form: RulesProps): ReactNode {
  const {
    rules,
    rules: { validation },
    onRules,
  } = form;
  return (
    <RuleFrame {...form} name="validation" label="Validation">
      <label className={styles.check}>
        <input
          type="checkbox"
          checked={validation !== null}
          aria-describedby="validation-hint"
          onChange={({ target }) =>
            onRules({ ...rules, validation: target.checked ? { ...USUAL_SPLIT } : null })
          }
        />
        Hold out tasks for validation
      </label>
      <p className={styles.hint} id="validation-hint">
        Whole tasks, never single rows. The same seed always selects the same tasks.
      </p>
      {validation === null ? null : (
        <div className={styles.pair}>
          <RuleNumberField
            label="Share of tasks, %"
            value={Number((validation.share * 100).toFixed(4))}
            range={{ min: 0.1, max: 90, isWhole: false, says: 'From 0.1 to 90' }}
            onValue={(percent) =>
              onRules({
                ...rules,
                validation: { ...validation, share: percent === null ? USUAL_SPLIT.share : percent / 100 },
              })
            }
          />
          <RuleNumberField
            label="Seed"
            value={validation.seed}
            range={{
              min: Number.MIN_SAFE_INTEGER,
              max: Number.MAX_SAFE_INTEGER,
              isWhole: true,
              says: 'A whole number',
            }}
            onValue={(seed) =>
              onRules({ ...rules, validation: { ...validation, seed: seed ?? USUAL_SPLIT.seed } })
            }
          />
        </div>
      )}
    </RuleFrame>
  );
}

function HeldOutRule(form: RulesProps): ReactNode {
  const { rules, onRules } = form;
  const [pasted, setPasted] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [isOver, setIsOver] = useState(false);
  const file = useRef<HTMLInputElement>(null);
  const take = (text: string): void => {
    const read = text.trim() === '' ? null : readHeldOut(text);
    setProblem(read?.ok === false ? read.why : null);
    setPasted(read?.ok === false ? text.slice(0, TASKS_SHOWN_MAX) : '');
    if (read?.ok === true) onRules({ ...rules, held_out: read.value });
  };
  const takeFile = (given: File | undefined): void => {
    if (given === undefined) return;
    given.text().then(take, () => setProblem(`${given.name} could not be read`));
  };
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    event.stopPropagation();
    setIsOver(false);
    takeFile(event.dataTransfer.files[0]);
  };
  return (
    <RuleFrame {...form} name="held_out" label="Held-out tasks">
      <div
        className={cx(styles.drop, isOver && styles.isOver)}
        onDragOver={(event) => {
          event.preventDefault();
          setIsOver(true);
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={drop}
      >
        <Field
          label="Held-out tasks"
          error={problem}
          hint="Paste or drop a split manifest. Tasks on its “val” list are kept for evaluation and never exported."
        >
          <Textarea
            isMono
            rows={2}
            value={pasted}
            placeholder={'{"train": […], "val": [["scenario", 0], …]}'}
            onChange={({ target }) => take(target.value)}
          />
        </Field>
        <div className={styles.acts}>
          <Button size="small" icon={<FileUp />} onClick={() => file.current?.click()}>
            Choose a file…
          </Button>
          <span role="status">
            {rules.held_out.length === 0
              ? 'None held out'
              : `${formatCount(rules.held_out.length, 'task')} held out`}
          </span>
        </div>
        <input
          ref={file}
          type="file"
          accept=".json,application/json"
          hidden
          aria-label="Split manifest"
          onChange={({ target }) => {
            takeFile(target.files?.[0]);
            target.value = '';
          }}
        />
      </div>
    </RuleFrame>
  );
}

/** Of what could not be read, enough to see what it is. */
const TASKS_SHOWN_MAX = 2000;

// One rule in the form: its control, a sentence of help, what it left out, the way back to the default.
import { RotateCcw } from 'lucide-react';
import { useId, useState, type ReactNode } from 'react';
import type { ExportReport, ExportRules } from '../../../shared/contract/export.ts';
import { IconButton } from '../../ui/Button.tsx';
import { cx } from '../../ui/cx.ts';
import { Field, Input, Select } from '../../ui/Field.tsx';
import * as styles from './Rules.module.css';
import { isChanged, leftOutBy, withDefault, type RuleName } from './rulesModel.ts';

export type RulesProps = {
  rules: ExportRules;
  onRules: (rules: ExportRules) => void;
  /** What the newest check left out, by name; null before the first. */
  dropped: ExportReport['dropped'] | null;
};

type RuleProps = RulesProps & { name: RuleName; label: string; children: ReactNode };

/** The frame of every control. */
export function RuleFrame({ rules, onRules, dropped, name, label, children }: RuleProps): ReactNode {
  const leftOut = dropped === null ? 0 : leftOutBy(dropped, name);
  const changed = isChanged(rules, name);
  return (
    <div className={cx(styles.rule, changed && styles.isChanged)} id={ruleId(name)}>
      <div className={styles.control}>{children}</div>
      {changed ? (
        <IconButton
          label={`${label}: reset`}
          icon={<RotateCcw />}
          className={styles.back}
          side="left"
          onClick={() => onRules(withDefault(rules, name))}
        />
      ) : null}
      {leftOut === 0 ? null : (
        <p className={styles.leftOut}>{`Left out: ${leftOut.toLocaleString()} by this rule`}</p>
      )}
    </div>
  );
}

/** The id of the rule, to lead there. */
export const ruleId = (name: RuleName): string => `rule-${name}`;

type LabelledRuleProps = RulesProps & { name: RuleName; label: string; hint: string };

export function ChoiceRule<V extends string>({
  value,
  options,
  onChoose,
  isDisabled = false,
  ...rule
}: LabelledRuleProps & {
  value: V;
  options: readonly { value: V; label: string }[];
  onChoose: (value: V) => void;
  isDisabled?: boolean;
}): ReactNode {
  return (
    <RuleFrame {...rule}>
      <Field label={rule.label} help={rule.hint}>
        <Select value={value} options={options} onChoose={onChoose} disabled={isDisabled} />
      </Field>
    </RuleFrame>
  );
}

export function SwitchRule({
  isOn,
  isDisabled = false,
  onTurn,
  ...rule
}: LabelledRuleProps & { isOn: boolean; isDisabled?: boolean; onTurn: (isOn: boolean) => void }): ReactNode {
  const hintId = useId();
  return (
    <RuleFrame {...rule}>
      <label className={styles.check}>
        <input
          type="checkbox"
          checked={isOn}
          disabled={isDisabled}
          aria-describedby={hintId}
          onChange={({ target }) => onTurn(target.checked)}
        />
        {rule.label}
      </label>
      <p className={styles.hint} id={hintId}>
        {rule.hint}
      </p>
    </RuleFrame>
  );
}

/** Any of several; none chosen takes them all, as null. */
export function SetRule<V extends string>({
  values,
  options,
  onValues,
  ...rule
}: LabelledRuleProps & {
  values: readonly V[] | null;
  options: readonly { value: V; label: string }[];
  onValues: (values: V[] | null) => void;
}): ReactNode {
  const hintId = useId();
  const turn = (value: V, isOn: boolean): void => {
    const next = options
      .map((option) => option.value)
      .filter((one) => {
        if (one === value) return isOn;
        return values?.includes(one) === true;
      });
    onValues(next.length === 0 ? null : next);
  };
  return (
    <RuleFrame {...rule}>
      <fieldset className={styles.set} aria-describedby={hintId}>
        <legend className={styles.legend}>{rule.label}</legend>
        {options.map(({ value, label }) => (
          <label key={value} className={styles.check}>
            <input
              type="checkbox"
              checked={values?.includes(value) === true}
              onChange={({ target }) => turn(value, target.checked)}
            />
            {label}
          </label>
        ))}
      </fieldset>
      <p className={styles.hint} id={hintId}>
        {rule.hint}
        {values === null ? ' None selected: all are included.' : ''}
      </p>
    </RuleFrame>
  );
}

type NumberRange = { min: number; max: number; isWhole: boolean; says: string };

/** A number or none. What does not fit is said, and changes nothing. */
export function NumberRule({
  value,
  range,
  onValue,
  ...rule
}: LabelledRuleProps & {
  value: number | null;
  range: NumberRange;
  onValue: (value: number | null) => void;
}): ReactNode {
  return (
    <RuleFrame {...rule}>
      <RuleNumberField label={rule.label} hint={rule.hint} value={value} range={range} onValue={onValue} />
    </RuleFrame>
  );
}

const fitsRange = (value: number, { min, max, isWhole }: NumberRange): boolean =>
  Number.isFinite(value) && value >= min && value <= max && (!isWhole || Number.isInteger(value));

export function RuleNumberField({
  label,
  hint,
  value,
  range,
  onValue,
}: {
  label: string;
  hint?: string;
  value: number | null;
  range: NumberRange;
  onValue: (value: number | null) => void;
}): ReactNode {
  const shown = value === null ? '' : String(value);
  const [typed, setTyped] = useState({ text: shown, of: value });
  // Changed from outside, as by a reset: what was typed is over.
  const text = typed.of === value ? typed.text : shown;
  const isBad = text.trim() !== '' && !fitsRange(Number(text), range);
  return (
    <Field label={label} {...(hint === undefined ? {} : { help: hint })} error={isBad ? range.says : null}>
      <Input
        inputMode="decimal"
        value={text}
        placeholder="Any"
        onChange={({ target }) => {
          const next = target.value.trim() === '' ? null : Number(target.value);
          const taken = next === null || fitsRange(next, range) ? next : value;
          setTyped({ text: target.value, of: taken });
          if (taken !== value) onValue(taken);
        }}
      />
    </Field>
  );
}

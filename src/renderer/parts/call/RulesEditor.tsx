// The rules that say which calls need a person, in order: the first that fits decides.
import { ArrowDown, ArrowUp, Plus, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ApprovalRule } from '../../../shared/events/stepIns.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { Field, Input, Select } from '../../ui/Field.tsx';
import * as styles from './RulesEditor.module.css';
import { COUNTS, ESCALATES, isCounted, moved, NEW_RULE, PRESETS, presetOf, ruleProblem } from './rules.ts';

type RulesEditorProps = {
  rules: readonly ApprovalRule[];
  toolNames: readonly string[];
  onChange: (rules: ApprovalRule[]) => void;
};

const DOES = [
  { value: 'ask', label: 'waits for a person' },
  { value: 'auto', label: 'goes through' },
  { value: 'first', label: 'the first few wait' },
  { value: 'escalate', label: 'escalates after' },
] as const;

const RULES_MAX = 100;

export function RulesEditor({ rules, toolNames, onChange }: RulesEditorProps): ReactNode {
  const preset = PRESETS.find(({ id }) => id === presetOf(rules));
  return (
    <div className={styles.rules}>
      <Field
        label="Which calls need approval"
        hint={preset?.detail ?? 'The first matching rule decides. Calls that match no rule go through.'}
      >
        <Select
          value={preset?.id ?? 'own'}
          options={[
            ...PRESETS.map(({ id, label }) => ({ value: id, label })),
            ...(preset === undefined ? [{ value: 'own', label: 'Custom rules' }] : []),
          ]}
          onChoose={(id) => {
            const chosen = PRESETS.find((one) => one.id === id);
            if (chosen !== undefined) onChange([...chosen.rules]);
          }}
        />
      </Field>
      <ol className="stack-2" aria-label="Approval rules">
        {rules.map((rule, index) => (
          // A rule is its place in the order and nothing else.
          <li key={String(index)}>
            <RuleLine
              rule={rule}
              place={index}
              last={rules.length - 1}
              onChange={(next) => onChange(rules.map((each, at) => (at === index ? next : each)))}
              onMove={(by) => onChange(moved(rules, index, by))}
              onRemove={() => onChange(rules.filter((_, at) => at !== index))}
            />
          </li>
        ))}
      </ol>
      <datalist id="rule-tools">
        {['*', 'get_*', 'list_*', 'search_*', 'find_*', ...toolNames].map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <Button
        size="small"
        icon={<Plus />}
        isDisabled={rules.length >= RULES_MAX}
        onClick={() => onChange([...rules, NEW_RULE])}
      >
        Add a rule
      </Button>
    </div>
  );
}

type RuleLineProps = {
  rule: ApprovalRule;
  place: number;
  last: number;
  onChange: (rule: ApprovalRule) => void;
  onMove: (by: 1 | -1) => void;
  onRemove: () => void;
};

function RuleLine({ rule, place, last, onChange, onMove, onRemove }: RuleLineProps): ReactNode {
  const number = String(place + 1);
  const problem = ruleProblem(rule);
  return (
    <div className={styles.line}>
      <Input
        isMono
        aria-label={`Rule ${number}: tools`}
        title="A tool name; * matches anything"
        list="rule-tools"
        value={rule.glob}
        onChange={({ target }) => onChange({ ...rule, glob: target.value })}
      />
      <Input
        isMono
        aria-label={`Rule ${number}: arguments hold`}
        placeholder='holds, e.g. "id":2'
        title="Part of the arguments as compact JSON; leave empty for any"
        value={rule.argument ?? ''}
        onChange={({ target }) => onChange({ ...rule, argument: target.value === '' ? null : target.value })}
      />
      <Select
        aria-label={`Rule ${number}: what happens`}
        value={rule.does}
        options={DOES}
        onChoose={(does) =>
          onChange({ ...rule, does, count: isCounted(does) ? (rule.count ?? COUNTS[does]) : null })
        }
      />
      {isCounted(rule.does) ? (
        <Input
          className={styles.count}
          inputMode="numeric"
          aria-label={`Rule ${number}: how many`}
          value={rule.count === null ? '' : String(rule.count)}
          onChange={({ target }) => {
            const count = Number(target.value);
            onChange({
              ...rule,
              count: target.value.trim() === '' || !Number.isInteger(count) ? null : count,
            });
          }}
        />
      ) : null}
      <span className={styles.tools}>
        <IconButton
          label={`Move rule ${number} up`}
          icon={<ArrowUp />}
          isDisabled={place === 0}
          onClick={() => onMove(-1)}
        />
        <IconButton
          label={`Move rule ${number} down`}
          icon={<ArrowDown />}
          isDisabled={place === last}
          onClick={() => onMove(1)}
        />
        <IconButton label={`Remove rule ${number}`} icon={<Trash2 />} onClick={onRemove} />
      </span>
      {rule.does === 'escalate' && problem === null ? <p className={styles.note}>{ESCALATES}</p> : null}
      {problem === null ? null : (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}

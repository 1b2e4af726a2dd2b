// The rules about outcomes, authors, which rows and how they are written.
import type { ReactNode } from 'react';
import type { Doubtful, ExportFormat } from '../../../shared/contract/export.ts';
import { Condition } from '../../../shared/events/lifecycle.ts';
import { ROW_CONDITION_LABELS } from '../../parts/episode/episodeRowText.ts';
import { ChoiceRule, NumberRule, SetRule, SwitchRule, type RulesProps } from './RuleField.tsx';
import { FORMATS } from '../../../shared/export/formats.ts';

export function EndRules(form: RulesProps): ReactNode {
  const { rules, onRules } = form;
  return (
    <>
      <ChoiceRule
        {...form}
        name="verdict"
        label="What the verifier said"
        hint="For the whole episode. The format’s description says what it takes by default."
        value={rules.verdict ?? 'format'}
        options={[
          { value: 'format', label: 'Format default' },
          { value: 'completed', label: 'Complete' },
          { value: 'verified', label: 'Any verdict' },
          { value: 'any', label: 'Any verdict or none' },
        ]}
        onChoose={(verdict) => onRules({ ...rules, verdict: verdict === 'format' ? null : verdict })}
      />
      <SetRule
        {...form}
        name="conditions"
        label="Condition"
        hint="Who could advise in the episode."
        values={rules.conditions}
        options={Condition.options.map((value) => ({ value, label: ROW_CONDITION_LABELS[value] }))}
        onValues={(conditions) => onRules({ ...rules, conditions })}
      />
    </>
  );
}

const AUTHORS = [
  { value: 'human', label: 'A person' },
  { value: 'model', label: 'A model' },
  { value: 'scripted', label: 'A rule or an answers file' },
  { value: 'agent', label: 'The agent itself' },
  { value: 'unknown', label: 'Not recorded' },
] as const;

export function AdviceRules(form: RulesProps): ReactNode {
  const { rules, onRules } = form;
  return (
    <>
      <SetRule
        {...form}
        name="actors"
        label="Author"
        hint="Who gave the advice or made the choice that a row teaches."
        values={rules.actors}
        options={AUTHORS}
        onValues={(actors) => onRules({ ...rules, actors })}
      />
      <ChoiceRule
        {...form}
        name="privilege"
        label="Authors who saw the answer"
        hint="Such advice teaches what the agent could not have known. Every row records what its author had seen."
        value={rules.privilege}
        options={[
          { value: 'flag', label: 'Keep their rows, marked' },
          { value: 'leak_free', label: 'Leave their rows out' },
          { value: 'strip', label: 'Remove the expert’s turns' },
        ]}
        onChoose={(privilege) => onRules({ ...rules, privilege })}
      />
    </>
  );
}

const DOUBTFUL: readonly { value: Doubtful; label: string }[] = [
  { value: 'timeouts', label: 'Rows where no one answered in time' },
  { value: 'late', label: 'Late advice, which the agent never read' },
  { value: 'fabricated', label: 'Results that a person wrote and the environment never returned' },
  { value: 'contrary', label: 'Rows that the outcome or another row contradicts' },
  { value: 'duplicates', label: 'Duplicates: of identical rows, not only the first' },
];

export function ChosenRows(form: RulesProps): ReactNode {
  const { rules, onRules } = form;
  return (
    <>
      <SetRule
        {...form}
        name="include"
        label="Include"
        hint="All of these are left out by default."
        values={rules.include}
        options={DOUBTFUL}
        onValues={(include) => onRules({ ...rules, include: include ?? [] })}
      />
      <NumberRule
        {...form}
        name="cap_per_task"
        label="Maximum rows per task"
        hint="Prevents frequently played tasks from dominating."
        value={rules.cap_per_task}
        range={{ min: 1, max: 1e9, isWhole: true, says: 'A whole number from 1' }}
        onValue={(cap) => onRules({ ...rules, cap_per_task: cap })}
      />
    </>
  );
}

export function FormRules({ format, ...form }: RulesProps & { format: ExportFormat }): ReactNode {
  const { rules, onRules } = form;
  const isChosen = FORMATS[format].hasStyle === true;
  return (
    <>
      <ChoiceRule
        {...form}
        name="arguments"
        label="Arguments of a tool call"
        hint={
          isChosen
            ? 'Most chat templates expect an object; DeepSeek V3’s expects a string.'
            : 'This format has only one form, or no calls.'
        }
        value={rules.arguments}
        options={[
          { value: 'object', label: 'As an object' },
          { value: 'string', label: 'As a string of JSON' },
        ]}
        isDisabled={!isChosen}
        onChoose={(form_) => onRules({ ...rules, arguments: form_ })}
      />
      <SwitchRule
        {...form}
        name="reasoning"
        label="Include the agent’s reasoning"
        hint={
          isChosen
            ? 'As reasoning_content of each message. Without it, templates of reasoning models train on an empty think block.'
            : 'This format has only one form for it, or no place for it.'
        }
        isOn={rules.reasoning}
        isDisabled={!isChosen}
        onTurn={(reasoning) => onRules({ ...rules, reasoning })}
      />
    </>
  );
}

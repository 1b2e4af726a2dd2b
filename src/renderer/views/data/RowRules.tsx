// The rules about outcomes, authors, doubtful turns, how many rows and how they are written.
import type { ReactNode } from 'react';
import type { ExportFormat } from '../../../shared/contract/export.ts';
import { Condition } from '../../../shared/events/lifecycle.ts';
import { ROW_CONDITION_LABELS } from '../../parts/episode/episodeRowText.ts';
import { ChoiceRule, NumberRule, SetRule, SwitchRule, type RulesProps } from './RuleField.tsx';
import { hasArgumentsForm, hasReasoning } from '../../../shared/export/argumentsForm.ts';

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
      <NumberRule
        {...form}
        name="min_reward"
        label="Minimum reward"
        hint="Leaves out episodes with a lower reward or none."
        value={rules.min_reward}
        range={{ min: -Infinity, max: Infinity, isWhole: false, says: 'A number, such as 0.5' }}
        onValue={(min) => onRules({ ...rules, min_reward: min })}
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
const UPTAKES = [
  { value: 'followed', label: 'Followed' },
  { value: 'partly', label: 'Followed in part' },
  { value: 'ignored', label: 'Ignored' },
  { value: 'contradicted', label: 'Done differently' },
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
      <SetRule
        {...form}
        name="uptake"
        label="How the agent used the advice"
        hint="Of the calls that the advice names."
        values={rules.uptake}
        options={UPTAKES}
        onValues={(uptake) => onRules({ ...rules, uptake })}
      />
    </>
  );
}

export function DoubtfulRules(form: RulesProps): ReactNode {
  const { rules, onRules } = form;
  return (
    <>
      <SwitchRule
        {...form}
        name="include_timeouts"
        label="Include rows where no one answered in time"
        hint="A timeout is no one’s decision. Left out by default."
        isOn={rules.include_timeouts}
        onTurn={(isOn) => onRules({ ...rules, include_timeouts: isOn })}
      />
      <SwitchRule
        {...form}
        name="include_late"
        label="Include late advice"
        hint="Written after the question had closed; the agent never read it."
        isOn={rules.include_late}
        onTurn={(isOn) => onRules({ ...rules, include_late: isOn })}
      />
      <SwitchRule
        {...form}
        name="include_fabricated"
        label="Include results written by a person"
        hint="A person wrote the tool’s result; the environment never returned it."
        isOn={rules.include_fabricated}
        onTurn={(isOn) => onRules({ ...rules, include_fabricated: isOn })}
      />
      <SwitchRule
        {...form}
        name="include_contrary"
        label="Include rows that the outcome or another row contradicts"
        hint="Pairs whose chosen side led to a failed episode, or whose rejected side completed the task; replies labelled both good and bad."
        isOn={rules.include_contrary}
        onTurn={(isOn) => onRules({ ...rules, include_contrary: isOn })}
      />
      <ChoiceRule
        {...form}
        name="touched"
        label="Turns a person changed in tapped episodes"
        hint="The client’s agent did not write them, although its trainer assumes so."
        value={rules.touched}
        options={[
          { value: 'mask', label: 'Keep the episode, never train on the turn' },
          { value: 'drop', label: 'Leave the whole episode out' },
        ]}
        onChoose={(touched) => onRules({ ...rules, touched })}
      />
    </>
  );
}

export function CountRules(form: RulesProps): ReactNode {
  const { rules, onRules } = form;
  return (
    <>
      <SwitchRule
        {...form}
        name="dedupe"
        label="Leave out duplicates"
        hint="Of identical rows, only the first is kept."
        isOn={rules.dedupe}
        onTurn={(dedupe) => onRules({ ...rules, dedupe })}
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
      <SwitchRule
        {...form}
        name="balance"
        label="Balance the classes"
        hint="As many rows as the rarest class, where the format has classes."
        isOn={rules.balance}
        onTurn={(balance) => onRules({ ...rules, balance })}
      />
    </>
  );
}

export function FormRules({ format, ...form }: RulesProps & { format: ExportFormat }): ReactNode {
  const { rules, onRules } = form;
  const isChosen = hasArgumentsForm(format);
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
          hasReasoning(format)
            ? 'As reasoning_content of each message. Without it, templates of reasoning models train on an empty think block.'
            : 'This format has only one form for it, or no place for it.'
        }
        isOn={rules.reasoning}
        isDisabled={!hasReasoning(format)}
        onTurn={(reasoning) => onRules({ ...rules, reasoning })}
      />
    </>
  );
}

// Owns: the rules about outcomes, authors, doubtful turns, how many rows and how they are written.
import type { ReactNode } from 'react';
import type { ExportFormat } from '../../../shared/contract/export.ts';
import { Condition } from '../../../shared/events/lifecycle.ts';
import { CONDITION_LABELS } from '../../parts/episode/rowWords.ts';
import { ChoiceRule, NumberRule, SetRule, SwitchRule, type RulesProps } from './RuleField.tsx';
import { hasArgumentsForm } from '../../../shared/export/argumentsForm.ts';

export function EndRules(form: RulesProps): ReactNode {
  const { rules, onRules } = form;
  return (
    <>
      <ChoiceRule
        {...form}
        name="verdict"
        label="What the verifier said"
        hint="Of the whole episode. What a format takes by itself is said in its description."
        value={rules.verdict ?? 'format'}
        options={[
          { value: 'format', label: 'As the format has it' },
          { value: 'completed', label: 'Complete' },
          { value: 'verified', label: 'Anything, but verified' },
          { value: 'any', label: 'Anything, or nothing' },
        ]}
        onChoose={(verdict) => onRules({ ...rules, verdict: verdict === 'format' ? null : verdict })}
      />
      <NumberRule
        {...form}
        name="min_reward"
        label="Least reward"
        hint="Leaves out episodes whose reward is lower, or was never given."
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
        options={Condition.options.map((value) => ({ value, label: CONDITION_LABELS[value] }))}
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
  { value: 'contradicted', label: 'Done otherwise' },
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
        label="Authors who had seen the answer"
        hint="Such advice teaches what the agent could not have known. Every row says what its author had seen."
        value={rules.privilege}
        options={[
          { value: 'flag', label: 'Keep their rows, flagged' },
          { value: 'leak_free', label: 'Leave their rows out' },
          { value: 'strip', label: 'Take the expert’s turns out' },
        ]}
        onChoose={(privilege) => onRules({ ...rules, privilege })}
      />
      <SetRule
        {...form}
        name="uptake"
        label="What the agent made of it"
        hint="Of the calls that the advice names."
        values={rules.uptake}
        options={UPTAKES}
        onValues={(uptake) => onRules({ ...rules, uptake })}
      />
      <NumberRule
        {...form}
        name="min_agreement"
        label="Least agreement of reviewers"
        hint="The share of pairs of reviewers who said the same of the episode, from 0 to 1. Episodes without two reviews are left out."
        value={rules.min_agreement}
        range={{ min: 0, max: 1, isWhole: false, says: 'A number from 0 to 1' }}
        onValue={(agreement) => onRules({ ...rules, min_agreement: agreement })}
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
        label="Take rows where nobody answered in time"
        hint="A timeout is nobody’s decision. Left out unless you take it."
        isOn={rules.include_timeouts}
        onTurn={(isOn) => onRules({ ...rules, include_timeouts: isOn })}
      />
      <SwitchRule
        {...form}
        name="include_late"
        label="Take advice that came too late"
        hint="It was written after the question was over; the agent never read it."
        isOn={rules.include_late}
        onTurn={(isOn) => onRules({ ...rules, include_late: isOn })}
      />
      <SwitchRule
        {...form}
        name="include_fabricated"
        label="Take results that a person wrote"
        hint="A person answered in the tool’s place: the environment never said it."
        isOn={rules.include_fabricated}
        onTurn={(isOn) => onRules({ ...rules, include_fabricated: isOn })}
      />
      <ChoiceRule
        {...form}
        name="touched"
        label="Turns a person changed in a client’s episode"
        hint="The client’s agent did not write them, though its trainer believes it did."
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
        label="Leave duplicates out"
        hint="Of rows a trainer could not tell apart, the first stays."
        isOn={rules.dedupe}
        onTurn={(dedupe) => onRules({ ...rules, dedupe })}
      />
      <NumberRule
        {...form}
        name="cap_per_task"
        label="Most rows of one task"
        hint="Keeps a task that was played often from outweighing the others."
        value={rules.cap_per_task}
        range={{ min: 1, max: 1e9, isWhole: true, says: 'A whole number from 1' }}
        onValue={(cap) => onRules({ ...rules, cap_per_task: cap })}
      />
      <SwitchRule
        {...form}
        name="balance"
        label="As many rows of each class"
        hint="As many as the rarest class has, where the format has classes."
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
    <ChoiceRule
      {...form}
      name="arguments"
      label="Arguments of a tool call"
      hint={
        isChosen
          ? 'Most chat templates take an object; DeepSeek V3’s takes a string.'
          : 'This format has one form, or holds no call.'
      }
      value={rules.arguments}
      options={[
        { value: 'object', label: 'As an object' },
        { value: 'string', label: 'As a string of JSON' },
      ]}
      isDisabled={!isChosen}
      onChoose={(form_) => onRules({ ...rules, arguments: form_ })}
    />
  );
}

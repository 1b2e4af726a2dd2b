// Settings for stepping in: breakpoints, which calls need a person, and whether turns are labelled.
import { OctagonPause, Trash2 } from 'lucide-react';
import { useState, type FormEvent, type ReactNode } from 'react';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import type { ApprovalRule, Breakpoint } from '../../../shared/events/stepIns.ts';
import { ruleProblem } from '../../parts/call/rules.ts';
import { RulesEditor } from '../../parts/call/RulesEditor.tsx';
import { breakpointText, ruleSentence } from '../../parts/timeline/breakpointText.ts';
import { useSession, useToast } from '../../state/hooks.ts';
import { useAct } from '../../state/queries.ts';
import { useRole } from '../../state/role.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Field, Input, Select } from '../../ui/Field.tsx';
import type { Labelling } from './LabelCard.tsx';
import * as styles from './StepInPanel.module.css';

type Props = {
  record: EpisodeRecord;
  labelling: Labelling;
  onLabelling: (labelling: Labelling) => void;
  /** Turns that wait for a label, and going to them. */
  toLabel: number;
  onLabel: () => void;
};

export function StepInPanel({ record, labelling, onLabelling, toLabel, onLabel }: Props): ReactNode {
  return (
    <div className={styles.panel}>
      <section aria-labelledby="breakpoints-title">
        <h2 className={styles.title} id="breakpoints-title">
          Breakpoints
        </h2>
        <Breakpoints record={record} />
      </section>
      <section aria-labelledby="rules-title">
        <h2 className={styles.title} id="rules-title">
          Approval
        </h2>
        <LiveRules record={record} />
      </section>
      {record.ended === null ? (
        <section aria-labelledby="labelling-title">
          <h2 className={styles.title} id="labelling-title">
            Labels
          </h2>
          <LabellingChoice labelling={labelling} onChange={onLabelling} waiting={toLabel} onLabel={onLabel} />
        </section>
      ) : null}
    </div>
  );
}

const BREAKPOINT_KINDS: readonly { value: Breakpoint['on']; label: string }[] = [
  { value: 'tool', label: 'Before a call of a tool' },
  { value: 'error', label: 'After a call that failed' },
  { value: 'repeated_call', label: 'Before a repeated call' },
  { value: 'consultation', label: 'When it asks an expert' },
  { value: 'final', label: 'At the final answer' },
  { value: 'tokens', label: 'Above a number of tokens' },
];

type BreakpointDraft = { on: Breakpoint['on']; glob: string; argument: string; above: string };
const EMPTY_BREAKPOINT: BreakpointDraft = { on: 'tool', glob: '*', argument: '', above: '50000' };

/** The breakpoint a draft is, or what is wrong with it. */
function breakpointOf({ on, glob, argument, above }: BreakpointDraft): Breakpoint | string {
  if (on === 'tool') {
    const name = glob.trim();
    if (name === '') return 'Name a tool, or * for all.';
    return { on, glob: name, argument: argument === '' ? null : argument };
  }
  if (on !== 'tokens') return { on };
  const count = Number(above);
  return Number.isInteger(count) && count > 0 ? { on, above: count } : 'A whole number from 1.';
}

export function Breakpoints({ record }: { record: EpisodeRecord }): ReactNode {
  const { call } = useSession();
  const { id: episode, breakpoints, tools, ended } = record;
  const [draft, setDraft] = useState(EMPTY_BREAKPOINT);
  const [isTried, setIsTried] = useState(false);
  const made = breakpointOf(draft);
  const { failure, run: send } = useAct((change: () => Promise<unknown>) => change());
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setIsTried(true);
    if (typeof made === 'string') return;
    setIsTried(false);
    void send(() => call('breakpoint.change', { episode, set: made }));
  };
  const problem = isTried && typeof made === 'string' ? made : null;
  return (
    <>
      {breakpoints.length === 0 ? (
        <p className="quiet small">None. The episode stops only when someone pauses it.</p>
      ) : (
        <ul className="stack-1" aria-label="Breakpoints">
          {breakpoints.map(({ id, at }) => (
            <li key={id} className={styles.line}>
              <OctagonPause aria-hidden="true" />
              <span>{`Stops ${breakpointText(at)}`}</span>
              <IconButton
                label={`Clear the breakpoint ${breakpointText(at)}`}
                icon={<Trash2 />}
                onClick={() => void send(() => call('breakpoint.change', { episode, clear: id }))}
              />
            </li>
          ))}
        </ul>
      )}
      {ended === null ? (
        <form className={styles.form} aria-label="New breakpoint" onSubmit={submit}>
          <Field label="Stop">
            <Select
              data-first-field="breakpoint"
              value={draft.on}
              options={BREAKPOINT_KINDS}
              onChoose={(on) => setDraft({ ...draft, on })}
            />
          </Field>
          {draft.on === 'tool' ? <ToolFields draft={draft} problem={problem} onChange={setDraft} /> : null}
          {draft.on === 'tokens' ? (
            <Field label="Tokens, in and out" error={problem}>
              <Input
                inputMode="numeric"
                value={draft.above}
                onChange={({ target }) => setDraft({ ...draft, above: target.value })}
              />
            </Field>
          ) : null}
          <datalist id="breakpoint-tools">
            {tools.map(({ name }) => (
              <option key={name} value={name} />
            ))}
          </datalist>
          <Button type="submit" size="small">
            Set the breakpoint
          </Button>
        </form>
      ) : null}
      {failure === null ? null : <ErrorNote title="Could not change the breakpoints" failure={failure} />}
    </>
  );
}

function ToolFields({
  draft,
  problem,
  onChange,
}: {
  draft: BreakpointDraft;
  problem: string | null;
  onChange: (draft: BreakpointDraft) => void;
}): ReactNode {
  return (
    <>
      <Field label="Tool, * for anything" error={problem}>
        <Input
          isMono
          list="breakpoint-tools"
          value={draft.glob}
          onChange={({ target }) => onChange({ ...draft, glob: target.value })}
        />
      </Field>
      <Field label="Arguments hold" hint="Part of the arguments as compact JSON; leave empty for any.">
        <Input
          isMono
          placeholder={'"workflow_id":101'}
          value={draft.argument}
          onChange={({ target }) => onChange({ ...draft, argument: target.value })}
        />
      </Field>
    </>
  );
}

export function LiveRules({ record }: { record: EpisodeRecord }): ReactNode {
  const { call } = useSession();
  const toast = useToast();
  const isOwner = useRole() !== 'expert';
  const { id: episode, rules, tools, ended } = record;
  const [draft, setDraft] = useState<ApprovalRule[] | null>(null);
  const {
    isBusy,
    failure,
    run: put,
  } = useAct(async () => {
    await call('policy.set', { episode, rules: draft ?? rules });
    setDraft(null);
    toast({ tone: 'ok', title: 'Approval rules in force', text: 'They apply from the next call.' });
  });
  if (ended !== null || !isOwner) return <RulesInForce rules={rules} />;
  const shown = draft ?? rules;
  const isChanged = draft !== null && JSON.stringify(draft) !== JSON.stringify(rules);
  return (
    <>
      <RulesEditor rules={shown} toolNames={tools.map(({ name }) => name)} onChange={setDraft} />
      {isChanged ? (
        <div className={styles.line}>
          <Button
            tone="primary"
            size="small"
            isBusy={isBusy}
            isDisabled={shown.some((rule) => ruleProblem(rule) !== null)}
            onClick={() => void put()}
          >
            Apply
          </Button>
          <Button size="small" tone="quiet" onClick={() => setDraft(null)}>
            Reset to current rules
          </Button>
        </div>
      ) : null}
      {failure === null ? null : <ErrorNote title="Could not change the rules" failure={failure} />}
    </>
  );
}

function RulesInForce({ rules }: { rules: readonly ApprovalRule[] }): ReactNode {
  if (rules.length === 0) return <p className="quiet small">No call needs approval.</p>;
  return (
    <ol className="stack-1">
      {rules.map((rule, index) => (
        <li key={String(index)}>{ruleSentence(rule)}</li>
      ))}
    </ol>
  );
}

const LABELLING_MODES: readonly { value: Labelling['mode']; label: string }[] = [
  { value: 'off', label: 'Off' },
  { value: 'each', label: 'Label each turn' },
  { value: 'risky', label: 'Label each risky turn' },
];

type LabellingChoiceProps = {
  labelling: Labelling;
  onChange: (labelling: Labelling) => void;
  /** Turns that wait for a label, and going to them. */
  waiting: number;
  onLabel: () => void;
};

export function LabellingChoice({ labelling, onChange, waiting, onLabel }: LabellingChoiceProps): ReactNode {
  const { mode, beta } = labelling;
  return (
    <>
      <Field
        label="What you would have done"
        hint="Records what you would have done at each of the agent’s turns. The agent is not interrupted. Risky means a failed or repeated call."
      >
        <Select
          value={mode}
          options={LABELLING_MODES}
          onChoose={(next) => onChange({ ...labelling, mode: next })}
        />
      </Field>
      {mode === 'off' ? null : (
        <label className={styles.line}>
          <input
            type="checkbox"
            checked={beta !== null}
            onChange={({ target }) => onChange({ ...labelling, beta: target.checked ? 0.5 : null })}
          />
          Sample only a share of turns
        </label>
      )}
      {mode === 'off' || beta === null ? null : (
        <Field label="Share asked, in percent" hint="Sampled per turn and recorded with each label.">
          <Input
            type="number"
            min={1}
            max={100}
            value={String(Math.round(beta * 100))}
            onChange={({ target }) => {
              const share = Number(target.value) / 100;
              if (share > 0 && share <= 1) onChange({ ...labelling, beta: share });
            }}
          />
        </Field>
      )}
      {mode === 'off' || waiting === 0 ? null : (
        <Button size="small" onClick={onLabel}>
          {waiting === 1 ? 'Label 1 turn' : `Label ${String(waiting)} turns`}
        </Button>
      )}
    </>
  );
}

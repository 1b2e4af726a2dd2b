// The breakpoints of a running episode: those that are set, and setting another.
import { OctagonPause, Trash2 } from 'lucide-react';
import { useState, type FormEvent, type ReactNode } from 'react';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import type { Breakpoint } from '../../../shared/events/stepIns.ts';
import { breakpointText } from '../../parts/timeline/breakpointText.ts';
import { useSession } from '../../state/hooks.ts';
import { useAct } from '../../state/queries.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Field, Input, Select } from '../../ui/Field.tsx';
import * as styles from './StepInPanel.module.css';

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
        <p className={styles.note}>None. The episode stops only when someone pauses it.</p>
      ) : (
        <ul className={styles.list} aria-label="Breakpoints">
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

// What agents are told of one environment, at the end of their system prompt.
import { useState, type ReactNode } from 'react';
import type { EnvironmentSpec } from '../../../shared/events/lifecycle.ts';
import { useSession } from '../../state/hooks.ts';
import { useAct, useAsk } from '../../state/queries.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Field, Textarea } from '../../ui/Field.tsx';
import * as styles from './SettingsView.module.css';

export function EnvironmentText({ environment: { id, name } }: { environment: EnvironmentSpec }): ReactNode {
  const { call } = useSession();
  const { value, replace } = useAsk('environment.read', { id });
  const [draft, setDraft] = useState<string | null>(null);
  const { isBusy, failure, run } = useAct(async (text: string | null) => {
    replace(await call('environment.change', { id, text }));
    setDraft(null);
  });
  if (value === null) return null;
  const saved = value.text;
  const text = draft ?? saved ?? '';
  return (
    <details>
      <summary>
        {saved === null ? 'Instructions for the agent' : 'Instructions for the agent (yours)'}
      </summary>
      <Field
        label={`What the agent is told of ${name}`}
        help={`Added to the agent’s system prompt and recorded with each episode. Left unset, an Agent World Model server gets: “${value.awm_text}”`}
      >
        <Textarea rows={3} maxLength={8000} value={text} onChange={({ target }) => setDraft(target.value)} />
      </Field>
      <div className={styles.environmentLine}>
        <Button size="small" isBusy={isBusy} isDisabled={draft === null} onClick={() => void run(text)}>
          Save instructions
        </Button>
        {saved === null ? null : (
          <Button size="small" tone="quiet" onClick={() => void run(null)}>
            Use the default
          </Button>
        )}
      </div>
      {failure === null ? null : <ErrorNote title="Could not save the instructions" failure={failure} />}
    </details>
  );
}

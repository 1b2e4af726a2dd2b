// Whether drafts are tried on an added environment without a person asking. It takes an audit that saw two sessions kept
// apart: a try must not be seen in the episode that plays.
import type { ReactNode } from 'react';
import { useSession } from '../../state/hooks.ts';
import { useAct, useAsk } from '../../state/queries.ts';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Field, Select } from '../../ui/Field.tsx';
import { formatMoment } from '../../ui/time.ts';

export function EnvironmentTries({ id }: { id: string }): ReactNode {
  const { call } = useSession();
  const { value, again, replace } = useAsk('environment.read', { id });
  const { failure, run } = useAct(async (is_allowed: boolean) => {
    replace(await call('environment.change', { id, tries: is_allowed }));
  });
  if (value === null) return null;
  const { is_allowed: isAllowed, isolated } = value.tries;
  const now = isAllowed ? (isolated === null ? ' (after an audit)' : ' (by themselves)') : '';
  return (
    <details onToggle={again}>
      <summary>{`Tries of drafts${now}`}</summary>
      <Field
        label="Try drafts by themselves"
        hint={`While an expert decides, the calls of the draft are made in a session of their own, which is thrown away, and their results are shown. Leave it off where a call reaches something outside the session, such as mail or payments. ${
          isolated === null
            ? 'It takes an audit that saw two sessions kept apart; none has yet.'
            : `Audited ${formatMoment(isolated.at)}: ${isolated.proof}.`
        }`}
      >
        <Select
          value={isAllowed ? 'on' : 'off'}
          options={[
            { value: 'off', label: 'Off: an expert tries them with a button' },
            { value: 'on', label: 'On' },
          ]}
          onChoose={(chosen) => void run(chosen === 'on')}
        />
      </Field>
      {failure === null ? null : <ErrorNote title="Could not save it" failure={failure} />}
    </details>
  );
}

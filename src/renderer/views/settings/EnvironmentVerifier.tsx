// How the tasks of one environment are verified where a run does not say it.
import type { ReactNode } from 'react';
import type { VerifierMode } from '../../../shared/events/lifecycle.ts';
import { VERIFIER_LABELS } from '../../parts/verifierLabels.ts';
import { useSession } from '../../state/hooks.ts';
import { useAct, useAsk } from '../../state/queries.ts';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Field, Select } from '../../ui/Field.tsx';

export function EnvironmentVerifier({ id }: { id: string }): ReactNode {
  const { call } = useSession();
  const { value, replace } = useAsk('environment.read', { id });
  const { failure, run } = useAct(async (mode: VerifierMode | null) => {
    replace(await call('environment.change', { id, verifier: mode }));
  });
  if (value === null) return null;
  const { verifier: known } = value;
  return (
    <details>
      <summary>
        {known.own === null ? 'Verification' : `Verification (${VERIFIER_LABELS[known.own]})`}
      </summary>
      <Field
        label="Verified by"
        help="For servers with AWM’s verifiers. A run that says how it is verified stands over this, and this over the settings."
      >
        <Select
          value={known.own ?? 'usual'}
          options={[
            { value: 'usual', label: `As under Agent World Model: ${VERIFIER_LABELS[known.usual]}` },
            { value: 'code', label: VERIFIER_LABELS.code },
            { value: 'sql', label: VERIFIER_LABELS.sql },
          ]}
          onChoose={(mode) => void run(mode === 'usual' ? null : mode)}
        />
      </Field>
      {failure === null ? null : <ErrorNote title="Could not save it" failure={failure} />}
    </details>
  );
}

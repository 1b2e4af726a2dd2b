// Where the Agent World Model's data lies, and how its tasks are verified.
import { VERIFIER_LABELS } from '../../parts/verifierLabels.ts';
import { useState, type FormEvent, type ReactNode } from 'react';
import type { Inputs, Outputs } from '../../../shared/contract/contract.ts';
import { useSession, useToast } from '../../state/hooks.ts';
import { useAct, useAsk } from '../../state/queries.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Field, Input, Select } from '../../ui/Field.tsx';
import * as styles from './SettingsView.module.css';

type Settings = Outputs['settings.read']['awm'];
type Patch = NonNullable<Inputs['settings.change']['awm']>;

export function AwmSettings(): ReactNode {
  const { value, replace } = useAsk('settings.read', { checks_awm: true });
  if (value === null) return null;
  return <AwmForm key={JSON.stringify(value.awm)} settings={value.awm} onSaved={replace} />;
}

const DATA_FROM: Readonly<Record<Settings['data_from'], string>> = {
  flag: 'Set by --awm-data.',
  environment: 'Set by AWM_DATA_DIR.',
  settings: 'Used for success criteria and answer keys.',
  default: 'The usual folder is used.',
};
const KEY_FROM: Readonly<Record<Settings['judge']['key'], string>> = {
  none: 'No key is stored.',
  environment: 'The key comes from an environment variable.',
  stored: 'A key is stored. It is sent to the environment only.',
};

function dataHint({ data_from: from, data_folder: folder, data_problem: problem }: Settings): string {
  if (problem !== null) return `${problem.message}. ${problem.next ?? ''}`;
  return `${DATA_FROM[from]} Reading ${folder}.`;
}

type AwmFormProps = { settings: Settings; onSaved: (now: Outputs['settings.read']) => void };

function AwmForm({ settings, onSaved }: AwmFormProps): ReactNode {
  const { call } = useSession();
  const toast = useToast();
  const { judge } = settings;
  const kept = {
    data_folder: settings.data_setting ?? '',
    verifier_mode: settings.verifier_mode,
    judge_base_url: judge.is_overridden ? '' : (judge.base_url ?? ''),
    judge_model: judge.is_overridden ? '' : (judge.model ?? ''),
    judge_key: '',
  };
  const [draft, setDraft] = useState(kept);
  const change = (by: Partial<typeof draft>): void => setDraft((old) => ({ ...old, ...by }));
  const patch = Object.fromEntries(
    Object.entries(draft).filter(([name, value]) => value !== kept[name as keyof typeof kept]),
  ) as Patch;
  const isChanged = Object.keys(patch).length > 0;
  const { run, busyWith, failure } = useAct(async () => {
    onSaved(await call('settings.change', { awm: patch }));
    toast({ tone: 'ok', title: 'Saved' });
  });
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (isChanged) void run();
  };
  return (
    <form className={styles.section} onSubmit={onSubmit} aria-labelledby="awm-title">
      <div className={styles.about}>
        <h2 id="awm-title" className={styles.title}>
          Agent World Model
        </h2>
        <p>
          With its data, the advisor and the answer key know what each task’s verifier checks. The agent is
          never told.
        </p>
      </div>
      <div className={styles.fields}>
        <Field label="Data folder" hint={dataHint(settings)}>
          <Input
            isMono
            value={draft.data_folder}
            placeholder={settings.data_folder}
            onChange={({ target }) => change({ data_folder: target.value })}
          />
        </Field>
        <Field label="Verifier" help="An environment or a run may say otherwise (--verifier-mode).">
          <Select
            value={draft.verifier_mode}
            options={[
              { value: 'code', label: VERIFIER_LABELS.code },
              { value: 'sql', label: VERIFIER_LABELS.sql },
            ]}
            onChoose={(mode) => change({ verifier_mode: mode })}
          />
        </Field>
        <JudgeFields judge={judge} draft={draft} change={change} />
        <div className={styles.actions}>
          <Button
            type="submit"
            tone={isChanged ? 'primary' : 'plain'}
            isDisabled={!isChanged}
            isBusy={busyWith !== null}
          >
            Save
          </Button>
        </div>
        {failure === null ? null : <ErrorNote title="Could not save it" failure={failure} />}
      </div>
    </form>
  );
}

type JudgeDraft = { judge_base_url: string; judge_model: string; judge_key: string };

function JudgeFields({
  judge,
  draft,
  change,
}: {
  judge: Settings['judge'];
  draft: JudgeDraft;
  change: (by: Partial<JudgeDraft>) => void;
}): ReactNode {
  const overridden = judge.is_overridden
    ? `${judge.model ?? 'A model'} at ${judge.base_url ?? ''}, set by a flag or a variable.`
    : 'Any server with a chat completions API. Left empty, the environment’s server uses its own.';
  return (
    <>
      <Field label="Judge’s base URL" hint={overridden}>
        <Input
          isMono
          inputMode="url"
          value={draft.judge_base_url}
          onChange={({ target }) => change({ judge_base_url: target.value })}
        />
      </Field>
      <Field label="Judge’s model">
        <Input
          isMono
          value={draft.judge_model}
          onChange={({ target }) => change({ judge_model: target.value })}
        />
      </Field>
      <Field label="Judge’s key" hint={KEY_FROM[judge.key]}>
        <Input
          isMono
          type="password"
          autoComplete="new-password"
          value={draft.judge_key}
          onChange={({ target }) => change({ judge_key: target.value })}
        />
      </Field>
    </>
  );
}

// Where the Agent World Model's data lies, and how its tasks are verified.
import { useState, type ReactNode } from 'react';
import { useToast } from '../../state/hooks.ts';
import { VERIFIER_LABELS } from '../../parts/verifierLabels.ts';
import {
  SaveForm,
  SettingsSection,
  type ChangeSettings,
  type FormField,
  type Settings,
} from './SettingsForm.tsx';
import * as styles from './SettingsView.module.css';

export const AwmSettings = (): ReactNode => (
  <SettingsSection
    id="awm"
    title="Agent World Model"
    about="With its data, the advisor and the answer key know what each task’s verifier checks. The agent is never told."
    input={{ checks_awm: true }}
  >
    {({ awm }, change) => <AwmForm key={JSON.stringify(awm)} awm={awm} change={change} />}
  </SettingsSection>
);

const DATA_FROM: Readonly<Record<Settings['awm']['data_from'], string>> = {
  flag: 'Set by --awm-data.',
  environment: 'Set by AWM_DATA_DIR.',
  settings: 'Used for success criteria and answer keys.',
  default: 'The usual folder is used.',
};
const KEY_FROM: Readonly<Record<Settings['awm']['judge']['key'], string>> = {
  none: 'No key is stored.',
  environment: 'The key comes from an environment variable.',
  stored: 'A key is stored. It is sent to the environment only.',
};

function dataHint({ data_from: from, data_folder: folder, data_problem: problem }: Settings['awm']): string {
  if (problem !== null) return `${problem.message}. ${problem.next ?? ''}`;
  return `${DATA_FROM[from]} Reading ${folder}.`;
}

const TEXTS = ['data_folder', 'judge_base_url', 'judge_model', 'judge_key'] as const;
type AwmDraft = Readonly<Record<(typeof TEXTS)[number] | 'verifier_mode', string>>;

type AwmFormProps = { awm: Settings['awm']; change: ChangeSettings };

function AwmForm({ awm, change }: AwmFormProps): ReactNode {
  const toast = useToast();
  const { judge } = awm;
  const kept: AwmDraft = {
    data_folder: awm.data_setting ?? '',
    verifier_mode: awm.verifier_mode,
    judge_base_url: judge.is_overridden ? '' : (judge.base_url ?? ''),
    judge_model: judge.is_overridden ? '' : (judge.model ?? ''),
    judge_key: '',
  };
  const [draft, setDraft] = useState(kept);
  const { verifier_mode: mode, ...texts } = draft;
  const patch = {
    ...Object.fromEntries(
      TEXTS.filter((name) => texts[name] !== kept[name]).map((name) => [name, texts[name]]),
    ),
    ...(mode === kept.verifier_mode
      ? {}
      : { verifier_mode: mode === 'sql' ? ('sql' as const) : ('code' as const) }),
  };
  const fields: readonly FormField<AwmDraft>[] = [
    {
      name: 'data_folder',
      label: 'Data folder',
      hint: dataHint(awm),
      kind: 'mono',
      placeholder: awm.data_folder,
    },
    {
      name: 'verifier_mode',
      label: 'Verifier',
      help: 'An environment or a run may say otherwise (--verifier-mode).',
      options: [
        { value: 'code', label: VERIFIER_LABELS.code },
        { value: 'sql', label: VERIFIER_LABELS.sql },
      ],
    },
    {
      name: 'judge_base_url',
      label: 'Judge’s base URL',
      hint: judge.is_overridden
        ? `${judge.model ?? 'A model'} at ${judge.base_url ?? ''}, set by a flag or a variable.`
        : 'Any server with a chat completions API. Left empty, the environment’s server uses its own.',
      kind: 'url',
    },
    { name: 'judge_model', label: 'Judge’s model', kind: 'mono' },
    { name: 'judge_key', label: 'Judge’s key', hint: KEY_FROM[judge.key], kind: 'secret' },
  ];
  return (
    <SaveForm
      label="Agent World Model"
      className={styles.fields}
      fields={fields}
      draft={draft}
      onDraft={setDraft}
      isReady={Object.keys(patch).length > 0}
      onSave={async () => {
        await change({ awm: patch });
        toast({ tone: 'ok', title: 'Saved' });
      }}
      saveLabel="Save"
      problem="Could not save it"
    />
  );
}

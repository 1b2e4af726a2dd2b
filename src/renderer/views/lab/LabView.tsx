// The reward lab: what the numbers do to the recorded episodes first, and the numbers beside it.
import { Scale } from 'lucide-react';
import { useEffect, useMemo, useState, type ReactNode } from 'react';
import { z } from 'zod';
import type { Outputs } from '../../../shared/contract/contract.ts';
import type { ProfileRow } from '../../../shared/contract/rewards.ts';
import { DEFAULT_PROFILE } from '../../../shared/events/rewards.ts';
import type { FailureShape } from '../../../shared/failure.ts';
import type { Measure } from '../../../shared/rewards/breakdown.ts';
import { REWARD_DEFAULTS, type RewardSettings } from '../../../shared/rewards/settings.ts';
import { useSession } from '../../state/hooks.ts';
import { useKeptValue } from '../../state/keptValue.ts';
import { changeUi } from '../../state/store.ts';
import { useAsk, type Answer } from '../../state/queries.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import * as styles from './Lab.module.css';
import { settingsDraft, isSameSettings, checkDraft } from './labForm.ts';
import { ALL_EPISODES, isAllEpisodes, LabScope } from './labScope.ts';
import { LabTable } from './LabTable.tsx';
import { fixedText } from './labText.ts';
import { Results, type ResultsProps } from './Results.tsx';
import { exampleMarks } from './rewardMarks.ts';
import { RewardStrip } from './RewardStrip.tsx';
import { ScopePicker } from './ScopePicker.tsx';
import { SettingsPane } from './SettingsPane.tsx';

const DEFAULT: ProfileRow = { name: DEFAULT_PROFILE, version: 0, settings: REWARD_DEFAULTS, saved_at: null };
const INITIAL_DRAFT = settingsDraft(REWARD_DEFAULTS);
const KeptDraft = z.record(z.string(), z.string());

export function LabView(): ReactNode {
  const [kept, setKept] = useKeptValue('lab/numbers', KeptDraft);
  const [scope, setScope] = useKeptValue('lab/scope', LabScope);
  const [chosen, setChosen] = useState(DEFAULT_PROFILE);
  const [measure, setMeasure] = useState<Measure>('shaped');
  const known = useAsk('rewards.profiles', {});
  const profiles = known.value?.profiles ?? [DEFAULT];
  const base = profiles.find(({ name }) => name === chosen) ?? DEFAULT;
  const draft = kept ?? INITIAL_DRAFT;
  const checked = useMemo(() => checkDraft(draft), [draft]);
  const [valid, setValid] = useState<RewardSettings>(REWARD_DEFAULTS);
  if (checked.settings !== null && !isSameSettings(valid, checked.settings)) setValid(checked.settings);
  const profile = profiles.find(({ settings }) => isSameSettings(settings, valid)) ?? null;
  const after = profile?.name ?? 'these numbers';
  const opened = useOpenSet(scope ?? ALL_EPISODES);
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <h1 className={styles.heading}>Rewards</h1>
        <p className={styles.quiet}>
          What a reward does to recorded episodes, before anything is trained on it.
        </p>
        <ScopePicker
          scope={scope ?? ALL_EPISODES}
          onScope={setScope}
          total={opened.value?.total ?? null}
          onReload={opened.again}
        />
      </header>
      <div className={styles.body}>
        <div className={styles.right}>
          {opened.failure !== null ? (
            <Retry title="Could not score the episodes" failure={opened.failure} onRetry={opened.again} />
          ) : opened.value === null ? (
            <Reading done={null} total={null} />
          ) : opened.value.total === 0 ? (
            <NothingToScore isAll={isAllEpisodes(scope)} settings={valid} onAll={() => setScope(null)} />
          ) : (
            <ScoredSet
              key={opened.value.set}
              // The numbers of the profile as they are known here: so that a new version of it is asked about anew.
              request={{
                set: opened.value.set,
                measure,
                before: { settings: base.settings },
                after: { settings: valid },
              }}
              names={{ before: base.name, after: after === base.name ? `${after}, unchanged` : after }}
              profile={profile}
              isBroken={checked.settings === null}
              onMeasure={setMeasure}
              onRetry={opened.again}
            />
          )}
        </div>
        <aside className={styles.left} aria-label="Reward settings">
          {known.failure === null ? null : (
            <Retry title="Could not read the profiles" failure={known.failure} onRetry={known.again} />
          )}
          <SettingsPane
            profiles={profiles}
            onProfiles={known.again}
            draft={draft}
            onDraft={setKept}
            checked={checked}
            base={base}
            onBase={setChosen}
          />
        </aside>
      </div>
    </div>
  );
}

/** The set of the episodes in `scope`, opened in main; closed when it is another, or with the view. */
function useOpenSet(scope: LabScope): Answer<Outputs['rewards.open']> {
  const { call } = useSession();
  const opened = useAsk('rewards.open', { from: scope }, { keepsPrevious: false });
  const set = opened.value?.set;
  useEffect(() => {
    if (set === undefined) return undefined;
    // Not there, or no line any more: then there is nothing to close.
    return () => void call('rewards.close', { set }).catch(() => undefined);
  }, [call, set]);
  return opened;
}

const LAB_SETTLE_MS = 120;
const LAB_POLL_MS = 150;

type ScoredSetProps = Pick<ResultsProps, 'request' | 'names' | 'profile' | 'onMeasure'> & {
  isBroken: boolean;
  onRetry: () => void;
};

function ScoredSet({ request, isBroken, onRetry, ...results }: ScoredSetProps): ReactNode {
  const { value, failure, isLoading } = useAsk('rewards.score', request, {
    delayMs: LAB_SETTLE_MS,
    everyMs: LAB_POLL_MS,
    isChanging: ({ state }) => state === 'reading',
  });
  if (failure !== null)
    return <Retry title="Could not score the episodes" failure={failure} onRetry={onRetry} />;
  if (value?.state !== 'done') return <Reading done={value?.done ?? null} total={value?.total ?? null} />;
  return (
    <>
      {isBroken ? (
        <p className={styles.broken} role="status">
          These settings break a rule. Results are for the last valid settings.
        </p>
      ) : null}
      <Results
        {...results}
        request={request}
        report={value.report}
        leftOut={value.left_out}
        isStale={isLoading}
      />
    </>
  );
}

type RetryProps = { title: string; failure: FailureShape; onRetry: () => void };

const Retry = ({ title, failure, onRetry }: RetryProps): ReactNode => (
  <ErrorNote
    title={title}
    failure={failure}
    action={
      <Button size="small" onClick={onRetry}>
        Try again
      </Button>
    }
  />
);

type NothingProps = { isAll: boolean; settings: RewardSettings; onAll: () => void };

function NothingToScore({ isAll, settings, onAll }: NothingProps): ReactNode {
  const { store } = useSession();
  const start = (): void => changeUi(store, () => ({ overlay: 'start' }));
  if (!isAll)
    return (
      <EmptyState
        icon={<Scale />}
        title="No ended episode matches"
        action={<Button onClick={onAll}>Score all episodes</Button>}
      />
    );
  return (
    <div className={styles.results}>
      <section className={styles.empty}>
        <h2 className={styles.sectionTitle}>No episodes to score</h2>
        <p className={styles.quiet}>
          Episodes can be scored once they have ended. Run one, or import logs in the library.
        </p>
        <Button tone="primary" onClick={start}>
          Start an episode
        </Button>
      </section>
      <RewardExample settings={settings} />
    </div>
  );
}

/** What the settings would give, before there is an episode. */
function RewardExample({ settings: { shaping } }: { settings: RewardSettings }): ReactNode {
  const marks = exampleMarks(shaping);
  return (
    <section className={styles.section} aria-label="Example">
      <RewardStrip
        title="Example: what one episode of each kind would get"
        axis="Graduated reward"
        marks={marks}
      />
      <LabTable
        caption="Each case by these settings"
        rows={marks}
        columns={[
          ['Episode', ({ label }) => label],
          ['Reward', ({ at }) => fixedText(at)],
        ]}
      />
    </section>
  );
}

/** How far main has read the set; null until it said so. */
const Reading = ({ done, total }: { done: number | null; total: number | null }): ReactNode => (
  <div className={styles.results}>
    {done === null || total === null ? null : (
      <div className={styles.acts}>
        <progress value={done} max={Math.max(1, total)} aria-label="Episodes read" />
        <span role="status">
          {done.toLocaleString()} of {total.toLocaleString()} episodes read
        </span>
        <span className={styles.quiet}>After loading, changing settings is instant.</span>
      </div>
    )}
    <Skeleton rows={10} height={28} label="Scoring the episodes" />
  </div>
);

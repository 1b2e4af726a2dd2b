// The reward lab: numbers on the left, what they would do to the recorded episodes on the right.
import { Scale } from 'lucide-react';
import { useMemo, useState, type ReactNode } from 'react';
import { z } from 'zod';
import type { ProfileRow } from '../../../shared/contract/rewards.ts';
import { DEFAULT_PROFILE } from '../../../shared/events/rewards.ts';
import type { Measure } from '../../../shared/rewards/breakdown.ts';
import { REWARD_DEFAULTS, type RewardSettings } from '../../../shared/rewards/settings.ts';
import { useSession } from '../../state/hooks.ts';
import { useKeptValue } from '../../state/keptValue.ts';
import { changeUi } from '../../state/store.ts';
import { useAsk } from '../../state/queries.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import * as styles from './Lab.module.css';
import { settingsDraft, isSameSettings, judge } from './labForm.ts';
import { Results } from './Results.tsx';
import { ALL_EPISODES, isEverything, ScopePicker, ScopeValue } from './Scope.tsx';
import { SettingsPane } from './SettingsPane.tsx';
import { useReport, useSet, type OpenSet, type ScoringProgress, type ScoredReport } from './useLab.ts';

const DEFAULT: ProfileRow = { name: DEFAULT_PROFILE, version: 0, settings: REWARD_DEFAULTS, saved_at: null };
const INITIAL_DRAFT = settingsDraft(REWARD_DEFAULTS);
const KeptDraft = z.record(z.string(), z.string());

export function LabView(): ReactNode {
  const [kept, setKept] = useKeptValue('lab/numbers', KeptDraft);
  const [scope, setScope] = useKeptValue('lab/scope', ScopeValue);
  const [chosen, setChosen] = useState(DEFAULT_PROFILE);
  const [measure, setMeasure] = useState<Measure>('shaped');
  const known = useAsk('rewards.profiles', {});
  const profiles = known.value?.profiles ?? [DEFAULT];
  const draft = kept ?? INITIAL_DRAFT;
  const judged = useMemo(() => judge(draft), [draft]);
  const base = profiles.find(({ name }) => name === chosen) ?? DEFAULT;
  const from = scope ?? ALL_EPISODES;
  const opened = useSet(from);
  const { settings } = judged;
  // The numbers of the profile as they are known here: so that a new version of it is asked about anew.
  const asked = settings === null ? null : { measure, before: { settings: base.settings }, after: settings };
  const scored = useReport(opened.set, asked);
  const [last, setLast] = useState<RewardSettings>(REWARD_DEFAULTS);
  if (settings !== null && !isSameSettings(last, settings)) setLast(settings);
  const profile = profiles.find((one) => isSameSettings(one.settings, last)) ?? null;
  const after = profile === null ? 'these numbers' : profile.name;
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <h1 className={styles.heading}>Rewards</h1>
        <p className={styles.quiet}>
          See what different reward settings would do to recorded episodes, before training on them.
        </p>
        <ScopePicker scope={from} onScope={setScope} total={opened.total} onAgain={opened.again} />
      </header>
      <div className={styles.body}>
        <div className={styles.left}>
          {known.failure === null ? null : (
            <ErrorNote
              title="Could not read the profiles"
              failure={known.failure}
              action={
                <Button size="small" onClick={known.again}>
                  Try again
                </Button>
              }
            />
          )}
          <SettingsPane
            profiles={profiles}
            onProfiles={known.again}
            draft={draft}
            onDraft={setKept}
            judged={judged}
            before={base.name}
            onBefore={setChosen}
          />
        </div>
        <div className={styles.right}>
          {settings === null && scored.report !== null ? (
            <p className={styles.broken} role="status">
              These settings break a rule. Results are for the last valid settings.
            </p>
          ) : null}
          {scored.report !== null && opened.set !== null && opened.total !== 0 ? (
            <Results
              set={opened.set}
              asked={{ measure, before: { settings: base.settings }, after: last }}
              report={scored.report}
              names={{ before: base.name, after: after === base.name ? `${after}, unchanged` : after }}
              profile={profile}
              onMeasure={setMeasure}
              isStale={scored.isBusy}
            />
          ) : (
            <LabWaiting
              opened={opened}
              scored={scored}
              isAll={isEverything(from)}
              onAll={() => setScope(null)}
            />
          )}
        </div>
      </div>
    </div>
  );
}

type WaitingProps = { opened: OpenSet; scored: ScoredReport; isAll: boolean; onAll: () => void };

function LabWaiting({ opened, scored, isAll, onAll }: WaitingProps): ReactNode {
  const { store } = useSession();
  const failure = opened.failure ?? scored.failure;
  if (failure !== null) {
    return (
      <div className={styles.waiting}>
        <ErrorNote
          title="Could not score the episodes"
          failure={failure}
          action={
            <Button size="small" onClick={opened.again}>
              Try again
            </Button>
          }
        />
      </div>
    );
  }
  if (opened.total === 0) {
    return isAll ? (
      <EmptyState
        icon={<Scale />}
        title="No episodes to score"
        action={
          <Button tone="primary" onClick={() => changeUi(store, () => ({ overlay: 'start' }))}>
            Start an episode
          </Button>
        }
      >
        Episodes can be scored once they have ended. Import some, or run one.
      </EmptyState>
    ) : (
      <EmptyState
        icon={<Scale />}
        title="No ended episode matches"
        action={<Button onClick={onAll}>Score all episodes</Button>}
      />
    );
  }
  return <LabReading progress={scored.progress} />;
}

function LabReading({ progress }: { progress: ScoringProgress | null }): ReactNode {
  return (
    <div className={styles.waiting}>
      {progress === null ? null : (
        <div className={styles.progress}>
          <progress value={progress.done} max={Math.max(1, progress.total)} aria-label="Episodes read" />
          <span role="status">
            {progress.done.toLocaleString()} of {progress.total.toLocaleString()} episodes read
          </span>
          <span className={styles.quiet}>After loading, changing settings is instant.</span>
        </div>
      )}
      <Skeleton rows={10} height={28} label="Scoring the episodes" />
    </div>
  );
}

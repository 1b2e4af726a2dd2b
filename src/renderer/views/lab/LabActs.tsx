// What is taken away from the lab: a table as CSV, the report as Markdown, and scores stored beside the episodes.
import { Archive, Download } from 'lucide-react';
import type { ReactNode } from 'react';
import type { LabReport, ProfileRow } from '../../../shared/contract/rewards.ts';
import type { Outputs } from '../../../shared/contract/contract.ts';
import { useSession, useToast } from '../../state/hooks.ts';
import { useAct, useAsk } from '../../state/queries.ts';
import { Button } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import * as styles from './Lab.module.css';
import { csvOf, markdownOf } from './labText.ts';
import type { LabRequest } from './useLab.ts';

type LabActsProps = {
  set: string;
  asked: LabRequest;
  report: LabReport;
  names: { before: string; after: string };
  /** The profile the numbers on screen are those of; null while they are nobody's. */
  profile: ProfileRow | null;
};

const SCORES_PER_PAGE = 500;
type ScoredRow = Outputs['rewards.rows']['rows'][number];

export function LabActs({ set, asked, report, names, profile }: LabActsProps): ReactNode {
  const { call } = useSession();
  const toast = useToast();
  const save = useAct(async () => {
    const rows: ScoredRow[] = [];
    for (;;) {
      const { measure, before, after } = asked;
      const place = { offset: rows.length, limit: SCORES_PER_PAGE, order: 'gain' as const };
      const page = await call('rewards.rows', { set, measure, before, after: { settings: after }, ...place });
      rows.push(...page.rows);
      if (page.rows.length === 0 || rows.length >= page.total) break;
    }
    download('rewards.csv', csvOf(rows, names));
    toast({ tone: 'ok', title: `Saved ${rows.length.toLocaleString()} lines` });
  }, 'Could not save the table');
  return (
    <div className={styles.acts}>
      <Button size="small" icon={<Download />} isBusy={save.isBusy} onClick={() => void save.run()}>
        Save as CSV
      </Button>
      <CopyButton text={() => markdownOf(report, names)} label="Copy as Markdown" hasWords />
      {profile === null ? (
        <span className={styles.quiet}>Save the settings as a profile to store scores.</span>
      ) : (
        <StoreScores
          key={`${profile.name} ${String(profile.version)}`}
          set={set}
          profile={profile}
          count={report.episodes}
        />
      )}
    </div>
  );
}

function StoreScores({
  set,
  profile,
  count,
}: {
  set: string;
  profile: ProfileRow;
  count: number;
}): ReactNode {
  const { call } = useSession();
  const { value, again } = useAsk('rewards.kept', {});
  const kept = value?.kept.find((one) => one.profile === profile.name && one.version === profile.version);
  const toast = useToast();
  const keep = useAct(async () => {
    const { kept: stored, known } = await call('rewards.keep', { set, profile: profile.name });
    again();
    toast({
      tone: 'ok',
      title: `Stored ${stored.toLocaleString()} scores by ${profile.name}${known === 0 ? '' : `, ${known.toLocaleString()} were there`}`,
    });
  }, 'Could not store the scores');
  return (
    <>
      <Button size="small" icon={<Archive />} isBusy={keep.isBusy} onClick={() => void keep.run()}>
        Store {count.toLocaleString()} {count === 1 ? 'score' : 'scores'} by {profile.name}
      </Button>
      {kept === undefined ? null : (
        <span className={styles.quiet}>
          {kept.episodes.toLocaleString()} stored, <RelativeTime at={kept.at} isSpoken />
        </span>
      )}
    </>
  );
}

function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

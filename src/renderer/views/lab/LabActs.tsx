// Owns: what is taken away from the lab: a table as CSV, the report as Markdown, and scores stored beside the episodes.
import { Archive, Download } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import type { LabReport, ProfileRow } from '../../../shared/contract/rewards.ts';
import type { Outputs } from '../../../shared/contract/contract.ts';
import { failureShape } from '../../../shared/failure.ts';
import { useSession, useToast } from '../../state/hooks.ts';
import { useAnswer } from '../../state/useAnswer.ts';
import { Button } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import styles from './Lab.module.css';
import { csvOf, markdownOf } from './labText.ts';
import type { Asked } from './useLab.ts';

type ActsProps = {
  set: string;
  asked: Asked;
  report: LabReport;
  names: { before: string; after: string };
  /** The profile the numbers on screen are those of; null while they are nobody's. */
  profile: ProfileRow | null;
};

const PAGE = 500;
type Row = Outputs['rewards.rows']['rows'][number];

export function LabActs({ set, asked, report, names, profile }: ActsProps): ReactNode {
  const { call } = useSession();
  const save = useBusy('Could not save the table', async () => {
    const rows: Row[] = [];
    for (;;) {
      const { measure, before, after } = asked;
      const place = { offset: rows.length, limit: PAGE, order: 'gain' as const };
      const page = await call('rewards.rows', { set, measure, before, after: { settings: after }, ...place });
      rows.push(...page.rows);
      if (page.rows.length === 0 || rows.length >= page.total) break;
    }
    download('rewards.csv', csvOf(rows, names));
    return `Saved ${rows.length.toLocaleString()} lines`;
  });
  return (
    <div className={styles['acts']}>
      <Button size="small" icon={<Download />} isBusy={save.isBusy} onClick={save.run}>
        Save as CSV
      </Button>
      <CopyButton text={() => markdownOf(report, names)} label="Copy as Markdown" hasWords />
      {profile === null ? (
        <span className={styles['quiet']}>Save the numbers as a profile to store scores by them.</span>
      ) : (
        <Store
          key={`${profile.name} ${String(profile.version)}`}
          set={set}
          profile={profile}
          count={report.episodes}
        />
      )}
    </div>
  );
}

function Store({ set, profile, count }: { set: string; profile: ProfileRow; count: number }): ReactNode {
  const { call } = useSession();
  const { value, again } = useAnswer('kept', () => call('rewards.kept', {}));
  const kept = value?.kept.find((one) => one.profile === profile.name && one.version === profile.version);
  const keep = useBusy('Could not store the scores', async () => {
    const { kept: stored, known } = await call('rewards.keep', { set, profile: profile.name });
    again();
    return `Stored ${stored.toLocaleString()} scores by ${profile.name}${known === 0 ? '' : `, ${known.toLocaleString()} were there`}`;
  });
  return (
    <>
      <Button size="small" icon={<Archive />} isBusy={keep.isBusy} onClick={keep.run}>
        Store {count.toLocaleString()} {count === 1 ? 'score' : 'scores'} by {profile.name}
      </Button>
      {kept === undefined ? null : (
        <span className={styles['quiet']}>
          {kept.episodes.toLocaleString()} stored, <RelativeTime at={kept.at} isSpoken />
        </span>
      )}
    </>
  );
}

/** Runs work once at a time and says what came of it. */
function useBusy(title: string, work: () => Promise<string>): { isBusy: boolean; run: () => void } {
  const toast = useToast();
  const [isBusy, setIsBusy] = useState(false);
  const run = (): void => {
    setIsBusy(true);
    work()
      .then(
        (words) => toast({ tone: 'ok', title: words }),
        (thrown: unknown) => toast({ tone: 'error', title, text: failureShape(thrown).message }),
      )
      .finally(() => setIsBusy(false));
  };
  return { isBusy, run };
}

function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

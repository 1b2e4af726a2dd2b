// Where an imported episode came from: its file, what that did not record, what was odd and where.
import { Download } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { conservationWords } from '../../../shared/conservation.ts';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import { failureShape } from '../../../shared/failure.ts';
import { useSession, useToast } from '../../state/hooks.ts';
import { useRole } from '../../state/role.ts';
import { Button } from '../../ui/Button.tsx';
import { DataValue } from '../text/DataText.tsx';
import { formatBytes } from '../text/size.ts';
import * as styles from './Details.module.css';
import { Facts } from './Facts.tsx';
import { saveFile } from '../../ui/saveFile.ts';
import { fetchKept } from './keptFile.ts';

export function ImportDetails({ record: { id, imported } }: { record: EpisodeRecord }): ReactNode {
  if (imported === null) return null;
  const { source, version, companions, not_recorded: lacks, diagnostics, extra, conservation } = imported;
  return (
    <>
      <Facts
        facts={[
          ['File', source.name],
          ['Size', formatBytes(source.bytes)],
          ['Episode in the file', source.index + 1],
          ['Version', version],
          ['SHA-256', source.sha256.slice(0, 12)],
          ['Record read', conservation === undefined ? null : conservationWords(conservation)],
          ['File kept', companions.map(({ name }) => name).join(', ')],
        ]}
      />
      <KeptFileButton episode={id} />
      {lacks.length === 0 ? null : (
        <p className="soft small">{`This file does not record: ${lacks.join(', ')}.`}</p>
      )}
      {diagnostics.length === 0 ? null : (
        <ul className={styles.list} aria-label="Problems in the file">
          {diagnostics.map(({ code, message, pointer, count }) => (
            <li key={`${code}${pointer ?? ''}`}>
              {message}
              {pointer === null ? null : <code>{` ${pointer}`}</code>}
              {count > 1 ? ` (${String(count)} times)` : ''}
            </li>
          ))}
        </ul>
      )}
      {Object.keys(extra).length === 0 ? null : (
        <DataValue label="Other contents of the file" value={extra} />
      )}
    </>
  );
}

/** The file as it came in: an owner's alone, as it may hold more than this episode. */
function KeptFileButton({ episode }: { episode: string }): ReactNode {
  const isOwner = useRole() === 'owner';
  const { call } = useSession();
  const toast = useToast();
  const [share, setShare] = useState<number | null>(null);
  if (!isOwner) return null;
  const save = (): void => {
    setShare(0);
    fetchKept(call, episode, setShare)
      .then(({ name, content }) => saveFile(name, content))
      .catch((thrown: unknown) => {
        const { message, next } = failureShape(thrown);
        toast({ tone: 'error', title: `Could not save the file: ${message}`, text: next });
      })
      .finally(() => setShare(null));
  };
  return (
    <div>
      <Button size="small" icon={<Download />} isBusy={share !== null} onClick={save}>
        {share === null || share === 0 ? 'Save the original file' : `${String(Math.floor(share * 100))} %`}
      </Button>
    </div>
  );
}

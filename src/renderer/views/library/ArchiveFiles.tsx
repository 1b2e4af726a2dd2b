// The archive files there are, and bringing back what lies in one.
import { ArchiveRestore } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatBytes, formatCount } from '../../parts/text/size.ts';
import { useAsk } from '../../state/queries.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import * as styles from './ArchiveDialog.module.css';
import type { Archiving } from './useArchiving.ts';

export function ArchiveFiles({
  archiving,
  onClose,
}: {
  archiving: Archiving;
  onClose: () => void;
}): ReactNode {
  const { value, failure } = useAsk('archive.files', {});
  const files = value?.files ?? [];
  if (failure !== null) return <ErrorNote title="Could not read the archive files" failure={failure} />;
  if (files.length === 0) return null;
  const bringBack = async (file: string): Promise<void> => {
    if (await archiving.bringBack({ file })) onClose();
  };
  return (
    <section aria-labelledby="archive-files">
      <h2 id="archive-files" className={styles.title}>
        Archive files
      </h2>
      <ul className={styles.files}>
        {files.map(({ file, path, episodes, bytes }) => (
          <li key={file}>
            <span className={styles.file}>
              <code title={path}>{file}</code>
              <span className={styles.hint}>
                {`${formatCount(episodes, 'episode')}, ${bytes === null ? 'the file is not there' : formatBytes(bytes)}`}
              </span>
            </span>
            <Button
              size="small"
              icon={<ArchiveRestore />}
              isDisabled={bytes === null}
              title={bytes === null ? `Put the file back to ${path} first` : undefined}
              onClick={() => void bringBack(file)}
            >
              Bring back
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

// The history of writes: looked at again, made again by the same rules, gone on from.
import * as styles from './HistoryList.module.css';
import type { ReactNode } from 'react';
import { rowTexts } from '../../../shared/export/formats.ts';
import { formatCount } from '../../parts/text/size.ts';
import { Button } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import type { PastExport } from './exportJobs.ts';
import type { ExportForm } from './useForm.ts';
import { FolderOpen } from 'lucide-react';
import { failureShape } from '../../../shared/failure.ts';
import { useConsole, useSession, useToast } from '../../state/hooks.ts';

export function HistoryList({
  exports,
  form,
}: {
  exports: readonly PastExport[];
  form: ExportForm;
}): ReactNode {
  if (exports.length === 0) return null;
  const use = ({ format, rules }: Pick<PastExport, 'format' | 'rules'>): void => {
    form.onFormat(format);
    form.onRules(rules);
  };
  return (
    <section aria-label="Written before">
      <h3 className="soft small strong">Written before</h3>
      <ul className={styles.list}>
        {exports.map((written) => (
          <li key={`${written.folder}${String(written.at)}`} className={styles.one}>
            <p>
              <strong>{rowTexts(written.format, written.rules.preset).label}</strong>
              {`, ${formatCount(written.rows, 'row')}, `}
              <RelativeTime at={written.at} />
            </p>
            <p className={styles.folder}>
              <code>{written.folder}</code>
              <CopyButton text={written.folder} label="Copy the folder" />
              <OpenFolder folder={written.folder} />
            </p>
            <p className={styles.acts}>
              <Button size="small" onClick={() => use(written)}>
                Use its rules
              </Button>
              {written.log_to === null ? null : (
                <Button
                  size="small"
                  title="Same rules, for episodes that ended since"
                  onClick={() =>
                    use({ format: written.format, rules: { ...written.rules, after_seq: written.log_to } })
                  }
                >
                  Export what is new
                </Button>
              )}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

export function OpenFolder({ folder }: { folder: string }): ReactNode {
  const { call } = useSession();
  const toast = useToast();
  const isDesktop = useConsole(({ record }) => record.app?.host === 'desktop');
  if (!isDesktop) return null;
  const open = (): void => {
    call('export.show', { folder }).catch((thrown: unknown) =>
      toast({ tone: 'error', title: 'Could not open the folder', text: failureShape(thrown).message }),
    );
  };
  return (
    <Button size="small" icon={<FolderOpen />} onClick={open}>
      Open folder
    </Button>
  );
}

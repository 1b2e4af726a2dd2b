// Opening a folder that was written, where the host has a window for files.
import { FolderOpen } from 'lucide-react';
import type { ReactNode } from 'react';
import { failureShape } from '../../../shared/failure.ts';
import { useConsole, useSession, useToast } from '../../state/hooks.ts';
import { Button } from '../../ui/Button.tsx';

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

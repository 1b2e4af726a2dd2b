// The notices of main, in full.
import type { ReactNode } from 'react';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';

type NoticesDialogProps = { notices: readonly string[]; onClose: () => void };

export function NoticesDialog({ notices, onClose }: NoticesDialogProps): ReactNode {
  return (
    <Dialog isOpen onClose={onClose} title="Notices" footer={<Button onClick={onClose}>Close</Button>}>
      <ul className="stack-2">
        {notices.map((notice) => (
          <li key={notice}>{notice}</li>
        ))}
      </ul>
    </Dialog>
  );
}

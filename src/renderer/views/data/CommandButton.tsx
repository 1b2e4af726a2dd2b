// Showing the same export as a command line, and the file it reads.
import { SquareTerminal } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { RULES_FILE } from '../../../shared/export/formats.ts';
import { Button } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { commandLine, rulesText, type CommandRequest } from './rulesModel.ts';
import * as styles from './CommandButton.module.css';

export function CommandButton({ form }: { form: CommandRequest }): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button tone="quiet" icon={<SquareTerminal />} onClick={() => setIsOpen(true)}>
        Command…
      </Button>
      {isOpen ? <CommandDialog form={form} onClose={() => setIsOpen(false)} /> : null}
    </>
  );
}

function CommandDialog({ form, onClose }: { form: CommandRequest; onClose: () => void }): ReactNode {
  const { command, needsFile } = commandLine(form);
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Show as a command"
      description="Writes identical files as long as the log is unchanged."
    >
      <div className="stack-4">
        <CommandPart label="Command" text={command} />
        {needsFile ? (
          <CommandPart label={`Save as ${RULES_FILE} where you call it`} text={rulesText(form.rules)} />
        ) : null}
      </div>
    </Dialog>
  );
}

function CommandPart({ label, text }: { label: string; text: string }): ReactNode {
  return (
    <section aria-label={label}>
      <header className={styles.head}>
        <h3>{label}</h3>
        <CopyButton hasLabel text={text} label="Copy" />
      </header>
      <pre className={styles.text} tabIndex={0}>
        {text}
      </pre>
    </section>
  );
}

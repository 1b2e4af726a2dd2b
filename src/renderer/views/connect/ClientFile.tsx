// The small Python file that names an episode for its questions: shown, copied, saved.
import { Download } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import text from '../../../../resources/interject.py?raw';
import { Button } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { saveFile } from '../../ui/saveFile.ts';
import * as styles from './ConnectView.module.css';

const name = 'interject.py';

export function ClientFile(): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <section className={styles.door} aria-labelledby="file-title">
      <h2 id="file-title" className={styles.doorTitle}>
        {name}
      </h2>
      <p className={styles.what}>
        This file, without dependencies, names a rollout by reset arguments and a header, for clients whose
        key you cannot change. It also tells the run, step and group for the group view, and hands over the
        words of an agent whose model is not routed through here.
      </p>
      <div className={styles.acts}>
        <Button
          icon={<Download />}
          onClick={() => saveFile(name, new Blob([text], { type: 'text/x-python' }))}
        >
          Save {name}
        </Button>
        <CopyButton text={text} label={`Copy ${name}`} hasLabel />
        <Button tone="quiet" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {isOpen ? 'Hide' : 'Show'}
        </Button>
      </div>
      {isOpen ? (
        <div className={styles.code}>
          <pre tabIndex={0} data-snippet="client-file" aria-label={name}>
            <code>{text}</code>
          </pre>
        </div>
      ) : null}
    </section>
  );
}

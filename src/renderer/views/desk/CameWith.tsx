// The question on a data folder that was made elsewhere: one, above everything, until the owner has answered it.
import type { ReactNode } from 'react';
import { useSession } from '../../state/hooks.ts';
import { useAct } from '../../state/queries.ts';
import { Button } from '../../ui/Button.tsx';
import * as styles from './CameWith.module.css';

export function CameWith({ list }: { list: readonly string[] }): ReactNode {
  const { call, refreshApp } = useSession();
  const settle = useAct(async (keep: boolean) => {
    await call('folder.settle', { keep });
    refreshApp();
  }, 'Could not do that');
  const busyWith = settle.busyWith?.[0] ?? null;
  return (
    <section className={styles.band} aria-labelledby="came-with">
      <div className={styles.words}>
        <h2 id="came-with" className={styles.head}>
          This data folder was not made by you on this computer
        </h2>
        <ul className={styles.list} aria-label="Came with it">
          {list.map((item) => (
            <li key={item}>{item}</li>
          ))}
        </ul>
        <p className={styles.quiet}>
          None of it holds until you say so. <strong>Keep</strong>: from this moment whoever has these invites
          and keys has their way in, and these addresses are asked, with your own model keys.{' '}
          <strong>Start without</strong>: it is removed from this folder. Episodes stay either way.
        </p>
      </div>
      <div className="wrap-2">
        <Button
          tone="primary"
          isBusy={busyWith === false}
          isDisabled={settle.isBusy}
          onClick={() => void settle.run(false)}
        >
          Start without them
        </Button>
        <Button isBusy={busyWith === true} isDisabled={settle.isBusy} onClick={() => void settle.run(true)}>
          Keep them
        </Button>
      </div>
    </section>
  );
}

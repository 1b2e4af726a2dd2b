// A cover over what marks the advice of whoever sees it, and the note that stands there once it was seen.
import { EyeOff } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from './Button.tsx';
import * as styles from './Cover.module.css';

/** The meaning of `marked`, said wherever it is. */
export const MARKED_MEANS =
  'Marked: your advice is stored with what you had seen, so that training data can leave it out.';

/** The button names what is shown and what that costs. */
export function Cover({
  what,
  isBusy = false,
  onShow,
}: {
  what: string;
  isBusy?: boolean;
  onShow: () => void;
}): ReactNode {
  return (
    <div className={styles.cover}>
      <EyeOff aria-hidden="true" />
      <Button size="small" isBusy={isBusy} onClick={onShow}>
        {`${what}; your advice will be marked`}
      </Button>
      <p className="quiet small">{MARKED_MEANS}</p>
    </div>
  );
}

/** Says what was seen. */
export function MarkedNote({ children }: { children: ReactNode }): ReactNode {
  return (
    <p className={styles.marked} role="status">
      {children}
    </p>
  );
}

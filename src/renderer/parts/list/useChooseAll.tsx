// Choosing all that match. Their ids are read page by page; a key that is pressed meanwhile is about all of them, so
// it waits, and never acts on what was chosen before.
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { failureShape } from '../../../shared/failure.ts';
import { useKeys, useSession, useToast } from '../../state/hooks.ts';
import type { KeyId } from '../../state/keys.ts';

type ChooseAll = {
  chooseAll: () => void;
  /** Stands in the place of what can be done with the chosen; null while nothing is read. */
  choosing: ReactNode;
};

type ChooseAllOptions = {
  read: () => Promise<string[]>;
  total: number;
  setAll: (ids: readonly string[]) => void;
  /** Acts on what is chosen: the last of them that is pressed while ids are read is done once they are there. */
  acts: readonly KeyId[];
  className: string | undefined;
};

export function useChooseAll({ read, total, setAll, acts, className }: ChooseAllOptions): ChooseAll {
  const { keyboard } = useSession();
  const toast = useToast();
  const [isReading, setIsReading] = useState(false);
  const run = useRef<{ wanted: KeyId | null } | null>(null);
  // What is read for a list that is gone is nobody's choice.
  useEffect(
    () => () => {
      run.current = null;
    },
    [],
  );
  const stop = (): void => {
    run.current = null;
    setIsReading(false);
  };
  const chooseAll = (): void => {
    const mine = { wanted: null };
    run.current = mine;
    setIsReading(true);
    read().then(
      (ids) => {
        const here = run.current;
        if (here !== mine) return;
        const { wanted } = here;
        // The keys of what can be done are bound once it is drawn.
        flushSync(() => {
          setAll(ids);
          stop();
        });
        if (ids.length < total)
          toast({
            tone: 'plain',
            title: `Selected the first ${ids.length.toLocaleString()}, the most at once`,
          });
        if (wanted !== null) keyboard.run(wanted);
      },
      (thrown: unknown) => {
        if (run.current !== mine) return;
        stop();
        toast({ tone: 'error', title: 'Could not select all', text: failureShape(thrown).message });
      },
    );
  };
  const want = (id: KeyId): void => {
    if (run.current !== null) run.current.wanted = id;
  };
  return {
    chooseAll,
    choosing: isReading ? (
      <Choosing acts={acts} className={className} total={total} onAct={want} onStop={stop} />
    ) : null,
  };
}

type ChoosingProps = Pick<ChooseAllOptions, 'acts' | 'className' | 'total'> & {
  onAct: (id: KeyId) => void;
  onStop: () => void;
};

function Choosing({ acts, className, total, onAct, onStop }: ChoosingProps): ReactNode {
  useKeys({
    ...Object.fromEntries(acts.map((id) => [id, () => onAct(id)])),
    back: onStop,
  });
  return (
    <div className={className}>
      <span role="status">{`Selecting all ${total.toLocaleString()}`}</span>
    </div>
  );
}

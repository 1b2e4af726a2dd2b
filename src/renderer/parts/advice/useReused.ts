// Which earlier advice the words were taken from, kept with them over a reload: its mark must not be lost.
import { useState } from 'react';
import * as z from 'zod/mini';
import { useSession } from '../../state/hooks.ts';

const Source = z.strictObject({ episode: z.string(), consultation: z.string() });
export type Source = z.infer<typeof Source>;

export type ReusedAdvice = {
  /** Earlier advice whose words were put in or uncovered here. */
  reused: readonly Source[];
  /** Notes the source and, given a text, puts it below the words. */
  reuse: (source: Source, text: string | null) => void;
  forget: () => void;
};

export function useReused(
  consultation: string,
  { text: written, type }: { text: string; type: (text: string) => void },
): ReusedAdvice {
  const { own: kept } = useSession();
  const name = `reused/${consultation}`;
  const [reused, setReused] = useState<readonly Source[]>(() => kept.read(name, z.array(Source), []));
  return {
    reused,
    reuse: (source, text) => {
      if (!reused.some((one) => one.consultation === source.consultation)) {
        const next = [...reused, source];
        setReused(next);
        kept.write(name, next);
      }
      if (text !== null) type(written.trim() === '' ? text : `${written.trimEnd()}\n\n${text}`);
    },
    forget: () => {
      setReused([]);
      kept.remove(name);
    },
  };
}

// Answers and declines that are kept back for a moment, as a card sends them.
import { useHold } from '../card/useHold.ts';
import type { AdvicePorts, Done } from '../advice/useAdvice.ts';

type Holding = Parameters<typeof useHold>[0] & { onDone: (done: Done) => void };

export function useHolding(
  { answer, decline }: Pick<AdvicePorts, 'answer' | 'decline'>,
  { onDone, ...held }: Holding,
): AdvicePorts {
  const hold = useHold(held);
  return { answer, decline, hold: ({ run, ...words }) => hold({ ...words, run: () => run().then(onDone) }) };
}

// Going on to the next item of a queue.
import { useSession } from '../../state/hooks.ts';
import { useAct } from '../../state/queries.ts';
import { navigate, reviewRoute } from '../../state/route.ts';

/** Opens the next item to review or to decide on; the queue where none is left. */
export function useNextItem(project: string, queue: string) {
  const { call } = useSession();
  const at = { project, queue };
  const { run, isBusy } = useAct(async (isDeciding: boolean) => {
    const page = { ...at, show: 'conflicts', offset: 0, limit: 1 } as const;
    const item = isDeciding
      ? (await call('queue.items', page)).items[0]?.item
      : (await call('queue.next', at)).item;
    navigate(reviewRoute(project, queue, item ?? null, item !== undefined && isDeciding));
  }, 'Could not find the next item');
  return { review: () => run(false), decide: () => run(true), isBusy };
}

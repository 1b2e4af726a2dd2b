// Asks a server what it offers: its scenarios and their tasks.
import { z } from 'zod';
import { Failure } from '../../shared/failure.ts';
import { LISTING_MAX } from '../../shared/wire.ts';
import type { Address } from './address.ts';
import { openSession } from './openSession.ts';

export type CatalogScenario = { name: string; description: string; tasks: string[] };

/** Upstream lists `{name, tasks:[text]}`; older and generic servers give names alone. */
const Listed = z.union([
  z.string().transform((name): CatalogScenario => ({ name, description: '', tasks: [] })),
  z
    .looseObject({
      name: z.string(),
      description: z.string().nullish(),
      tasks: z.array(z.union([z.string(), z.looseObject({ task: z.string() })])).nullish(),
    })
    .transform(({ name, description, tasks }): CatalogScenario => ({
      name,
      description: description ?? '',
      tasks: (tasks ?? []).map((task) => (typeof task === 'string' ? task : task.task)),
    })),
]);

/** Scenarios of an AWM server, or an empty list from a server that has none to choose. Throws `env_*`. */
export async function fetchScenarios(
  address: string | Address,
  signal?: AbortSignal,
): Promise<CatalogScenario[]> {
  const stoppable = signal === undefined ? {} : { signal };
  const session = await openSession(address, { answerMax: LISTING_MAX, ...stoppable });
  try {
    const list = { type: 'call_tool', tool_name: '__list_scenarios__', arguments: {} } as const;
    const { observation } = await session.step(list, signal);
    return (observation.scenarios ?? []).flatMap((one) => Listed.safeParse(one).data ?? []);
  } catch (thrown) {
    // A server that is no AWM does not know the tool, or wants a reset first: it has no scenarios to choose.
    if (thrown instanceof Failure && thrown.code === 'env_error') return [];
    throw thrown;
  } finally {
    session.close();
  }
}

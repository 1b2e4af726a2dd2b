// The product with the planted world and the planted agent, and episodes in which a person answered.
import type { LiftRequest } from '../../src/shared/lift/plan.ts';
import { startOpenAiServer } from './openaiServer.ts';
import { plantedAgent } from './plantedAgent.ts';
import { openPlantedWorld } from './plantedWorld.ts';
import { openProduct, removeFolder, startInput, type Product } from './product.ts';

export const ADVICE = 'Call finish_task, then say that it is finished.';

export const liftRequest = (over: Partial<LiftRequest> = {}): LiftRequest => ({
  run: 'asked',
  episodes: null,
  last: null,
  points: null,
  k: 4,
  seed: 1,
  agent: { policy: null, model: 'planted' },
  ...over,
});

export async function openPlantedLift(chancesOf: Parameters<typeof plantedAgent>[0], folder?: string) {
  const model = await startOpenAiServer(plantedAgent(chancesOf));
  const world = await openPlantedWorld();
  const product = await openProduct(folder, {
    INTERJECT_AGENT_MODEL: 'planted',
    INTERJECT_AGENT_BASE_URL: model.url,
  });
  const environment = product.environments.addressed(world.url).id;
  return {
    product,
    world,
    model,
    environment,
    /** One episode in which the agent asks and a person answers. */
    ask: (task_idx: number, run = 'asked') => askedEpisode(product, environment, task_idx, run),
    close: async () => {
      await product.close();
      await world.close();
      await model.close();
      removeFolder(product.folder);
    },
  };
}

async function askedEpisode(
  product: Product,
  environment: string,
  task_idx: number,
  run: string,
): Promise<string> {
  const owner = product.as('seat-owner');
  const agent = { policy: 'chat', protocol: 'native', model: 'planted' } as const;
  const start = { environment, scenario: 'planted_1', task_idx, agent, condition: 'human', run } as const;
  const { episodes } = await owner('episode.start', startInput(start));
  const [episode = ''] = episodes;
  for (let answered = 0; ; answered += 1) {
    const { consultations, seq, ended } = await product.until(
      episode,
      (record) => record.ended !== null || record.consultations.length > answered,
    );
    if (ended !== null) return episode;
    await owner('desk.answer', {
      episode,
      consultation: consultations[answered]?.id ?? '',
      text: ADVICE,
      draft: null,
      seen_seq: seq,
      timing: { first_seen_at: null, active_ms: 60_000 },
    });
  }
}

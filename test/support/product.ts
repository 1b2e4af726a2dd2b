// The whole product without a host's door: real log on disk, real worlds behind a real socket, the rehearsal agent.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp } from '../../src/main/app/app.ts';
import type { App, AppConfig } from '../../src/main/app/types.ts';
import { runSpecs } from '../../src/main/commands/episodes.ts';
import type { RunSpec } from '../../src/main/episode/stage.ts';
import { nodeEdges } from '../../src/main/hosts/edges.ts';
import { waitFor } from '../../src/main/log/waitFor.ts';
import type { Inputs, Method, Outputs } from '../../src/shared/contract/contract.ts';
import type { StartEpisode } from '../../src/shared/contract/areas.ts';
import type { EpisodeRecord } from '../../src/shared/episode/record.ts';

const root = join(import.meta.dirname, '..', '..');
const never = new AbortController().signal;

export type Product = App & {
  folder: string;
  as(seat: string): <M extends Method>(method: M, input: Inputs[M]) => Promise<Outputs[M]>;
  /** As a command of the command line asks. */
  command: <M extends Method>(method: M, input: Inputs[M]) => Promise<Outputs[M]>;
  until(episode: string, look: (record: EpisodeRecord) => unknown): Promise<EpisodeRecord>;
  ended(episode: string): Promise<EpisodeRecord>;
};

/** Opens the product on a folder of its own, or on one that is there; `variables` are its environment's. */
export async function openProduct(
  folder = mkdtempSync(join(tmpdir(), 'interject-product-')),
  variables: Readonly<Record<string, string>> = {},
  afterCrash: 'go_on' | 'interrupt' | 'leave' = 'go_on',
  edges: Partial<ReturnType<typeof nodeEdges>> = {},
  config: Partial<AppConfig> = {},
): Promise<Product> {
  const app = await createApp(
    {
      version: '0.0.0',
      host: 'browser',
      dataFolder: folder,
      resources: join(root, 'resources'),
      environment: variables,
      places: 16,
      afterCrash,
      ...config,
    },
    { ...nodeEdges(() => undefined), ...edges },
  );
  if (afterCrash === 'go_on') app.continueEpisodes();
  const until = (episode: string, look: (record: EpisodeRecord) => unknown): Promise<EpisodeRecord> =>
    waitFor(app.log, episode, (record) => (look(record) ? record : null), never);
  return {
    ...app,
    folder,
    command: (method, input) =>
      app.route(method, input, { seat: 'command', isCommand: true }) as Promise<never>,
    as: (seat) => (method, input) => app.route(method, input, { seat }) as Promise<never>,
    until,
    ended: (episode) => until(episode, (record) => record.ended),
  };
}

/** Resolves when so many episodes of a run are over, or all. */
export async function untilOver(
  product: Pick<Product, 'command'>,
  run: string,
  count = Infinity,
): Promise<void> {
  for (let [after, over] = [0, 0]; over < count;) {
    const { news, is_over: isOver } = await product.command('run.wait', { run, after });
    after += news.length;
    over += news.filter(({ progress }) => progress !== null).length;
    if (isOver) return;
  }
}

/** The episodes that a start asks for. */
export const specsOf = ({ settings, log, environments }: Product, start: StartEpisode): RunSpec[] =>
  runSpecs(
    {
      ...settings,
      log,
      environment: environments.find,
      hasAgentModel: (profile) => settings.model('agent', profile) !== null,
    },
    start,
    null,
  );

export const removeFolder = (folder: string): void => rmSync(folder, { recursive: true, force: true });

export const startInput = (over: Partial<StartEpisode> = {}): StartEpisode => ({
  environment: 'builtin',
  scenario: 'loomline_workflows',
  task_idx: 0,
  agent: { policy: 'rehearsal', protocol: 'native', model: null },
  condition: 'human+draft',
  deadline_ms: null,
  fallback: 'wait',
  seed: 0,
  repeats: 1,
  limits: {},
  reset: {},
  ...over,
});

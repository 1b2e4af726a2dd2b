// `interject serve` is ended while its other thread covers a large text: it ends in order, and no half of the text is kept.
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { LOG_FILE } from '../../src/main/log/openLog.ts';
import { repeated } from '../support/freezing.ts';
import { serveLarge } from '../support/largeServer.ts';
import { openLog } from '../support/log.ts';
import { PLANTED_TEXT, plantedShapesUnder } from '../support/plantedShapes.ts';
import { startInput } from '../support/product.ts';
import { endTap, startServing } from '../support/serving.ts';
import { folderPerTest } from '../support/temporaryFolder.ts';

/** It takes seconds to cover; a request with it has nearly 8 MiB. */
const LARGE = `${PLANTED_TEXT}\n${repeated('key: a password= ', 7.5 * 1024 * 1024)}`;
const LIMIT_MS = 180_000;
/** Before the text has come, while it is covered, and about when it is done. */
const MOMENTS = [30, 400, 1_500];

const folder = folderPerTest();
afterEach(() => {
  endTap(folder());
});

const after = (ms: number): Promise<void> => new Promise((proceed) => setTimeout(proceed, ms));

/** The texts of that kind of event which the log holds, once nobody writes it any more. */
function keptTexts(kind: 'consultation.asked' | 'turn.generated', field: string): string[] {
  const log = openLog(join(folder(), LOG_FILE));
  const kept = log
    .streams('')
    .flatMap((stream) => log.read(stream))
    .flatMap(({ event }) => (event.kind === kind ? [event as unknown as Record<string, never>] : []))
    .map((event) => log.texts.loadText(event[field] ?? ''));
  log.close();
  return kept;
}

describe.each(MOMENTS)('SIGTERM after %i ms', (ms) => {
  it(
    'of a large question ends in order: its client hears of it, and the log has all of it or nothing',
    async () => {
      const serving = await startServing(folder(), ['--port', '0']);
      const limits = { environment: null, per_minute: null, at_once: null };
      const { secret } = await serving.call('keys.create', { name: 'k', scopes: ['expert'], ...limits });
      const { expert } = serving.ready['gateway'] as { expert: string };
      const told = fetch(`${expert}/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${secret}` },
        body: JSON.stringify({ model: 'expert', messages: [{ role: 'user', content: LARGE }] }),
      }).then(
        (answer) => answer.text().catch(() => 'broken off'),
        () => 'broken off',
      );
      await after(ms);
      serving.interrupt('SIGTERM');

      expect(await serving.ended).toBe(0);
      expect(await told).toMatch(/broken off|No advice|closing/);
      for (const request of keptTexts('consultation.asked', 'request'))
        expect(request.length).toBeGreaterThan(7 * 1024 * 1024);
      expect(plantedShapesUnder(folder())).toEqual([]);
    },
    LIMIT_MS,
  );

  it(
    'of a large reply ends in order, and the log has all of it or nothing',
    async () => {
      const model = await serveLarge(LARGE);
      const serving = await startServing(folder(), ['--port', '0', '--env', model.url], {
        INTERJECT_AGENT_BASE_URL: `${model.url}/v1`,
        INTERJECT_AGENT_MODEL: 'm',
        INTERJECT_AGENT_API_KEY: 'k',
      });
      const { environments } = await serving.call('environments.list', {});
      const environment = environments.find(({ url }) => url === model.url)?.id ?? '';
      const agent = { policy: 'chat', protocol: 'native', model: 'm' } as const;
      await serving.call('episode.start', startInput({ environment, agent }));
      await after(ms);
      serving.interrupt('SIGTERM');

      expect(await serving.ended).toBe(0);
      for (const content of keptTexts('turn.generated', 'content'))
        expect(content.length).toBeGreaterThan(7 * 1024 * 1024);
      expect(plantedShapesUnder(folder())).toEqual([]);
      await model.close();
    },
    LIMIT_MS,
  );
});

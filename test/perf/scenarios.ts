// What a key costs in the start dialog when its server lists a thousand scenarios of ten tasks: the search alone, and to
// the frame that shows it in a real browser.
import { createScenarioSearch } from '../../src/shared/scenarioSearch.ts';
import { openConsole } from '../e2e/console.ts';
import { removeFolder, startServer } from '../e2e/server.ts';
import { findDesktopBrowser, launch } from '../support/browser.ts';
import { generatedScenarios } from '../support/scenarioList.ts';
import { scenarioServer } from '../support/scenarioServer.ts';
import { ms, quantile } from './figures.ts';
import { listenToKeys } from './inPage.ts';

const TYPED = ['etsy_16', 'etsy shipment ann', 'rename the invoice for priya', 'nothing like it'];
const PAUSE_MS = 60;

export async function measureScenarios(say: (what: string, figure: string) => void): Promise<void> {
  const list = generatedScenarios();
  const search = createScenarioSearch(list);
  const took: number[] = [];
  for (const text of TYPED) {
    for (let end = 1; end <= text.length; end += 1) {
      const startedAt = performance.now();
      search(text.slice(0, end));
      took.push(performance.now() - startedAt);
    }
  }
  say(
    'a key over 1,000 scenarios of 10 tasks, the search alone: p50, most',
    `${ms(quantile(took, 0.5))}, ${ms(Math.max(...took))}`,
  );
  const painted = await typeInDialog(list);
  if (painted === null) return say('the same to the frame that shows it', 'not measured: no browser here');
  say(
    'the same to the frame that shows it: p50, p95, most',
    [quantile(painted, 0.5), quantile(painted, 0.95), Math.max(...painted)].map(ms).join(', '),
  );
}

/** Null where there is no browser. */
async function typeInDialog(list: ReturnType<typeof generatedScenarios>): Promise<number[] | null> {
  const found = findDesktopBrowser();
  if (found === null) return null;
  const listing = await scenarioServer(list);
  const server = await startServer({});
  const browser = await launch(found);
  try {
    const { id } = await server.call('environments.add', { name: 'Thousand', url: listing.url });
    const page = await openConsole(
      await browser.newContext({ viewport: { width: 1280, height: 800 } }),
      server,
    );
    await page.keyboard.press('s');
    await page.getByLabel('Environment').selectOption(id);
    const field = page.getByRole('searchbox', { name: 'Find scenarios and tasks' });
    await page.getByText('1,000 scenarios').waitFor();
    await field.click();
    await page.evaluate(listenToKeys);
    for (const text of TYPED) {
      for (const key of text) {
        await page.keyboard.press(key === ' ' ? 'Space' : key);
        await page.waitForTimeout(PAUSE_MS);
      }
      await field.fill('');
    }
    return await page.evaluate(() => (window as unknown as { painted: number[] }).painted);
  } finally {
    await browser.close();
    await server.kill();
    removeFolder(server.folder);
    await listing.close();
  }
}

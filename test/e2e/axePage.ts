// What axe finds against a page as it stands.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export const EVERYTHING: RunOptions = {
  resultTypes: ['violations'],
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
};

/** Once for each page that is loaded: nothing is to move while it is looked at. */
export async function bringAxe(page: Page): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.evaluate(axeSource);
}

/** Resolves when nothing on the page still says that it loads, and nothing moves. */
export async function isQuiet(page: Page): Promise<void> {
  await page.waitForFunction(() => document.querySelector('main [aria-label^="Loading"]') === null);
  await page.waitForFunction(() =>
    document.getAnimations().every(({ playState }) => playState !== 'running'),
  );
}

/** What stands against the page: the rule, and where. */
export async function axeFindings(page: Page, options = EVERYTHING): Promise<string[]> {
  const violations = await page.evaluate(async (given) => {
    const { axe } = window as unknown as { axe: { run: (on: Node, by: unknown) => Promise<AxeResults> } };
    // An open menu hides the page behind it, which is then no page to judge.
    const menu = document.querySelector('[role="menu"]');
    const rules = menu === null ? {} : { rules: { region: { enabled: false } } };
    return (await axe.run(menu ?? document, { ...given, ...rules })).violations;
  }, options);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, html }) => `${id}: ${String(target[0])} ${html.slice(0, 120)}`),
  );
}

/** In a test that came to a state which few others reach: axe finds nothing against it. */
export async function expectNoFindings(page: Page, state: string): Promise<void> {
  await bringAxe(page);
  await isQuiet(page);
  const found = await axeFindings(page);
  expect(found.map((one) => `${state}: ${one}`)).toEqual([]);
}

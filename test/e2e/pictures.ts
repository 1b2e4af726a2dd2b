// Pictures of the screen for people to look at, taken where INTERJECT_SHOTS names a folder.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

const folder = process.env['INTERJECT_SHOTS'];

async function takePicture(page: Page, name: string): Promise<void> {
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  // Transitions are shown at their end.
  await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' });
}

/** The screen as it is. */
export const shoot = takePicture;

/** The screen in light and in dark. */
export async function shootSchemes(page: Page, name: string): Promise<void> {
  if (folder === undefined) return;
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await takePicture(page, `${name}-${colorScheme}`);
  }
}

/** The screen at the sizes people use, the last a window of 1280 by 800 at 200 %. */
export async function shootSizes(page: Page, name: string): Promise<void> {
  if (folder === undefined) return;
  const before = page.viewportSize() ?? { width: 1280, height: 800 };
  for (const [width, height] of [
    [1280, 800],
    [1920, 1080],
    [640, 400],
  ] as const) {
    await page.setViewportSize({ width, height });
    await shootSchemes(page, `${name}-${String(width)}`);
  }
  await page.setViewportSize(before);
}

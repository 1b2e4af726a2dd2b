// Owns: what is measured inside the page of a real browser.
import type { Page } from 'playwright-core';

/** What the page keeps, after everything that can go is gone; bytes. */
export async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usedSize;
}

/** In the page: goes there, and waits for the first line, then for the word that there is more to be gone. */
export function openReplay(id: string): Promise<{ first: number; all: number }> {
  return new Promise((done) => {
    const from = performance.now();
    let first = 0;
    location.hash = `#/episode/${id}`;
    const look = (): void => {
      const isThere = document.querySelector('[data-row-head]') !== null;
      const now = performance.now() - from;
      if (isThere && first === 0) first = now;
      const isReading = [...document.querySelectorAll('[role="status"]')].some(({ textContent }) =>
        textContent.startsWith('Reading the rest'),
      );
      if (isThere && !isReading) done({ first, all: now });
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
}

/**
 * In the page: notes in `painted` how long each key took to the frame that shows it. A message posted in an animation frame
 * comes after that frame was painted.
 */
export function listenToKeys(): void {
  const painted: number[] = [];
  Object.assign(window, { painted });
  window.addEventListener(
    'keydown',
    ({ timeStamp }) =>
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => painted.push(performance.now() - timeStamp);
        port2.postMessage(null);
      }),
    { capture: true },
  );
}

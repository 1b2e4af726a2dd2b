// Which parts of the page React drew again, whether or not anything in them changed.
import type { Locator, Page } from 'playwright-core';

/** The names of those parts that were drawn again, in whole or in part, while `act` was done. */
export async function drawnBy(
  page: Page,
  parts: Readonly<Record<string, Locator>>,
  act: () => Promise<void>,
): Promise<string[]> {
  for (const [name, part] of Object.entries(parts)) await part.evaluate(keepProps, name);
  await act();
  return page.evaluate(changedParts, Object.keys(parts));
}

type Kept = { __drawn?: Record<string, [Element, unknown][]> };

/** In the page: React gives an element new props each time the component around it is drawn. */
function keepProps(part: Element, name: string): void {
  const kept = ((globalThis as Kept).__drawn ??= {});
  kept[name] = [part, ...part.querySelectorAll('*')].map((element) => {
    const key = Object.keys(element).find((own) => own.startsWith('__reactProps$')) ?? '';
    return [element, Reflect.get(element, key)];
  });
}

/** In the page: once the next frame was painted. */
async function changedParts(names: string[]): Promise<string[]> {
  for (let frames = 0; frames < 2; frames += 1) await new Promise((done) => requestAnimationFrame(done));
  const kept = (globalThis as Kept).__drawn ?? {};
  return names.filter((name) =>
    (kept[name] ?? []).some(([element, props]) => {
      const key = Object.keys(element).find((own) => own.startsWith('__reactProps$')) ?? '';
      return Reflect.get(element, key) !== props;
    }),
  );
}

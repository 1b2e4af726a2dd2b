// The window's place and text size, kept for the next start: for each set of screens, never off all of them.
import { readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod';

const State = z.object({
  x: z.number().int().optional(),
  y: z.number().int().optional(),
  width: z.number().int().min(480),
  height: z.number().int().min(360),
  isMaximized: z.boolean(),
  /** Chromium's zoom level: 0 is 100 %, each step a fifth more. */
  zoom: z.number().min(-8).max(9).catch(0).default(0),
});
export type WindowState = {
  x?: number;
  y?: number;
  width: number;
  height: number;
  isMaximized: boolean;
  zoom: number;
};
const States = z.record(z.string(), State);
export type ScreenArea = { x: number; y: number; width: number; height: number };

const DEFAULT_WINDOW: WindowState = { width: 1280, height: 800, isMaximized: false, zoom: 0 };
/** Pixels that must be on a screen for the window's place to be kept. */
const VISIBLE = 80;
/** Desks a laptop is put on; the longest unused is forgotten. */
const SETS_MAX = 8;

/** Names a set of screens: a laptop at home and at work has a place in each. */
const nameOf = (screens: readonly ScreenArea[]): string =>
  screens
    .map(({ x, y, width, height }) => [x, y, width, height].join(','))
    .toSorted()
    .join(' ');

/** Window state for these screens, else the last one used, moved back if its screen is gone; the default where nothing can be read. */
export function readWindowState(file: string, screens: readonly ScreenArea[]): WindowState {
  const all = statesIn(file);
  const state = all[nameOf(screens)] ?? Object.values(all).at(-1);
  if (state === undefined) return DEFAULT_WINDOW;
  const { x, y, width, height, isMaximized, zoom } = state;
  const size = { width, height, isMaximized, zoom };
  if (x === undefined || y === undefined) return size;
  const isVisible = screens.some(
    (screen) =>
      x + width - VISIBLE > screen.x &&
      x + VISIBLE < screen.x + screen.width &&
      y >= screen.y &&
      y + VISIBLE < screen.y + screen.height,
  );
  return isVisible ? { x, y, ...size } : size;
}

/** A place that cannot be written is forgotten, not a failure. */
export function writeWindowState(file: string, screens: readonly ScreenArea[], state: WindowState): void {
  const name = nameOf(screens);
  const others = Object.entries(statesIn(file)).filter(([other]) => other !== name);
  try {
    writeFileSync(file, JSON.stringify(Object.fromEntries([...others, [name, state]].slice(-SETS_MAX))));
  } catch {
    // The window opens at its default place next time.
  }
}

function statesIn(file: string): z.infer<typeof States> {
  try {
    return States.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return {};
  }
}

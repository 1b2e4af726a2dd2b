// Where the window was, so that it opens there again; never off every screen.
import { readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod';

const WindowState = z.object({
  x: z.number().int().optional(),
  y: z.number().int().optional(),
  width: z.number().int().min(480),
  height: z.number().int().min(360),
  isMaximized: z.boolean(),
});
type WindowState = { x?: number; y?: number; width: number; height: number; isMaximized: boolean };
type ScreenArea = { x: number; y: number; width: number; height: number };

const DEFAULT_WINDOW: WindowState = { width: 1280, height: 800, isMaximized: false };
/** How much of the window must be on a screen for its place to be kept. */
const VISIBLE = 80;

/** The remembered state, moved back if its screen is gone; the default where none can be read. */
export function readWindowState(file: string, screens: readonly ScreenArea[]): WindowState {
  let state: z.infer<typeof WindowState>;
  try {
    state = WindowState.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return DEFAULT_WINDOW;
  }
  const { x, y, width, height, isMaximized } = state;
  const size = { width, height, isMaximized };
  if (x === undefined || y === undefined) return size;
  const isVisible = screens.some(
    (screen) =>
      x + state.width - VISIBLE > screen.x &&
      x + VISIBLE < screen.x + screen.width &&
      y >= screen.y &&
      y + VISIBLE < screen.y + screen.height,
  );
  return isVisible ? { x, y, ...size } : size;
}

/** A place that cannot be written is forgotten, not a failure. */
export function writeWindowState(file: string, state: WindowState): void {
  try {
    writeFileSync(file, JSON.stringify(state));
  } catch {
    // The window opens at its default place next time.
  }
}

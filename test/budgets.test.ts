// How large the product may be. A number here is lowered by whoever deletes, and is never raised without saying why.
import { expect, it } from 'vitest';
import { measureBudgets } from '../scripts/parts/budgets.mjs';
import { root } from './support/worlds.ts';

/** Each with what it counts. `npm run measure` prints them all. */
const COUNTS: Record<string, readonly [budget: number, meaning: string]> = {
  'lines of src': [147_639, 'TypeScript and CSS, with comments and blank lines'],
  'lines of tests': [84_774, 'TypeScript under test'],
  'contract commands': [118, 'rows of the contract between a console and main'],
  'command-line commands': [12, 'what can be typed after `interject`'],
  'command-line flags': [193, 'flags of all of these together'],
  keys: [85, 'bindings of the keyboard in the console'],
  'export formats': [13, 'what `export --format` takes, the log’s own three included'],
  'export rules': [16, 'what can narrow or change an export'],
  'words of documents': [22_270, 'Markdown under docs'],
  'production packages': [9, 'dependencies that are installed with the product'],
};

/** Lines of TypeScript and CSS in each room of src, without comments and blank lines. */
const ROOMS: Record<string, number> = {
  figures: 1_999,
  'main/advisor': 622,
  'main/agent': 1_463,
  'main/app': 636,
  'main/commands': 4_638,
  'main/dataset': 13_701,
  'main/desk': 1_176,
  'main/desktop': 1_799,
  'main/environments': 1_324,
  'main/episode': 3_909,
  'main/gateway': 7_749,
  'main/hosts': 6_515,
  'main/llm': 1_466,
  'main/log': 4_376,
  'main/openenv': 1_814,
  'main/report': 700,
  'main/review': 776,
  'main/reward': 324,
  'main/settings': 2_163,
  'main/state': 358,
  'main/training': 759,
  'main/worlds': 2_503,
  preload: 20,
  renderer: 252,
  'renderer/client': 636,
  'renderer/parts': 16_304,
  'renderer/state': 1_969,
  'renderer/ui': 3_204,
  'renderer/views': 24_374,
  shared: 17_862,
};

/** Counted in lines or words, these may lie this share below their budget before it has to be lowered. */
const SLACK = 0.01;
const SLACK_MIN = 40;
const EXACT_BELOW = 1_000;

/** What is wrong with a figure, in a sentence that says what to do; null where it is as it should be. */
function complaint(name: string, figure: number | undefined, budget: number | undefined): string | null {
  if (budget === undefined) return `${name} has no budget: give it ${String(figure)} in test/budgets.test.ts`;
  if (figure === undefined) return `${name} is gone: take its budget of ${String(budget)} out`;
  if (figure > budget) return `${name} is ${String(figure - budget)} over its budget of ${String(budget)}`;
  const slack = name in COUNTS && budget < EXACT_BELOW ? 0 : Math.max(SLACK_MIN, budget * SLACK);
  const below = budget - figure;
  return below > slack
    ? `${name} is ${String(below)} below its budget of ${String(budget)}: lower it to ${String(figure)}`
    : null;
}

it('the product stays within its budgets', async () => {
  const { rooms, counts } = await measureBudgets(root);
  const inRooms = [...new Set([...Object.keys(ROOMS), ...Object.keys(rooms)])].map((room) =>
    complaint(`the code of ${room}`, rooms[room], ROOMS[room]),
  );
  const others = [...new Set([...Object.keys(COUNTS), ...Object.keys(counts)])].map((name) =>
    complaint(name, counts[name], COUNTS[name]?.[0]),
  );
  expect([...others, ...inRooms].filter((one) => one !== null)).toEqual([]);
});

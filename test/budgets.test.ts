// How large the product may be. A number here is lowered by whoever deletes, and is never raised without saying why.
import { expect, it } from 'vitest';
import { measureBudgets } from '../scripts/parts/budgets.mjs';
import { root } from './support/worlds.ts';

/** Each with what it counts. `npm run measure` prints them all. */
const COUNTS: Record<string, readonly [budget: number, meaning: string]> = {
  'lines of src': [154_522, 'TypeScript and CSS, with comments and blank lines'],
  'lines of tests': [87_504, 'TypeScript under test'],
  'contract commands': [125, 'rows of the contract between a console and main'],
  'command-line commands': [12, 'what can be typed after `interject`'],
  'command-line flags': [197, 'flags of all of these together'],
  keys: [162, 'bindings of the keyboard in the console'],
  'export formats': [16, 'what `export --format` takes, the log’s own three included'],
  'export rules': [21, 'what can narrow or change an export'],
  'words of documents': [51_675, 'Markdown under docs'],
  'production packages': [9, 'dependencies that are installed with the product'],
};

/** Lines of TypeScript and CSS in each room of src, without comments and blank lines. */
const ROOMS: Record<string, number> = {
  figures: 2_000,
  'main/advisor': 627,
  'main/agent': 1_488,
  'main/app': 634,
  'main/commands': 4_869,
  'main/dataset': 13_310,
  'main/desk': 1_185,
  'main/desktop': 1_791,
  'main/environments': 1_344,
  'main/episode': 4_001,
  'main/gateway': 7_928,
  'main/hosts': 6_695,
  'main/llm': 1_394,
  'main/log': 4_397,
  'main/openenv': 1_946,
  'main/report': 707,
  'main/review': 846,
  'main/reward': 337,
  'main/settings': 2_278,
  'main/state': 360,
  'main/training': 753,
  'main/worlds': 2_519,
  preload: 21,
  renderer: 289,
  'renderer/client': 646,
  'renderer/parts': 18_267,
  'renderer/state': 2_109,
  'renderer/ui': 3_587,
  'renderer/views': 28_299,
  shared: 16_784,
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

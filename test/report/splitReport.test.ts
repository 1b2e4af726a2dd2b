import { describe, expect, it } from 'vitest';
import { splitReport } from '../../src/main/report/splitReport.ts';
import { overviewOfSplit } from '../../src/shared/environmentOverview.ts';
import type { ListedTask, SplitManifest } from '../../src/shared/split.ts';

const manifest = (train: ListedTask[], val: ListedTask[], meta = {}): SplitManifest => ({ meta, train, val });
const textOf = (...given: Parameters<typeof splitReport>): string =>
  splitReport(...given).sections.join('\n');

describe('the report of a split', () => {
  it('begins with the tasks on both sides, and never says then that no scenario is', () => {
    const leaking = manifest(
      [
        ['loom', 0],
        ['loom', 1],
      ],
      [
        ['Loom', 1],
        ['maple', 0],
      ],
    );
    const text = textOf('leak', leaking);

    expect(text).toMatch(/^\*\*1 task is on both sides: this split leaks.*\*\* Loom 1\./);
    expect(text).toContain('1 of 2 scenarios is on both sides');
    expect(text).not.toContain('No scenario');
    expect(overviewOfSplit(leaking).map(({ name, tasks }) => [name, tasks])).toEqual([
      ['loom', 2],
      ['maple', 1],
    ]);
  });

  it('names tasks that are listed twice and tasks that no world has', () => {
    const text = textOf(
      'odd',
      manifest(
        [
          ['loom', 0],
          ['loom', 0],
        ],
        [['maple', 9]],
      ),
      [['maple', 9]],
    );

    expect(text).toContain('**1 task is listed twice to train on.** loom 0.');
    expect(text).toContain('**1 task is not among the built-in worlds.** maple 9.');
    expect(text).toContain('No scenario is on both sides');
  });

  it('says who was tried for the difficulties, and that a script completed nothing', () => {
    const meta = { probe: { agent: 'rehearsal', rollouts: 1, is_all_zero: true } };
    const content = splitReport('probed', manifest([['loom', 0]], [['maple', 0]], meta));
    const text = content.sections.join('\n');
    const svg = content.drawings[0]?.draw({ width: 800, theme: 'light' });

    expect(text).toContain(
      'Tried without help by rehearsal (scripted: a script acted, no model), 1 rollout of each',
    );
    expect(text).toContain('No rollout of rehearsal completed a task');
    expect(JSON.stringify(svg)).toContain('rehearsal (scripted');
  });

  it('says of a sound split what it is, and of one scenario that it stands alone', () => {
    const text = textOf('sound', manifest([['loom', 0]], [['loom', 1]]));

    expect(text).toMatch(/^\*\*1 task to train on, 1 held out/);
    expect(text).toContain('The one scenario is on both sides.');
  });
});

import { describe, expect, it } from 'vitest';
import { makeManifest, type SplitRequest } from '../../src/main/dataset/split/makeManifest.ts';
import { holdOf, type AskedSplit } from '../../src/main/hosts/benchSplit.ts';
import { SplitManifest } from '../../src/shared/split.ts';

const tasks = (scenario: string): SplitRequest['tasks'] =>
  [0, 1, 2, 3].map((task_idx) => ({ scenario, task_idx, stated: null, rollouts: 0, completed: 0 }));
const request = (over: Partial<SplitRequest> = {}): SplitRequest => ({
  tasks: tasks('shop'),
  dropped: [{ scenario: 'shop', task_idx: 4, cause: 'not_reset' }],
  by: null,
  fraction: 0.5,
  seed: 0,
  environment: 'Shops',
  data: null,
  probe: { agent: 'small', rollouts: 2 },
  ...over,
});
const made = (over: Partial<SplitRequest> = {}): SplitManifest =>
  SplitManifest.parse(JSON.parse(JSON.stringify(makeManifest(request(over)))));
const asked = (over: Partial<SplitRequest> = {}): AskedSplit => {
  const all = request(over);
  return { ...all, candidates: [...all.dropped, ...all.tasks] };
};

describe('a name under which a split is pinned', () => {
  const hold = holdOf('split', made());

  it.each([
    ['of another world', { tasks: tasks('dock'), dropped: [] }],
    ['of another environment', { environment: 'Docks' }],
    ['with another seed', { seed: 1 }],
    ['with another share', { fraction: 0.25 }],
    ['by another unit', { by: 'task' as const, tasks: [...tasks('shop'), ...tasks('dock')] }],
    ['tried by another agent', { probe: { agent: 'large', rollouts: 2 } }],
  ])('is refused to a split %s before it runs', (_, over) => {
    expect(() => hold.checkAsked(asked(over))).toThrow('the split split holds other tasks');
  });

  it('is left to the same command, which may go on and hold the same tasks', () => {
    expect(() => hold.checkAsked(asked())).not.toThrow();
    expect(() => hold.checkMade(made())).not.toThrow();
  });

  it('keeps its hold where the tasks came out otherwise in the end', () => {
    const other = { ...made(), val: made().train, train: made().val };

    expect(() => hold.checkMade(other)).toThrow('the split split holds other tasks');
  });

  it('is told how both hold, and stands in nobody’s way under another name or unpinned', () => {
    const next = expect.stringMatching(/--name OTHER.*bench split --unpin split/) as string;
    expect(() => hold.checkAsked(asked({ seed: 1 }))).toThrow(expect.objectContaining({ next }));
    expect(() => holdOf('other', null).checkAsked(asked({ seed: 1 }))).not.toThrow();
  });
});

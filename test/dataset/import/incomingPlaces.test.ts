import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createIncomingPaths } from '../../../src/main/dataset/import/incoming.ts';

const HIDDEN = '.in-';
const placed = (...names: string[]): string[] => {
  const placeFor = createIncomingPaths(HIDDEN);
  return names.map((name, index) => placeFor(name, index));
};

describe('files that come in', () => {
  it('lie under their names, those of a folder together', () => {
    expect(placed('runs/a/run.jsonl', 'runs/a/final.db', 'über 1.json')).toEqual([
      'runs/a/run.jsonl',
      'runs/a/final.db',
      'über 1.json',
    ]);
  });

  it.each([
    [
      'the first 80 characters are the same',
      ['a', 'b', 'c'].map((end) => `${'run'.repeat(40)}_${end}/run.traj`),
    ],
    [
      'the names differ in the end of a long file name',
      ['1', '2'].map((end) => `x/${'n'.repeat(85)}${end}.jsonl`),
    ],
    ['a character cannot stand in a name', ['t=0/run.jsonl', 't+0/run.jsonl', 'a(1).jsonl', 'a[1].jsonl']],
    ['only the case differs', ['Run/a.jsonl', 'run/a.jsonl']],
    ['outer folders of many differ', ['1', '2'].map((n) => `r/${n}/c/d/e/f/g/h/i/run.jsonl`)],
    ['one has the name that another would get', ['a(.jsonl', 'a_.jsonl', 'a~1.jsonl']],
  ])('stay apart where %s', (_, names) => {
    const paths = placed(...names);
    expect(new Set(paths.map((path) => path.toLowerCase())).size).toBe(names.length);
    expect(paths.filter((path) => path.includes(HIDDEN))).toEqual([]);
  });

  it('of two folders never lie in one, whatever beside them belongs to which', () => {
    const long = 'run_'.repeat(25);
    const [one, two, world] = placed(`${long}A/one.json`, `${long}B/two.json`, `${long}B/shop.db`);
    expect(dirname(two ?? '')).toBe(dirname(world ?? ''));
    expect(dirname(one ?? '')).not.toBe(dirname(two ?? ''));
    expect(world).toMatch(/\/shop\.db$/);
  });

  it('keep their ending, and the name that readers look for', () => {
    expect(placed(`x/${'n'.repeat(100)}.sqlite3`, 'y=1/metadata.json')[0]).toMatch(/\.sqlite3$/);
    expect(placed('y=1/metadata.json')[0]).toMatch(/\/metadata\.json$/);
  });

  it('get nowhere else, and two of one name lie apart', () => {
    expect(placed('../../etc/passwd', 'run.jsonl', 'run.jsonl', '..', '')).toEqual([
      'etc/passwd',
      'run.jsonl',
      `${HIDDEN}2/run.jsonl`,
      'file',
      `${HIDDEN}4/file`,
    ]);
  });
});

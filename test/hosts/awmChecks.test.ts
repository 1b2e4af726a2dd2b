import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { awmChecks } from '../../src/main/hosts/doctor.ts';
import { writeAwmFolder } from '../support/awmFolder.ts';

async function linesOf(place: { folder: string; isNamed: boolean }) {
  const lines = [];
  for await (const line of awmChecks(place)) lines.push(line);
  return lines;
}

let folder = '';
beforeEach(() => (folder = writeAwmFolder()));
afterEach(() => rmSync(folder, { recursive: true }));

it('counts the verifiers, and names every seed statement that SQLite refuses with its place and SQLite’s words', async () => {
  const lines = await linesOf({ folder, isNamed: true });

  expect(lines[0]).toMatchObject({
    status: 'pass',
    evidence: expect.stringContaining('2 tasks with a verifier'),
  });
  expect(lines.slice(1).map(({ evidence }) => evidence)).toEqual([
    'S 1, gen_db.jsonl, workflows, statement 2: no such table: main.nowhere',
    expect.stringMatching(
      /^S 1, gen_sample\.jsonl, workflows, statement 3: .* \(repaired here; the server drops the row\)$/,
    ),
    'S 1, gen_sample.jsonl, workflows, statement 4: table workflows has 2 columns but 3 values were supplied',
    expect.stringContaining(
      'S 1, gen_sample.jsonl, workflows, statement 5: The supplied SQL string contains more than one',
    ),
  ]);
});

it('fails for a folder that was named and holds nothing, and is silent about a usual place that is not there', async () => {
  const nowhere = join(folder, 'nowhere');
  writeFileSync(join(folder, 'gen_verifier.jsonl'), 'no verifier\n');

  expect(await linesOf({ folder: nowhere, isNamed: false })).toEqual([]);
  expect(await linesOf({ folder: nowhere, isNamed: true })).toMatchObject([
    { status: 'fail', evidence: expect.stringContaining('hf download') },
  ]);
  expect((await linesOf({ folder, isNamed: true }))[0]).toMatchObject({
    status: 'warn',
    evidence: expect.stringContaining('gen_verifier.jsonl, line 1'),
  });
});

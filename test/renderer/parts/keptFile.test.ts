import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { importCommands } from '../../../src/main/commands/import.ts';
import type { ImportJobs } from '../../../src/main/dataset/import/importJobs.ts';
import type { Transport } from '../../../src/renderer/client/transport.ts';
import { fetchKept } from '../../../src/renderer/parts/timeline/ItemDetails.tsx';
import { createBench } from '../../dataset/import/support.ts';

it('gives the file an episode was imported from back byte for byte, however many stretches it takes', async () => {
  const bench = createBench();
  const folder = mkdtempSync(join(tmpdir(), 'interject-kept-'));
  const row = JSON.stringify({
    messages: [
      { role: 'user', content: 'a' },
      { role: 'assistant', content: 'b' },
    ],
  });
  // What is no record is kept too: bytes of every value, more than two stretches of them.
  writeFileSync(join(folder, 'rows.jsonl'), Buffer.concat([Buffer.from(`${row}\n`), randomBytes(2_600_000)]));
  const { ids, report } = await bench.read(join(folder, 'rows.jsonl'));
  const commands = importCommands({
    jobs: {} as ImportJobs,
    sources: bench.sources,
    log: bench.log,
    lines: { current: () => null },
  });
  const call = ((_: string, input: { episode: string; offset: number }) =>
    commands['import.source'](input, { seat: 'seat-one' })) as unknown as Transport['call'];
  const shares: number[] = [];
  const { name, content } = await fetchKept(call, ids[0] ?? '', (share) => shares.push(share));

  expect(name).toBe('rows.jsonl');
  expect(report.bytes).toBe(content.size);
  const bytes = Buffer.from(await content.arrayBuffer());
  expect(bytes.equals(readFileSync(join(folder, 'rows.jsonl')))).toBe(true);
  expect([shares.length, shares.at(-1)]).toEqual([3, 1]);
  bench.close();
  rmSync(folder, { recursive: true, force: true });
});

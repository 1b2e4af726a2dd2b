import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Actor } from '../../../src/shared/events/actor.ts';
import { write } from '../../support/exported.ts';
import { rulesOf } from '../../support/exporting.ts';
import { openLog } from '../../support/log.ts';
import { episodeEntries } from '../../support/manyEpisodes.ts';

const MODEL: Actor = { type: 'model', id: 'advisor' };

/** Two episodes that say the same, word for word; who advised is all that differs. */
function alike(first: 'model' | 'human') {
  const log = openLog();
  const who = first === 'model' ? (['model', 'human'] as const) : (['human', 'model'] as const);
  who.forEach((by, at) => {
    const id = `by-${by}`;
    const entries = episodeEntries(id, at, { isAdvised: true }).map((entry) =>
      entry.event.kind === 'advice.approved' && by === 'model' ? { ...entry, actor: MODEL } : entry,
    );
    log.importStreams([{ stream: id, entries }]);
  });
  return log;
}

it.each(['model', 'human'] as const)(
  'keeps the row of a person of two that say the same, where the first came from a %s',
  async (first) => {
    const folder = mkdtempSync(join(tmpdir(), 'interject-duplicates-'));
    try {
      const report = await write(alike(first), join(folder, 'set'), { rules: rulesOf({ verdict: 'any' }) });

      const rows = readFileSync(join(folder, 'set/data/sft-train.jsonl'), 'utf8').trimEnd().split('\n');
      expect(rows.map((row) => (JSON.parse(row) as { actor: string }).actor)).toEqual(['human']);
      expect(report).toMatchObject({ rows: 1, dropped: { duplicate: 1 }, episodes: { kept: 1 } });
      expect(readFileSync(join(folder, 'set/events.jsonl'), 'utf8')).not.toContain('by-model');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);

// The same reply after the same prompt, labelled good in one episode and bad in another.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { TimedEntry } from '../../../src/main/log/eventLog.ts';
import type { ExportRules } from '../../../src/shared/contract/export.ts';
import { write } from '../../support/exported.ts';
import { rulesOf } from '../../support/exporting.ts';
import { HUMAN, openLog } from '../../support/log.ts';
import { episodeEntries } from '../../support/manyEpisodes.ts';

const folder = mkdtempSync(join(tmpdir(), 'interject-contradictions-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Episode = { number: number; isComplete: boolean; label?: boolean };

/** Its entries; a label judges its first call. */
function entriesOf(id: string, at: number, { number, isComplete, label }: Episode): TimedEntry[] {
  const end = { reward_type: isComplete ? 'complete' : 'incomplete', reward: Number(isComplete) };
  const entries = episodeEntries(id, at, { number, calls: 2, end });
  if (label === undefined) return entries;
  const { event: proposed } = entries.find(({ event }) => event.kind === 'move.proposed') ?? {};
  if (proposed?.kind !== 'move.proposed') throw new Error('the episode has no move');
  const move = label ? proposed.move : ({ type: 'final', text: 'I do nothing.' } as const);
  const timing = { first_seen_at: null, active_ms: 1000 };
  const given = {
    kind: 'label.given' as const,
    turn: 1,
    move,
    agrees: label,
    privilege: [],
    timing,
    beta: null,
  };
  return [...entries.slice(0, -1), { at, actor: HUMAN, event: given }, ...entries.slice(-1)];
}

type Row = { prompt: unknown; completion: { content: string }[]; label: boolean; source: string };

async function exported(episodes: readonly Episode[], rules: Partial<ExportRules> = {}) {
  const log = openLog();
  episodes.forEach((episode, at) => {
    const id = `e${String(at)}`;
    log.importStreams([{ stream: id, entries: entriesOf(id, at, episode) }]);
  });
  const out = mkdtempSync(join(folder, 'set-'));
  const report = await write(log, join(out, 'kto'), { format: 'kto', rules: rulesOf(rules) });
  const lines = readFileSync(join(out, 'kto/data/kto-train.jsonl'), 'utf8').trimEnd().split('\n');
  const card = readFileSync(join(out, 'kto/README.md'), 'utf8');
  return { report, card, rows: lines.map((line) => JSON.parse(line) as Row) };
}

/** Replies that stand among the rows with both labels, counted from the rows alone. */
function labelledBothWays(rows: readonly Row[]): number {
  const labels = new Map<string, Set<boolean>>();
  for (const { prompt, completion, label } of rows) {
    const key = JSON.stringify([prompt, completion]);
    labels.set(key, (labels.get(key) ?? new Set()).add(label));
  }
  return [...labels.values()].filter((both) => both.size > 1).length;
}

// Two more, so that both labels are left whatever goes.
const OTHERS: Episode[] = [
  { number: 8, isComplete: true },
  { number: 9, isComplete: false },
];
const found = ({ report }: Awaited<ReturnType<typeof exported>>) =>
  report.findings.find(({ check }) => check === 'contradictions');

describe('KTO rows that label one reply both good and bad', () => {
  it.each([[[true, false]], [[false, true]], [[false, true, false]]])(
    'are left out and counted where only how episodes ended says so: %j',
    async (ends) => {
      const alike = ends.map((isComplete) => ({ number: 1, isComplete }));
      const told = await exported([...alike, ...OTHERS]);

      // Two calls and the last words, each once with either label.
      expect(told.report.dropped).toMatchObject({ contradicted: 6 });
      expect(told.rows.map(({ completion: [reply] }) => reply?.content).join('\n')).not.toContain('order 1 ');
      expect(labelledBothWays(told.rows)).toBe(0);
      expect(told.rows).toHaveLength(6);
      expect(found(told)).toMatchObject({ level: 'note', count: 6 });
      expect(found(told)?.at).toContainEqual({ episode: 'e0', n: expect.any(Number) as number });
      expect(told.card).toContain(
        '6 rows were left out, since another row said the contrary of the same reply',
      );
    },
  );

  it('all go where duplicates are kept', async () => {
    const alike = [true, true, false].map((isComplete) => ({ number: 1, isComplete }));
    const { rows, report } = await exported([...alike, ...OTHERS], { include: ['duplicates'] });

    expect(labelledBothWays(rows)).toBe(0);
    expect(report.dropped).toMatchObject({ contradicted: 9 });
  });

  it.each([0, 1])(
    'keep what a person said of the very reply, where how an episode ended says the contrary (place %i)',
    async (place) => {
      const alike: Episode[] = [{ number: 1, isComplete: false }];
      alike.splice(place, 0, { number: 1, isComplete: true, label: true });
      const { rows, report } = await exported([...alike, ...OTHERS]);

      const kept = rows.filter(({ source }) => source === 'label');
      expect(kept).toHaveLength(1);
      expect(kept[0]).toMatchObject({ label: true });
      expect(labelledBothWays(rows)).toBe(0);
      // The verdict on that call, and both verdicts on the second call and the last words.
      expect(report.dropped).toMatchObject({ contradicted: 5 });
    },
  );

  it('are left out where two people judged the very reply and differ', async () => {
    const differ = [true, false].map((label) => ({ number: 1, isComplete: true, label }));
    const { rows, report } = await exported([...differ, ...OTHERS]);

    expect(labelledBothWays(rows)).toBe(0);
    expect(report.dropped).toMatchObject({ contradicted: 2 });
  });

  it('stay with a warning that counts them where the rules take them', async () => {
    const alike = [true, false].map((isComplete) => ({ number: 1, isComplete }));
    const told = await exported([...alike, ...OTHERS], { include: ['contrary'] });

    expect(labelledBothWays(told.rows)).toBe(3);
    expect(told.report.dropped).not.toHaveProperty('contradicted');
    expect(found(told)).toMatchObject({ level: 'warning', count: 6 });
  });
});

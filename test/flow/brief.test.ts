import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { baselineText, BRIEF_WORDS, limitWords, ruleBrief } from '../../src/shared/episode/baseline.ts';
import { sideOf, SplitManifest } from '../../src/shared/split.ts';
import { createAdvisor } from '../../src/main/advisor/advisor.ts';
import { transcriptOf } from '../../src/main/dataset/export/transcript.ts';
import { startInput, type Product } from '../support/product.ts';
import { productPerTest } from '../support/productPerTest.ts';
import { shippedPrompts } from '../support/prompts.ts';
import { createScriptedLlm } from '../support/scriptedLlm.ts';
import { knowledgeOf } from '../support/flow.ts';
import { typeIn } from '../support/commandLine.ts';

let product: Product;
productPerTest((opened) => (product = opened));

const start = async (over: Parameters<typeof startInput>[0]): Promise<string> =>
  (await product.as('seat-one')('episode.start', startInput(over))).episodes[0] ?? '';

/** A run that failed, alone. */
async function baseline(task_idx = 0): Promise<string> {
  const id = await start({ condition: 'none', task_idx });
  await product.ended(id);
  return id;
}
const messagesOf = (episode: string) => product.log.record(episode).messages;

describe('a brief before the start', () => {
  it('is written by a rule of what failed, and read by the agent with its task', async () => {
    const earlier = await baseline();
    const id = await start({ condition: 'brief', baseline: earlier });
    const record = await product.ended(id);
    const [brief] = record.consultations;
    const first = record.turns[0]?.n ?? 0;

    expect(brief).toMatchObject({
      trigger: 'brief',
      baseline: { episode: earlier, reward_type: 'others', split: 'unknown' },
      draft: { generator: 'rule', privilege: ['verdict'] },
      delivered: { as: 'advice', privilege: ['verdict'] },
    });
    expect(brief?.draft?.text).toMatch(
      /^FAIL \(others.*\)\.\nRoot cause: turn 1: .* failed: .*\nNext time: /s,
    );
    const told = messagesOf(id).filter(({ origin }) => origin === 'advice');
    expect(told).toMatchObject([{ role: 'user', turn: 0, segments: [{ type: 'advice' }] }]);
    expect(told[0]?.n).toBeLessThan(first);
    // It is no ask, and the agent has no tool to ask with.
    expect(record.counts.consultations).toBe(0);
    expect(record.offered.map(({ name }) => name)).not.toContain('ask_expert');
  });

  it('waits at the desk for a person who may change it, under brief+human', async () => {
    const earlier = await baseline();
    const id = await start({ condition: 'brief+human', baseline: earlier });
    const asking = await product.until(id, ({ consultations }) => consultations[0]?.draft);
    const item = product.log.projections.desk(5).items[0];
    expect(item).toMatchObject({ episode: id, turn: 0, baseline: { episode: earlier } });
    expect(asking.turns).toEqual([]);

    await product.as('seat-one')('desk.answer', {
      episode: id,
      consultation: `${id}:brief`,
      text: 'FAIL. Look the workflow up first.',
      draft: asking.consultations[0]?.draft?.id ?? null,
      seen_seq: asking.seq,
      timing: { first_seen_at: null, active_ms: null },
    });
    await product.ended(id);

    expect(messagesOf(id).find(({ origin }) => origin === 'advice')?.content).toContain(
      'FAIL. Look the workflow up first.',
    );
    expect(product.log.record(id).consultations[0]?.decision).toMatchObject({ act: 'edit' });
  });

  it('leaves the agent with its task alone when the person declines', async () => {
    const id = await start({ condition: 'brief+human', baseline: await baseline() });
    const asking = await product.until(id, ({ consultations }) => consultations[0]?.draft);
    await product.as('seat-one')('desk.decline', {
      episode: id,
      consultation: `${id}:brief`,
      reason: 'it is wrong',
      seen_seq: asking.seq,
      timing: { first_seen_at: null, active_ms: null },
    });
    await product.ended(id);

    expect(messagesOf(id).some(({ origin }) => origin === 'advice')).toBe(false);
  });

  it('stands in exports as what the agent read, with its author’s privilege, and never as its own words', async () => {
    const id = await start({ condition: 'brief', baseline: await baseline() });
    const record = await product.ended(id);
    const loadText = (text: Parameters<typeof product.log.texts.loadText>[0]) =>
      product.log.texts.loadText(text);
    const lines = transcriptOf({ record, loadText })?.lines ?? [];
    const brief = lines.filter(({ kind }) => kind === 'advice');

    expect(brief).toMatchObject([{ role: 'user', consultation: `${id}:brief` }]);
    expect(lines.findIndex(({ kind }) => kind === 'advice')).toBeLessThan(
      lines.findIndex(({ kind }) => kind === 'reply'),
    );
  });

  it('is refused without a baseline, of another task, of a run that is not over, and where none is read', async () => {
    const other = await baseline(1);
    const running = await start({ condition: 'human+draft' });

    await expect(start({ condition: 'brief' })).rejects.toThrow('a brief needs a baseline');
    await expect(start({ condition: 'brief', baseline: other })).rejects.toThrow(
      'is of loomline_workflows #1, not of loomline_workflows #0',
    );
    await expect(start({ condition: 'brief', baseline: running })).rejects.toThrow(
      'there is no ended episode',
    );
    await expect(start({ condition: 'none', baseline: other })).rejects.toThrow('only read with a brief');
  });
});

describe('the author of a brief', () => {
  it('reads the run, the task and the tools, never the criteria, and is cut at 200 words', async () => {
    const record = product.log.record(await baseline());
    const long = `FAIL. ${'word '.repeat(150)}end. ${'more '.repeat(150)}`;
    const llm = createScriptedLlm([{ content: long }]);
    const advisor = createAdvisor({
      llm: () => llm,
      knowledge: () => Promise.resolve(knowledgeOf(product.worlds.briefing('loomline_workflows', 0))),
      prompts: shippedPrompts(),
    });
    const result = await advisor.draft(
      {
        episode: 'e-1',
        task: 'Activate it.',
        question: null,
        askedTask: null,
        tools: record.tools,
        attempts: [],
        hint: null,
        baseline: record,
      },
      new AbortController().signal,
    );
    const asked = llm.requests[0]?.messages.map(({ content }) => content).join('\n') ?? '';

    expect(asked).toContain(baselineText(record, (text) => product.log.texts.loadText(text)));
    expect(asked).not.toContain(product.worlds.briefing('loomline_workflows', 0)?.criteria);
    expect(result).toMatchObject({ ok: true, privilege: ['verdict'] });
    expect(result.ok ? result.text.split(/\s+/).length : 0).toBeLessThan(BRIEF_WORDS);
    expect(result.ok ? result.text : '').toMatch(/end\.$/);
  });

  it('by rule stays under 200 words whatever failed', async () => {
    const record = product.log.record(await baseline(5));

    expect(ruleBrief(record).split(/\s+/).length).toBeLessThan(BRIEF_WORDS);
    expect(limitWords('one two three')).toBe('one two three');
    expect(limitWords('w '.repeat(500)).split(/\s+/)).toHaveLength(BRIEF_WORDS - 1);
  });
});

describe('a split manifest', () => {
  // The form of the public recipe's manifest.
  const SPLIT = SplitManifest.parse({
    meta: { prefixes: ['workflow_automation'], val_fraction: 0.34, seed: 0, num_train: 2, num_val: 1 },
    train: [
      ['Loomline Workflows', 0],
      ['both', 3],
    ],
    val: [
      ['loomline_workflows', 1],
      ['both', 3],
    ],
  });

  it('tells on which side a task stands, however its scenario is spelt; val wins', () => {
    const side = (scenario: string, task_idx: number): string => sideOf(SPLIT, { scenario, task_idx });

    expect(side('loomline_workflows', 0)).toBe('train');
    expect(side('Loomline-Workflows', 1)).toBe('val');
    expect(side('both', 3)).toBe('val');
    expect(side('loomline_workflows', 9)).toBe('unlisted');
    expect(sideOf(null, { scenario: 'both', task_idx: 3 })).toBe('unknown');
  });

  it(
    'refuses a brief of a held-out task on the command line, and says where none is known',
    { timeout: 60_000 },
    async () => {
      const { folder } = product;
      writeFileSync(join(folder, 'split.json'), JSON.stringify(SPLIT));
      writeFileSync(join(folder, 'no.json'), '[]');
      const run = ['run', '--world', 'loomline_workflows', '--json'];
      const brief = [...run, '--condition', 'brief', '--baseline-log', join(folder, 'base')];
      const { codes, out, err } = await typeIn(folder, [
        { args: [...run, '--task', '0-1'] },
        { args: ['export', '--format', 'events', '--out', join(folder, 'base'), '--json'] },
        { args: [...brief, '--task', '1', '--split', join(folder, 'split.json')] },
        { args: [...brief, '--task', '0', '--split', join(folder, 'split.json')] },
        { args: [...brief, '--task', '0'] },
        { args: [...brief, '--task', '2'] },
        { args: [...brief, '--task', '0', '--split', join(folder, 'no.json')] },
      ]);
      const lines = out
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Record<string, unknown>);
      const errors = lines.flatMap(({ type, message }) => (type === 'error' ? [String(message)] : []));

      expect(codes).toEqual([0, 0, 2, 0, 0, 2, 2]);
      expect(errors).toEqual([
        'loomline_workflows #1 is held out (val): no brief is written of a held-out task',
        expect.stringContaining('holds no episode of loomline_workflows #2'),
        expect.stringContaining('is no split manifest'),
      ]);
      expect(lines.filter(({ condition }) => condition === 'brief')).toHaveLength(2);
      expect(err).toContain('No split manifest was given');
    },
  );
});

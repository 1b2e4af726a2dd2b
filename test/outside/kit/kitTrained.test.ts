// What the training kit's scripts really train on, of real exports: the words that had a loss in two steps of the real TRL
// on the CPU. Needs packages of 6 GB: INTERJECT_TEST_KIT=1 has `npm run test:outside` install them.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withTexts } from '../../../src/shared/events/text.ts';
import type { EventLog } from '../../../src/main/log/eventLog.ts';
import type { LogEvent } from '../../../src/shared/events/vocabulary.ts';
import { advised, edited, labelled, stumbled, takenOver, type Made } from '../../dataset/export/episodes.ts';
import { write } from '../../support/exported.ts';
import { rulesOf } from '../../support/exporting.ts';
import { serveEnvironment } from '../../support/flow.ts';
import { openLog } from '../../support/log.ts';
import { native, replies, reply, startStepIn } from '../../support/stepIn.ts';
import { kitIsInstalled, kitRows, root, PEERS_FOLDER } from '../../peers/support.ts';

const MINUTES = 60_000;
const kit = join(root, 'resources/kit/trl');
const folder = mkdtempSync(join(tmpdir(), 'interject-kit-trained-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Environment = Awaited<ReturnType<typeof serveEnvironment>>;
const answered = (text: string) => () => ({
  observation: { reward_type: 'tool_call_ok', tool_result: text },
});
const serve = () =>
  serveEnvironment({
    find_workflow: answered('ENVIRONMENT found it'),
    rename_workflow: answered('ENVIRONMENT renamed it'),
  });

/** An agent that thinks before each call: it looks up the workflow with this id, and renames it, or another. */
async function thinking(environment: Environment, id: number, renamed = id): Promise<Made> {
  const { toolCalls } = native('rename_workflow', { id: renamed });
  const { toolCalls: look } = native('find_workflow', { id });
  const flow = startStepIn(
    environment.url,
    replies(
      reply({ content: 'I look it up.', reasoning: `THOUGHT: ${String(id)} may be it.`, toolCalls: look }),
      reply({ content: 'I rename it now.', reasoning: 'THOUGHT: it is that one.', toolCalls }),
      reply({ content: 'It is done.', reasoning: 'THOUGHT: nothing is left to do.' }),
    ),
  );
  await flow.ended;
  return flow;
}

/** One log with the episodes of many. */
function merged(episodes: readonly Made[]): EventLog {
  const into = openLog(':memory:', Date.now);
  episodes.forEach(({ log, id }, at) => {
    const entries = log.read(id).map(({ actor, event }) => ({
      actor,
      event: withTexts(event, (text) => log.texts.loadText(text)) as LogEvent,
    }));
    // Each log counts its episodes from one.
    into.appendAll(`${id}-${String(at)}`, entries);
  });
  return into;
}

type Trained = { trained: string; words: string[] };
type Line = Record<string, unknown>;
const trainedOf = (lines: readonly Line[]): Trained[] =>
  lines.filter((line) => 'trained' in line) as unknown as Trained[];
const wordsOf = (lines: readonly Line[]): string =>
  trainedOf(lines)
    .flatMap(({ words }) => words)
    .join('\n');

/** Two steps, each over so many rows. */
const train = (script: string, rows: number, args: string[]): Promise<Line[]> =>
  kitRows(
    join(kit, script),
    [
      '--smoke',
      `--gradient_accumulation_steps=${String(rows)}`,
      `--output_dir=${join(folder, 'out')}`,
      ...args,
    ],
    { HF_HOME: join(folder, 'cache'), PYTHONPATH: join(root, 'resources') },
  );

/** What was in a prompt, in a result, in a notice, or was set aside: none of it is the agent's to learn. */
const NEVER = [/<\|turn\|>/, /ENVIRONMENT/, /It is renamed now\./, /ADVICE/, /"content"/];

describe.skipIf(!kitIsInstalled())('the words that the training kit trains on', () => {
  let log: EventLog;
  const data = (name: string): string => join(folder, name);
  beforeAll(async () => {
    const played: Made[] = [];
    for (const play of [
      (environment: Environment) => thinking(environment, 2),
      (environment: Environment) => thinking(environment, 1),
      (environment: Environment) => thinking(environment, 2, 1),
      (environment: Environment) => edited(environment),
      (environment: Environment) => labelled(environment),
      (environment: Environment) => stumbled(environment),
      (environment: Environment) => takenOver(environment, true),
      (environment: Environment) =>
        advised(environment, { ask: 1, do: 'send', text: 'ADVICE\nrename_workflow({"id": 2})' }),
    ]) {
      const environment = await serve();
      played.push(await play(environment));
      environment.close();
    }
    log = merged(played);
    const options = { despite: ['single_class'] };
    for (const format of ['sft', 'sft_messages', 'preference', 'kto'] as const) {
      await write(log, data(format), { format, ...options });
    }
    const rules = rulesOf({ reasoning: false });
    await write(log, data('kto contrary'), {
      format: 'kto',
      rules: rulesOf({ include: ['contrary'] }),
      ...options,
    });
    await write(log, data('without reasoning'), { format: 'sft_messages', rules, ...options });
  }, 2 * MINUTES);

  it(
    'of sft are the agent’s own after a step-in, without results, notices or what was set aside',
    async () => {
      const said = await train('sft.py', 4, ['--data', data('sft')]);

      expect(said.at(-1)).toMatchObject({ smoke: 'sft/sft', ok: true, steps: 2 });
      const words = wordsOf(said);
      expect(words).toContain('rename_workflow');
      for (const never of [...NEVER, /I do it\./, /I rename it\./]) expect(words).not.toMatch(never);
    },
    10 * MINUTES,
  );

  it(
    'of sft_messages are what the agent thought and said',
    async () => {
      const said = await train('sft.py', 2, ['--rows', 'sft_messages', '--data', data('sft_messages')]);

      expect(said.at(-1)).toMatchObject({ smoke: 'sft/sft_messages', ok: true, steps: 2 });
      const words = wordsOf(said);
      expect(words).toContain('<think>\nTHOUGHT: 2 may be it.\n</think>\n\nI look it up.<tool_call>');
      for (const never of [...NEVER, /I do it\./]) expect(words).not.toMatch(never);
    },
    10 * MINUTES,
  );

  it(
    'are an empty think block where a template always thinks and the export left reasoning out',
    async () => {
      const template = ['--chat_template_path', join(PEERS_FOLDER, 'thinking.jinja')];
      const rows = ['--rows', 'sft_messages', ...template];
      const kept = wordsOf(await train('sft.py', 2, [...rows, '--data', data('sft_messages')]));
      const left = wordsOf(await train('sft.py', 2, [...rows, '--data', data('without reasoning')]));

      expect(kept).toContain('<think>\nTHOUGHT: 2 may be it.\n</think>\n\nI look it up.');
      expect(left).toContain('<think>\n\n</think>\n\nI look it up.');
      expect(left).not.toContain('THOUGHT');
    },
    10 * MINUTES,
  );

  it(
    'of preference are the two replies at one point, and never those of an advisor',
    async () => {
      const said = await train('dpo.py', 1, ['--data', data('preference')]);

      expect(said.at(-1)).toMatchObject({ smoke: 'dpo', ok: true, steps: 2 });
      const counts = said.find((line) => 'pairs' in line) as { pairs: object; left_out: object };
      expect(Object.keys(counts.pairs)).not.toContain('advice');
      expect(counts.left_out).toMatchObject({ advice: 1 });
      const sides = trainedOf(said).map(({ trained }) => trained);
      expect(new Set(sides)).toEqual(new Set(['chosen', 'rejected']));
      for (const never of NEVER) expect(wordsOf(said)).not.toMatch(never);
      // Beside a call that a person chose, no word of the agent argues for the one it replaced.
      const chosen = wordsOf(said.filter(({ trained }) => trained === 'chosen'));
      expect(chosen).not.toContain('I rename it.');
    },
    10 * MINUTES,
  );

  it(
    'of preference are an advisor’s alone where they are asked for, and no kind that is unknown is taken',
    async () => {
      const said = await train('dpo.py', 1, ['--data', data('preference'), '--pairs', 'advice']);
      expect(said.at(-1)).toMatchObject({ smoke: 'dpo', ok: true });
      expect(wordsOf(said.filter(({ trained }) => trained === 'chosen'))).toContain('ADVICE');

      await expect(train('dpo.py', 1, ['--data', data('preference'), '--pairs', 'advise'])).rejects.toThrow(
        /advise is no kind of pair; there are edited, corrected/,
      );
    },
    10 * MINUTES,
  );

  it(
    'of kto are one reply of the agent a row, and nothing that came back',
    async () => {
      const said = await train('kto.py', 9, ['--data', data('kto')]);

      expect(said.at(-1)).toMatchObject({ smoke: 'kto', ok: true, steps: 2 });
      expect(said).toContainEqual({ labelled_both_ways: 0 });
      const rows = trainedOf(said);
      expect(new Set(rows.map(({ trained }) => trained))).toEqual(new Set(['desirable', 'undesirable']));
      for (const { words } of rows) {
        expect(words).toHaveLength(1);
        expect((words[0]?.match(/<tool_call>/g) ?? []).length).toBeLessThanOrEqual(1);
      }
      for (const never of NEVER) expect(wordsOf(said)).not.toMatch(never);
    },
    10 * MINUTES,
  );

  it(
    'of kto are labelled both ways where two episodes begin alike and end differently, if the export keeps them',
    async () => {
      const said = await train('kto.py', 1, ['--data', data('kto contrary')]);
      expect(said).toContainEqual({ labelled_both_ways: 1 });
    },
    10 * MINUTES,
  );
});

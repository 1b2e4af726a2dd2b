// What rows hold beside what a server of ours was asked, token by token, through chat templates as their models ship them.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { playScene, SCENES, trainedReplies, type TrainedReply } from '../support/thinkingEpisodes.ts';
import { pythonRows } from './support.ts';

const folder = mkdtempSync(join(tmpdir(), 'interject-windows-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('trains a reply after just the tokens that its model read: Qwen3, gpt-oss, Llama 3.1', async () => {
  const replies: TrainedReply[] = [];
  for (const name of Object.keys(SCENES)) {
    const played = await playScene(name);
    for (const format of ['sft', 'sft_messages', 'kto'] as const)
      replies.push(...(await trainedReplies(played, format)));
  }
  const cases = join(folder, 'cases.json');
  writeFileSync(cases, JSON.stringify(replies));

  const told = await pythonRows('openenv-0.10.0', 'read_windows.py', [cases]);

  expect(new Set(replies.map(({ scene }) => scene))).toEqual(new Set(Object.keys(SCENES)));
  expect(told).toHaveLength(3 * replies.length);
  expect(told.filter(({ read }) => read !== true)).toEqual([]);
  // A call that came beside the text trains as the text that it should have been.
  const rewritten = 'calls beside the text where they are tags';
  expect(told.filter(({ scene, trained }) => scene !== rewritten && trained !== true)).toEqual([]);
  // Llama 3.1 has no way to write two calls.
  const refused = told.filter(({ refused: why }) => (why as string[]).length > 0);
  expect(new Set(refused.map(({ template, scene }) => `${String(template)}: ${String(scene)}`))).toEqual(
    new Set(['llama3_1: two calls in a reply']),
  );
  expect(told.filter(({ tokens }) => Number(tokens) < 200).length).toBe(refused.length);
});

// The bytes of every export of one played data folder, as the command writes them.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { filesOf } from '../../support/filesOf.ts';
import { runInProcess } from '../../support/inProcess.ts';
import { createMask, pinsOf } from './pinned.ts';
import { playScene } from './scene.ts';

const pin = pinsOf('exports');
let folder = '';
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'interject-outside-'));
  mkdirSync(join(folder, 'home'));
  await playScene(join(folder, 'home'));
  mask = createMask([folder]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let mask: (text: string) => string;
/** What is masked in a file has another digest in every run. */
const withoutDigests = (text: string): string =>
  text
    .replaceAll(/sha256 [0-9a-f]{64}/g, 'sha256 …')
    .replaceAll(/`[0-9a-f]{64}`/g, '`…`')
    .replaceAll(/^[0-9a-f]{64} /gm, '… ');
const written = (out: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(filesOf(join(folder, out))).map(([name, text]) => [
      name,
      mask(name.startsWith('README') || name === 'CHECKSUMS' ? withoutDigests(text) : text),
    ]),
  );
const write = (name: string, args: readonly string[]) =>
  runInProcess(folder, ['export', ...args, '--out', name, '--data', join(folder, 'home'), '--json']);

const WIDE = '--any --include timeouts late fabricated contrary duplicates --min-reward -9'.split(' ');
const DESPITE = ['--despite', 'too_few', 'no_rows'];

const LOG_FORMATS = new Set(['events', 'source', 'annotations']);
const hold = async (name: string, args: readonly string[]): Promise<void> => {
  const { code, lines, said } = await write(name, args);
  expect(code, said).toBe(0);
  const printed = mask(lines.map((line) => JSON.stringify(line)).join('\n'));
  await pin(name, { '--json': printed, ...written(name) }, name === 'events' ? [] : ['events.jsonl']);
};

describe('an export of the same episodes is the same, byte for byte', () => {
  it.each([
    ['sft', WIDE],
    ['sft_messages', WIDE],
    ['preference', WIDE],
    ['kto', WIDE],
    ['grpo', WIDE],
    ['atif', WIDE],
    ['awm', WIDE],
    ['human_feedback', WIDE],
    ['episode_record', WIDE],
    ['scores', WIDE],
    ['events', []],
    ['source', []],
    ['annotations', []],
  ] as const)('%s', (format, rules) =>
    hold(format, ['--format', format, ...(LOG_FORMATS.has(format) ? [] : [...rules, ...DESPITE])]),
  );

  it.each([
    ['sft-by-default', ['--format', 'sft']],
    ['sft-stripped', ['--format', 'sft', '--any', '--privilege', 'strip', '--validation', '0.5']],
    ['advisor', ['--format', 'sft', '--preset', 'advisor', ...WIDE]],
    ['when_to_ask', ['--format', 'sft', '--preset', 'when_to_ask', ...WIDE]],
    ['demonstrations', ['--format', 'sft', '--preset', 'demonstrations']],
    ['sft-of-people', ['--format', 'sft', '--actor', 'human', '--cap', '1']],
    ['preference-by-default', ['--format', 'preference']],
    ['kto-of-a-run', ['--format', 'kto', '--run', 'scene']],
  ] as const)('%s', (name, args) => hold(name, [...args, ...DESPITE]));
});

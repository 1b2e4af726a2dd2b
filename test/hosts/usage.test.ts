import { afterEach, expect, it, vi } from 'vitest';
import { main } from '../../src/main/hosts/main.ts';

afterEach(() => void vi.restoreAllMocks());

/** What the command line wrote for people, and for machines. */
const spoken = () => {
  const said: string[] = [];
  const lines: string[] = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => said.push(String(text)) > 0);
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => lines.push(String(text)) > 0);
  return { said, lines };
};

it('without a command lists the commands and says what to type', async () => {
  const { said } = spoken();

  expect(await main([])).toBe(2);

  expect(said.join('')).toMatch(
    /Commands:[\s\S]*serve[\s\S]*error: no command was given[\s\S]*interject serve/,
  );
  expect(said.join('')).not.toContain('outputHelp');
});

it('says the same to a machine in one line', async () => {
  const { lines } = spoken();

  expect(await main(['--json'])).toBe(2);

  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ type: 'error', code: 'bad_input' });
});

it('points to the help of the command that was typed', async () => {
  const { said } = spoken();

  expect(await main(['bench', 'split', '--bogus'])).toBe(2);
  expect(await main(['world', 'check', '--bogus'])).toBe(2);
  expect(await main(['--bogus'])).toBe(2);

  expect(said.join('').match(/See `.*`/g)).toEqual([
    'See `interject bench split --help`',
    'See `interject world check --help`',
    'See `interject --help`',
  ]);
});

it('names a flag it does not know, with the nearest one, before what is missing because of it', async () => {
  const { said } = spoken();

  expect(await main(['export', '--frmat', 'sft', '--out', 'data'])).toBe(2);
  expect(await main(['run', '--world', '--tsak', '--conditoin=human'])).toBe(2);
  expect(await main(['export', '--zzzzzzzz'])).toBe(2);
  expect(await main(['export', '--out', 'data'])).toBe(2);

  expect(said.join('').match(/(?:there is no flag|Did you mean|required).*/g)).toEqual([
    'there is no flag --frmat',
    'Did you mean --format? See `interject export --help`.',
    'there is no flag --conditoin',
    'Did you mean --condition? See `interject run --help`.',
    'there is no flag --zzzzzzzz',
    expect.stringContaining('required'),
  ]);
});

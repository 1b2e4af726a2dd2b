import { expect, it } from 'vitest';
import { errorFailure } from '../../src/main/openenv/failures.ts';

it('an error of four mebibytes is told by its beginning and its length, without its secrets', () => {
  const said = `no such table. sk-Zq7abcdefghijklmnop1234567890 ${'x'.repeat(4 * 1024 * 1024)}`;

  const { message } = errorFailure('BROKEN', said, { base: 'ws://a', secrets: [] });

  expect(message.length).toBeLessThan(5_000);
  expect(message).toMatch(/^ws:\/\/a answered BROKEN: no such table\..*… \(\d{7} characters\)$/s);
  expect(message).not.toContain('Zq7abc');
});

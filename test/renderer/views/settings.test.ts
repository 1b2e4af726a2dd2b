import { describe, expect, it } from 'vitest';
import { createProgram } from '../../../src/main/hosts/main.ts';
import { COMMANDS } from '../../../src/renderer/views/connect/snippets.ts';
import { modelDraft, patchOf, type ModelSettings } from '../../../src/renderer/views/settings/model.ts';

const set: ModelSettings = {
  provider: 'openai',
  base_url: 'http://here/v1',
  model: 'm',
  api_version: null,
  reasoning: 'auto',
  key: 'stored',
};

it('saving a model sends a key only when one was typed, and null only when it shall be forgotten', () => {
  expect(patchOf(set, { ...modelDraft(set), newKey: 'sk' }, false)).toEqual({ api_key: 'sk' });
  expect(patchOf(set, modelDraft(set), true)).toEqual({ api_key: null });
});

describe('the commands offered', () => {
  const { commands } = createProgram(() => () => Promise.resolve());

  it('are commands the command line has, with options it knows', () => {
    for (const { code } of COMMANDS) {
      const [command = '', ...words] = code.replace('npm run interject -- ', '').split(' ');
      const found = commands.filter((one) => one.name() === command);
      const flags = found.flatMap((one) => [one, ...one.commands].flatMap(({ options }) => options));
      expect(found).toHaveLength(1);
      for (const word of words.filter((each) => each.startsWith('--')))
        expect(flags.map(({ long }) => long)).toContain(word);
    }
  });
});

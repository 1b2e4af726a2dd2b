import { describe, expect, it } from 'vitest';
import { createProgram } from '../../../src/main/hosts/main.ts';
import { COMMANDS } from '../../../src/renderer/views/connect/snippets.ts';
import {
  budgetDraft,
  budgetProblems,
  budgetsOfDraft,
} from '../../../src/renderer/views/settings/Budgets.tsx';
import {
  modelDraft,
  overruled,
  patchOf,
  type ModelSettings,
} from '../../../src/renderer/views/settings/model.ts';

const set: ModelSettings = {
  provider: 'openai',
  base_url: 'http://here/v1',
  model: 'm',
  api_version: null,
  key: 'stored',
};

describe('saving a model', () => {
  it('sends only what was changed', () => {
    expect(patchOf(set, modelDraft(set), false)).toEqual({});
    expect(patchOf(set, { ...modelDraft(set), model: ' n ' }, false)).toEqual({ model: 'n' });
    expect(patchOf(set, { ...modelDraft(set), baseUrl: ' ' }, false)).toEqual({ base_url: null });
  });

  it('sends a key only when one was typed, and null only when it shall be forgotten', () => {
    expect(patchOf(set, { ...modelDraft(set), newKey: 'sk' }, false)).toEqual({ api_key: 'sk' });
    expect(patchOf(set, modelDraft(set), true)).toEqual({ api_key: null });
  });

  it('tells what an environment variable decides instead', () => {
    expect(overruled({ model: 'n', base_url: null }, { ...set, base_url: null })).toEqual(['model']);
  });
});

describe('budgets that are typed', () => {
  const none = { turns: null, minutes: null, tokens: null, cost: null };

  it('are what was saved, with nothing where a field is empty', () => {
    const saved = { per_episode: { ...none, turns: 20, cost: 0.5 }, per_run: { ...none, minutes: 90 } };
    const draft = budgetDraft(saved);

    expect(draft).toMatchObject({
      'per_episode.turns': '20',
      'per_episode.tokens': '',
      'per_run.minutes': '90',
    });
    expect(budgetsOfDraft(draft)).toEqual(saved);
  });

  it('say at their field what is wrong', () => {
    const draft = {
      ...budgetDraft({ per_episode: none, per_run: none }),
      'per_episode.turns': '1.5',
      'per_run.cost': 'much',
    };

    expect([...budgetProblems(draft)]).toEqual([
      ['per_episode.turns', 'A whole number above 0.'],
      ['per_run.cost', 'A number above 0.'],
    ]);
  });
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

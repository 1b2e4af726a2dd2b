import { describe, expect, it } from 'vitest';
import { createProgram } from '../../../src/main/hosts/main.ts';
import { COMMANDS } from '../../../src/renderer/views/setup/snippets.ts';
import { modelDraft, patchOf, type ModelSettings } from '../../../src/renderer/views/setup/model.ts';
import { documentOf, patchesOf } from '../../../src/renderer/views/setup/settingsDocument.ts';
import type { Settings } from '../../../src/shared/contract/settings.ts';
import { GATEWAY_DEFAULTS } from '../../../src/shared/contract/gateway.ts';
import { EMPTY_ROSTER } from '../../../src/shared/experts/roster.ts';
import { REWARD_DEFAULTS } from '../../../src/shared/rewards/settings.ts';

const set: ModelSettings = {
  provider: 'openai',
  base_url: 'http://here/v1',
  model: 'm',
  api_version: null,
  reasoning: 'auto',
  key: 'stored',
};

it('saving a model sends what was changed of it, and a key only when one was typed', () => {
  expect(patchOf(set, { ...modelDraft(set), newKey: 'sk' })).toEqual({ api_key: 'sk' });
  expect(patchOf(set, { ...modelDraft(set), baseUrl: ' ' })).toEqual({ base_url: null });
  expect(patchOf(set, modelDraft(set))).toEqual({});
});

describe('the document of the other settings', () => {
  const judge = { base_url: 'http://judge/v1', model: 'j', key: 'environment', is_overridden: true } as const;
  const price = {
    name: 'm',
    currency: 'USD',
    input: 1,
    output: 2,
    cached: null,
    reasoning: null,
    as_of: '2026-11-23',
  };
  const settings: Settings = {
    agent: set,
    expert: set,
    key_store: 'file',
    awm: {
      data_folder: '/data',
      data_from: 'default',
      data_setting: null,
      data_problem: null,
      verifier_mode: 'sql',
      judge,
    },
    gateway: { ...GATEWAY_DEFAULTS, mcp: true },
    profiles: [],
    prices: [price],
    budgets: {
      per_episode: { turns: 20, minutes: null, tokens: null, cost: null },
      per_run: { turns: null, minutes: null, tokens: null, cost: 5 },
    },
    roster: { ...EMPTY_ROSTER, seat_first_s: 30 },
    reward_profiles: [
      { name: 'default', version: 0, saved_at: null, settings: REWARD_DEFAULTS },
      { name: 'own', version: 3, saved_at: 1, settings: REWARD_DEFAULTS },
    ],
  };
  const edited = (change: (document: Record<string, unknown>) => unknown) =>
    patchesOf(settings, JSON.stringify(change(JSON.parse(documentOf(settings)) as Record<string, unknown>)));

  it('changes nothing while it is as it was shown, and writes no word of flags and variables into the settings', () => {
    expect(patchesOf(settings, documentOf(settings))).toEqual({ patches: [], problem: null });
    expect(
      edited(({ awm, ...rest }) => ({ ...rest, awm: { ...Object(awm), judge_key: 'sk' } })).patches,
    ).toEqual([{ awm: { judge_key: 'sk' } }]);
  });

  it('gives what is left out its default, and takes away what is gone of a list', () => {
    const none = { turns: null, minutes: null, tokens: null, cost: null };
    expect(patchesOf(settings, '{}').patches).toEqual([
      { gateway: { mcp: false } },
      { budgets: { per_episode: none, per_run: none } },
      { prices: { remove: 'm' } },
      { roster: EMPTY_ROSTER },
      { awm: { verifier_mode: 'code' } },
      { reward_profiles: { remove: 'own' } },
    ]);
  });

  it('saves what is new or changed of a list, one after the other', () => {
    const dear = { ...price, input: 9 };
    const next = { ...price, name: 'n' };
    expect(edited((rest) => ({ ...rest, prices: [dear, next] })).patches).toEqual([
      { prices: { save: dear } },
      { prices: { save: next } },
    ]);
  });

  it('says what is wrong and where, and changes nothing then', () => {
    expect(patchesOf(settings, '{')).toEqual({
      patches: [],
      problem: expect.stringMatching(/^This is no JSON/),
    });
    const wrong = edited((rest) => ({ ...rest, gateway: { on_touch: 'shrug' } }));
    expect(wrong).toEqual({ patches: [], problem: expect.stringMatching(/^gateway\.on_touch: /) });
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

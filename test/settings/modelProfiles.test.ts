import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFileSecrets } from '../../src/main/settings/fileSecrets.ts';
import { createSettings, type ModelFlags, type SettingsStore } from '../../src/main/settings/settings.ts';
import { modelFlags } from '../../src/main/hosts/commandFlags.ts';
import { folderPerTest } from '../support/temporaryFolder.ts';

const folder = folderPerTest();

const open = (environment: Record<string, string> = {}, agent: ModelFlags = {}): SettingsStore =>
  createSettings({ folder: folder(), environment, flags: { agent }, secrets: createFileSecrets(folder()) });
const onDisk = (name = 'settings.json'): string => readFileSync(join(folder(), name), 'utf8');
const LOCAL = {
  name: 'local',
  provider: 'openai' as const,
  base_url: 'http://127.0.0.1:8000/v1',
  model: 'qwen',
  api_version: null,
};

describe('a model profile', () => {
  it('is an endpoint of its own: nothing of the agent’s address, key or variables goes into it', () => {
    const settings = open({ INTERJECT_AGENT_API_KEY: 'of-the-agent', OPENAI_API_KEY: 'shared' });
    settings.write({ agent: { base_url: 'http://other/v1', model: 'other' } });
    settings.saveProfile(LOCAL);
    settings.saveProfile({ ...LOCAL, name: 'keyed' }, 'its-own-key');

    expect(settings.model('agent', 'local')).toEqual({
      provider: 'openai',
      baseUrl: LOCAL.base_url,
      apiKey: null,
      model: 'qwen',
      apiVersion: null,
    });
    expect(settings.model('agent', 'keyed')?.apiKey).toBe('its-own-key');
    expect(settings.model('agent')?.model).toBe('other');
    expect(onDisk()).not.toContain('its-own-key');
    expect(settings.profiles().map(({ name, key }) => [name, key])).toEqual([
      ['local', 'none'],
      ['keyed', 'stored'],
    ]);
  });

  it('keeps its key while its address stays, and loses it with another address', () => {
    const settings = open();
    settings.saveProfile(LOCAL, 'its-own-key');
    settings.saveProfile({ ...LOCAL, model: 'qwen-2' });
    expect(settings.model('agent', 'local')).toMatchObject({ model: 'qwen-2', apiKey: 'its-own-key' });

    settings.saveProfile({ ...LOCAL, base_url: 'http://elsewhere/v1' });
    expect(settings.model('agent', 'local')?.apiKey).toBeNull();
  });

  it('is chosen by a flag, which other flags go over, and says so', () => {
    open().saveProfile(LOCAL, 'its-own-key');

    const settings = open({}, { profile: 'local', model: 'bigger' });
    expect(settings.model('agent')).toMatchObject({ model: 'bigger', baseUrl: LOCAL.base_url });
    expect(settings.describe().agent).toMatchObject({
      profile: 'local',
      key: 'stored',
      from: { model: '--agent-model', base_url: 'profile local', key: 'profile local' },
    });
  });

  it('that is not there is named, with those that are', () => {
    open().saveProfile(LOCAL);

    expect(() => open().model('agent', 'nope')).toThrow(
      expect.objectContaining({ code: 'not_found', next: 'There are: local.' }),
    );
  });

  it('names no variable of the process and no command for its key: one that does is left out, and said', () => {
    const theirs = { ...LOCAL, base_url: 'http://stranger.example/v1' };
    const settings = {
      agent: { provider: 'openai', base_url: theirs.base_url, model: 'm', key_env: 'AWS_SECRET_ACCESS_KEY' },
      profiles: [
        { ...theirs, key_env: 'AWS_SECRET_ACCESS_KEY' },
        { ...theirs, name: 'entra', provider: 'azure', token_command: 'az account get-access-token' },
      ],
    };
    writeFileSync(join(folder(), 'settings.json'), JSON.stringify(settings));

    const opened = open({ AWS_SECRET_ACCESS_KEY: 'of-the-process' });
    expect(() => opened.model('agent', 'local')).toThrow(/no model profile local/);
    expect(() => opened.model('agent', 'entra')).toThrow(/no model profile entra/);
    expect(opened.model('agent')).toMatchObject({ baseUrl: theirs.base_url, apiKey: null });
    expect(opened.notices()).toEqual([
      'settings.json: a model profile in the file cannot be read and is left out.',
    ]);
  });

  it('goes with its key', () => {
    const settings = open();
    settings.saveProfile(LOCAL, 'its-own-key');
    settings.removeProfile('local');

    expect(settings.profiles()).toEqual([]);
    expect(onDisk('secrets.json')).not.toContain('its-own-key');
  });
});

describe('where a model comes from', () => {
  it('is said field by field, in the words a person can look for', () => {
    open().write({ agent: { base_url: 'http://file/v1', model: 'file', api_key: 'k' } });

    expect(open({ AWM_AGENT_MODEL: 'recipe' }).describe().agent).toMatchObject({
      model: 'recipe',
      from: { model: 'AWM_AGENT_MODEL', base_url: 'settings', key: 'settings', api_version: null },
    });
    expect(
      open({ AWM_AGENT_MODEL: 'recipe', INTERJECT_AGENT_MODEL: 'own' }).describe().agent.from?.model,
    ).toBe('INTERJECT_AGENT_MODEL');
  });

  it('may be the names of the expert-in-the-loop recipe, as they stand in its README', () => {
    const recipe = {
      AZURE_OPENAI_ENDPOINT: 'https://r.openai.azure.com/',
      AZURE_OPENAI_API_KEY: 'k',
      AZURE_OPENAI_REASONING_NAME: 'reasoner',
      OPENAI_API_VERSION: '2025-04-01-preview',
    };
    const settings = open({ ...recipe, AWM_EXPERT_MODEL: 'bigger' });

    expect(settings.model('agent')).toEqual({
      provider: 'azure',
      baseUrl: recipe.AZURE_OPENAI_ENDPOINT,
      apiKey: 'k',
      model: 'reasoner',
      apiVersion: '2025-04-01-preview',
    });
    expect(settings.model('expert')?.model).toBe('bigger');
    expect(open({ ...recipe, AZURE_OPENAI_MODEL: 'm' }).model('agent')?.model).toBe('reasoner');
    expect(
      open({ ...recipe, AZURE_OPENAI_REASONING_NAME: '', AZURE_OPENAI_MODEL: 'm' }).model('agent')?.model,
    ).toBe('m');
  });

  it('of an Azure endpoint without a key is a command that prints a token', () => {
    const azure = { AZURE_OPENAI_ENDPOINT: 'https://r.openai.azure.com/', AZURE_OPENAI_MODEL: 'm' };

    expect(open(azure).notices()[0]).toMatch(/Azure needs an endpoint and a key, or a command/);
    const settings = open({ ...azure, AZURE_OPENAI_TOKEN_COMMAND: 'az account get-access-token' });
    expect(settings.model('agent')).toMatchObject({
      apiKey: null,
      tokenCommand: 'az account get-access-token',
    });
    expect(settings.describe().agent).toMatchObject({
      has_token_command: true,
      key: 'none',
      from: { key: 'AZURE_OPENAI_TOKEN_COMMAND' },
    });
    expect(JSON.stringify(settings.describe())).not.toContain('get-access-token');
  });
});

describe('a model’s flags', () => {
  it('send no key of another address to the one that was typed', () => {
    open().write({ agent: { base_url: 'http://file/v1', model: 'file', api_key: 'key-of-file' } });
    const typed = { baseUrl: 'http://typed/v1' };

    expect(open({ OPENAI_API_KEY: 'shared' }, typed).model('agent')).toMatchObject({
      baseUrl: 'http://typed/v1',
      model: 'file',
      apiKey: null,
    });
    expect(open({}, { ...typed, apiKey: 'given', keyFrom: 'MY_KEY' }).describe().agent).toMatchObject({
      key: 'environment',
      from: { base_url: '--agent-base-url', key: 'MY_KEY', model: 'settings' },
    });
  });

  it('name where a key is, and never hold one', () => {
    const environment = { MY_KEY: 'from-variable' };

    expect(modelFlags({ agentKeyEnv: 'MY_KEY', expertModel: 'm' }, environment)).toEqual({
      agent: { apiKey: 'from-variable', keyFrom: 'MY_KEY' },
      expert: { model: 'm' },
    });
    expect(() => modelFlags({ agentKeyEnv: 'sk-typed-by-mistake' }, environment)).toThrow(/is not set/);
  });
});

import { readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFileSecrets } from '../../src/main/settings/fileSecrets.ts';
import { createSettings, type SettingsStore } from '../../src/main/settings/settings.ts';
import { ModelsInForce } from '../../src/shared/contract/settings.ts';
import { folderPerTest } from '../support/temporaryFolder.ts';

const folder = folderPerTest();

const open = (
  environment: Record<string, string> = {},
  flags: NonNullable<Parameters<typeof createSettings>[0]['flags']> = {},
): SettingsStore =>
  createSettings({ folder: folder(), environment, flags, secrets: createFileSecrets(folder()) });
const path = (name = 'settings.json'): string => join(folder(), name);
const onDisk = (): unknown => JSON.parse(readFileSync(path(), 'utf8'));

describe('a model', () => {
  it('is not configured until a name and a way to reach it are known', () => {
    const settings = open();

    expect(settings.model('agent')).toBeNull();
    settings.write({ agent: { model: 'qwen' } });
    expect(settings.model('agent')).toBeNull();
    expect(settings.notices()).toEqual([
      'The agent model qwen is not used: it has neither an API key nor a base URL.',
    ]);
    settings.write({ agent: { base_url: 'http://127.0.0.1:8000/v1' } });
    expect(settings.model('agent')).toEqual({
      provider: 'openai',
      baseUrl: 'http://127.0.0.1:8000/v1',
      apiKey: null,
      model: 'qwen',
      apiVersion: null,
    });
    expect(settings.model('expert')).toBeNull();
    expect(settings.notices()).toEqual([]);
  });

  it('is taken from a flag before a variable, from a variable before the file, field by field', () => {
    open().write({ agent: { base_url: 'http://file/v1', model: 'file', api_key: 'key-of-file' } });

    expect(open({ INTERJECT_AGENT_MODEL: 'variable' }).model('agent')).toMatchObject({
      model: 'variable',
      baseUrl: 'http://file/v1',
      apiKey: 'key-of-file',
    });
    expect(
      open({ INTERJECT_AGENT_MODEL: 'variable' }, { agent: { model: 'flag' } }).model('agent'),
    ).toMatchObject({ model: 'flag', baseUrl: 'http://file/v1' });
  });

  it('has an endpoint of its own in each role', () => {
    const agent = { INTERJECT_AGENT_BASE_URL: 'http://agent/v1', INTERJECT_AGENT_MODEL: 'small' };
    const expert = { INTERJECT_EXPERT_BASE_URL: 'http://expert/v1', INTERJECT_EXPERT_MODEL: 'large' };
    const settings = open({ ...agent, ...expert });

    expect(settings.model('agent')).toMatchObject({ baseUrl: 'http://agent/v1', model: 'small' });
    expect(settings.model('expert')).toMatchObject({ baseUrl: 'http://expert/v1', model: 'large' });
  });

  it('can be set up with the variables other tools use', () => {
    const azure = {
      AZURE_OPENAI_ENDPOINT: 'https://a.openai.azure.com/',
      AZURE_OPENAI_API_KEY: 'a-key',
      AZURE_OPENAI_DEPLOYMENT: 'a-deployment',
      AZURE_OPENAI_API_VERSION: '2025-04-01-preview',
    };
    const expert = {
      AZURE_OPENAI_EXPERT_ENDPOINT: 'https://e.openai.azure.com/',
      AZURE_OPENAI_EXPERT_API_KEY: 'e-key',
      AZURE_OPENAI_EXPERT_DEPLOYMENT: 'e-deployment',
    };

    expect(open({ OPENAI_API_KEY: 'k', OPENAI_MODEL: 'm' }).model('agent')).toEqual({
      provider: 'openai',
      baseUrl: null,
      apiKey: 'k',
      model: 'm',
      apiVersion: null,
    });
    expect(open(azure).model('agent')).toEqual({
      provider: 'azure',
      baseUrl: azure.AZURE_OPENAI_ENDPOINT,
      apiKey: 'a-key',
      model: 'a-deployment',
      apiVersion: '2025-04-01-preview',
    });
    expect(open({ ...azure, ...expert }).model('expert')).toEqual({
      provider: 'azure',
      baseUrl: expert.AZURE_OPENAI_EXPERT_ENDPOINT,
      apiKey: 'e-key',
      model: 'e-deployment',
      apiVersion: '2025-04-01-preview',
    });
    expect(open({ ...azure, ...expert }).model('agent')).toMatchObject({ apiKey: 'a-key' });
    expect(open(expert).model('agent')).toBeNull();
  });

  it('never gets a key that belongs to another address', () => {
    open().write({
      agent: { base_url: 'http://mine/v1', model: 'mine' },
      expert: { api_key: 'stored-key', model: 'big' },
    });

    expect(open({ OPENAI_API_KEY: 'shared-key' }).model('agent')).toMatchObject({
      baseUrl: 'http://mine/v1',
      model: 'mine',
      apiKey: null,
    });
    expect(
      open({ OPENAI_API_KEY: 'shared-key', INTERJECT_AGENT_BASE_URL: 'http://other/v1' }).model('agent'),
    ).toMatchObject({ baseUrl: 'http://other/v1', apiKey: null });
    expect(open({ OPENAI_BASE_URL: 'http://shared/v1', OPENAI_MODEL: 'm' }).model('expert')).toMatchObject({
      baseUrl: 'http://shared/v1',
      apiKey: null,
    });
  });

  it('is Azure’s when its address is, unless somebody says otherwise', () => {
    const own = {
      INTERJECT_AGENT_BASE_URL: 'https://x.openai.azure.com',
      INTERJECT_AGENT_API_KEY: 'k',
      INTERJECT_AGENT_MODEL: 'm',
    };

    expect(open(own).model('agent')?.provider).toBe('azure');
    expect(open({ ...own, INTERJECT_AGENT_PROVIDER: 'openai' }).model('agent')?.provider).toBe('openai');
    open().write({ agent: { provider: 'azure', base_url: 'https://x.openai.azure.com', model: 'm' } });
    expect(open({ INTERJECT_AGENT_BASE_URL: 'http://127.0.0.1:8000/v1' }).model('agent')?.provider).toBe(
      'openai',
    );
  });
});

describe('a key', () => {
  it('is never in the settings file and never described', () => {
    const settings = open();

    settings.write({ agent: { api_key: 'sk-very-secret-1', model: 'm' } });

    expect(readFileSync(path(), 'utf8')).not.toContain('sk-very-secret-1');
    expect(JSON.stringify(settings.describe())).not.toContain('sk-very-secret-1');
    expect(settings.describe().agent).toMatchObject({
      provider: 'openai',
      base_url: null,
      model: 'm',
      api_version: null,
      key: 'stored',
    });
    expect(settings.model('agent')?.apiKey).toBe('sk-very-secret-1');
  });

  it('is forgotten when it is set to null', () => {
    const settings = open();
    settings.write({ agent: { api_key: 'sk-very-secret-1' } });

    settings.write({ agent: { api_key: null } });

    expect(settings.describe().agent.key).toBe('none');
    expect(readFileSync(path('secrets.json'), 'utf8')).not.toContain('sk-very-secret-1');
  });
});

describe('the settings file', () => {
  it('keeps what it does not know, at every level', () => {
    writeFileSync(path(), JSON.stringify({ later: { x: 1 }, agent: { colour: 'red', model: 'old' } }));

    open().write({ agent: { model: 'new' } });

    expect(onDisk()).toEqual({ later: { x: 1 }, agent: { colour: 'red', model: 'new' } });
  });

  it('that is broken is moved aside, never lost, and says so', () => {
    writeFileSync(path(), '{"agent": {"model": "precious"');
    writeFileSync(path('settings.broken-1.json'), 'an earlier one');

    const settings = open();
    settings.write({ agent: { model: 'new' } });

    expect(settings.notices()[0]).toContain('settings.broken-2.json');
    expect(readFileSync(path('settings.broken-2.json'), 'utf8')).toBe('{"agent": {"model": "precious"');
    expect(readFileSync(path('settings.broken-1.json'), 'utf8')).toBe('an earlier one');
    expect(onDisk()).toEqual({ agent: { model: 'new' } });
  });

  it('with one wrong value keeps it, does without it, and names it', () => {
    writeFileSync(
      path(),
      JSON.stringify({
        agent: { provider: 'other', model: 'm' },
        expert: { model: 'e', base_url: 'http://e/v1' },
      }),
    );

    const settings = open();

    expect(settings.model('agent')).toBeNull();
    expect(settings.model('expert')).toMatchObject({ model: 'e' });
    expect(settings.notices()[0]).toContain('"agent.provider"');
    expect(onDisk()).toMatchObject({ agent: { provider: 'other' } });
  });

  it('is seen as it is now when somebody edited it by hand', () => {
    const settings = open();
    writeFileSync(path(), JSON.stringify({ agent: { model: 'by hand', base_url: 'http://h/v1' } }));

    expect(settings.model('agent')?.model).toBe('by hand');
  });

  it('leaves no half-written file behind', () => {
    open().write({ agent: { model: 'm' } });

    expect(readdirSync(folder())).toEqual(['settings.json']);
    expect(statSync(path()).mode & 0o777).toBe(0o600);
  });

  it('that cannot be written is a failure that names it', () => {
    rmSync(folder(), { recursive: true });
    writeFileSync(folder(), 'a file where the folder() should be');

    expect(() => open().write({ agent: { model: 'm' } })).toThrow(/settings\.json cannot be written/);
  });
});

describe('what the contract promises', () => {
  it('is what is described', () => {
    expect(() => ModelsInForce.parse(open({ OPENAI_API_KEY: 'k' }).describe())).not.toThrow();
  });
});

describe('added environments', () => {
  it('are kept, renamed by adding again, and removed', () => {
    const added = open().addEnvironment(' Local ', 'http://127.0.0.1:8899/');

    expect(open().environments()).toEqual([
      { id: added.id, name: 'Local', url: 'http://127.0.0.1:8899', builtin: false },
    ]);
    expect(open().addEnvironment('Again', 'http://127.0.0.1:8899').id).toBe(added.id);
    expect(
      open()
        .environments()
        .map(({ name }) => name),
    ).toEqual(['Again']);
    open().removeEnvironment(added.id);
    expect(open().environments()).toEqual([]);
    expect(() => open().removeEnvironment(added.id)).toThrow(/no added environment/);
  });

  it('that cannot be read are left out with a notice, and stay in the file', () => {
    writeFileSync(path(), JSON.stringify({ environments: [{ strange: true }] }));
    const settings = open();

    settings.addEnvironment('Local', 'http://127.0.0.1:8899');

    expect(settings.environments()).toHaveLength(1);
    expect(settings.notices()[0]).toContain('environment');
    expect(onDisk()).toMatchObject({ environments: [{ strange: true }, { name: 'Local' }] });
  });
});

describe('the owner’s token', () => {
  it('is made once and kept across restarts, until it is renewed', () => {
    const token = open().ownerToken();

    expect(token).toMatch(/^[A-Za-z0-9_-]{32}$/);
    expect(open().ownerToken()).toBe(token);
    const renewed = open().renewOwnerToken();
    expect(renewed).not.toBe(token);
    expect(open().ownerToken()).toBe(renewed);
  });
});

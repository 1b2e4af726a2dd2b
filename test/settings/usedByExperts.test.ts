import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFileSecrets } from '../../src/main/settings/fileSecrets.ts';
import { createSettings, type SettingsStore } from '../../src/main/settings/settings.ts';
import { EMPTY_ROSTER } from '../../src/shared/experts/roster.ts';

let folder = '';
let settings: SettingsStore;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'used-'));
  settings = createSettings({ folder, environment: {}, secrets: createFileSecrets(folder) });
  settings.saveProfile({
    name: 'small',
    provider: 'openai',
    base_url: 'http://127.0.0.1:8000/v1',
    model: 'qwen',
    api_version: null,
  });
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const SKILLED = { skills: ['recovery'], ask_for: 'errors' };

const NEW_INVITE = { created_at: 1, expires_at: null, made_by: null };

describe('what an expert of the roster uses', () => {
  it('cannot be removed while it is a model expert’s profile: the answer names who uses it and where to change that', () => {
    const model = { kind: 'model' as const, ...SKILLED, profile: 'small' };
    const experts = [
      { ...model, name: 'Ada' },
      { ...model, name: 'Bo' },
    ];
    settings.saveRoster({ ...EMPTY_ROSTER, experts });
    expect(() => settings.removeProfile('small')).toThrow(
      expect.objectContaining({
        code: 'bad_input',
        message: 'the model profile small is used by the experts Ada, Bo',
        next: expect.stringContaining('Setup, People') as string,
      }),
    );
    expect(settings.profiles()).toHaveLength(1);
    settings.saveRoster(EMPTY_ROSTER);
    settings.removeProfile('small');
    expect(settings.profiles()).toEqual([]);
  });

  it('cannot be revoked while it is the invite of a person of the roster', () => {
    const { invite } = settings.createInvite({ ...NEW_INVITE, label: 'Priya at home' });
    const other = settings.createInvite({ ...NEW_INVITE, label: 'Quentin' }).invite;
    const priya = { kind: 'person' as const, name: 'Priya', ...SKILLED, seat: invite.seat };
    settings.saveRoster({ ...EMPTY_ROSTER, experts: [priya] });
    expect(() => settings.revokeInvite(invite.id)).toThrow(
      'the invite Priya at home is used by the expert Priya',
    );
    settings.revokeInvite(other.id);
    expect(settings.invites().map(({ id }) => id)).toEqual([invite.id]);
  });
});

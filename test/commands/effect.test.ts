import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { effectOf } from '../../src/main/commands/previews.ts';
import { createFileSecrets } from '../../src/main/settings/fileSecrets.ts';
import { createSettings } from '../../src/main/settings/settings.ts';
import { episode } from '../renderer/parts/episodes.ts';

it('tries drafts of an added environment by itself only where its switch is on and an audit proved isolation', () => {
  const folder = mkdtempSync(join(tmpdir(), 'interject-effect-'));
  const settings = createSettings({ folder, environment: {}, flags: {}, secrets: createFileSecrets(folder) });
  const environment = settings.addEnvironment('Shop', 'http://127.0.0.1:9');
  const record = episode().open({ environment }).record();
  const mode = () => effectOf(record, { seat: 'seat-owner' }, settings).mode;

  expect(mode()).toBe('on_request');
  settings.changeEnvironment(environment.id, { tries_drafts: true });
  expect(mode()).toBe('on_request');
  settings.changeEnvironment(environment.id, { isolated: { at: 1, proof: 'two sessions kept apart' } });
  expect(mode()).toBe('by_itself');
  // A later audit that did not prove it takes it back.
  settings.changeEnvironment(environment.id, { isolated: null });
  expect(mode()).toBe('on_request');
  settings.changeEnvironment(environment.id, { isolated: { at: 2, proof: 'two sessions kept apart' } });
  settings.changeEnvironment(environment.id, { tries_drafts: null });
  expect(mode()).toBe('on_request');
  rmSync(folder, { recursive: true, force: true });
});

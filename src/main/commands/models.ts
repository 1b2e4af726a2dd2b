// What a model can do, found out by small requests.
import type { Handlers } from '../../shared/contract/contract.ts';
import type { models } from '../../shared/contract/models.ts';
import { Failure } from '../../shared/failure.ts';
import { probeModel } from '../llm/probes.ts';
import type { Tokens } from '../llm/tokenCommand.ts';
import type { Requests } from './requests.ts';
import type { SettingsStore } from '../settings/settings.ts';

type ModelHandlers = Pick<Handlers, keyof typeof models>;

type ModelDependencies = { settings: SettingsStore; tokens: Tokens; requests: Requests };

export const modelCommands = ({ settings, tokens, requests }: ModelDependencies): ModelHandlers => ({
  'models.probe': async ({ role, profile, probe, id }, { seat }) => {
    const config = settings.model(role, profile);
    if (config === null) throw notConfigured(role);
    return requests.run(seat, id, (signal) => probeModel(probe, { config, tokens, signal }));
  },
});

const notConfigured = (role: 'agent' | 'expert'): Failure =>
  new Failure('model_not_configured', `no model is set for the ${role}`, {
    next: 'Set a base URL, a model name and a key, then try again.',
  });

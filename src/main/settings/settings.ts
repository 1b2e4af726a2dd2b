// Owns: the settings: flag, environment variable, file, default, in that order.
import type { z } from 'zod';
import type { settings as contract } from '../../shared/contract/areas.ts';
import type { EnvironmentSpec } from '../../shared/events/lifecycle.ts';
import { Failure } from '../../shared/failure.ts';
import type { ModelConfig, ModelRole } from '../../shared/modelConfig.ts';
import type { Secrets } from './secrets.ts';

export type Settings = {
  /** null until a model name and a way to reach it are known. */
  model(role: ModelRole): ModelConfig | null;
  describe(): z.infer<(typeof contract)['settings.read']['output']>;
  write(patch: z.infer<(typeof contract)['settings.write']['input']>): void;
  /** The environments a person added; built-in worlds are not among them. */
  environments(): EnvironmentSpec[];
  addEnvironment(name: string, url: string): EnvironmentSpec;
  removeEnvironment(id: string): void;
  /** A random token under this name, made once and kept. */
  token(name: string): string;
  /** What a person should know about the settings as they were found. */
  notices(): string[];
};

export function createSettings(_options: {
  folder: string;
  environment: Readonly<Record<string, string | undefined>>;
  secrets: Secrets;
}): Settings {
  throw new Failure('internal', 'unfinished');
}

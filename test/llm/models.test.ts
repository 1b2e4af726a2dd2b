import { describe, expect, it } from 'vitest';
import type { ModelConfig } from '../../src/shared/modelConfig.ts';
import { createModels } from '../../src/main/llm/models.ts';
import { createScriptedLlm } from '../support/scriptedLlm.ts';

const config: ModelConfig = {
  provider: 'openai',
  baseUrl: 'http://m/v1',
  apiKey: null,
  model: 'm',
  apiVersion: null,
};

describe('the clients of the models', () => {
  it('are made once per endpoint, anew when it changes, and not at all without one', () => {
    let now: ModelConfig | null = config;
    let made = 0;
    const models = createModels(
      () => now,
      () => {
        made += 1;
        return createScriptedLlm([]);
      },
    );

    const first = models('agent');
    expect(models('expert')).toBe(first);
    now = { ...config, apiKey: 'another' };
    expect(models('agent')).not.toBe(first);
    now = null;
    expect(models('agent')).toBeNull();
    expect(made).toBe(2);
  });
});

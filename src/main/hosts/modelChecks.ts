// `doctor --model`: what a model can do, each found by one small request. Ctrl+C cancels the one that is under way.
import { ModelProbe, PROBE_COST } from '../../shared/contract/models.ts';
import type { ModelConfig, ModelRole } from '../../shared/modelConfig.ts';
import { probeModel } from '../llm/probes.ts';
import { createTokens } from '../llm/tokenCommand.ts';
import type { BundleCheckLine } from './bundle.ts';

/** A model that cannot do without these cannot act natively; the rest is good to know. */
const NEEDED: ReadonlySet<ModelProbe> = new Set(['answer']);

export async function* modelChecks(
  role: ModelRole,
  config: ModelConfig | null,
  say: (text: string) => void,
): AsyncGenerator<BundleCheckLine> {
  const name = (probe: ModelProbe): string => `${role} model, ${probe.replaceAll('_', ' ')}`;
  if (config === null) {
    yield { name: name('answer'), status: 'fail', evidence: 'no model is set: see docs/models.md' };
    return;
  }
  const { requests, input_tokens: input, output_tokens: out } = PROBE_COST;
  say(
    `Asking ${config.model} ${String(requests)} small questions: at most ${String(input)} tokens in and ${String(out)} out.`,
  );
  const stop = new AbortController();
  const cancel = (): void => stop.abort();
  process.once('SIGINT', cancel);
  const tokens = createTokens({ clock: Date.now });
  try {
    for (const probe of ModelProbe.options) {
      const { finding, evidence, failure } = await probeModel(probe, { config, tokens, signal: stop.signal });
      const isBroken = failure !== null || (finding !== 'yes' && NEEDED.has(probe));
      yield { name: name(probe), status: isBroken ? 'fail' : finding === 'yes' ? 'pass' : 'warn', evidence };
      // What does not answer the first question answers none.
      if (failure !== null && probe === 'answer') return;
    }
  } finally {
    process.off('SIGINT', cancel);
  }
}

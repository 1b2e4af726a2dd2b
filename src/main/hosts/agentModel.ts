// Whether the model that is to act can be asked, and what is missing where it cannot.
import type { ModelsInForce } from '../../shared/contract/settings.ts';
import { Failure } from '../../shared/failure.ts';

/** Throws `model_not_configured`, with what is missing and where to say it. */
export function checkAgentModel({
  model,
  provider,
  base_url: address,
  key,
  has_token_command: hasCommand,
}: ModelsInForce['agent']): void {
  const isKeyless = key === 'none' && hasCommand !== true;
  const [noAddress, noKey] = [address === null, provider === 'azure' && isKeyless];
  const isReachable = provider === 'azure' ? !noAddress && !isKeyless : !noAddress || !isKeyless;
  if (model !== null && isReachable) return;
  const fail = (message: string, next: string): Failure =>
    new Failure('model_not_configured', message, { next });
  if (model === null)
    throw fail(
      address === null ? 'no model is set for the agent' : `the agent’s model at ${address} has no name`,
      `Name it with --agent-model NAME${address === null ? ' and --agent-base-url URL' : ''}, or set it under Settings; or choose --agent rehearsal.`,
    );
  const what = noAddress && isKeyless ? 'neither an address nor a key' : noKey ? 'no key' : 'no address';
  const isEnough = provider === 'azure' ? 'and' : 'or';
  const ways = [
    ...(noAddress ? ['its address with --agent-base-url URL'] : []),
    ...(isKeyless ? ['its key with --agent-key-env VARIABLE'] : []),
  ];
  throw fail(
    `the agent’s model ${model} has ${what}`,
    `Give ${ways.join(` ${isEnough} `)}, or set ${ways.length === 1 ? 'it' : 'them'} under Settings.`,
  );
}

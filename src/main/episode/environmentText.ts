// What the agent is told of its environment, at the end of its system prompt: a person's words, or those for a kind of
// environment that is known to need some.
import { fillPrompt, type Prompts } from '../settings/prompts.ts';
import { isNamedAwm } from '../environments/awm.ts';
import type { EnvironmentOf } from '../environments/port.ts';
import type { RunSpec } from './stage.ts';

/** A person's words where there are some, and none where they took them away. */
export async function environmentText(
  { environmentOf, prompts }: { environmentOf: EnvironmentOf; prompts: Prompts },
  { environment, environmentText: given }: Pick<RunSpec, 'environment' | 'environmentText'>,
): Promise<string> {
  if (given !== null) return given.trim();
  return isNamedAwm(await environmentOf(environment).describe())
    ? fillPrompt(prompts.awmUser, {}).trim()
    : '';
}

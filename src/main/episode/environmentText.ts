// What the agent is told of its environment, at the end of its system prompt: a person's words, or those for a kind of
// environment that is known to need some.
import { fillPrompt, type Prompts } from '../settings/prompts.ts';
import type { EnvironmentOf } from '../environments/port.ts';
import type { RunSpec } from './stage.ts';

/** How the Agent World Model's server calls itself. */
const AWM_NAME = /^(?:awm|agent[ _-]?world[ _-]?model)/i;

/** A person's words where there are some, and none where they took them away. */
export async function environmentText(
  { environmentOf, prompts }: { environmentOf: EnvironmentOf; prompts: Prompts },
  { environment, environmentText: given }: Pick<RunSpec, 'environment' | 'environmentText'>,
): Promise<string> {
  if (given !== null) return given.trim();
  const { name } = await environmentOf(environment).describe();
  return name !== null && AWM_NAME.test(name) ? fillPrompt(prompts.awmUser, {}).trim() : '';
}

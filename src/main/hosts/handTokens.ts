// A command's own token commands beside an open Interject: they are run here, and only what they print goes over the line.
import type { ModelRole } from '../../shared/modelConfig.ts';
import { failureShape } from '../../shared/failure.ts';
import type { Token } from '../llm/handedTokens.ts';
import { printToken } from '../llm/tokenCommand.ts';
import type { SettingsStore } from '../settings/settings.ts';
import type { DoorLine } from './doorLine.ts';
import { newId } from './ids.ts';

type Hand = { line: Pick<DoorLine, 'call'>; command: string; say: (text: string) => void };

/**
 * Hands the tokens of these roles over for as long as the line holds. Returns the name of each role's; throws
 * `model_unauthorized` where a command prints none.
 */
export async function handTokens(
  { line, say }: Omit<Hand, 'command'>,
  settings: Pick<SettingsStore, 'model'>,
  roles: readonly ModelRole[],
): Promise<Partial<Record<ModelRole, string>>> {
  const names = new Map<string, string>();
  const byRole: Partial<Record<ModelRole, string>> = {};
  for (const role of roles) {
    const command = settings.model(role)?.tokenCommand;
    if (command === undefined) continue;
    const name = names.get(command) ?? newId();
    if (!names.has(command)) {
      const first = await printToken(command, { clock: Date.now });
      // A line that ends is noticed by what waits on it.
      keepHanding({ line, command, say }, name, first).catch(() => undefined);
    }
    names.set(command, name);
    byRole[role] = name;
  }
  return byRole;
}

async function keepHanding({ line, command, say }: Hand, name: string, first: Token): Promise<void> {
  let token: Token | null = first;
  while (token !== null) {
    const { value, expiresAt }: Token = token;
    await line.call('launch.token', { name, token: { value, expires_at: expiresAt } });
    token = await printToken(command, { clock: Date.now }).catch((thrown: unknown) => {
      say(failureShape(thrown).message);
      return null;
    });
  }
  await line.call('launch.token', { name, token: null });
}

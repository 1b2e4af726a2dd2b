// What the tap's process has to know of keys, environments and settings.
import { serverSpec } from '../../../shared/environmentKinds.ts';
import type { EnvironmentSpec } from '../../../shared/events/lifecycle.ts';
import type { ToTap } from './linkProtocol.ts';
import type { TapParts } from './tap.ts';

type TapConfigDependencies = Pick<
  TapParts,
  'settings' | 'tokens' | 'strangers' | 'environment' | 'workingAddress' | 'servers'
>;

export function tapConfig({
  settings,
  tokens,
  strangers = () => [],
  environment,
  workingAddress = (shown) => shown,
  servers,
}: TapConfigDependencies): ToTap {
  const { may_act, on_touch, hold_limit_ms, hold_fallback, reserved_tools, note_in_result } = settings();
  const rules = { may_act, on_touch, hold_limit_ms, hold_fallback, reserved_tools, note_in_result };
  const keys = tokens().flatMap(({ sha256, name, environment: id, atOnce = null, perMinute = null }) => {
    const shown = urlOf({ environment }, id);
    const url = shown === null ? null : workingAddress(shown);
    return url === null
      ? []
      : [{ sha256, name, environment: id, url, at_once: atOnce, per_minute: perMinute }];
  });
  return {
    type: 'config',
    keys,
    strangers: [...strangers()],
    rules,
    starts_servers: servers !== undefined,
  };
}

/** Null for an environment that was removed: a key to it opens nothing. */
function urlOf({ environment }: Pick<TapConfigDependencies, 'environment'>, id: string): string | null {
  try {
    return environment(id).url;
  } catch {
    return null;
  }
}

/** An episode may begin while its environment is being removed; it is recorded all the same. */
export function environmentOr(
  { environment }: Pick<TapConfigDependencies, 'environment'>,
  id: string,
): EnvironmentSpec {
  try {
    return environment(id);
  } catch {
    return serverSpec(id, id, '');
  }
}

// What the tap's process has to know of keys, environments and settings.
import { HOLD_DEFAULTS } from '../../../shared/contract/gateway.ts';
import { serverSpec } from '../../../shared/environmentKinds.ts';
import type { EnvironmentSpec } from '../../../shared/events/lifecycle.ts';
import { USUAL_CONNECTION, type ServerConnection } from '../../../shared/serverConnection.ts';
import { readAuthorities } from '../../openenv/authorities.ts';
import type { TapLinkKey, ToTap } from './linkProtocol.ts';
import type { TapParts } from './tap.ts';

type TapConfigDependencies = Pick<
  TapParts,
  'settings' | 'tokens' | 'strangers' | 'environment' | 'workingAddress' | 'connectionOf'
>;

export function tapConfig({
  settings,
  tokens,
  strangers = () => [],
  environment,
  workingAddress = (shown) => shown,
  connectionOf = () => USUAL_CONNECTION,
}: TapConfigDependencies): ToTap {
  const { may_act, on_touch, reserved_tools, note_in_result } = settings();
  const rules = { may_act, on_touch, reserved_tools, note_in_result };
  const keys = tokens().flatMap(({ id: key, sha256, name, environment: id, ...token }) => {
    const { atOnce = null, perMinute = null, bounds = [], hold = HOLD_DEFAULTS } = token;
    const within = bounds.map((one) => ({
      sha256: one.sha256,
      at_once: one.atOnce,
      per_minute: one.perMinute,
    }));
    const shown = urlOf({ environment }, id);
    const url = shown === null ? null : workingAddress(shown);
    if (shown === null || url === null) return [];
    const reach = reachOf(connectionOf(shown));
    const limits = { at_once: atOnce, per_minute: perMinute, within, ...hold };
    return [{ id: key, sha256, name, environment: id, url, ...limits, ...reach }];
  });
  return {
    type: 'config',
    keys,
    strangers: [...strangers()],
    rules,
  };
}

/** A file that cannot be read is no authority: the server is refused then, and `doctor` names the file. */
function reachOf({ headers, ca_file }: ServerConnection): Pick<TapLinkKey, 'headers' | 'ca'> {
  const named = Object.keys(headers).length === 0 ? {} : { headers };
  if (ca_file === null) return named;
  try {
    return { ...named, ca: readAuthorities(ca_file) };
  } catch {
    return named;
  }
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

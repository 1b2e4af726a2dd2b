// Owns: what the tap's process has to know of keys, environments and settings.
import type { EnvironmentSpec } from '../../../shared/events/lifecycle.ts';
import type { ToTap } from './link.ts';
import type { TapParts } from './tap.ts';

type Parts = Pick<TapParts, 'settings' | 'tokens' | 'strangers' | 'environment'>;

export function configOf({ settings, tokens, strangers = () => [], environment }: Parts): ToTap {
  const { may_act, on_touch, hold_limit_ms, hold_fallback, reserved_tools, note_in_result } = settings();
  const rules = { may_act, on_touch, hold_limit_ms, hold_fallback, reserved_tools, note_in_result };
  const keys = tokens().flatMap(({ sha256, name, environment: id, atOnce = null, perMinute = null }) => {
    const url = urlOf({ environment }, id);
    return url === null
      ? []
      : [{ sha256, name, environment: id, url, at_once: atOnce, per_minute: perMinute }];
  });
  return { type: 'config', keys, strangers: [...strangers()], rules };
}

/** Null for an environment that was removed: a key to it opens nothing. */
function urlOf({ environment }: Pick<Parts, 'environment'>, id: string): string | null {
  try {
    return environment(id).url;
  } catch {
    return null;
  }
}

/** An episode may begin while its environment is being removed; it is recorded all the same. */
export function environmentOr({ environment }: Pick<Parts, 'environment'>, id: string): EnvironmentSpec {
  try {
    return environment(id);
  } catch {
    return { id, name: id, url: '', builtin: false };
  }
}

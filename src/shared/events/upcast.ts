// Reading what older versions wrote. Stored rows are never rewritten; nothing else tests a version.

import { hasCredentials, shownAddress } from '../redact/address.ts';
import { redactJson } from '../redact/redact.ts';
import { worldName } from '../worldNames.ts';

type Stored = Record<string, unknown>;

/** Kinds that once had another shape, and what makes the current one of it. */
export const UPCASTS: Partial<Record<string, (stored: Stored) => Stored>> = {
  // Before answers to several asks at once there was no act to name.
  'advice.approved': (stored) => ('human_act' in stored ? stored : { ...stored, human_act: null }),
  // Before secrets were covered in lists, under more names and by their shape.
  'environment.reset': (stored) => ({ ...stored, request: redactJson(stored['request']) }),
  'episode.started': (stored) => withWorldName(withShownAddress(stored)),
};

/** The current shape of a stored event body. Pure; unknown kinds pass through for the parser to judge. */
export function upcast(stored: Stored): Stored {
  const kind = String(stored['kind']);
  return (Object.hasOwn(UPCASTS, kind) ? UPCASTS[kind]?.(stored) : undefined) ?? stored;
}

/** Before the built-in world had a name that no scenario of the Agent World Model has. */
function withWorldName(stored: Stored): Stored {
  const { environment, scenario } = stored;
  const isBuiltIn =
    typeof environment === 'object' &&
    environment !== null &&
    'builtin' in environment &&
    environment.builtin === true;
  return isBuiltIn && typeof scenario === 'string' ? { ...stored, scenario: worldName(scenario) } : stored;
}

/** Before credentials were kept apart from addresses. An environment that was only named by its address has it as its id. */
function withShownAddress(stored: Stored): Stored {
  const environment = stored['environment'];
  if (typeof environment !== 'object' || environment === null || !('url' in environment)) return stored;
  const { url } = environment;
  if (typeof url !== 'string' || !hasCredentials(url)) return stored;
  const shown = shownAddress(url);
  const id = 'id' in environment && environment.id === url ? { id: shown } : {};
  return { ...stored, environment: { ...environment, url: shown, ...id } };
}

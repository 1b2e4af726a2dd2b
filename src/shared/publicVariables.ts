// Chooses what of this process's environment its children get: everything but keys, which none of them needs.
import { isSecretName } from './redact/names.ts';
import { holdsSecret } from './redact/redact.ts';

type Variables = Record<string, string | undefined>;

/** The variables without those that are named like a key or hold one. */
export const publicVariables = (variables: Readonly<Variables>): Variables =>
  Object.fromEntries(
    Object.entries(variables).filter(
      ([name, value]) => KEPT_VARIABLES.has(name) || (!isSecretName(name) && !holdsSecret(value ?? '')),
    ),
  );

/** Named like keys, but places: what programs find each other, their display and their login by. */
const KEPT_VARIABLES: ReadonlySet<string> = new Set([
  'XAUTHORITY',
  'PWD',
  'OLDPWD',
  'ICEAUTHORITY',
  'SSH_AUTH_SOCK',
  'GOOGLE_APPLICATION_CREDENTIALS',
]);

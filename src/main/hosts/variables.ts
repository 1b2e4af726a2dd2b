// Chooses what of this process's environment its children get: everything but keys, which none of them needs.
import { isSecretName } from '../../shared/redact/names.ts';
import { holdsSecret } from '../../shared/redact/redact.ts';

/** The variables without those that are named like a key or hold one. */
export const publicVariables = (variables: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(variables).filter(
      ([name, value]) => KEPT_VARIABLES.has(name) || (!isSecretName(name) && !holdsSecret(value ?? '')),
    ),
  );

/** Named like keys, but what a desktop's programs find each other and their display by. */
const KEPT_VARIABLES: ReadonlySet<string> = new Set([
  'XAUTHORITY',
  'PWD',
  'OLDPWD',
  'ICEAUTHORITY',
  'SSH_AUTH_SOCK',
]);

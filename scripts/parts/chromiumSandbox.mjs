// @ts-check
// Whether Chromium can lock its pages up on this Linux, and what to do where it cannot. It needs user namespaces that
// every user may make, or a helper beside its binary that root owns.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * What the system says: null for what it has no setting for.
 * `canMake` is what trying it showed.
 * @typedef {{ canMake: boolean | null, maxNamespaces: number | null, mayClone: number | null, isRestrictedByAppArmor: boolean, hasProfile: boolean, helper: { uid: number, mode: number } | null }} SandboxFacts
 */

const SETUID_ROOT = 0o4755;

/** @param {string} path @returns {number | null} */
function settingOf(path) {
  try {
    return Number(readFileSync(path, 'utf8').trim());
  } catch {
    return null;
  }
}

/** Makes namespaces as Chromium does, for a program that does nothing. */
function triedToMake() {
  const { status, error } = spawnSync('unshare', ['--user', '--map-root-user', 'true'], { stdio: 'ignore' });
  return error === undefined ? status === 0 : null;
}

/** Whether a profile of AppArmor names this binary, as those do that packages bring. @param {string} binary */
function hasProfileFor(binary) {
  const folder = '/etc/apparmor.d';
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .some(({ name }) => readFileSync(join(folder, name), 'utf8').includes(binary));
  } catch {
    return false;
  }
}

/** The setuid helper that comes with an Electron. @param {string} binary */
export const helperOf = (binary) => join(dirname(binary), 'chrome-sandbox');

/** @param {string} binary @returns {SandboxFacts} */
export function sandboxFacts(binary) {
  const helper = statSync(helperOf(binary), { throwIfNoEntry: false });
  return {
    canMake: triedToMake(),
    maxNamespaces: settingOf('/proc/sys/user/max_user_namespaces'),
    mayClone: settingOf('/proc/sys/kernel/unprivileged_userns_clone'),
    isRestrictedByAppArmor: settingOf('/proc/sys/kernel/apparmor_restrict_unprivileged_userns') === 1,
    hasProfile: hasProfileFor(binary),
    helper: helper === undefined ? null : { uid: helper.uid, mode: helper.mode & 0o7777 },
  };
}

/**
 * Why a page cannot be locked up here; null where it can.
 * @param {SandboxFacts} facts
 */
export function noSandboxReason({
  canMake,
  maxNamespaces,
  mayClone,
  isRestrictedByAppArmor,
  hasProfile,
  helper,
}) {
  if (helper?.uid === 0 && (helper.mode & SETUID_ROOT) === SETUID_ROOT) return null;
  if (maxNamespaces === 0 || mayClone === 0)
    return 'this system lets no user make the namespaces that Electron’s sandbox needs';
  if (hasProfile) return null;
  if (isRestrictedByAppArmor)
    return 'AppArmor keeps Electron from making the namespaces that its sandbox needs';
  return canMake === false ? 'the namespaces that Electron’s sandbox needs cannot be made here' : null;
}

/**
 * What an administrator does about it, once.
 * @param {string} binary
 */
export function sandboxRemedy(binary) {
  const helper = helperOf(binary);
  return [
    `sudo chown root:root '${helper}' && sudo chmod 4755 '${helper}'`,
    'or, where AppArmor is used, a profile for it:',
    `printf 'abi <abi/4.0>,\\ninclude <tunables/global>\\nprofile interject "${binary}" flags=(unconfined) {\\n  userns,\\n}\\n' | sudo tee /etc/apparmor.d/interject && sudo apparmor_parser -r /etc/apparmor.d/interject`,
  ];
}

/**
 * Why the desktop app's sandbox cannot work here, with the remedy; null where it can, and elsewhere than on Linux.
 * @param {string} binary
 * @param {string} [platform]
 * @returns {{ reason: string, remedy: string[] } | null}
 */
export function sandboxProblem(binary, platform = process.platform) {
  if (platform !== 'linux' || !existsSync(binary)) return null;
  const reason = noSandboxReason(sandboxFacts(binary));
  return reason === null ? null : { reason, remedy: sandboxRemedy(binary) };
}

// Secrets that a test plants, one for each door, and the search for them.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** By door. All of them are fit to be found: none is a word of anything else. */
export const PLANTED = {
  envPassword: 'Zq7-env/pass',
  envKey: 'zq7envkey8815',
  envHeader: 'zq7-env-header-8816',
  envHeaderAside: 'zq7-aside-header-8817',
  modelPassword: 'Zq7-model-pass',
  modelQuery: 'zq7-model-query-22',
  modelKey: 'zq7-model-key-3340',
  expertKey: 'zq7-expert-key-3341',
  refusedKey: 'zq7-refused-key-3342',
  resetNested: 'zq7-nested-91',
  resetCreds: 'zq7-creds-92',
  resetPwd: 'zq7-pwd-93',
  resetHeader: 'zq7-header-94',
  resetShape: 'hf_zq7abcdefghijklmnopqrst12',
  resetPair: 'zq7-pair-95',
  resetInText: 'zq7-in-text-96',
  toldShape: 'ghp_zq7abcdefghijklmnopqrstuvwxyz012345',
};

/** Reset arguments with a secret in every place that a client puts one. */
export const PLANTED_RESET = {
  servers: [
    { login: [{ password: PLANTED.resetNested }] },
    { headers: { Authorization: `Bearer ${PLANTED.resetHeader}` } },
  ],
  creds: { who: PLANTED.resetCreds },
  pwd: PLANTED.resetPwd,
  note: PLANTED.resetShape,
  env: [{ name: 'DB_PASSWORD', value: PLANTED.resetPair }],
  config: JSON.stringify({ api_key: PLANTED.resetInText, retries: 3 }),
  max_tokens: 2048,
};

/** Which planted secrets stand in a text: as they are, percent-encoded, or in a Basic header of the user ada. */
export const plantedIn = (text: string): string[] =>
  Object.entries(PLANTED).flatMap(([door, secret]) =>
    [secret, encodeURIComponent(secret), Buffer.from(`ada:${secret}`).toString('base64')].some((one) =>
      text.includes(one),
    )
      ? [door]
      : [],
  );

/** Which stand where, in the bytes of all files under a folder. Only `secrets.json` may hold those that must be kept. */
export const plantedUnder = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) => {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() || entry.name === 'secrets.json') return [];
    const found = plantedIn(readFileSync(path, 'latin1'));
    return found.map((door) => `${door} in ${path.slice(folder.length)}`);
  });

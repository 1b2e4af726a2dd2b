// The shapes keys have as their issuers make them. Sources: the issuers' own documentation and the published rules of
// gitleaks, detect-secrets and GitHub's secret scanning.

/** Turns a secret into what stands in its place. */
export type RedactionMark = (secret: string) => string;

/**
 * A word that is looked for first, because most texts hold none, and the shape; where given, what tells a secret from a
 * part of one, which is passed over.
 */
type SecretShape = readonly [needle: string, shape: RegExp, isWhole?: (found: string) => boolean];

/**
 * A shape may have one group: what stands before the secret and is kept. To look back for it at every character would take
 * ten times as long. Nothing that continues a longer word may stand before; a line break that JSON has escaped does not.
 */
const START = '(?:(?<![A-Za-z0-9])|(?<=\\\\[nrt]))';
const shape = (needle: string, rest: string, lead = START, isWhole?: SecretShape[2]): SecretShape => {
  const pattern = new RegExp(`${lead}${rest}`, 'g');
  return isWhole === undefined ? [needle, pattern] : [needle, pattern, isWhole];
};

/**
 * Text that came through JSON may have escaped line breaks and quotes in it. A key whose end is not there goes as far as a
 * key may be long: what comes after it is no part of one.
 */
const PEM_LABEL = '(?:[A-Z]+ )*PRIVATE KEY(?: BLOCK)?-----';
const PEM_BODY = '(?:[^"\\\\]|\\\\+(?:[^"\\\\]|$)){0,16384}';
const PRIVATE_KEY = `-----BEGIN ${PEM_LABEL}(?:${PEM_BODY}?-----END ${PEM_LABEL}|${PEM_BODY})`;

export const SECRET_SHAPES: readonly SecretShape[] = [
  shape('sk-', 'sk-[A-Za-z0-9_-]{20,}'),
  shape('sk_live_', 'sk_live_[A-Za-z0-9]{16,}'),
  shape('sk_test_', 'sk_test_[A-Za-z0-9]{16,}'),
  shape('rk_live_', 'rk_live_[A-Za-z0-9]{16,}'),
  shape('rk_test_', 'rk_test_[A-Za-z0-9]{16,}'),
  shape('whsec_', 'whsec_[A-Za-z0-9+/]{24,}'),
  shape('SK', 'SK[0-9a-f]{32}(?![0-9A-Za-z])'),
  shape('sq0', 'sq0[a-z]{3}-[A-Za-z0-9_-]{22,}'),
  shape('key-', 'key-[0-9a-f]{32}(?![0-9A-Za-z])'),
  shape('-us', '[0-9a-f]{32}-us[0-9]{1,2}(?![0-9A-Za-z])'),
  shape('gsk_', 'gsk_[A-Za-z0-9]{20,}'),
  shape('xai-', 'xai-[A-Za-z0-9]{20,}'),
  shape('pplx-', 'pplx-[A-Za-z0-9]{32,}'),
  shape('nvapi-', 'nvapi-[A-Za-z0-9_-]{32,}'),
  shape('hf_', 'hf_[A-Za-z0-9]{20,}'),
  shape('r8_', 'r8_[A-Za-z0-9]{32,}'),
  shape('ghp_', 'ghp_[A-Za-z0-9]{30,}'),
  shape('gho_', 'gho_[A-Za-z0-9]{30,}'),
  shape('ghu_', 'ghu_[A-Za-z0-9]{30,}'),
  shape('ghs_', 'ghs_[A-Za-z0-9]{30,}'),
  shape('ghr_', 'ghr_[A-Za-z0-9]{30,}'),
  shape('github_pat_', 'github_pat_[A-Za-z0-9_]{30,}'),
  shape('glpat-', 'glpat-[A-Za-z0-9_-]{16,}'),
  shape('gldt-', 'gldt-[A-Za-z0-9_-]{16,}'),
  shape('glrt-', 'glrt-[A-Za-z0-9_.-]{16,}'),
  shape('glptt-', 'glptt-[A-Za-z0-9_-]{16,}'),
  shape('glcbt-', 'glcbt-[A-Za-z0-9_-]{16,}'),
  shape('gloas-', 'gloas-[A-Za-z0-9_-]{16,}'),
  shape('xox', 'xox[abeoprs]-[A-Za-z0-9-]{10,}'),
  shape('xoxe.', 'xoxe\\.xox[bp]-[A-Za-z0-9-]{10,}'),
  shape('xapp-', 'xapp-[A-Za-z0-9-]{16,}'),
  shape(
    'hooks.slack.com/services/',
    'hooks\\.slack\\.com/services/T[A-Z0-9]+/B[A-Z0-9]+/[A-Za-z0-9]{16,}',
    '',
  ),
  shape('/api/webhooks/', '(/api/webhooks/[0-9]{10,25}/)[A-Za-z0-9_-]{30,}', ''),
  shape(':AA', '[0-9]{8,10}:AA[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])'),
  shape('ATATT3', 'ATATT3[A-Za-z0-9_=-]{40,}'),
  shape('dckr_pat_', 'dckr_pat_[A-Za-z0-9_-]{20,}'),
  shape('figd_', 'figd_[A-Za-z0-9_-]{30,}'),
  shape('lin_api_', 'lin_api_[A-Za-z0-9]{30,}'),
  shape('ntn_', 'ntn_[A-Za-z0-9]{40,}'),
  shape('secret_', 'secret_[A-Za-z0-9]{43}(?![A-Za-z0-9])'),
  shape('glsa_', 'glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}'),
  shape('hvs.', 'hvs\\.[A-Za-z0-9_-]{24,}'),
  shape('.atlasv1.', '[A-Za-z0-9]{14}\\.atlasv1\\.[A-Za-z0-9_=-]{60,}'),
  shape('PMAK-', 'PMAK-[a-f0-9]{24}-[a-f0-9]{34}'),
  shape('tskey-', 'tskey-[a-z]{2,12}-[A-Za-z0-9]{6,}-[A-Za-z0-9]{16,}'),
  shape('sbp_', 'sbp_[a-f0-9]{40}'),
  shape('apify_api_', 'apify_api_[A-Za-z0-9]{30,}'),
  shape('tgp_v1_', 'tgp_v1_[A-Za-z0-9_-]{30,}'),
  shape('AGE-SECRET-KEY-1', 'AGE-SECRET-KEY-1[A-Z0-9]{58}'),
  shape('npm_', 'npm_[A-Za-z0-9]{36}(?![A-Za-z0-9])'),
  shape('pypi-', 'pypi-AgEI[A-Za-z0-9_-]{40,}'),
  shape('SG.', 'SG\\.[A-Za-z0-9_-]{20,24}\\.[A-Za-z0-9_-]{39,50}'),
  shape('dop_v1_', 'dop_v1_[a-f0-9]{64}'),
  shape('dapi', 'dapi[a-f0-9]{32}(?![a-f0-9])'),
  shape('shpat_', 'shpat_[a-fA-F0-9]{32}'),
  shape('shpss_', 'shpss_[a-fA-F0-9]{32}'),
  shape('shppa_', 'shppa_[a-fA-F0-9]{32}'),
  shape('lsv2_', 'lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}'),
  shape('AKIA', 'AKIA[0-9A-Z]{16}(?![A-Za-z0-9])'),
  shape('ASIA', 'ASIA[0-9A-Z]{16}(?![A-Za-z0-9])'),
  shape('AIza', 'AIza[0-9A-Za-z_-]{35}'),
  shape('ya29.', 'ya29\\.[0-9A-Za-z_-]{20,}'),
  shape('1//0', '1//0[A-Za-z0-9_-]{40,}'),
  shape('GOCSPX-', 'GOCSPX-[A-Za-z0-9_-]{28}'),
  shape('JQQJ99', '[A-Za-z0-9]{52}JQQJ99[A-Za-z0-9]{26}(?![A-Za-z0-9])'),
  shape('Q~', '[A-Za-z0-9_~.]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}'),
  shape('eyJ', 'eyJ[A-Za-z0-9_-]{8,}(?:\\.eyJ[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]{8,})?', START, (found) =>
    found.includes('.'),
  ),
  shape('PRIVATE KEY', PRIVATE_KEY, ''),
  shape('AccountKey=', '(AccountKey=)[A-Za-z0-9+/=]{20,}', ''),
  shape('SharedAccessKey=', '(SharedAccessKey=)[A-Za-z0-9+/=]{20,}', ''),
  shape('aws_secret_access_key', '(aws_secret_access_key["\'\\\\ :=]{1,8})[A-Za-z0-9+/]{40}', ''),
  shape('earer ', '([Bb]earer {1,3})(?=[A-Za-z+/._~-]*[0-9])[A-Za-z0-9+/._~-]{20,}={0,2}', ''),
  shape('asic ', '([Aa]uthorization["\'\\\\ :=]{1,8}Basic {1,3})[A-Za-z0-9+/]{8,}={0,2}', ''),
  // Our own: keys of the gateway, tokens of invites and the console's token in an address.
  shape('ij-', 'ij-[0-9a-f]{12}-[A-Za-z0-9_-]{16,}'),
  shape('#token=', '(#token=)[A-Za-z0-9_-]{16,}', ''),
  shape('invite.', '(\\binvite\\.[a-z0-9-]{4,40}\\.)[A-Za-z0-9_-]{16,}', ''),
];

/** The words that begin with two characters, by these two. */
const NEEDLES_AT: (readonly string[] | undefined)[] = Array.from({ length: 1 << 14 });
const BEGINS = new Uint8Array(1 << 14);
const startOf = (first: number, second: number): number => (first << 7) | second;
for (const [needle] of SECRET_SHAPES) {
  const start = startOf(needle.charCodeAt(0), needle.charCodeAt(1));
  NEEDLES_AT[start] = [...(NEEDLES_AT[start] ?? []), needle];
  BEGINS[start] = 1;
}

/** In a longer text what was found once is not looked for again. */
const LONG = 4_000;

const encoder = new TextEncoder();
/** For short texts, of which there may be thousands. */
const scratch = new Uint8Array(3 * LONG);

/** To look at bytes takes a fifth of the time that the characters of a string take. */
const bytesOf = (text: string): Uint8Array =>
  text.length > LONG ? encoder.encode(text) : scratch.subarray(0, encoder.encodeInto(text, scratch).written);

/** The words of the shapes that stand in a text: one pass over it, whatever it is made of. */
export function needlesIn(text: string): Set<string> {
  const found = new Set<string>();
  const isLong = text.length > LONG;
  const bytes = bytesOf(text);
  const begins = isLong ? BEGINS.slice() : BEGINS;
  const missing = isLong ? NEEDLES_AT.slice() : NEEDLES_AT;
  let first = bytes[0] ?? 0;
  for (let at = 1; at < bytes.length; at += 1) {
    const second = bytes[at] ?? 0;
    if (first < 128 && second < 128 && begins[startOf(first, second)] === 1) {
      const needles = missing[startOf(first, second)] ?? [];
      for (let n = 0; n < needles.length; n += 1) {
        const needle = needles[n] ?? '';
        if (!standsAt(bytes, needle, at - 1)) continue;
        found.add(needle);
        if (!isLong) continue;
        const left = needles.filter((one) => !found.has(one));
        missing[startOf(first, second)] = left;
        if (left.length === 0) begins[startOf(first, second)] = 0;
      }
    }
    first = second;
  }
  return found;
}

function standsAt(bytes: Uint8Array, needle: string, at: number): boolean {
  for (let n = 2; n < needle.length; n += 1) if (bytes[at + n] !== needle.charCodeAt(n)) return false;
  return true;
}

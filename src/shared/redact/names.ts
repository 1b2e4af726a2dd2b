// Decides by a field's name whether its value is a secret: password, apiKey, x-api-key, HF_TOKEN, creds.
// Names are compared by their words, so that `max_tokens`, `next_page_token` and `primary_key` stay what they are.

/** A name that ends in one of these holds a secret. */
const SECRET_WORDS: ReadonlySet<string> = new Set(
  (
    'password passwords passwd passphrase passcode pwd pass secret secrets token apikey apikeys apitoken accesstoken ' +
    'authtoken accesskey secretkey privatekey sharedkey accountkey authkey authorization cookie cookies cred creds ' +
    'credential credentials jwt bearer dsn connectionstring connstr pat auth'
  ).split(' '),
);

/** `…_key` is a secret after one of these words only: `sort_key`, `primary_key` and `public_key` are not. */
const BEFORE_KEY: ReadonlySet<string> = new Set(
  (
    'api access private secret signing encryption master service account storage auth subscription ssh gpg hmac ' +
    'webhook shared consumer deploy rsa llm openai azure anthropic provider gateway admin functions'
  ).split(' '),
);

/** `…_tokens` counts something unless one of these words stands before it. */
const BEFORE_TOKENS: ReadonlySet<string> = new Set(
  'access api auth refresh bearer secret session security id'.split(' '),
);

/** Tokens of a tokenizer, of a count or of a page: not credentials. */
const BEFORE_PLAIN_TOKEN: ReadonlySet<string> = new Set(
  (
    'page next continuation cursor sync pad eos bos unk sep cls mask stop special start end image tool per each first ' +
    'last max min num prompt completion price cost'
  ).split(' '),
);

/** Words that say which form of the secret it is: `password_hash`, `secret_value`, `api_key_b64`. */
const FORMS: ReadonlySet<string> = new Set(
  'value b64 base64 hash hex encrypted plain text confirm confirmation'.split(' '),
);

/** Such a beginning says something of a secret: `has_password`, `is_secret`. */
const CLAIMS: ReadonlySet<string> = new Set(
  'is has had needs requires can should must allows uses'.split(' '),
);

const wordsOfName = (name: string): string[] =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '');

/** Words that names are joined to without a mark between: `sslpassword`. */
const JOINED = /(?:password|passwd|passphrase|apikey|secretkey|accesstoken)$/;

/** Longer texts are no names. */
const SECRET_NAME_MAX = 80;

/** True if a value under this name is a secret. */
export function isSecretName(name: string): boolean {
  if (name.length > SECRET_NAME_MAX) return false;
  const words = wordsOfName(name);
  while (words.length > 1 && FORMS.has(words.at(-1) ?? '')) words.pop();
  if (words.length > 1 && CLAIMS.has(words[0] ?? '')) return false;
  const last = words.at(-1) ?? '';
  const before = words.at(-2) ?? '';
  if (last === 'key' || last === 'keys') return BEFORE_KEY.has(before);
  if (last === 'tokens') return BEFORE_TOKENS.has(before);
  if (last === 'token') return !BEFORE_PLAIN_TOKEN.has(before);
  if (last === 'string' || last === 'str') return before === 'connection' || before === 'conn';
  return SECRET_WORDS.has(last) || JOINED.test(last);
}

/** More names of one text are not looked at closely: what might be one is one. */
const NAMES_MAX = 2_000;
const MAY_BE_SECRET = /pass|pwd|secret|token|key|auth|cookie|cred|jwt|dsn|conn|bearer|pat/i;

/** `isSecretName` for the names of one text, each looked at once. */
export function createNameReader(): typeof isSecretName {
  const names = new Map<string, boolean>();
  return (name) => {
    const known = names.get(name);
    if (known !== undefined) return known;
    if (names.size >= NAMES_MAX) return MAY_BE_SECRET.test(name);
    const isSecret = isSecretName(name);
    names.set(name, isSecret);
    return isSecret;
  };
}

/** In an address, short names stand for keys too: `?key=`, `?code=` and `?sig=` of Google and Azure. */
const QUERY_NAMES: ReadonlySet<string> = new Set(['key', 'code', 'sig', 'signature']);

/** Tells if a query parameter of this name holds a secret. `isShort`: the name alone does not say so for certain. */
export function isSecretParameter(
  name: string,
  isNamed = isSecretName,
): { isSecret: boolean; isShort: boolean } {
  const isShort = QUERY_NAMES.has(name.toLowerCase()) || /signature$/i.test(name);
  return { isSecret: isShort || isNamed(name), isShort };
}

// Secrets of every shape and name that the log must not hold, each as it stands in a text.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** `text`: how it comes. `secret`: what of it must not be kept. */
export type PlantedShape = { name: string; text: string; secret: string };

/** Put together here, so that no scanner takes this file for a leak. */
const fill = (length: number, from = 'Zq7aB3xK9mL2nP5rT8vW4yC6dF1gH0jS'): string =>
  from.repeat(Math.ceil(length / from.length)).slice(0, length);
const hex = (length: number): string => fill(length, '3f9a8c1e7b2d60455e71c09f4ab8d263');
const upper = (length: number): string => fill(length, 'ZQ7AB3XK9ML2NP5RT8VW4YC6DF1GH0JS');
const bare = (name: string, secret: string): PlantedShape => ({ name, text: `use ${secret} for it`, secret });
const within = (name: string, secret: string, text: string): PlantedShape => ({ name, text, secret });

const body = fill(64);
export const PLANTED_SHAPES: readonly PlantedShape[] = [
  bare('OpenAI', `sk-${fill(48)}`),
  bare('OpenAI, of a project', `sk-proj-${fill(60)}`),
  bare('Anthropic', `sk-ant-api03-${fill(80)}`),
  bare('Groq', `gsk_${fill(52)}`),
  bare('Hugging Face', `hf_${fill(34)}`),
  bare('GitHub, personal', `ghp_${fill(36)}`),
  bare('GitHub, OAuth', `gho_${fill(36)}`),
  bare('GitHub, of a user', `ghu_${fill(36)}`),
  bare('GitHub, of a server', `ghs_${fill(36)}`),
  bare('GitHub, refresh', `ghr_${fill(36)}`),
  bare('GitHub, fine-grained', `github_pat_${fill(22)}_${fill(59)}`),
  bare('GitLab', `glpat-${fill(20)}`),
  bare('GitLab, of a runner', `glrt-${fill(20)}`),
  bare('Slack, of a bot', `xoxb-123456789012-1234567890123-${fill(24)}`),
  bare('Slack, of an app', `xapp-1-A0123456789-1234567890123-${hex(64)}`),
  within('Slack, a hook', fill(24), `https://hooks.slack.com/services/T01234567/B01234567/${fill(24)}`),
  within('Discord, a hook', fill(68), `https://discord.com/api/webhooks/123456789012345678/${fill(68)}`),
  bare('Telegram', `1234567890:AA${fill(33)}`),
  bare('AWS, an access key', `AKIA${upper(16)}`),
  within('AWS, its secret', fill(40), `aws_secret_access_key = ${fill(40)}`),
  within('AWS, its secret in the environment', fill(40), `export AWS_SECRET_ACCESS_KEY=${fill(40)}`),
  bare('Google, an API key', `AIza${fill(35)}`),
  bare('Google, an access token', `ya29.${fill(60)}`),
  bare('Google, a client’s secret', `GOCSPX-${fill(28)}`),
  bare('Azure, a model’s key', `${fill(52)}JQQJ99${fill(26)}`),
  within('Azure, storage', `${fill(86)}==`, `AccountName=ada;AccountKey=${fill(86)}==;EndpointSuffix=x`),
  bare('Azure, a client’s secret', `aB38Q~${fill(34)}`),
  bare('npm', `npm_${fill(36)}`),
  bare('PyPI', `pypi-AgEIcHlwaS5vcmc${fill(60)}`),
  bare('Stripe', `sk_live_${fill(24)}`),
  bare('Stripe, for tests', `rk_test_${fill(24)}`),
  bare('Stripe, of a hook', `whsec_${fill(32)}`),
  bare('Twilio', `SK${hex(32)}`),
  bare('SendGrid', `SG.${fill(22)}.${fill(43)}`),
  bare('Mailgun', `key-${hex(32)}`),
  bare('Databricks', `dapi${hex(32)}`),
  bare('Docker', `dckr_pat_${fill(27)}`),
  bare('Vault', `hvs.${fill(24)}`),
  bare('Shopify', `shpat_${hex(32)}`),
  bare('JWT', `eyJ${fill(20)}.eyJ${fill(40)}.${fill(43)}`),
  within(
    'a private key',
    body,
    `-----BEGIN RSA PRIVATE KEY-----\n${body}\n${fill(40)}\n-----END RSA PRIVATE KEY-----`,
  ),
  within('a database’s address', 'Zq7pgpass', 'postgres://ada:Zq7pgpass@db.test:5432/app'),
  within(
    'a connection string',
    'Zq7-conn;x'.slice(0, 8),
    'Server=db;Database=x;User Id=ada;Password=Zq7-conn;',
  ),
  within('user and password in an address', 'Zq7-basic', 'curl https://ada:Zq7-basic@api.test/v1'),
  within('a bearer', fill(28), `Authorization: Bearer ${fill(28)}`),
  within(
    'a Basic header',
    'YWRhOlpxNy1iYXNpYy1oZWFkZXI=',
    'Authorization: Basic YWRhOlpxNy1iYXNpYy1oZWFkZXI=',
  ),
  within('a password that is assigned', 'Zq7assigned', 'password=Zq7assigned'),
  within('a password after a word with a colon', 'Zq7after', 'Error: password=Zq7after'),
  within('a password after words with a colon', 'Zq7says', 'login failed with: "password": "Zq7says"'),
  within('a key in a header after a word', 'zq7head0b1c2d', 'headers: X-Api-Key: zq7head0b1c2d'),
  within('a token in a variable after a word', 'zq7env1w2e3r', 'env: API_TOKEN=zq7env1w2e3r'),
  within('a token after an assignment', 'zq7msg1t2k', 'msg=token=zq7msg1t2k'),
  within('a password in an escaped address', 'Zq7esc', 'to=%2Flogin%3Fpassword%3DZq7esc%26x%3D1'),
  within('the password of a user in a command', 'Zq7user!x', 'curl -s -u ada:Zq7user!x https://api.test/v1'),
  within('a password in words of YAML', 'Zq7yaml', 'db:\n  password: Zq7yaml\n'),
  within('a key at the beginning of a line', 'Zq7line1', 'sent:\napi_key=Zq7line1\ndone'),
  within('a field of JSON', 'zq7-json-key-1', '{"api_key": "zq7-json-key-1", "n": 3}'),
  within('a password in JSON', 'Zq7 '.trim() + 'json', 'it sent {"user":"ada","password":"Zq7json"}'),
  within('our own key', `ij-${hex(12)}-${fill(32)}`, `key ij-${hex(12)}-${fill(32)}~rollout-7`),
  within('our console’s token', fill(32), `http://127.0.0.1:4747/#token=${fill(32)}`),
  within('our invite', fill(30), `token invite.seat-0123.${fill(30)}`),
];

/** All of them in one text. */
export const PLANTED_TEXT = PLANTED_SHAPES.map(({ text }) => text).join('\n\n');

/** The names of those that stand in a text. What ends one shape may lie within another: the long ones are looked for first. */
export const plantedShapesIn = (text: string): string[] =>
  PLANTED_SHAPES.filter(({ secret }) => text.includes(secret)).map(({ name }) => name);

/** The names of those that stand in the bytes of any file under a folder. */
export const plantedShapesUnder = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) => {
    const path = join(entry.parentPath, entry.name);
    return entry.isFile()
      ? plantedShapesIn(readFileSync(path, 'latin1')).map((name) => `${name} in ${path.slice(folder.length)}`)
      : [];
  });

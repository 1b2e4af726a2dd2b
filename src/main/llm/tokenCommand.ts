// Access tokens from a command, such as `az account get-access-token`. The command is run without a shell; what it
// prints is kept until shortly before it expires, and stands in no log and no message.
import { execFile } from 'node:child_process';
import { z } from 'zod';
import { commandWords } from '../../shared/commandWords.ts';
import { Failure } from '../../shared/failure.ts';
import { tryJson } from '../../shared/json.ts';
import type { ModelConfig } from '../../shared/modelConfig.ts';
import { publicVariables } from '../../shared/publicVariables.ts';
import { redactMessage } from '../../shared/redact/redact.ts';
import { createHandedTokens, MARGIN_MS, type HandedTokens, type Token } from './handedTokens.ts';

export type Tokens = {
  /** The configuration with a token in place of a key, where it has a command for one. Throws `model_unauthorized`. */
  withToken(config: ModelConfig): Promise<ModelConfig>;
  /** The server did not accept it: the next request gets a new one. */
  forget(config: ModelConfig): void;
  hand: HandedTokens['hand'];
};

type RunCommand = (program: string, words: readonly string[]) => Promise<{ out: string }>;

/** The time to keep a token that does not say when it ends. */
const UNKNOWN_MS = 5 * 60_000;
const COMMAND_TIMEOUT_MS = 60_000;

export function createTokens({
  clock,
  run = runWithoutShell,
}: {
  clock: () => number;
  run?: RunCommand;
}): Tokens {
  const kept = new Map<string, Promise<Token>>();
  const handed = createHandedTokens(clock);
  const ask = (command: string): Promise<Token> => {
    const asked = printToken(command, { run, clock });
    kept.set(command, asked);
    asked.catch(() => {
      if (kept.get(command) === asked) kept.delete(command);
    });
    return asked;
  };
  const fresh = async (command: string): Promise<string> => {
    const known = kept.get(command);
    if (known !== undefined) {
      const { value, expiresAt } = await known;
      if (expiresAt - MARGIN_MS > clock()) return value;
      if (kept.get(command) === known) kept.delete(command);
    }
    return (await (kept.get(command) ?? ask(command))).value;
  };
  return {
    withToken: async ({ tokenCommand, tokenFrom, ...config }) => {
      if (tokenFrom !== undefined) return { ...config, apiKey: await handed.take(tokenFrom), isToken: true };
      return tokenCommand === undefined
        ? config
        : { ...config, apiKey: await fresh(tokenCommand), isToken: true };
    },
    forget: ({ tokenCommand, tokenFrom }) => {
      if (tokenFrom !== undefined) handed.forget(tokenFrom);
      else if (tokenCommand !== undefined) kept.delete(tokenCommand);
    },
    hand: (name, token) => handed.hand(name, token),
  };
}

/** Runs a command and reads the token it prints. Throws `model_unauthorized`. */
export async function printToken(
  command: string,
  { run = runWithoutShell, clock }: { run?: RunCommand; clock: () => number },
): Promise<Token> {
  const [program, ...words] = commandWords(command);
  if (program === undefined) throw tokenFailure('the command for an access token is empty', null);
  let out: string;
  try {
    ({ out } = await run(program, words));
  } catch (thrown) {
    throw tokenFailure(`the command for an access token (${program}) failed`, thrown);
  }
  const token = readToken(out, clock());
  if (token === null) {
    throw tokenFailure(`the command for an access token (${program}) printed none`, null);
  }
  return token;
}

const tokenFailure = (message: string, thrown: unknown): Failure => {
  const detail = thrown instanceof Error ? (thrown.message.split('\n')[0] ?? '') : '';
  return new Failure('model_unauthorized', detail === '' ? message : `${message}: ${redactMessage(detail)}`, {
    next: 'Run it in a terminal to see why; for Azure, sign in with `az login` first.',
  });
};

/**
 * Runs a program with its words as they are, and without the keys among this process's variables. The message of its
 * failure is what it wrote on stderr.
 */
const runWithoutShell: RunCommand = (program, words) =>
  new Promise((resolve, reject) => {
    const env = publicVariables(process.env);
    const options = { timeout: COMMAND_TIMEOUT_MS, maxBuffer: 1024 * 1024, windowsHide: true, env };
    execFile(program, words, options, (error, out, err) => {
      if (error === null) resolve({ out });
      // The error's own message repeats the whole command line.
      else
        reject(
          new Error(`${err.trim().split('\n')[0] ?? ''} (${String(error.code ?? error.signal)})`.trim()),
        );
    });
  });

const PrintedToken = z.looseObject({
  accessToken: z.string().optional(),
  access_token: z.string().optional(),
  token: z.string().optional(),
  /** Seconds since 1970, as Azure's command has printed beside a local time since its version 2.54. */
  expires_on: z.coerce.number().optional().catch(undefined),
  expires_in: z.coerce.number().optional().catch(undefined),
  expiresOn: z.string().optional().catch(undefined),
});

/** A token on a line of its own, or in a JSON object; null where there is none. */
export function readToken(out: string, now: number): Token | null {
  const text = out.trim();
  const read = text.startsWith('{') ? (PrintedToken.safeParse(tryJson(text)).data ?? null) : null;
  const value = (read === null ? text : (read.accessToken ?? read.access_token ?? read.token ?? '')).trim();
  if (value === '' || /\s/.test(value)) return null;
  const said =
    read?.expires_on === undefined
      ? read?.expires_in === undefined
        ? Date.parse(read?.expiresOn ?? '')
        : now + read.expires_in * 1000
      : read.expires_on * 1000;
  const expiresAt = Number.isFinite(said) ? said : (claimedEnd(value) ?? now + UNKNOWN_MS + MARGIN_MS);
  return { value, expiresAt };
}

const Claims = z.looseObject({ exp: z.number() });

/** The end stated in a JWT. */
function claimedEnd(token: string): number | null {
  const [, body, signature] = token.split('.');
  if (body === undefined || signature === undefined) return null;
  const claims = Claims.safeParse(tryJson(Buffer.from(body, 'base64url').toString('utf8'))).data;
  return claims === undefined ? null : claims.exp * 1000;
}

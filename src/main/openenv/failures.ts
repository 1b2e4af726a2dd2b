// Failures on the way to an environment, each with its cause and the next step.
import { Failure } from '../../shared/failure.ts';
import { isNestedDeeply, isRecord } from '../../shared/json.ts';
import { coverEchoes, REDACTED, redactMessage } from '../../shared/redact/redact.ts';
import { truncate } from '../../shared/truncate.ts';
import { ServerFrame } from '../../shared/wireFrames.ts';
import { FRAME_MAX } from '../../shared/wire.ts';
import type { Address } from './address.ts';

/** The words of a server, without the credentials of its address and whatever else looks like one. */
export const heard = ({ secrets }: Pick<Address, 'secrets'>, text: string): string =>
  redactMessage(coverEchoes(text, secrets, () => REDACTED));

/** Servers of OpenEnv end sessions that nobody uses, many of them after an hour. */
const IDLE_MS = 5 * 60_000;

/** Said where a connection ends that was not used for long; empty else. */
export const idleNote = (idleMs: number): string =>
  idleMs < IDLE_MS
    ? ''
    : ` after ${String(Math.round(idleMs / 60_000))} minutes without a request; it may end sessions that nobody uses`;

/** Node's codes for a certificate that it does not trust. */
const CERTIFICATE_CODES: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is signed by itself',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is signed by an authority that is not known here',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is signed by an authority that is not known here',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate is signed by an authority that is not known here',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is of another host',
};
const certificateNext = ({ connect }: Address): string =>
  connect.ca === null
    ? 'Name the authority’s certificate (PEM) under Setup → Environments, start Interject with NODE_EXTRA_CA_CERTS=FILE, or correct the address.'
    : 'The authority that is set for this environment did not sign it: name the right file under Setup → Environments, or correct the address.';

export function unreachable(address: Address, cause: Error): Failure {
  const code = 'code' in cause ? String(cause.code) : '';
  const certificate = CERTIFICATE_CODES[code];
  if (certificate !== undefined) {
    return new Failure('env_unreachable', `cannot reach ${address.base}: ${certificate}`, {
      cause,
      next: certificateNext(address),
    });
  }
  const why =
    code === 'ECONNREFUSED'
      ? 'nothing listens there'
      : code === 'ENOTFOUND' || code === 'EAI_AGAIN'
        ? 'the host name is not known'
        : cause.message.includes('handshake has timed out')
          ? 'it did not answer in time'
          : heard(address, cause.message);
  return new Failure('env_unreachable', `cannot reach ${address.base}: ${why}`, {
    cause,
    next: 'Start the environment server, or correct its address.',
  });
}

const CLOSED_NEXT =
  'The episode state on the server is gone with its connection; resume the episode or start it again.';
const IDLE_NEXT =
  'The episode’s state on the server is gone: start the episode again. How long a session may stay unused is the server’s setting (session_timeout in OpenEnv).';

/** The server ended the connection; `idleMs`: how long nothing had been asked. */
export const closedFailure = ({ base }: Address, why: string, idleMs: number): Failure =>
  new Failure('env_closed', `${base} closed the connection (${why})${idleNote(idleMs)}`, {
    next: idleNote(idleMs) === '' ? CLOSED_NEXT : IDLE_NEXT,
  });

/** The server let a session go and says so when it is next asked for something. */
export const sessionGone = (
  { base, secrets }: Pick<Address, 'base' | 'secrets'>,
  said: string,
  idleMs: number,
): Failure =>
  new Failure(
    'env_closed',
    `${base} ended the session after ${lastingText(idleMs)} without a request: “${heard({ secrets }, said)}”`,
    { next: IDLE_NEXT },
  );

const lastingText = (ms: number): string =>
  ms < 120_000 ? `${String(Math.round(ms / 1000))} s` : `${String(Math.round(ms / 60_000))} minutes`;

/** True for the error of OpenEnv's tool environments whose session was ended for being idle: the socket stays open. */
export const isSessionGone = (text: string): boolean =>
  /^(?:MCP client is not available; environment is closed|Unknown session_id: \S+)$/.test(text.trim());

export const timedOut = (address: Address, request: string, timeoutMs: number): Failure =>
  new Failure(
    'env_timeout',
    `${address.base} did not answer ${request} within ${String(Math.round(timeoutMs / 1000))} s`,
    {
      next:
        request === 'reset'
          ? 'The server may be overloaded or stuck: look at its log. If it only takes long, raise the limit under Setup → Environments.'
          : 'The server may be overloaded or stuck; look at its log, then start the episode again.',
    },
  );

export const badFrame = (address: Address, what: string, cause?: unknown): Failure =>
  new Failure('env_bad_frame', `${address.base} sent ${what}, which is no OpenEnv frame`, {
    cause,
    next: 'Check that the address is an OpenEnv server of a supported version.',
  });

export function socketFailure(address: Address, cause: Error): Failure {
  if ('code' in cause && cause.code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH') {
    return new Failure(
      'frame_too_large',
      `${address.base} sent a frame over ${String(FRAME_MAX / 1024 / 1024)} MiB`,
      {
        cause,
        next: 'Ask the environment for less at once; a connection does not outlive a frame of that size.',
      },
    );
  }
  return new Failure(
    'env_closed',
    `the connection to ${address.base} failed: ${heard(address, cause.message)}`,
    {
      cause,
      next: CLOSED_NEXT,
    },
  );
}

/** As much of a frame that cannot be read as a failure's words are taken from. */
const HEAD_MAX = 4096;

/** A frame nobody asked for comes right after accept when the server has no room. */
export function unsolicited(address: Address, raw: string): Failure {
  try {
    const frame = parseFrame(raw, address);
    if (frame.type === 'error') return errorFailure(frame.data.code, frame.data.message, address);
  } catch (thrown) {
    if (thrown instanceof Failure) return thrown;
  }
  return badFrame(address, 'a frame nobody asked for');
}

export function parseFrame(raw: string, address: Address): ServerFrame {
  let value: unknown;
  if (isNestedDeeply(raw)) throw badFrame(address, 'JSON nested a thousand levels deep');
  try {
    value = JSON.parse(raw);
  } catch (cause) {
    if (NO_NUMBER.test(raw)) throw noNumber(address, cause);
    throw badFrame(
      address,
      `text that is no JSON (${heard(address, raw.slice(0, HEAD_MAX)).slice(0, 80)})`,
      cause,
    );
  }
  const parsed = ServerFrame.safeParse(value);
  if (!parsed.success)
    throw badFrame(
      address,
      `a frame of another shape (${heard(address, raw.slice(0, HEAD_MAX)).slice(0, 80)})`,
      parsed.error,
    );
  return parsed.data;
}

/** Python writes these where a number is not finite; JSON has no word for them. */
const NO_NUMBER = /[:[,]\s*(?:NaN|-?Infinity)\s*[,}\]]/;

const noNumber = ({ base }: Address, cause: unknown): Failure =>
  new Failure(
    'env_bad_frame',
    `${base} sent a number that is not finite (NaN or Infinity), which JSON does not have`,
    {
      cause,
      next: 'Rewards and observations must be finite numbers: correct the environment.',
    },
  );

/** The failure of an error frame, by its code. */
export function errorFailure(
  code: string,
  message: string,
  address: Pick<Address, 'base' | 'secrets'>,
): Failure {
  const { base } = address;
  const whole = heard(address, truncate(message));
  const head = truncate(whole, HEAD_MAX);
  // Each list of episodes tells it again.
  const said = head === whole ? whole : `${head}… (${String(message.length)} characters)`;
  if (code === 'CAPACITY_REACHED') {
    return new Failure('env_capacity', `${base} has no free session: ${said}`, {
      next: 'Wait for a session to end, lower the concurrency, or raise the server’s limit.',
    });
  }
  return new Failure('env_error', `${base} answered ${code === '' ? 'an error' : code}: ${said}`, {
    next: 'The message is the server’s own; look at its log.',
  });
}

/** True if an error frame refuses one action, after which the session is as it was. */
export const isRefusedAction = (code: unknown): boolean =>
  code === 'VALIDATION_ERROR' || code === 'EXECUTION_ERROR';

/** The words of an error frame, with what pydantic says of each field. */
export function refusalText(data: Record<string, unknown>): string {
  const { message, errors } = data;
  const fields = (Array.isArray(errors) ? errors : []).flatMap((one: unknown) =>
    isRecord(one) && typeof one['msg'] === 'string'
      ? [`${Array.isArray(one['loc']) ? one['loc'].join('.') : ''}: ${one['msg']}`.replace(/^: /, '')]
      : [],
  );
  return [...(typeof message === 'string' ? [message] : []), ...fields].join('\n');
}

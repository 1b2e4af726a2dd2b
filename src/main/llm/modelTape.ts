// Model traffic in a file: what was asked and what came back, a line each, so that a run can be repeated without its
// models. Nothing of an address, a header or a key is in it.
import { createHash } from 'node:crypto';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { NativeCall, Thought } from '../../shared/events/turns.ts';
import { Usage } from '../../shared/events/prices.ts';
import { canonical } from '../../shared/canonical.ts';
import { FailureCode } from '../../shared/failureCodes.ts';
import { Failure } from '../../shared/failure.ts';
import { isRecord, tryJson } from '../../shared/json.ts';
import type { ModelConfig } from '../../shared/modelConfig.ts';
import { redactMessage } from '../../shared/redact/redact.ts';
import { modelAddress, modelIdentity, secretsIn } from './failures.ts';
import type { Llm, LlmReply, LlmRequest } from './port.ts';
import { NO_QUIRKS, requestBody } from './requestBody.ts';

/** A file that is written while models are asked, or that answers in their place. */
type ModelTape = { record: string } | { replay: string };

/** Puts the file beside a model’s client, or in its place. */
export type TapeModel = (llm: Llm, config: ModelConfig) => Llm;

const RecordedReply = z.strictObject({
  content: z.string(),
  reasoning: z.string().nullable(),
  thought: Thought.optional(),
  reasoningDetails: z.string().optional(),
  recalled: z.number().optional(),
  toolCalls: z.array(NativeCall),
  model: z.string().nullable(),
  stopReason: z.string().nullable(),
  usage: Usage.nullable(),
});
const Body = z.looseObject({ model: z.string(), messages: z.array(z.unknown()) });
type Body = z.infer<typeof Body>;
const TapeLine = z.strictObject({
  /** SHA-256 of the canonical JSON of `body`. */
  sha256: z.string(),
  body: Body,
  reply: RecordedReply.optional(),
  failure: z
    .strictObject({ code: FailureCode, message: z.string(), next: z.string().nullable(), cause: z.unknown() })
    .optional(),
});
type TapeLine = z.infer<typeof TapeLine>;

/** Stands for the model's address in the message of a failure. */
const ADDRESS = '{address}';
const OWNER_ONLY_MODE = 0o600;

/** Wraps each model's client as the tape says. Throws `bad_input` for a file that cannot be written or read. */
export function openTape(tape: ModelTape): TapeModel {
  if ('record' in tape) {
    startFile(tape.record);
    return (llm, config) =>
      recordingLlm(llm, config, (line) => appendFileSync(tape.record, `${JSON.stringify(line)}\n`));
  }
  const lines = readTape(tape.replay);
  const left = new Map<string, TapeLine[]>();
  for (const line of lines) left.set(line.sha256, [...(left.get(line.sha256) ?? []), line]);
  return (_llm, config) => replayingLlm(config, lines, left);
}

function startFile(path: string): void {
  try {
    writeFileSync(path, '', { flag: 'wx', mode: OWNER_ONLY_MODE });
  } catch (cause) {
    throw new Failure('bad_input', `model traffic cannot be recorded in ${path}`, {
      cause,
      next: 'Name a file that is not there yet, in a folder that is.',
    });
  }
}

function readTape(path: string): TapeLine[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    throw new Failure('bad_input', `recorded model traffic cannot be read from ${path}`, { cause });
  }
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line, at) => {
      const read = TapeLine.safeParse(tryJson(line)).data;
      if (read !== undefined) return read;
      throw new Failure('bad_input', `${path}: line ${String(at + 1)} is no recorded request to a model`);
    });
}

/** The request without what this product must never keep. The same request gives the same body. */
function bodyOf(config: ModelConfig, request: LlmRequest): Body {
  return withoutSecrets(config, requestBody(config, request, NO_QUIRKS, false)) as Body;
}

function withoutSecrets(config: ModelConfig, value: unknown): unknown {
  if (typeof value === 'string') return redactMessage(value, secretsIn(config));
  if (Array.isArray(value)) return value.map((one) => withoutSecrets(config, one));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withoutSecrets(config, one)]));
}

const hashOf = (body: Body): string => createHash('sha256').update(canonical(body)).digest('hex');

function recordingLlm(llm: Llm, config: ModelConfig, write: (line: TapeLine) => void): Llm {
  return {
    model: llm.model,
    complete: async (request, signal) => {
      const body = bodyOf(config, request);
      const asked = { sha256: hashOf(body), body };
      try {
        const reply = await llm.complete(request, signal);
        write({ ...asked, reply: withoutSecrets(config, returnedBy(ADDRESS, reply)) as LlmReply });
        return reply;
      } catch (thrown) {
        if (thrown instanceof Failure && thrown.code !== 'cancelled') {
          const { code, message, next, cause } = thrown;
          const placeless = message.replaceAll(modelAddress(config), ADDRESS);
          write({ ...asked, failure: { code, message: placeless, next, cause: cause ?? null } });
        }
        throw thrown;
      }
    },
  };
}

function replayingLlm(config: ModelConfig, lines: readonly TapeLine[], left: Map<string, TapeLine[]>): Llm {
  return {
    model: config.model,
    complete: (request, signal) => {
      if (signal.aborted)
        return Promise.reject(new Failure('cancelled', 'the request to the model was cancelled'));
      const body = bodyOf(config, request);
      const line = left.get(hashOf(body))?.shift();
      if (line?.reply !== undefined)
        return Promise.resolve(returnedBy(modelIdentity(config), line.reply as LlmReply));
      if (line?.failure !== undefined) {
        const { code, message, next, cause } = line.failure;
        const placed = message.replaceAll(ADDRESS, modelAddress(config));
        return Promise.reject(new Failure(code, placed, { ...(next === null ? {} : { next }), cause }));
      }
      return Promise.reject(notRecorded(body, lines));
    },
  };
}

/** Its reasoning is of whichever model plays the file. */
const returnedBy = (from: string, { thought, ...reply }: LlmReply): LlmReply =>
  thought === undefined ? reply : { ...reply, thought: { ...thought, from } };

/** Says where the request first differs from the recorded one that begins most like it. */
function notRecorded(body: Body, lines: readonly TapeLine[]): Failure {
  const next = 'Record the run again, or start it as it was recorded: same models, flags, tasks and seeds.';
  const fail = (what: string): Failure =>
    new Failure('model_bad_request', `this request to ${body.model} was not recorded: ${what}`, { next });
  const close = lines
    .map((line) => ({ line, same: sameMessages(line.body, body) }))
    .toSorted(
      (a, b) =>
        Number(b.line.body.model === body.model) - Number(a.line.body.model === body.model) ||
        b.same - a.same,
    )
    .at(0);
  if (close === undefined) return fail('the file holds none');
  const { line, same } = close;
  if (line.body.model !== body.model) return fail(`the file has ${line.body.model} only`);
  const [was, is] = [line.body.messages[same], body.messages[same]];
  if (was === undefined && is === undefined) {
    const field = Object.keys({ ...line.body, ...body }).find(
      (name) => canonical(line.body[name]) !== canonical(body[name]),
    );
    return fail(field === undefined ? 'it was asked less often' : `“${field}” differs from the closest one`);
  }
  return fail(`message ${String(same + 1)} is ${shown(is)} where the closest one has ${shown(was)}`);
}

const SHOWN_MAX = 120;
const shown = (message: unknown): string =>
  message === undefined ? 'missing' : JSON.stringify(message).slice(0, SHOWN_MAX);

function sameMessages({ messages: was }: Body, { messages: is }: Body): number {
  const at = is.findIndex((message, i) => was[i] === undefined || canonical(message) !== canonical(was[i]));
  return at === -1 ? is.length : at;
}

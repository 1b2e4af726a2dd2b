// Putting into words what a verifier checks: by the expert's model, once for each verifier and prompt; kept on disk.
// Must not know: the log, or who reads the words.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { Usage } from '../../shared/events/prices.ts';
import type { EventOf } from '../../shared/events/vocabulary.ts';
import { Failure, failureShape } from '../../shared/failure.ts';
import { tryJson } from '../../shared/json.ts';
import type { TaskKnowledge, TaskSecrets } from '../../shared/taskSecrets.ts';
import type { Llm } from '../llm/port.ts';
import { type RetryEdges, sleepFor, withRetries } from '../llm/retry.ts';
import { withoutThinking } from '../llm/thinking.ts';
import { fillPrompt, type Prompts } from '../settings/prompts.ts';

/** The request to a model and its cost. */
type Distillation = Omit<EventOf<'criteria.prepared'>, 'kind' | 'from'>;
export type DistilledTask = TaskKnowledge & { distillation: Distillation | null };
export type DistilCriteria = (secrets: TaskSecrets, task: string | null) => Promise<DistilledTask>;

/** Whoever began it may have gone when it comes: it serves every episode of the task. */
const DEADLINE_MS = 120_000;

type DistilDependencies = {
  /** The expert's model as the settings have it now, or null. */
  llm: () => Llm | null;
  prompts: Prompts;
  cache: TextCache;
  retry?: Pick<RetryEdges, 'sleep' | 'random'>;
};

const KeptCriteria = z.strictObject({
  criteria: z.string(),
  model: z.string().nullable(),
  usage: Usage.nullable(),
});

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Without a model, or where it fails, the words of the data stay. Never rejects. */
export function createDistilCriteria(parts: DistilDependencies): DistilCriteria {
  const underway = new Map<string, Promise<DistilledTask>>();
  return async (secrets, task) => {
    const { llm, prompts, cache } = parts;
    const model = llm();
    const { verifier } = secrets;
    if (verifier === null || model === null) return { ...inData(secrets), distillation: null };
    const prompt = fillPrompt(prompts.advisorDistil, {
      task: task ?? 'It is not known here.',
      notes: secrets.criteria ?? 'Nothing.',
      code: verifier.code,
    });
    const hashes = { verifier_sha256: sha256(verifier.code), prompt_sha256: sha256(prompt) };
    const name = sha256(`${hashes.prompt_sha256}\n${model.model ?? ''}`);
    const kept = readKept(cache, name);
    if (kept !== null) {
      const { criteria, ...cost } = kept;
      const distillation = { ...hashes, ...cost, is_cached: true, latency_ms: 0, failure: null };
      return { secrets, criteria, criteriaFrom: 'model', model: kept.model, distillation };
    }
    // Several episodes of one task begin at once: one of them asks.
    const asked = underway.get(name);
    if (asked !== undefined) return asCached(await asked);
    const asking = ask(parts, { model, prompt, name, secrets, hashes });
    underway.set(name, asking);
    return asking.finally(() => underway.delete(name));
  };
}

const inData = (secrets: TaskSecrets): TaskKnowledge => ({
  secrets,
  criteria: secrets.criteria,
  criteriaFrom: 'data',
  model: null,
});

const asCached = ({ distillation, ...known }: DistilledTask): DistilledTask => ({
  ...known,
  distillation: distillation === null ? null : { ...distillation, is_cached: distillation.failure === null },
});

type Asked = {
  model: Llm;
  prompt: string;
  name: string;
  secrets: TaskSecrets;
  hashes: Pick<Distillation, 'verifier_sha256' | 'prompt_sha256'>;
};

async function ask(
  { cache, retry = { sleep: sleepFor, random: Math.random } }: DistilDependencies,
  { model, prompt, name, secrets, hashes }: Asked,
): Promise<DistilledTask> {
  const startedAt = performance.now();
  const signal = AbortSignal.timeout(DEADLINE_MS);
  const request = {
    messages: [{ role: 'user' as const, content: prompt }],
    tools: null,
    maxOutputTokens: null,
    temperature: null,
    seed: null,
  };
  const cost = (usage: Distillation['usage'], answered: string | null) => ({
    ...hashes,
    model: answered,
    is_cached: false,
    usage,
    latency_ms: performance.now() - startedAt,
  });
  try {
    const edges = { ...retry, failed: () => {} };
    const reply = await withRetries(() => model.complete(request, signal), edges, signal);
    const { text } = withoutThinking(reply.content);
    const answered = reply.model ?? model.model;
    if (text === '') {
      const failure = failureShape(new Failure('model_empty', 'the model named no criteria'));
      return { ...inData(secrets), distillation: { ...cost(reply.usage, answered), failure } };
    }
    cache.keep(name, JSON.stringify({ criteria: text, model: answered, usage: reply.usage }));
    const distillation = { ...cost(reply.usage, answered), failure: null };
    return { secrets, criteria: text, criteriaFrom: 'model', model: answered, distillation };
  } catch (thrown) {
    const failure = failureShape(
      signal.aborted ? new Failure('model_timeout', 'the model did not answer in time') : thrown,
    );
    const distillation = { ...cost(null, model.model), failure };
    return { ...inData(secrets), distillation };
  }
}

const readKept = (cache: TextCache, name: string): z.infer<typeof KeptCriteria> | null =>
  KeptCriteria.safeParse(tryJson(cache.read(name) ?? '')).data ?? null;

// Texts that cost something to make, kept in a folder of their own that only its owner can read.
type TextCache = { read(name: string): string | null; keep(name: string, text: string): void };

/** A text that cannot be kept is made again the next time. */
export function folderTextCache(folder: string): TextCache {
  return {
    read: (name) => {
      try {
        return readFileSync(join(folder, name), 'utf8');
      } catch {
        return null;
      }
    },
    keep: (name, text) => {
      const partial = join(folder, `${name}.${String(process.pid)}`);
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        writeFileSync(partial, text, { mode: 0o600 });
        renameSync(partial, join(folder, name));
      } catch {
        return;
      }
    },
  };
}

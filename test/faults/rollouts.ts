// Rollouts that ask the expert behind `/v1`. Some ask what others ask in the same words, as parallel rollouts of one prompt
// do: by its name, or as a retry, each may come by the answer to its own question, and never by another's.
import { setTimeout as wait } from 'node:timers/promises';
import { isRecord } from '../../src/shared/json.ts';
import type { Address } from './clients.ts';
import { ANSWER } from './servers.ts';

/** `named` sends an idempotency key; `retried` says that it asks again; `once` asks a new question each time. */
export type Way = 'named' | 'retried' | 'once';
const SAME_WORDS: Readonly<Record<Exclude<Way, 'once'>, number>> = { named: 2, retried: 2 };
const TRY_MS = 8_000;
const PAUSE_MS = 150;
/** A retry is not repeated for ever: of questions that cannot be told apart an answer may stay unread. */
const TRIES_MAX = 40;
/** So often a rollout that named its question asks for the answer that it has once more. */
const ASKS_AGAIN = 0.2;

export type ExpertAnswers = {
  /** Who read each answer. */
  readers: Map<string, Set<string>>;
  /** Words of questions that no answer came back to when they were asked, at least once. */
  left: Set<string>;
  /** Words of questions that are asked by name until their answer is read. */
  named: Set<string>;
  /** How often an answer was read once more by its question's name. */
  readAgain: number;
  withoutAdvice: number;
  wrong: string[];
};

export const noAnswers = (): ExpertAnswers => ({
  readers: new Map(),
  left: new Set(),
  named: new Set(),
  readAgain: 0,
  withoutAdvice: 0,
  wrong: [],
});

type Rollout = { id: string; question: string; way: Way; key: string | null; behindKey: string };
type Asking = {
  address: () => Address | null;
  /** With it the question stands in the tapped episode that plays now, and stays when that ends first. */
  behindKey: () => string;
  answers: ExpertAnswers;
  random: () => number;
  stop: AbortSignal;
};

/** All of them, again and again, until they are stopped. */
export async function playRollouts(asking: Asking): Promise<void> {
  await Promise.all([
    askOnce(asking, 9_000_001),
    askTogether(asking, 'named', 8_000_001),
    askTogether(asking, 'retried', 7_000_001),
  ]);
}

async function askOnce(asking: Asking, first: number): Promise<void> {
  for (let number = first; !asking.stop.aborted; number += 1) {
    const question = `Q${String(number)}x`;
    await askUntilRead(asking, {
      id: question,
      question,
      way: 'once',
      key: null,
      behindKey: asking.behindKey(),
    });
  }
}

/** Several rollouts ask the same at the same time; the next words come when each has its answer. */
async function askTogether(asking: Asking, way: 'named' | 'retried', first: number): Promise<void> {
  for (let number = first; !asking.stop.aborted; number += 1) {
    const question = `Q${String(number)}x`;
    if (way === 'named') asking.answers.named.add(question);
    const rollouts = Array.from({ length: SAME_WORDS[way] }, (_one, at) => `${question}/${String(at)}`);
    const behindKey = asking.behindKey();
    await Promise.all(
      rollouts.map((id) =>
        askUntilRead(asking, { id, question, way, key: way === 'named' ? id : null, behindKey }),
      ),
    );
  }
}

async function askUntilRead(asking: Asking, rollout: Rollout): Promise<void> {
  const { address, answers, random, stop } = asking;
  const triesMax = rollout.way === 'once' ? 1 : rollout.way === 'named' ? Infinity : TRIES_MAX;
  let sent = 0;
  for (let tries = 0; tries < triesMax && !stop.aborted; tries += 1) {
    try {
      const at = address();
      if (at === null) throw new Error('not there now');
      sent += 1;
      const answer = answerIn(await completion(at, rollout, sent - 1, stop));
      // That no advice comes is an answer too, and counts as none: one that was acknowledged is missing then.
      if (answer === null) answers.withoutAdvice += 1;
      else note(answers, rollout, answer);
      if (answer !== null && rollout.way === 'named' && random() < ASKS_AGAIN)
        await readAgain(asking, rollout, answer, sent);
      return;
    } catch {
      answers.left.add(rollout.question);
      await wait(PAUSE_MS);
    }
  }
}

function note({ readers, wrong }: ExpertAnswers, { id, question }: Rollout, answer: string): void {
  if (!answer.startsWith(`A[${question} `)) wrong.push(`${id}: ${answer}`);
  const known = readers.get(answer) ?? new Set();
  readers.set(answer, known.add(id));
  if (known.size > 1) wrong.push(`${answer} was read by ${[...known].join(' and ')}`);
}

/** By its name the same answer comes again. */
async function readAgain(
  { address, answers, stop }: Asking,
  rollout: Rollout,
  answer: string,
  sent: number,
): Promise<void> {
  const at = address();
  if (at === null) return;
  let again: string | null;
  try {
    again = answerIn(await completion(at, rollout, sent, stop));
  } catch {
    return;
  }
  if (again === answer) answers.readAgain += 1;
  else answers.wrong.push(`${rollout.id} read ${answer} and, by the same name, ${String(again)}`);
}

const answerIn = (said: string): string | null => said.match(ANSWER)?.[0] ?? null;

async function completion(
  { expert, key }: Address,
  { question, way, key: name, behindKey }: Rollout,
  sentBefore: number,
  stop: AbortSignal,
): Promise<string> {
  const response = await fetch(`${expert}/chat/completions`, {
    method: 'POST',
    signal: AbortSignal.any([stop, AbortSignal.timeout(TRY_MS)]),
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${key}${behindKey}`,
      ...(name === null ? {} : { 'idempotency-key': name }),
      ...(way === 'retried' ? { 'x-stainless-retry-count': String(sentBefore) } : {}),
    },
    body: JSON.stringify({
      model: 'expert',
      messages: [{ role: 'user', content: `Which one is meant in ${question}?` }],
    }),
  });
  const body: unknown = await response.json();
  if (!response.ok || !isRecord(body)) throw new Error(`HTTP ${String(response.status)}`);
  return JSON.stringify(body['choices']);
}

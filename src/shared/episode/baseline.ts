// A baseline episode as the author of a brief reads it, and the brief a rule writes of it: what failed. Pure.
import { textHead, type Text } from '../events/text.ts';
import { normalizeScenario } from '../wire.ts';
import type { EpisodeRecord, TaskAddress, Turn } from './record.ts';
import { isReplyUnknown } from './restarts.ts';

/** A brief stays under this many words. */
export const BRIEF_WORDS = 200;

const RESULT_HEAD = 400;
const ERROR_HEAD = 160;
const TRANSCRIPT_MAX = 24_000;

/** The same task: scenario, as files join it, and index. */
export const isSameTask = (a: TaskAddress, b: TaskAddress): boolean =>
  normalizeScenario(a.scenario ?? '') === normalizeScenario(b.scenario ?? '') && a.task_idx === b.task_idx;

export const isPassed = ({ ended, verified }: EpisodeRecord): boolean =>
  (ended?.reward_type ?? verified?.reward_type ?? null) === 'complete';

/** The end in a line: `FAIL (others, reward 0), turn limit reached`. */
export function verdictLine(record: EpisodeRecord): string {
  const { ended, verified } = record;
  const label = ended?.reward_type ?? verified?.reward_type ?? 'no verdict';
  const reward = ended?.reward ?? verified?.reward ?? null;
  const limit = ended?.outcome === 'limit' ? `, ${ended.reason ?? 'limit'} limit reached` : '';
  return `${isPassed(record) ? 'PASS' : 'FAIL'} (${label}${reward === null ? '' : `, reward ${String(reward)}`})${limit}`;
}

/** Each turn with its call and what came back, then the final answer and the verdict. */
export function baselineText(record: EpisodeRecord, loadText: (text: Text) => string): string {
  const lines = record.turns.map((turn) => turnLine(turn, loadText));
  const answer = record.ended?.final_answer ?? record.verified?.final_answer ?? null;
  const end = [
    answer === null ? 'It gave no final answer.' : `Final answer: ${loadText(answer)}`,
    `Verdict: ${verdictLine(record)}`,
  ].join('\n');
  const told = lines.join('\n');
  return `${told.length > TRANSCRIPT_MAX ? `${told.slice(0, TRANSCRIPT_MAX)}\n[cut]` : told}\n${end}`;
}

function turnLine({ turn, move, call, actor }: Turn, loadText: (text: Text) => string): string {
  const who = actor.type === 'human' ? ' (a person)' : '';
  return `- turn ${String(turn)}${who}: ${moveText(move)}${fateText(call, loadText)}`;
}

function moveText(move: Turn['move']): string {
  switch (move?.type) {
    case 'call_tool':
      return `${move.tool_name}(${JSON.stringify(move.arguments)})`;
    case 'ask_expert':
      return `asked: ${move.context ?? ''}`;
    case 'malformed':
      return `a reply that could not be read: ${move.detail}`;
    case 'list_tools':
    case 'final':
      return move.type;
    case undefined:
      return 'nothing that was recorded';
  }
}

function fateText(call: Turn['call'], loadText: (text: Text) => string): string {
  if (call === null) return '';
  if (call.refused !== null) return ` refused: ${call.refused.text}`;
  const { returned } = call;
  if (isReplyUnknown(call)) return ' was sent, its answer was lost';
  if (returned === null) return '';
  if (returned.error !== null) return ` failed: ${loadText(returned.error).slice(0, RESULT_HEAD)}`;
  return returned.text === null ? ' ok' : ` gave: ${loadText(returned.text).slice(0, RESULT_HEAD)}`;
}

/** The brief of a rule: the verdict, the first and the last thing that failed, and what to do about that. */
export function ruleBrief(record: EpisodeRecord): string {
  const failures = record.turns.flatMap(failureOf);
  const [first] = failures;
  const last = failures.at(-1);
  const cause =
    first === undefined
      ? isPassed(record)
        ? 'nothing failed on the way.'
        : 'no call failed: the result was not what the verifier checks.'
      : `${first.said}${last === undefined || last === first ? '' : ` Last: ${last.said}`}`;
  return limitWords(
    [
      `${verdictLine(record)}.`,
      `Root cause: ${cause}`,
      `Next time: ${adviceOf(record, failures.length)}`,
    ].join('\n'),
  );
}

function failureOf({ turn, move, call }: Turn): { said: string }[] {
  const at = `turn ${String(turn)}`;
  if (move?.type === 'malformed') return [{ said: `${at}: a reply could not be read (${move.code}).` }];
  const name = call?.toolName ?? '';
  if (call?.refused) return [{ said: `${at}: ${name} was refused (${call.refused.reason}).` }];
  const error = call?.returned?.error ?? null;
  return error === null ? [] : [{ said: `${at}: ${name} failed: ${oneLine(textHead(error))}.` }];
}

const oneLine = (text: string): string =>
  text.replace(/\s+/g, ' ').trim().slice(0, ERROR_HEAD).replace(/\.$/, '');

function adviceOf(record: EpisodeRecord, failures: number): string {
  if (isPassed(record)) return 'do the same, with fewer steps.';
  const isCut = record.ended?.outcome === 'limit' ? ' Leave enough turns to finish.' : '';
  return failures === 0
    ? `compare what you change with every part of the task, and read it back before the final answer.${isCut}`
    : `read the schema of a tool before its first call, and do not send a failed call again unchanged.${isCut}`;
}

/** Under 200 words: what goes beyond is left out from the end, at a sentence where there is one. */
export function limitWords(text: string): string {
  const word = /\S+/g;
  let next = word.exec(text);
  for (let words = 1; next !== null && words < BRIEF_WORDS; words += 1) next = word.exec(text);
  if (next === null) return text.trim();
  const head = text.slice(0, next.index).trimEnd();
  const sentence = /^[\s\S]*[.!?](?=\s|$)/.exec(head)?.[0] ?? '';
  return sentence.length >= head.length / 2 ? sentence : head;
}

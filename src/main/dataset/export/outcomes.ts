// The outcome of each side of a preference pair. For the side that was played this is its episode's verdict; for the
// other, whether the same move or advice completed the task in any other episode.
import { canonical } from '../../../shared/canonical.ts';
import type { EpisodeRecord, Turn, Consultation } from '../../../shared/episode/record.ts';
import { isReplyUnknown } from '../../../shared/episode/restarts.ts';
import type { Move } from '../../../shared/events/turns.ts';
import type { Text } from '../../../shared/events/text.ts';
import type { EventLog } from '../../log/eventLog.ts';
import type { EpisodeInput, FormatColumn, SideOutcome, Sides, RowFacts } from './format.ts';
import { endedEpisodes, environmentOf, isCompleted, JUDGED, taskKey } from './select.ts';
import { scenarioOf, taskIndex, type RowOrigin, turnOrigin } from './rowFacts.ts';
import { safeText } from './json.ts';
import type { Attempt } from '../../../shared/episode/rowShapes.ts';
import { attemptsBefore, fateWords } from '../../../shared/episode/attempts.ts';
import { toolLines } from '../../llm/toolText.ts';

/** Something that can be done again in another episode of the task, as one text. */
export type ActionKey = string | null;
/** The first completed episode of the task in which that was done. */
export type Completions = (action: string) => { episode: string; reward: number } | null;
type LoadText = (text: Text) => string;

const UNKNOWN_OUTCOME: SideOutcome = { outcome: '', reward: 0, known: 'unknown' };

const adviceKey = (text: string): string => `advice\n${text.trim()}`;
const callAction = (tool: string, args: unknown): string => `call\n${tool}\n${canonical(args)}`;

export function moveKey(move: Move | null, loadText: LoadText): ActionKey {
  if (move?.type === 'call_tool') return callAction(move.tool_name, move.arguments);
  return move?.type === 'final' ? `final\n${loadText(move.text).trim()}` : null;
}

/**
 * The key of a turn: the call as it was sent, or the final words; null if nothing reached the environment, or nobody
 * knows whether it did.
 */
export function playedKey({ move, call }: Turn, loadText: LoadText): ActionKey {
  if (isReplyUnknown(call)) return null;
  const sent = call?.sent ?? null;
  if (sent !== null) return callAction(sent.toolName, sent.arguments);
  if (move?.type !== 'call_tool') return moveKey(move, loadText);
  return call?.returned && call.decision?.type !== 'answered' ? moveKey(move, loadText) : null;
}

/** Both outcomes, by what each side does and what was done in this episode. */
export function pairOutcomes(
  { record, completions }: Pick<EpisodeInput, 'record' | 'completions'>,
  { chosen, rejected, played }: { chosen: ActionKey; rejected: ActionKey; played: ActionKey },
): Sides {
  const { reward_type = null, reward = null } = record.ended ?? {};
  const here: SideOutcome = JUDGED.has(reward_type ?? '')
    ? { outcome: reward_type ?? '', reward: reward ?? 0, known: 'episode' }
    : UNKNOWN_OUTCOME;
  const of = (action: ActionKey): SideOutcome => {
    if (action === null) return UNKNOWN_OUTCOME;
    const isPlayed = action === played;
    if (isPlayed && here.outcome === 'complete') return here;
    const completed = completions?.()(action) ?? null;
    if (completed === null) return isPlayed ? here : UNKNOWN_OUTCOME;
    const known = completed.episode === record.id ? 'episode' : 'sibling';
    return { outcome: 'complete', reward: completed.reward, known };
  };
  // What was chosen and played is judged by what followed on it here, whatever it led to elsewhere.
  return { chosen: chosen !== null && chosen === played ? here : of(chosen), rejected: of(rejected) };
}

/** The same where a move stands in the place of what a turn was. */
export const moveOutcomes = (input: EpisodeInput, turn: Turn, move: Move): Sides =>
  pairOutcomes(input, {
    chosen: moveKey(move, input.loadText),
    rejected: moveKey(turn.move, input.loadText),
    played: playedKey(turn, input.loadText),
  });

/** Of every task, what its completed episodes did; read once a task, when a pair of it asks. */
export function createCompletions(log: EventLog, untilSeq: number): (record: EpisodeRecord) => Completions {
  let episodes: Map<string, string[]> | null = null;
  const tasks = new Map<string, Map<string, { episode: string; reward: number }>>();
  return (record) => {
    const key = taskKey(environmentOf(record), [scenarioOf(record), taskIndex(record)]);
    episodes ??= completedByTask(log, untilSeq);
    const known = tasks.get(key) ?? actionsDone(log, episodes.get(key) ?? []);
    tasks.set(key, known);
    return (action) => known.get(action) ?? null;
  };
}

function completedByTask(log: EventLog, untilSeq: number): Map<string, string[]> {
  const found = new Map<string, string[]>();
  const all = { filter: {}, episodes: null, afterSeq: 0, untilSeq };
  for (const ended of endedEpisodes(log, all)) {
    const { id, environment, scenario, task_idx, outcome, reward_type, isErased, isContinuation } = ended;
    if (
      isErased === 1 ||
      isContinuation === 1 ||
      scenario === null ||
      task_idx === null ||
      !isCompleted(outcome, reward_type)
    )
      continue;
    const key = taskKey(environment, [scenario, task_idx]);
    found.set(key, [...(found.get(key) ?? []), id]);
  }
  return found;
}

function actionsDone(
  log: EventLog,
  ids: readonly string[],
): Map<string, { episode: string; reward: number }> {
  const loadText: LoadText = (text) => log.texts.loadText(text);
  const actions = new Map<string, { episode: string; reward: number }>();
  for (const id of ids) {
    const { turns, consultations, ended } = log.record(id);
    const done = [
      ...turns.flatMap((turn) =>
        (turn.call?.returned?.error ?? null) === null ? [playedKey(turn, loadText)] : [],
      ),
      ...consultations.flatMap(({ delivered }) =>
        delivered?.as === 'advice' || delivered?.as === 'draft' ? [adviceKey(loadText(delivered.text))] : [],
      ),
    ];
    for (const action of done)
      if (action !== null && !actions.has(action))
        actions.set(action, { episode: id, reward: ended?.reward ?? 0 });
  }
  return actions;
}

const SIDE_NAMES = ['chosen', 'rejected'] as const;
export const OUTCOME_COLUMNS: readonly FormatColumn[] = SIDE_NAMES.flatMap((side): FormatColumn[] => [
  { name: `${side}_outcome`, type: 'string' },
  { name: `${side}_reward`, type: 'float64' },
  { name: `${side}_known`, type: 'string' },
]);
export const outcomeFields = (sides: Sides): Record<string, string | number> =>
  Object.fromEntries(
    SIDE_NAMES.flatMap((side) => [
      [`${side}_outcome`, sides[side].outcome],
      [`${side}_reward`, sides[side].reward],
      [`${side}_known`, sides[side].known],
    ]),
  );

type AdvicePair = {
  question: string;
  chosen: string;
  rejected: string;
  origin: RowOrigin;
  facts: AdviceFacts;
  sides: Sides;
};
type AdviceFacts = Omit<RowFacts, 'identity' | 'label' | 'mask'>;

/** The pair, or the rule that leaves it out: an unchanged draft, a decline, a timeout or a cancel never makes one. */
export function advicePair(input: EpisodeInput, consultation: Consultation): AdvicePair | string {
  const { record, loadText } = input;
  const { decision, draft, askedN } = consultation;
  if (askedN <= record.copiedN) return 'copied';
  if (decision === null) return 'unanswered';
  if (decision.type !== 'approved') return decision.type;
  const first = consultation.drafts.find(({ id }) => id === decision.draft) ?? draft;
  if (first === null) return 'no_draft';
  const chosen = safeText(loadText(decision.text));
  const rejected = safeText(loadText(first.text));
  if (chosen.trim() === rejected.trim()) return 'draft_unchanged';
  const question = advisorQuestion(record, consultation, loadText);
  if (question === null) return 'no_question';
  const origin = {
    ...turnOrigin(consultation.turn, decision.act, decision),
    consultation: consultation.id,
  };
  const { delivered } = consultation;
  const played = delivered === null ? null : adviceKey(safeText(loadText(delivered.text)));
  const sides = pairOutcomes(input, { chosen: adviceKey(chosen), rejected: adviceKey(rejected), played });
  return {
    question,
    chosen,
    rejected,
    origin,
    sides,
    facts: { ...advisedFacts(input, consultation, origin), sides },
  };
}

/** The facts of a row that is made of a question and its answer. */
export const advisedFacts = (
  { record }: EpisodeInput,
  consultation: Consultation,
  origin: RowOrigin,
): AdviceFacts => ({
  task: [scenarioOf(record), taskIndex(record)],
  n: consultation.askedN,
  turn: consultation.turn,
  consultation: consultation.id,
  actor: origin.actor,
  privilege: origin.privilege,
  hasTimeout: consultation.decision?.type === 'expired',
  isLate: false,
  hasFabricated: false,
  hasExpertWords: true,
});

/** The task, what was tried, and the question; null where no question is known. */
export function advisorQuestion(
  record: EpisodeRecord,
  { task, question, before }: Consultation,
  loadText: (text: Text) => string,
): string | null {
  const asked = question === null ? (task ?? '') : loadText(question);
  if (asked.trim() === '') return null;
  const set = record.reset?.task ?? null;
  const attempts = attemptsBefore(record, before).map(
    (attempt) => `- ${attempt.tool_name}(${attempt.arguments}) -> ${resultWords(attempt)}`,
  );
  return safeText(
    [
      `Task: ${set === null ? (task ?? '') : loadText(set)}`,
      ...(attempts.length === 0 ? [] : [`What the agent tried:\n${attempts.join('\n')}`]),
      `The agent asks: ${asked}`,
      'Give it a plan.',
    ].join('\n\n'),
  );
}

/** The tools an advisor may name, a line each; an empty text where none are known. */
export const knownTools = ({ tools }: EpisodeRecord): string =>
  tools.length === 0 ? '' : safeText(`The agent’s tools, one JSON object per line:\n${toolLines(tools)}`);

const resultWords = (attempt: Attempt): string => {
  if (attempt.fate === 'went_through') return attempt.by === 'human' ? 'ok (made by a person)' : 'ok';
  return attempt.fate === 'failed' ? (attempt.error ?? 'failed') : fateWords(attempt);
};

// The small projections of a record: a line of the episode list, the items it puts on the desk. Pure.
import type { DeskItem, EpisodeRow } from './rowShapes.ts';
import { environmentKey } from '../environmentKinds.ts';
import { type Text, textHead } from '../events/text.ts';
import { parseJson } from '../json.ts';
import { openSuggestion } from '../suggestions.ts';
import { isToolError } from '../wire.ts';
import { attemptsBefore, triedCall, type TriedCall, troubleBefore } from './attempts.ts';
import { waitingOnHuman } from './consultations.ts';
import { mayHideHelp } from './help.ts';
import { holdItems } from './calls.ts';
import { agentModel } from './phase.ts';
import { type Consultation, type EpisodeRecord, taskRef, type Turn } from './record.ts';
import { brokeOffText, cameWithFolder, isBrokenOff, openDoubt } from './restarts.ts';
import { spendingOf } from './spending.ts';

const TASK_HEAD = 300;

/** The record as one line of the list, or null before its first event. */
export function episodeRow(record: EpisodeRecord): EpisodeRow | null {
  const { started, startedAt, ended, counts } = record;
  const spent = spendingOf(record);
  const suggestion = openSuggestion(record);
  if (started === null || startedAt === null) return null;
  return {
    id: record.id,
    seq: record.seq,
    status: record.status,
    outcome: ended?.outcome ?? null,
    failure: ended?.failure ?? null,
    environment: started.environment.name,
    environment_key: environmentKey(started.environment),
    ...taskRef(record),
    task: headOf(taskOf(record)),
    condition: started.condition,
    source: started.source,
    policy: started.agent.policy,
    model: agentModel(record),
    started_at: startedAt,
    updated_at: record.updatedAt ?? startedAt,
    turns: counts.turns,
    turn_limit: started.limits?.turns ?? null,
    consultations: counts.consultations,
    waiting: waitingOnHuman(record).length,
    tool_errors: counts.toolErrors,
    human_acts: counts.humanActs,
    reward_type: ended?.reward_type ?? record.verified?.reward_type ?? null,
    reward: ended?.reward ?? record.verified?.reward ?? null,
    strip: stripOf(record),
    waiting_since: waitingSince(record),
    forked_from: record.forked?.from ?? null,
    group: started.group,
    run: started.trainer?.run ?? null,
    step: started.trainer?.step ?? null,
    touched: record.turns.filter(({ touched }) => touched !== null).length,
    is_blinded: started.is_blinded ?? false,
    is_covered: false,
    advised: record.consultations.filter(({ decision }) => decision?.type === 'approved').length,
    help_unknown: mayHideHelp(record),
    labels: record.turns.filter(({ label }) => label !== null).length,
    ...(spent === null ? {} : { spent }),
    ...(suggestion === null ? {} : { suggestion }),
    ...(isBrokenOff(record)
      ? {
          broke_off: {
            at: record.brokeOff.at,
            why: brokeOffText(record),
            ...(cameWithFolder(record.brokeOff) ? { came_with_folder: true as const } : {}),
          },
        }
      : {}),
    ...(record.ended === null && openDoubt(record) !== null ? { is_in_doubt: true } : {}),
    ...leakedOf(record),
    ...(started.probe === undefined ? {} : { probe: started.probe }),
    ...(started.lift === undefined ? {} : { lift_arm: started.lift.arm }),
  };
}

/** The environment's word on the task; a question from an episode that is not seen brings its own. */
const taskOf = ({ started, reset, consultations }: EpisodeRecord): Text | null =>
  reset?.task ?? (started?.source === 'ask' ? (consultations[0]?.task ?? null) : null);

/** Over all advice that was given; nothing where none of it was measured. */
function leakedOf({ consultations }: EpisodeRecord): Pick<EpisodeRow, 'leaked'> {
  const measured = consultations.flatMap(({ decision }) =>
    decision?.type === 'approved' && decision.leak !== undefined ? [decision.leak.count] : [],
  );
  return measured.length === 0 ? {} : { leaked: measured.reduce((sum, count) => sum + count, 0) };
}

const headOf = (task: Text | null): string | null =>
  task === null ? null : textHead(task).slice(0, TASK_HEAD);

function waitingSince(record: EpisodeRecord): number | null {
  const since = [
    ...waitingOnHuman(record).map(({ askedAt }) => askedAt),
    ...holdItems(record).map((item) => item.since),
    ...(record.brokeOff === null ? [] : [record.brokeOff.at]),
  ];
  return since.length === 0 || record.ended !== null ? null : Math.min(...since);
}

/** The items of the record for the desk, oldest first. */
export const deskItems = (record: EpisodeRecord): DeskItem[] =>
  waitingOnHuman(record).flatMap((consultation) => deskItem(record, consultation) ?? []);

function deskItem(record: EpisodeRecord, consultation: Consultation): DeskItem | null {
  const { started } = record;
  if (started === null) return null;
  const { draft } = consultation;
  return {
    episode: record.id,
    consultation: consultation.id,
    seq: record.seq,
    ...taskRef(record),
    task: taskOf(record),
    condition: started.condition,
    turn: consultation.turn,
    turn_limit: started.limits?.turns ?? null,
    ask: record.consultations.indexOf(consultation) + 1,
    ask_limit: started.limits?.consultations ?? null,
    asked_task: consultation.task,
    question: consultation.question,
    asked_at: consultation.askedAt,
    deadline_at: consultation.deadline_at,
    fallback: consultation.fallback,
    draft:
      draft === null
        ? null
        : {
            id: draft.id,
            text: draft.text,
            generator: draft.generator,
            model: draft.model,
            privilege: draft.privilege,
            ...(draft.leak === undefined ? {} : { leak: draft.leak }),
          },
    draft_failure: consultation.draftFailure,
    attempts: attemptsBefore(record, consultation.before),
    tool_names: record.tools.map((tool) => tool.name),
    claim: consultation.claim,
    passed_by: consultation.passedBy,
    ...troubleBefore(record, consultation.before),
    turns_left: started.limits === null ? null : Math.max(0, started.limits.turns - record.counts.turns),
    ...restartedAt(record),
    via: consultation.via,
    link: consultation.link,
    request: consultation.request,
    limit_chars: consultation.limitChars,
    covered: consultation.covered.map(({ start, end }) => ({ start, end })),
    purpose: consultation.purpose,
    ...(consultation.baseline === null ? {} : { baseline: consultation.baseline }),
    ...routedFields(consultation),
    group: alikeKey(record, consultation.before),
    ...(isBrokenOff(record) ? { is_stopped: true } : {}),
  };
}

function restartedAt({ restarts }: EpisodeRecord): Pick<DeskItem, 'restarted_at'> {
  const last = restarts.findLast(({ wentOn }) => wentOn !== null);
  return last === undefined ? {} : { restarted_at: last.at };
}

function routedFields({ routed, isOpened }: Consultation): Pick<DeskItem, 'routed' | 'first'> {
  if (routed === null) return {};
  return { routed, ...(isOpened || routed.first === null ? {} : { first: routed.first }) };
}

export const STRIP = {
  o: 'a call that worked',
  x: 'an error',
  a: 'a question to an expert',
  h: 'a person acted',
  w: 'waits for a person',
  f: 'the final answer',
  '.': 'another turn',
} as const;
export type StripChar = keyof typeof STRIP;

/** As many turns as a strip is wide enough to tell apart; older ones fall off its left end. */
export const STRIP_MAX = 96;

export const stripOf = ({ turns, consultations, ended }: EpisodeRecord): string => {
  const open = new Set(ended === null ? consultations.flatMap((c) => (c.decision === null ? c.id : [])) : []);
  return turns
    .slice(-STRIP_MAX)
    .map((turn) => charOf(turn, open, ended !== null))
    .join('');
};

function charOf(
  { move, call, consultation, actor }: Turn,
  open: ReadonlySet<string>,
  isOver: boolean,
): StripChar {
  if (consultation !== null && open.has(consultation)) return 'w';
  if (!isOver && call?.held && call.decision === null) return 'w';
  if (!isOver && call?.doubt?.settled === null) return 'w';
  if (move?.type === 'malformed' || (call !== null && isCallFailed(call))) return 'x';
  if (actor.type === 'human' || call?.decision?.actor.type === 'human') return 'h';
  if (move?.type === 'final') return 'f';
  if (move?.type === 'ask_expert') return 'a';
  return call?.returned ? 'o' : '.';
}

const isCallFailed = ({ refused, returned }: NonNullable<Turn['call']>): boolean =>
  refused !== null || (returned !== null && isToolError(returned.error, returned.reward_type));

/** The strip in words, for those who do not see it. */
export function stripLabel(strip: string): string {
  const count = (char: StripChar): number => Array.from(strip).filter((one) => one === char).length;
  const [errors, acts, asks] = [count('x'), count('h'), count('a') + count('w')];
  const parts = [
    `${String(strip.length)} ${strip.length === 1 ? 'turn' : 'turns'}`,
    ...(errors === 0 ? [] : [`${String(errors)} ${errors === 1 ? 'error' : 'errors'}`]),
    ...(asks === 0 ? [] : [`${String(asks)} ${asks === 1 ? 'question' : 'questions'}`]),
    ...(acts === 0 ? [] : [`${String(acts)} by a person`]),
  ];
  return parts.join(', ');
}

/** A task without a number is known by its words. */
type Alike = [environment: string, scenario: string, task: unknown, tool: string | null, sent: unknown];

/** The key of alike questions; `before`: the turn of the question. */
function alikeKey(record: EpisodeRecord, before: number): string {
  const { started, reset } = record;
  const { scenario, task_idx: task } = taskRef({ reset, started });
  const failed = failedBefore(record, before);
  const key: Alike = [
    started === null ? '' : environmentKey(started.environment),
    scenario ?? '',
    task ?? reset?.task ?? -1,
    failed?.toolName ?? null,
    failed?.arguments ?? null,
  ];
  return JSON.stringify(key);
}

/** The tool whose call failed before the questions that share a key; null where none failed: those are not alike. */
export function failedToolOf(key: string): string | null {
  const [, , , tool] = parseJson(key) as Alike;
  return tool;
}

function failedBefore({ turns, consultations }: EpisodeRecord, before: number): TriedCall | null {
  const asked = consultations.findLast(({ turn }) => turn < before)?.turn ?? 0;
  const last = turns.findLast(({ turn, call }) => turn > asked && turn < before && call !== null);
  const call = last?.call ?? null;
  return call === null || !isCallFailed(call) ? null : triedCall(call, last?.move ?? null);
}

// A record as the lines of its timeline, in log order. Pure; a line whose facts have not changed is the same object.
import { isCopiedAt } from '../episode/branch.ts';
import type { GatewayItem } from '../episode/record.ts';
import { limitText } from '../episode/phase.ts';
import type { EpisodeRecord, Item, Turn } from '../episode/record.ts';
import { recordsErrors } from '../episode/phase.ts';
import { createSayCalls } from '../episode/turnSentence.ts';
import type { Touch } from '../events/gateway.ts';
import type { ImportFormat } from '../events/import.ts';
import { textHead } from '../events/text.ts';
import { isRecord } from '../json.ts';
import { outcomeOf, outcomeText, type OutcomeKind } from '../taskOutcome.ts';
import { consultationRow, stepInText } from './stepInRow.ts';
import { firstSentence, oneLine, type RowTone, type TimelineRow } from './timelineRow.ts';
import { turnRows } from './turnRow.ts';

/** Makes rows and remembers those of turns and items that did not change: a long episode costs what is new. */
export function createRows(): (record: EpisodeRecord) => TimelineRow[] {
  let ofTurn = new WeakMap<Turn, TimelineRow[]>();
  let tools: EpisodeRecord['tools'] | null = null;
  const sayCalls = createSayCalls();
  const copies = new WeakMap<TimelineRow, TimelineRow>();
  const copyMark = (record: EpisodeRecord, row: TimelineRow): TimelineRow =>
    isCopiedAt(record, row.n) ? remember(copies, row, () => ({ ...row, isCopied: true })) : row;
  const ofItem = new WeakMap<Item, { record: unknown; row: TimelineRow }>();
  return (record) => {
    // A tool that is described later is said otherwise.
    if (record.tools !== tools) [tools, ofTurn] = [record.tools, new WeakMap()];
    const turns = byTurn(record.turns);
    // What an imported agent was told of an unreadable call stands in its messages, or nowhere.
    const recorded = { isTold: record.imported === null, hasErrors: recordsErrors(record) };
    const consultations = new Map(record.consultations.map((c) => [c.id, c]));
    const rows = record.timeline.flatMap((item) => {
      if (item.type === 'turn') {
        const turn = turns.get(item.n);
        return turn === undefined
          ? []
          : remember(ofTurn, turn, () => turnRows(turn, item.at, item.n, recorded, sayCalls(record, turn)));
      }
      if (item.type === 'consultation') {
        const consultation = consultations.get(item.consultation);
        return consultation === undefined ? [] : consultationRow(record, consultation);
      }
      const fact = factOf(record, item);
      const known = ofItem.get(item);
      if (known !== undefined && known.record === fact) return known.row;
      const row = itemRow(record, item);
      ofItem.set(item, { record: fact, row });
      return row;
    });
    return decidedLast(record.copiedN === 0 ? rows : rows.map((row) => copyMark(record, row)));
  };
}

/** The rows of a record, from nothing. */
export const rowsOf = (record: EpisodeRecord): TimelineRow[] => createRows()(record);

/** A resumed episode may count the same turn twice; its place in the log tells them apart. */
const byTurn = (turns: readonly Turn[]): Map<number, Turn> => new Map(turns.map((turn) => [turn.n, turn]));

function remember<K extends object, V>(memo: WeakMap<K, V>, key: K, make: () => V): V {
  const known = memo.get(key);
  if (known !== undefined) return known;
  const made = make();
  memo.set(key, made);
  return made;
}

/** The part of the record an item's line is made from. */
function factOf(
  { started, reset, verified, finished, ended, notes, previews, forked }: EpisodeRecord,
  { type }: Item,
): unknown {
  const facts: Partial<Record<Item['type'], unknown>> = {
    started,
    reset,
    verified,
    finished,
    ended,
    note: notes,
    preview: previews,
    forked,
  };
  return facts[type] ?? null;
}

type RowText = Pick<TimelineRow, 'role' | 'name' | 'detail'> &
  Partial<
    Pick<TimelineRow, 'shape' | 'outcome' | 'verdict' | 'reward' | 'isHuman' | 'isTechnical' | 'facets'>
  >;

function itemRow(record: EpisodeRecord, item: Item): TimelineRow {
  return {
    key: `n${String(item.n)}`,
    n: item.n,
    at: item.at,
    shape: 'mark',
    isDetailCode: false,
    struck: null,
    said: null,
    outcome: null,
    reward: null,
    facets: [],
    isHuman: item.actor.type === 'human',
    subject: { type: 'item', item },
    ...itemText(record, item),
  };
}

function itemText(record: EpisodeRecord, item: Item): RowText {
  switch (item.type) {
    case 'started':
      return { role: 'system', name: 'Started', detail: startedDetail(record) };
    case 'reset':
      return resetText(record);
    case 'tools':
      return toolsText(item);
    case 'connection':
    case 'start_retried':
    case 'model_failed':
      return brokenText(item);
    case 'criteria':
      return criteriaText(record);
    case 'answer_key':
      return answerKeyText(item);
    case 'stop_requested':
      return {
        role: 'human',
        name: 'Stop requested',
        detail: oneLine(item.reason ?? ''),
        isHuman: true,
      };
    case 'verified':
      return verifiedText(record);
    case 'finished':
      return {
        role: 'environment',
        name: 'Environment finished',
        isTechnical: true,
        detail: finishedDetail(record),
      };
    case 'ended':
      return endedText(record);
    case 'erased':
      return erasedRowText(record);
    case 'imported':
      return importedText(record);
    case 'message':
      return messageItemText(item);
    case 'turn':
    case 'consultation':
      return { role: 'system', name: '', detail: '' };
    default:
      return isGatewayItem(item) ? gatewayText(record, item) : stepInText(record, item);
  }
}

/** The answer key has the criteria; they are not said here. */
function criteriaText({ criteria }: EpisodeRecord): RowText {
  const by = criteria?.model ?? 'a model';
  const tokens = (criteria?.usage?.input_tokens ?? 0) + (criteria?.usage?.output_tokens ?? 0);
  const cost = tokens === 0 ? '' : `, ${countNoun(tokens, 'token')}`;
  const detail =
    criteria?.failure !== undefined && criteria.failure !== null
      ? `${by} could not say what is checked: the words of the data are used`
      : criteria?.is_cached === true
        ? `by ${by} for an earlier episode${cost} then, none now`
        : `by ${by} from the verifier’s code${cost}`;
  return { role: 'system', name: 'Success criteria prepared', detail, isTechnical: true };
}

const answerKeyText = ({ seat }: Extract<Item, { type: 'answer_key' }>): RowText => ({
  role: 'human',
  name: 'Answer key shown',
  detail: `later advice from ${seat} on this task is marked`,
  isHuman: true,
});

const toolsText = ({ count }: Extract<Item, { type: 'tools' }>): RowText => ({
  role: 'environment',
  name: 'Tools listed',
  isTechnical: true,
  detail: countNoun(count, 'tool'),
});

const messageItemText = ({ role, origin, text }: Extract<Item, { type: 'message' }>): RowText => ({
  role: origin === 'environment' ? 'environment' : 'system',
  name: role === 'tool' ? 'The agent read' : role === 'user' ? 'The agent was told' : 'The system said',
  detail: firstSentence(textHead(text)),
  facets: ['message'],
});

const countNoun = (count: number, noun: string): string =>
  `${String(count)} ${noun}${count === 1 ? '' : 's'}`;

function startedDetail({ started }: EpisodeRecord): string {
  if (started === null) return '';
  const task = started.task_idx === null ? '' : ` task ${String(started.task_idx)}`;
  return `${started.environment.name} · ${started.scenario ?? 'no scenario'}${task} ${started.seed === null ? '' : ` · seed ${String(started.seed)}`}`;
}

function resetText({ reset }: EpisodeRecord): RowText {
  const warning = reset?.warning ?? null;
  const isError = reset?.reward_type === 'reset_error' || reset?.reward_type === 'reset_warning';
  return {
    role: 'environment',
    name: 'Reset',
    isTechnical: warning === null,
    detail: warning === null ? (reset?.scenario ?? '') : firstSentence(textHead(warning)),
    outcome: isError ? { tone: 'error', label: reset?.reward_type ?? 'error' } : null,
  };
}

function brokenText(item: Extract<Item, { type: 'connection' | 'start_retried' | 'model_failed' }>): RowText {
  if (item.type === 'connection') return connectionText(item);
  return item.type === 'start_retried' ? startRetriedText(item) : modelFailedText(item);
}

function connectionText({ state, failure }: Extract<Item, { type: 'connection' }>): RowText {
  const names = { open: 'Connected', closed: 'Connection closed', failed: 'Connection failed' } as const;
  return {
    role: 'environment',
    name: names[state],
    isTechnical: true,
    detail: failure?.message ?? '',
    outcome: state === 'failed' ? { tone: 'error', label: failure?.code ?? 'failed' } : null,
  };
}

function startRetriedText({
  tries,
  retries,
  waitMs,
  failure,
}: Extract<Item, { type: 'start_retried' }>): RowText {
  return {
    role: 'environment',
    name: `Start failed, retry ${String(tries)} of ${String(retries)}`,
    detail: `${oneLine(failure.message)} Tried again after ${String(Math.round(waitMs / 100) / 10)} s.`,
    outcome: { tone: 'error', label: failure.code },
  };
}

function modelFailedText({ code, message, retryInMs }: Extract<Item, { type: 'model_failed' }>): RowText {
  const retry = retryInMs === null ? '' : ` Tried again after ${String(Math.round(retryInMs / 100) / 10)} s.`;
  return {
    role: 'system',
    name: 'The model failed',
    detail: `${oneLine(message)}${retry}`,
    outcome: { tone: 'error', label: code },
  };
}

/** A model's judgement, or the reason why nobody gave a verdict. */
function verdictDetail(verified: EpisodeRecord['verified']): string {
  if (verified?.verifier_mode !== 'sql') return '';
  const { reward_type: label, verify_result: result } = verified;
  const judge = isRecord(result) ? result['llm_judge'] : undefined;
  if (label !== 'judge_error') return 'judged by a model over the database';
  const error = isRecord(judge) ? judge['error'] : undefined;
  return `nobody judged: ${typeof error === 'string' ? firstSentence(error) : 'the judge gave no verdict'}`;
}

/** Only a task that failed is gone to as an error. */
const OUTCOME_TONES: Readonly<Record<OutcomeKind, RowTone>> = {
  complete: 'ok',
  partly: 'plain',
  failed: 'error',
  unknown: 'plain',
};

const VERDICT_NAMES: Readonly<Record<OutcomeKind, string>> = {
  complete: 'The verifier says complete',
  partly: 'The verifier says partly complete',
  failed: 'The verifier says failed',
  unknown: 'The verifier could not say',
};

function verifiedText({ verified, started }: EpisodeRecord): RowText {
  if (started?.is_covered === true) {
    const detail =
      started.is_blinded === true
        ? 'This run is blinded: the verdict is hidden from you.'
        : 'Reward and verdict are hidden until your review is done.';
    return { role: 'verifier', shape: 'step', name: 'The verifier ran', detail };
  }
  const label = verified?.reward_type ?? null;
  const verdict = outcomeOf(label);
  return {
    role: 'verifier',
    shape: 'step',
    name: label === null ? 'The verifier ran' : VERDICT_NAMES[verdict.kind],
    detail:
      verified?.error === null || verified?.error === undefined
        ? verdictDetail(verified)
        : firstSentence(textHead(verified.error)),
    outcome: { tone: OUTCOME_TONES[verdict.kind], label: outcomeText(verdict) },
    verdict,
    reward: verified?.reward ?? null,
  };
}

const finishedDetail = ({ finished }: EpisodeRecord): string =>
  finished?.steps_taken === null || finished?.steps_taken === undefined
    ? ''
    : countNoun(finished.steps_taken, 'step');

function endedText({ ended }: EpisodeRecord): RowText {
  const outcome = ended?.outcome ?? 'done';
  const names = {
    done: 'Ended',
    limit: 'Stopped at a limit',
    stopped: 'Stopped',
    interrupted: 'Interrupted',
    error: 'Ended with an error',
  } as const;
  const isUnknown = ended?.reason === 'budget_unknown';
  const limit =
    ended?.limit === undefined
      ? null
      : `${limitText(ended.limit)}${isUnknown ? ', and what models take is not known' : ''}`;
  const why = ended?.failure?.message ?? limit ?? ended?.reason ?? '';
  const isBad = outcome === 'error' || outcome === 'interrupted';
  return {
    role: 'system',
    name: names[outcome],
    detail: oneLine(why),
    outcome: isBad ? { tone: 'error', label: outcome } : null,
  };
}

const GATEWAY_ITEMS = {
  tapped: true,
  frame: true,
  gap: true,
  touched: true,
  leaked: true,
} satisfies Record<GatewayItem['type'], true>;
export const isGatewayItem = (item: Item): item is GatewayItem => Object.hasOwn(GATEWAY_ITEMS, item.type);

type GatewayRowText = Pick<TimelineRow, 'role' | 'name' | 'detail'> &
  Partial<Pick<TimelineRow, 'isHuman' | 'isTechnical' | 'outcome'>>;

const TOUCHES: Readonly<Record<Touch, string>> = {
  edited: 'replaced by another call',
  answered: 'a person gave the result',
  rejected: 'the call was rejected',
  expired: 'nobody approved the call in time, and it was not made',
  set_aside: 'replaced by a person’s own call',
  stopped: 'the episode was stopped',
  taken_over: 'a person made the call',
  note_in_result: 'a note was added to the result',
};

export function gatewayText({ tapped }: EpisodeRecord, item: GatewayItem): GatewayRowText {
  switch (item.type) {
    case 'tapped':
      return {
        role: 'system',
        name: 'A client connected through the tap',
        isTechnical: true,
        detail: `${tapped?.user_agent ?? 'unknown client'} · ${tapped?.may_act ? 'actions allowed' : 'advice and notes only'}`,
      };
    case 'frame':
      return {
        role: item.direction === 'to_client' ? 'environment' : 'system',
        name: item.direction === 'to_client' ? 'Another reply' : 'Another request',
        detail: oneLine(textHead(item.frame)),
        isTechnical: true,
      };
    case 'gap':
      return {
        role: 'system',
        name: 'Not recorded',
        detail: `${String(item.frames)} frames went through · ${oneLine(item.reason)}`,
        outcome: { tone: 'error', label: 'gap' },
      };
    case 'touched': {
      const isPerson = item.touch !== 'expired';
      return {
        role: isPerson ? 'human' : 'system',
        name: `Turn ${String(item.turn)} ${isPerson ? 'changed by a person' : 'not approved in time'}`,
        detail: TOUCHES[item.touch],
        isHuman: isPerson,
      };
    }
    case 'leaked':
      return {
        role: 'agent',
        name: 'ask_expert reached the environment',
        detail: 'the client should handle it itself; passed on unchanged',
        outcome: { tone: 'error', label: 'leak' },
      };
  }
}

export const FORMAT_NAMES: Readonly<Record<ImportFormat, string>> = {
  awm_trajectory: 'AWM server trajectory',
  snowflake_run: 'Agent World Model agent run',
  openenv_collect: 'OpenEnv collect results',
  echo_fixture: 'ECHO fixture',
  inspect: 'Inspect log',
  atif: 'ATIF trajectory',
  swe_agent: 'SWE-agent trajectory',
  mini_swe_agent: 'mini-swe-agent trajectory',
  chat: 'chat JSON lines',
  hf_session: 'Hugging Face session trace',
  interject_events: 'Interject bundle',
};

export function importedText({ imported }: EpisodeRecord): Pick<TimelineRow, 'role' | 'name' | 'detail'> {
  const odd = imported?.diagnostics.length ?? 0;
  const name = imported === null ? 'Imported' : `Imported from ${FORMAT_NAMES[imported.format]}`;
  const detail = [imported?.source.name ?? '', ...(odd === 0 ? [] : [`${String(odd)} odd`])].join(' · ');
  return { role: 'system', name, detail };
}

type ErasedRowText = Pick<TimelineRow, 'role' | 'name' | 'detail' | 'isHuman'>;

export function erasedRowText({ erased }: EpisodeRecord): ErasedRowText {
  const what = erased?.what === 'text' ? 'One text was' : 'Its texts were';
  const why = erased?.reason === null || erased === null ? '' : ` Reason: ${oneLine(erased.reason)}`;
  return {
    role: 'human',
    name: 'Erased',
    detail: `${what} removed from ${String(erased?.events ?? 0)} events; exports leave the episode out.${why}`,
    isHuman: true,
  };
}

function decidedAt({ subject, at }: TimelineRow): number | null {
  if (subject.type === 'decision') return at;
  return subject.type === 'consultation' ? (subject.consultation.decision?.at ?? null) : null;
}

/** The rows with each decision moved down past the marks that came before it. Turns stay put. */
export function decidedLast(rows: readonly TimelineRow[]): TimelineRow[] {
  const placed: TimelineRow[] = [];
  let held: TimelineRow[] = [];
  const settle = (before: (row: TimelineRow) => boolean): void => {
    const due = held.filter(before);
    held = held.filter((row) => !before(row));
    placed.push(...due);
  };
  for (const row of rows) {
    if (decidedAt(row) !== null) {
      held.push(row);
      continue;
    }
    settle((waiting) => row.subject.type === 'turn' || (decidedAt(waiting) ?? 0) < row.at);
    placed.push(row);
  }
  settle(() => true);
  return placed;
}

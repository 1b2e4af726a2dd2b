// What the events of an Inspect sample add to its conversation: times, tokens, failed calls, approvals.
import { seatActor } from '../../../shared/events/actor.ts';
import type { ToolSpec } from '../../../shared/events/lifecycle.ts';
import type { KnownCallResult, KnownTurn } from './conversation.ts';
import type { ImportNotes } from './importNotes.ts';
import type { ImportedDecision } from './importedFacts.ts';
import { toolSpecs } from './toolSpecs.ts';
import { asObject, listFrom, numberFrom, ownValue, textFrom, timeFrom } from './values.ts';

export type SampleEvents = {
  turn(messageId: string | null): KnownTurn;
  result(callId: string | null): KnownCallResult;
  tools: ToolSpec[];
  firstAt: number | null;
  lastAt: number | null;
  scoredAt: number | null;
};

/** Kinds that are read; others stay in the kept file. */
const READ_EVENT_KINDS: ReadonlySet<string> = new Set(
  'model tool approval score score_edit sample_init sample_limit span_begin span_end step state store info logger error sandbox subtask anchor checkpoint'.split(
    ' ',
  ),
);

export function sampleEvents(events: readonly unknown[], notes: ImportNotes): SampleEvents {
  const turns = new Map<string, KnownTurn>();
  const results = new Map<string, KnownCallResult>();
  const decisions = new Map<string, ImportedDecision[]>();
  let firstAt: number | null = null;
  let lastAt: number | null = null;
  let scoredAt: number | null = null;
  for (const event of events) {
    const at = timeFrom(ownValue(event, 'timestamp'));
    firstAt ??= at;
    lastAt = at ?? lastAt;
    const kind = textFrom(ownValue(event, 'event')) ?? '';
    if (kind === 'model') addTurn(turns, event, at, notes);
    else if (kind === 'tool') addResult(results, event, at);
    else if (kind === 'approval') addDecision(decisions, event, at);
    else if (kind === 'score') scoredAt ??= at;
    else if (!READ_EVENT_KINDS.has(kind))
      notes.note('events_kept', `events of the kind ${kind.slice(0, 40)} are in the kept file only`);
  }
  return {
    turn: (id) => (id === null ? {} : (turns.get(id) ?? {})),
    result: (id) => {
      if (id === null) return {};
      const decided = decisions.get(id);
      return { ...results.get(id), ...(decided === undefined ? {} : { decided }) };
    },
    tools: offered(events),
    firstAt,
    lastAt,
    scoredAt,
  };
}

/** The tools of the first request that had some. */
function offered(events: readonly unknown[]): ToolSpec[] {
  for (const event of events) {
    const tools = toolSpecs(ownValue(event, 'tools'));
    if (tools.length > 0) return tools;
  }
  return [];
}

function addTurn(turns: Map<string, KnownTurn>, event: unknown, at: number | null, notes: ImportNotes): void {
  const output = ownValue(event, 'output');
  const choice = listFrom(ownValue(output, 'choices'))[0];
  const id = textFrom(ownValue(ownValue(choice, 'message'), 'id'));
  const error = textFrom(ownValue(event, 'error'));
  if (error !== null) notes.note('model_error', `a request to the model failed: ${error.slice(0, 120)}`);
  if (id === null) return;
  const usage = ownValue(output, 'usage');
  const [input, given] = [
    numberFrom(ownValue(usage, 'input_tokens')),
    numberFrom(ownValue(usage, 'output_tokens')),
  ];
  const seconds = numberFrom(ownValue(output, 'time'));
  turns.set(id, {
    at,
    latency_ms: seconds === null ? null : Math.round(seconds * 1000),
    stopReason: textFrom(ownValue(choice, 'stop_reason')),
    model: textFrom(ownValue(output, 'model')),
    usage: input === null && given === null ? null : { input_tokens: input, output_tokens: given },
  });
}

function addResult(results: Map<string, KnownCallResult>, event: unknown, at: number | null): void {
  const id = textFrom(ownValue(event, 'id'));
  if (id === null) return;
  const completed = timeFrom(ownValue(event, 'completed'));
  const seconds = numberFrom(ownValue(event, 'working_time'));
  const took =
    seconds !== null ? Math.round(seconds * 1000) : completed !== null && at !== null ? completed - at : null;
  results.set(id, { at: completed ?? at, latency_ms: took });
}

/** An approver that waves everything through decided nothing. */
function addDecision(decisions: Map<string, ImportedDecision[]>, event: unknown, at: number | null): void {
  const call = ownValue(event, 'call');
  const id = textFrom(ownValue(call, 'id'));
  const approver = textFrom(ownValue(event, 'approver')) ?? '';
  const decision = textFrom(ownValue(event, 'decision')) ?? '';
  if (id === null || (approver === 'auto' && decision === 'approve') || decision === 'escalate') return;
  const modified = ownValue(event, 'modified');
  const decided: ImportedDecision = {
    at,
    actor: approver === 'human' ? seatActor(null) : { type: 'scripted', id: approver },
    rule: approver,
    decision: decision === 'modify' ? 'edited' : decision === 'approve' ? 'approved' : 'rejected',
    reason: textFrom(ownValue(event, 'explanation')),
    effective:
      decision === 'modify'
        ? {
            tool_name: textFrom(ownValue(modified, 'function')) ?? '',
            arguments: asObject(ownValue(modified, 'arguments')),
          }
        : null,
  };
  decisions.set(id, [...(decisions.get(id) ?? []), decided]);
}

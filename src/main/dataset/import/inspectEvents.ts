// Owns: what the events of an Inspect sample add to its conversation: times, tokens, failed calls, who approved what.
import type { ToolSpec } from '../../../shared/events/lifecycle.ts';
import type { Known, KnownTurn } from './conversation.ts';
import type { Notes } from './notes.ts';
import type { Decided } from './told.ts';
import { toolSpecs } from './toolSpecs.ts';
import { asObject, listOf, numberOf, own, textOf, timeOf } from './values.ts';

export type SampleEvents = {
  turn(messageId: string | null): KnownTurn;
  result(callId: string | null): Known;
  tools: ToolSpec[];
  firstAt: number | null;
  lastAt: number | null;
  scoredAt: number | null;
};

/** Kinds that are read; others stay in the kept file. */
const READ: ReadonlySet<string> = new Set(
  'model tool approval score score_edit sample_init sample_limit span_begin span_end step state store info logger error sandbox subtask anchor checkpoint'.split(
    ' ',
  ),
);

export function eventsOf(events: readonly unknown[], notes: Notes): SampleEvents {
  const turns = new Map<string, KnownTurn>();
  const results = new Map<string, Known>();
  const decisions = new Map<string, Decided[]>();
  let firstAt: number | null = null;
  let lastAt: number | null = null;
  let scoredAt: number | null = null;
  for (const event of events) {
    const at = timeOf(own(event, 'timestamp'));
    firstAt ??= at;
    lastAt = at ?? lastAt;
    const kind = textOf(own(event, 'event')) ?? '';
    if (kind === 'model') addTurn(turns, event, at, notes);
    else if (kind === 'tool') addResult(results, event, at);
    else if (kind === 'approval') addDecision(decisions, event, at);
    else if (kind === 'score') scoredAt ??= at;
    else if (!READ.has(kind))
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
    const tools = toolSpecs(own(event, 'tools'));
    if (tools.length > 0) return tools;
  }
  return [];
}

function addTurn(turns: Map<string, KnownTurn>, event: unknown, at: number | null, notes: Notes): void {
  const output = own(event, 'output');
  const choice = listOf(own(output, 'choices'))[0];
  const id = textOf(own(own(choice, 'message'), 'id'));
  const error = textOf(own(event, 'error'));
  if (error !== null) notes.note('model_error', `a request to the model failed: ${error.slice(0, 120)}`);
  if (id === null) return;
  const usage = own(output, 'usage');
  const [input, given] = [numberOf(own(usage, 'input_tokens')), numberOf(own(usage, 'output_tokens'))];
  const seconds = numberOf(own(output, 'time'));
  turns.set(id, {
    at,
    latencyMs: seconds === null ? null : Math.round(seconds * 1000),
    stopReason: textOf(own(choice, 'stop_reason')),
    model: textOf(own(output, 'model')),
    usage: input === null && given === null ? null : { input_tokens: input, output_tokens: given },
  });
}

function addResult(results: Map<string, Known>, event: unknown, at: number | null): void {
  const id = textOf(own(event, 'id'));
  if (id === null) return;
  const completed = timeOf(own(event, 'completed'));
  const seconds = numberOf(own(event, 'working_time'));
  const took =
    seconds !== null ? Math.round(seconds * 1000) : completed !== null && at !== null ? completed - at : null;
  results.set(id, { at: completed ?? at, latencyMs: took });
}

/** An approver that waves everything through decided nothing. */
function addDecision(decisions: Map<string, Decided[]>, event: unknown, at: number | null): void {
  const call = own(event, 'call');
  const id = textOf(own(call, 'id'));
  const approver = textOf(own(event, 'approver')) ?? '';
  const decision = textOf(own(event, 'decision')) ?? '';
  if (id === null || (approver === 'auto' && decision === 'approve') || decision === 'escalate') return;
  const modified = own(event, 'modified');
  const decided: Decided = {
    at,
    actor: approver === 'human' ? { type: 'human', id: null } : { type: 'scripted', id: approver },
    rule: approver,
    decision: decision === 'modify' ? 'edited' : decision === 'approve' ? 'approved' : 'rejected',
    reason: textOf(own(event, 'explanation')),
    effective:
      decision === 'modify'
        ? {
            tool_name: textOf(own(modified, 'function')) ?? '',
            arguments: asObject(own(modified, 'arguments')),
          }
        : null,
  };
  decisions.set(id, [...(decisions.get(id) ?? []), decided]);
}

// Observes an episode for a bench, from its record when it is over.
import {
  answererOf,
  type Answerer,
  type Measures,
  type Observed,
  type SeatAct,
} from '../../shared/bench/observed.ts';
import type { BenchCell } from '../../shared/bench/plan.ts';
import type { Exclusion } from '../../shared/bench/summary.ts';
import type { Privilege } from '../../shared/events/actor.ts';
import { hasPerson } from '../../shared/conditions.ts';
import type { Text } from '../../shared/events/text.ts';
import type { EpisodeRecord } from '../../shared/episode/record.ts';
import { agentModel } from '../../shared/episode/phase.ts';
import { spendingOf } from '../../shared/episode/spending.ts';
import { uptakeTotals } from '../../shared/episode/uptake.ts';
import { REWARD_DEFAULTS } from '../../shared/rewards/settings.ts';
import { breakdownOf, knownOf } from '../reward/reward.ts';
import { helpPattern } from '../reward/shaping.ts';

const MINUTE_MS = 60_000;

/** `keepsPrompt`: one run of each task is enough to compare prompts. */
export function observe(
  record: EpisodeRecord,
  cell: BenchCell,
  { keepsPrompt, loadText }: { keepsPrompt: boolean; loadText: (text: Text) => string },
): Observed {
  const { started, ended, verified } = record;
  const label = ended?.reward_type ?? verified?.reward_type ?? null;
  const breakdown = breakdownOf(knownOf(record), REWARD_DEFAULTS);
  return {
    ...cell,
    exclusion: exclusionOf(record, label),
    isComplete: label === 'complete',
    reward: ended?.reward ?? verified?.reward ?? null,
    measures: measuresOf(record, breakdown.shaped.total),
    components: breakdown.rubric.components,
    currency: spendingOf(record)?.currency ?? null,
    model: agentModel(record),
    isRehearsal: started?.agent.policy === 'rehearsal',
    answered: answersOf(record),
    isPrivileged: record.consultations.some(
      ({ delivered }) => delivered !== null && hasSeen(delivered.privilege),
    ),
    seats: seatActsOf(record),
    prompt: keepsPrompt ? promptOf(record, loadText) : [],
  };
}

/** Codes of a failure that says something of the agent: its episode counts as not completed. */
const AGENTS_OWN: ReadonlySet<string> = new Set([
  'model_refused',
  'model_empty',
  'model_truncated',
  'limit_exceeded',
]);

/** The reason not to count an episode of the bench; null if it counts. */
export function exclusionOf(record: EpisodeRecord, label: string | null): Exclusion | null {
  const { ended, started, reset, counts } = record;
  const outcome = ended?.outcome ?? 'interrupted';
  if (outcome === 'interrupted' || outcome === 'stopped') return 'not_finished';
  if (outcome === 'error') {
    const { code = 'internal', message = '' } = ended?.failure ?? {};
    if (code === 'model_refused' && /content.?(filter|management)/i.test(message)) return 'content_filter';
    if (AGENTS_OWN.has(code)) return null;
    return reset === null || code === 'reset_failed' ? 'reset_error' : 'server_error';
  }
  if (started?.condition === 'none' && counts.humanActs > 0) return 'step_in';
  return label === null ? 'no_verdict' : null;
}

function measuresOf(record: EpisodeRecord, shaped: number): Measures {
  const { counts, started } = record;
  const { facts } = knownOf(record);
  const spent = spendingOf(record);
  const condition = started?.condition ?? 'none';
  const isAssisted = condition !== 'none';
  const pattern = helpPattern(facts);
  const uptake = uptakeTotals(record);
  const compared = uptake.followed + uptake.partly + uptake.ignored + uptake.contradicted;
  const ifAssisted = (value: number): number | null => (isAssisted ? value : null);
  return {
    shaped_reward: shaped,
    steps: counts.turns,
    format_errors: counts.formatErrors,
    tool_errors: counts.toolErrors,
    asks: ifAssisted(facts.asks),
    blind: ifAssisted(Number(pattern === 'blind')),
    recovery: ifAssisted(Number(pattern === 'recovery')),
    uptake: compared === 0 ? null : uptake.followed / compared,
    expert_minutes:
      hasPerson(condition) && counts.humanActs > 0
        ? seatActsOf(record).reduce((sum, { minutes }) => sum + minutes, 0)
        : null,
    input_tokens: spent?.input_tokens ?? null,
    output_tokens: spent?.output_tokens ?? null,
    cost: spent?.cost ?? null,
  };
}

function answersOf({ consultations }: EpisodeRecord): Record<Answerer, number> {
  const answered: Record<Answerer, number> = { human: 0, model: 0, scripted: 0, nobody: 0 };
  for (const { decision, purpose } of consultations) {
    if (purpose !== 'advice' || decision === null || decision.type === 'cancelled') continue;
    answered[decision.type === 'expired' ? 'nobody' : answererOf(decision.actor.type)] += 1;
  }
  return answered;
}

const hasSeen = (privilege: Privilege): boolean => privilege === 'unknown' || privilege.length > 0;

const seatActsOf = ({ consultations }: EpisodeRecord): SeatAct[] =>
  consultations.flatMap(({ decision }) => {
    if (decision?.type !== 'approved' && decision?.type !== 'declined') return [];
    if (decision.actor.type !== 'human') return [];
    return [
      {
        seat: decision.actor.id ?? 'unknown',
        at: decision.at,
        hadSeen: decision.type === 'approved' && hasSeen(decision.privilege),
        minutes: (decision.timing.active_ms ?? 0) / MINUTE_MS,
      },
    ];
  });

/** The agent's messages before its first turn, and the tools it was offered, a line each. */
function promptOf({ messages, offered }: EpisodeRecord, loadText: (text: Text) => string): string[] {
  const first = messages.findIndex(({ role }) => role === 'assistant');
  const opening = first === -1 ? messages : messages.slice(0, first);
  return [
    ...opening.flatMap(({ role, content }) =>
      loadText(content)
        .split('\n')
        .map((line) => `${role}: ${line}`),
    ),
    ...offered.map((tool) => `tool: ${JSON.stringify(tool)}`),
  ];
}

// First events of an episode's log: as what it was started, and the rules that hold from the start.
import { hash } from 'node:crypto';
import { SYSTEM } from '../../shared/events/actor.ts';
import type { AgentSpec } from '../../shared/events/lifecycle.ts';
import type { EventOf, LogEvent } from '../../shared/events/vocabulary.ts';
import { redactJson } from '../../shared/redact/redact.ts';
import type { LogEntry } from '../log/eventLog.ts';
import type { AgentNow } from './restart.ts';
import type { Prompts } from '../settings/prompts.ts';
import type { RunSpec } from './stage.ts';

export type OpeningDependencies = {
  prompts: Prompts;
  pricesOf?: (spec: RunSpec) => EventOf<'episode.started'>['prices'];
  /** Where and how the agent's model is asked now, as it may be shown; null where there is none. */
  agentNow?: (profile?: string) => AgentNow | null;
};

export const openingOf = (parts: OpeningDependencies, spec: RunSpec): LogEntry[] => {
  const { rules } = spec.approval;
  const events: LogEvent[] = [
    episodeStarted(spec, parts),
    ...(rules.length > 0 ? [{ kind: 'policy.changed' as const, rules }] : []),
  ];
  return events.map((event) => ({ actor: SYSTEM, event }));
};

/** Of everything the agent may read: our texts, and a person's on the environment. */
export const promptDigest = (ours: string, text: string): string => hash('sha256', `${ours}\n${text}`, 'hex');

/** If a person makes every move, no model acts, though one may be set for the agent. */
function actingAgent(
  { policy, protocol, ...agent }: AgentSpec,
  agentNow: OpeningDependencies['agentNow'],
): EventOf<'episode.started'>['agent'] {
  if (policy === 'human') return { policy, protocol, model: null };
  const { model: _model, ...how } = (policy === 'chat' ? agentNow?.(agent.profile) : null) ?? {};
  return { policy, protocol, ...agent, ...how };
}

const limitsFrom = ({ limitSources = {} }: RunSpec): Pick<EventOf<'episode.started'>, 'limits_from'> =>
  Object.values(limitSources).includes('settings') ? { limits_from: limitSources } : {};

const episodeStarted = (
  spec: RunSpec,
  { prompts, pricesOf, agentNow }: OpeningDependencies,
  prices = pricesOf?.(spec),
): LogEvent => ({
  kind: 'episode.started',
  environment: spec.environment,
  scenario: spec.scenario,
  task_idx: spec.task_idx,
  condition: spec.condition,
  agent: actingAgent(spec.agent, agentNow),
  limits: spec.limits,
  ...limitsFrom(spec),
  ...(spec.runBudget === undefined ? {} : { run_budget: spec.runBudget.shared }),
  deadline_ms: spec.deadline_ms,
  fallback: spec.fallback,
  ...(Object.keys(spec.reset).length === 0 ? {} : { reset: redactJson(spec.reset) }),
  seed: spec.seed,
  repeat: spec.repeat,
  group: spec.group,
  prompt_sha256:
    spec.environmentText === null ? prompts.sha256 : promptDigest(prompts.sha256, spec.environmentText),
  ...(spec.environmentText === null ? {} : { environment_text: spec.environmentText }),
  source: 'run',
  trainer: spec.run === null ? null : { run: spec.run, step: null, checkpoint: null, episode: null },
  is_blinded: spec.isBlinded,
  is_key_open: spec.isKeyOpen,
  ...(spec.effect === 'not_shown' ? { effect: spec.effect } : {}),
  ...(spec.verifierMode === null ? {} : { verifier_mode: spec.verifierMode }),
  keeps_session: spec.keepsSession,
  admission: spec.admission,
  ...(spec.bench === undefined ? {} : { bench: spec.bench }),
  ...(spec.lift === undefined ? {} : { lift: spec.lift }),
  ...(spec.confidence ? { confidence: spec.confidence } : {}),
  ...(spec.experts ? { experts: spec.experts } : {}),
  ...(prices === undefined ? {} : { prices }),
  ...(spec.probe === undefined ? {} : { probe: spec.probe }),
  ...(spec.from === null ? {} : { continues: true as const }),
  approval: { deadline_ms: spec.approval.deadline_ms, fallback: spec.approval.fallback },
});

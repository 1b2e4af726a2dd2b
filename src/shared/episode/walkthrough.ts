// The walkthrough of an episode, from its record: each step in one line, who made it and what came of it. Pure.
import { z } from 'zod';
import type { ActorType, Privilege } from '../events/actor.ts';
import { Condition, Outcome } from '../events/lifecycle.ts';
import { type Text, textHead } from '../events/text.ts';
import { parsePlan } from '../plan.ts';
import { outcomeOf, outcomeText } from '../taskOutcome.ts';
import { isToolError } from '../wire.ts';
import { helpOf } from './help.ts';
import type { CallDecision, Consultation, Decision, EpisodeRecord, Item, Turn } from './record.ts';

export const WalkthroughStep = z.strictObject({
  actor: z.enum(['agent', 'environment', 'model', 'human', 'scripted', 'verifier', 'system']),
  /** Who it is in words: an actor is never told by its hue alone. */
  who: z.string().min(1),
  text: z.string().min(1),
  /** What came of a call, or what the verifier says of the whole. */
  outcome: z.enum(['ok', 'error', 'complete', 'incomplete', 'none']),
  /** The turn of the episode it is; steps around the turns have none. */
  turn: z.number().int().optional(),
});
export type WalkthroughStep = z.infer<typeof WalkthroughStep>;

/** Longer texts are cut, with their length said. */
const TEXT_MAX = 220;
const TASK_MAX = 1000;
const VALUE_MAX = 60;

export const SHORTENED_NOTE = `Texts of more than ${String(TEXT_MAX)} characters are cut here; the episode holds them whole.`;

export function walkthroughOf(record: EpisodeRecord): WalkthroughStep[] {
  const turns = new Map(record.turns.map((turn) => [turn.turn, turn]));
  const consultations = new Map(record.consultations.map((one) => [one.id, one]));
  return record.timeline.flatMap((item): WalkthroughStep[] => {
    if (item.type === 'turn') return turnSteps(turns.get(item.turn), record);
    if (item.type === 'consultation') return consultationSteps(consultations.get(item.consultation));
    return itemSteps(item, record);
  });
}

function taskLine({ reset }: EpisodeRecord): string {
  const task = reset?.task ?? null;
  return task === null ? 'The task is not recorded.' : oneLine(textHead(task), TASK_MAX);
}

export const isShortened = (steps: readonly WalkthroughStep[]): boolean =>
  steps.some(({ text }) => text.includes(CUT));

const CUT = '… (';

function oneLine(text: string, max = TEXT_MAX): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line.length <= max) return line;
  return `${line.slice(0, max).trimEnd()}${CUT}${text.length.toLocaleString('en')} characters)`;
}

const ACTORS: Readonly<Record<ActorType, readonly [WalkthroughStep['actor'], who: string]>> = {
  agent: ['agent', 'Agent'],
  unknown: ['agent', 'Client'],
  model: ['model', 'Advisor'],
  human: ['human', 'Expert'],
  scripted: ['scripted', 'Scripted expert'],
  system: ['system', 'System'],
  environment: ['environment', 'Environment'],
};

function step(actor: ActorType, text: string, outcome: WalkthroughStep['outcome'] = 'none'): WalkthroughStep {
  const [role, who] = ACTORS[actor];
  return { actor: role, who, text, outcome };
}

const digits = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? value.toString() : value);

const callText = (tool: string, given: Readonly<Record<string, unknown>>): string => {
  const values = Object.entries(given).map(([name, value]) => {
    const json = JSON.stringify(value, digits) ?? 'null';
    return `${name}: ${json.length > VALUE_MAX ? `${json.slice(0, VALUE_MAX)}…` : json}`;
  });
  return oneLine(`${tool} ${values.join(', ')}`);
};

function turnSteps(turn: Turn | undefined, record: EpisodeRecord): WalkthroughStep[] {
  if (turn === undefined) return [];
  const { move, call, actor } = turn;
  const actorType = record.tapped !== null && actor.type === 'unknown' ? 'agent' : actor.type;
  const say = (text: string, outcome?: WalkthroughStep['outcome']): WalkthroughStep => ({
    ...step(actorType, text, outcome),
    turn: turn.turn,
  });
  if (move === null) return [say(`writes: ${oneLine(textHead(turn.content))}`)];
  if (call !== null && call.refused !== null) {
    const made = move.type === 'call_tool' ? callText(move.tool_name, move.arguments) : move.type;
    return [say(`${made} → refused: ${oneLine(call.refused.text)}`, 'error')];
  }
  switch (move.type) {
    case 'list_tools':
      return [say('lists the tools')];
    case 'ask_expert':
      return [say(`asks the expert: ${oneLine(move.context ?? move.task ?? '')}`)];
    case 'final':
      return [say(`answers: ${oneLine(textHead(move.text))}`)];
    case 'malformed':
      return [say(`sends a call that cannot be read: ${oneLine(move.detail)}`, 'error')];
    case 'call_tool':
      return callSteps(turn, callText(move.tool_name, move.arguments), say);
  }
}

type Say = (text: string, outcome?: WalkthroughStep['outcome']) => WalkthroughStep;

/** What was proposed and what took effect are two lines where a person put something in its place. */
function callSteps({ call }: Turn, proposed: string, say: Say): WalkthroughStep[] {
  const decision = call?.decision ?? null;
  const [outcome, came] = cameOf(call);
  if (decision === null || decision.type === 'approved' || call === null)
    return [say(`${proposed}${came}`, outcome)];
  const isMade = decision.type === 'expired' && decision.fallback === 'approve';
  if (isMade) return [say(`${proposed}${came}`, outcome)];
  const { actor, text } = decidedText(decision, came);
  return [
    say(`${proposed} (proposed, not made)`),
    step(actor, text, decision.type === 'edited' ? outcome : 'none'),
  ];
}

function cameOf(call: Turn['call']): readonly [WalkthroughStep['outcome'], string] {
  const returned = call?.returned ?? null;
  if (returned === null) return ['none', call?.sent === null ? ' (not made)' : ' (no answer)'];
  const isFailed = isToolError(returned.error, returned.reward_type);
  if (!isFailed) return ['ok', ''];
  return ['error', returned.error === null ? '' : ` → ${oneLine(textHead(returned.error))}`];
}

function decidedText(
  decision: Exclude<CallDecision, { type: 'approved' }>,
  came: string,
): { actor: ActorType; text: string } {
  const { type: actor } = decision.actor;
  switch (decision.type) {
    case 'edited': {
      const why = decision.reason === null ? '' : ` (${oneLine(decision.reason)})`;
      return {
        actor,
        text: `makes instead: ${callText(decision.toolName, decision.arguments)}${why}${came}`,
      };
    }
    case 'rejected':
      return { actor, text: `rejects the call: ${oneLine(decision.reason)}` };
    case 'answered':
      return { actor, text: `writes the result: ${oneLine(textHead(decision.text))}` };
    case 'expired':
      return { actor: 'system', text: 'nobody approved this in time: the call was not made' };
    case 'cancelled':
      return { actor: 'system', text: `held call cancelled: ${oneLine(decision.reason)}` };
  }
}

const CAUSES: Readonly<Record<Consultation['trigger'], string | null>> = {
  agent_call: null,
  error: 'asks the expert, after an error',
  stall: 'asks the expert, as the agent had not asked for long',
  operator: 'a person has the expert asked',
  brief: 'a brief is asked for before the start',
  confidence: 'asks the expert, as the agent was not sure',
};

function consultationSteps(one: Consultation | undefined): WalkthroughStep[] {
  if (one === undefined) return [];
  const cause = CAUSES[one.trigger];
  const asked = cause === null ? [] : [step('system', cause)];
  return one.decision === null
    ? [...asked, step('system', 'the question waits for an answer')]
    : [...asked, answerStep(one, one.decision)];
}

const ACTS = {
  accept: 'sends the draft as it was',
  edit: 'sends the draft, edited',
  send: 'advises',
} as const;

function answerStep({ answeredBy }: Consultation, decision: Decision): WalkthroughStep {
  switch (decision.type) {
    case 'approved': {
      const did = answeredBy === 'model' ? 'advises' : ACTS[decision.act];
      return step(decision.actor.type, `${did}${seenText(decision.privilege)}: ${adviceText(decision.text)}`);
    }
    case 'declined':
      return step(decision.actor.type, `declines: ${oneLine(decision.reason)}`);
    case 'expired':
      return step('system', 'no one answered in time');
    case 'cancelled':
      return step('system', `question cancelled: ${oneLine(decision.reason)}`);
  }
}

const SEEN = {
  criteria: 'the criteria',
  reference: 'the reference answer',
  verdict: 'the verdict',
  hidden_state: 'hidden state',
} as const;

const seenText = (privilege: Privilege): string =>
  privilege === 'unknown' || privilege.length === 0
    ? ''
    : ` (having seen ${privilege.map((saw) => SEEN[saw]).join(', ')})`;

function adviceText(text: Text): string {
  const head = textHead(text);
  const { calls } = parsePlan(head);
  if (calls.length === 0) return oneLine(head);
  return oneLine(
    calls
      .map(({ tool, args, purpose }, at) => `${String(at + 1)}. ${purpose ?? callText(tool, args)}`)
      .join(' '),
  );
}

const PHASES = {
  autonomous: 'hands back to the agent',
  paused: 'pauses the agent',
  correcting: 'takes over',
} as const;

const DOUBTS = {
  waits: 'a call was sent and its answer was lost at the restart',
  send_again: 'sends the call in doubt again',
  unknown: 'does not send the call in doubt again',
} as const;

function itemSteps(
  item: Exclude<Item, { type: 'turn' | 'consultation' }>,
  record: EpisodeRecord,
): WalkthroughStep[] {
  switch (item.type) {
    case 'phase':
      return [step(item.actor.type, PHASES[item.to])];
    case 'note': {
      const note = record.notes.find(({ id }) => id === item.note);
      return note === undefined ? [] : [step(item.actor.type, `notes: ${oneLine(textHead(note.text))}`)];
    }
    case 'discarded':
      return [
        step(
          item.actor.type,
          `sets turns ${String(item.fromTurn)} to ${String(item.toTurn)} aside for training`,
        ),
      ];
    case 'forked':
      return [step('system', `goes on from a copy of another episode, event ${String(record.copiedN)}`)];
    case 'went_on': {
      const restart = record.restarts.find(({ attempt }) => attempt === item.attempt);
      const isLost = (restart?.wentOn?.drift ?? null) !== null;
      return [step('system', isLost ? 'did not go on after a restart' : 'went on after a restart')];
    }
    case 'doubt':
      return [step(item.actor.type, DOUBTS[item.act ?? 'waits'])];
    case 'model_failed':
      return [step('system', `the model failed: ${oneLine(item.message)}`, 'error')];
    case 'connection':
      return item.state === 'failed' ? [step('system', 'the connection failed', 'error')] : [];
    case 'verified':
      return verdictSteps(record);
    case 'ended':
      return endSteps(record);
    default:
      return [];
  }
}

function verdictSteps({ verified }: EpisodeRecord): WalkthroughStep[] {
  if (verified === null) return [];
  const { reward_type: label, error } = verified;
  const outcome = label === null ? 'none' : label === 'complete' ? 'complete' : 'incomplete';
  const none = error === null ? 'gave no verdict' : `gave no verdict: ${oneLine(textHead(error))}`;
  const text = label === null ? none : `says “${label}”`;
  return [{ actor: 'verifier', who: 'Verifier', text, outcome }];
}

function endSteps({ ended }: EpisodeRecord): WalkthroughStep[] {
  if (ended === null || ended.outcome === 'done') return [];
  const why = ended.failure?.message ?? ended.reason;
  const words = {
    limit: 'ended at a limit',
    stopped: 'stopped',
    interrupted: 'interrupted',
    error: 'ended by an error',
  };
  return [
    step(
      'system',
      `${words[ended.outcome]}${why === null ? '' : `: ${oneLine(why)}`}`,
      ended.outcome === 'error' ? 'error' : 'none',
    ),
  ];
}

// One episode as `results_summary.json` of its report holds it: no time, no path, the same bytes from the same episode.
const EPISODE_SUMMARY_VERSION = 1;
const RewardPoint = z.strictObject({
  turn: z.number().int(),
  reward: z.number(),
  /** Of this step and those before it. */
  total: z.number(),
});
export type RewardPoint = z.infer<typeof RewardPoint>;
export const EpisodeSummary = z.strictObject({
  kind: z.literal('interject.episode'),
  version: z.literal(EPISODE_SUMMARY_VERSION),
  episode: z.string(),
  environment: z.string().nullable(),
  scenario: z.string().nullable(),
  task_idx: z.number().int().nullable(),
  task: z.string(),
  condition: Condition.nullable(),
  policy: z.string().nullable(),
  model: z.string().nullable(),
  seed: z.number().int().nullable(),
  turns: z.number().int(),
  advised: z.number().int(),
  /** What people did to it, advice included. */
  human_acts: z.number().int(),
  /** `unknown`: none is seen, and there may have been some that nobody recorded. */
  help: z.enum(['none', 'advised', 'unknown']),
  /** Null while it runs. */
  outcome: Outcome.nullable(),
  /** The verifier's word, and the reward it gave; null where it did not run. */
  verdict: z.string().nullable(),
  reward: z.number().nullable(),
  rewards: z.array(RewardPoint),
  walkthrough: z.array(WalkthroughStep),
});
export type EpisodeSummary = z.infer<typeof EpisodeSummary>;

export function episodeSummary(record: EpisodeRecord): EpisodeSummary {
  const { started, verified, ended, turns, consultations } = record;
  return {
    kind: 'interject.episode',
    version: EPISODE_SUMMARY_VERSION,
    episode: record.id,
    environment: started?.environment.name ?? null,
    scenario: started?.scenario ?? record.reset?.scenario ?? null,
    task_idx: started?.task_idx ?? record.reset?.task_idx ?? null,
    task: taskLine(record),
    condition: started?.condition ?? null,
    policy: started?.agent.policy ?? null,
    model: started?.agent.model ?? null,
    seed: started?.seed ?? null,
    turns: turns.length,
    advised: consultations.filter(({ decision }) => decision?.type === 'approved').length,
    human_acts: record.counts.humanActs,
    help: helpOf(record).known,
    outcome: ended?.outcome ?? null,
    verdict: verified?.reward_type ?? null,
    reward: verified?.reward ?? ended?.reward ?? null,
    rewards: rewardsOf(record),
    walkthrough: walkthroughOf(record),
  };
}

/** The steps that gave a reward, and what they come to so far. */
export function rewardsOf({ turns }: Pick<EpisodeRecord, 'turns'>): RewardPoint[] {
  let total = 0;
  return turns.flatMap(({ turn, call }) => {
    const reward = call?.returned?.reward ?? null;
    if (reward === null || !Number.isFinite(reward)) return [];
    total = Number((total + reward).toPrecision(12));
    return [{ turn, reward, total }];
  });
}

/** The outcome in one sentence: a verdict is the verifier's, and where there is none it says so. */
export function outcomeSentence(summary: EpisodeSummary): string {
  const { verdict, turns, outcome } = summary;
  const after = `after ${String(turns)} ${turns === 1 ? 'turn' : 'turns'}; ${helpWords(summary)}`;
  if (verdict !== null) return `${outcomeText(outcomeOf(verdict))} ${after}`;
  return `${outcome === null ? 'Running' : 'Not verified'} ${after}`;
}

function helpWords({ help, advised, human_acts: acts }: EpisodeSummary): string {
  if (help === 'none') return 'nobody helped';
  if (advised > 0) return `advice came ${advised === 1 ? 'once' : `${String(advised)} times`}`;
  if (acts > 0) return 'a person stepped in';
  return help === 'unknown' ? 'help may have gone unrecorded' : 'an expert was asked, no advice came';
}

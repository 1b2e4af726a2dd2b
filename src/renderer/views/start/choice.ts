// A person's choices for starting an episode, what is wrong with them, and the command they become. Pure.
import { z } from 'zod';
import { BUILT_IN } from '../../../shared/environmentKinds.ts';
import { StartEpisode } from '../../../shared/contract/areas.ts';
import { mayAsk } from '../../../shared/conditions.ts';
import { Condition, Fallback } from '../../../shared/events/lifecycle.ts';
import { ApprovalRule, CallFallback } from '../../../shared/events/stepIns.ts';
import { isRecord, parseJson } from '../../../shared/json.ts';
import { readLength } from '../../../shared/lengthOfTime.ts';
import { ruleProblem } from '../../parts/call/rules.ts';

export const StartChoice = z.strictObject({
  environment: z.string(),
  scenario: z.string(),
  /** As typed or picked; empty for none. */
  task: z.string(),
  policy: z.enum(['rehearsal', 'chat', 'human']),
  /** A model profile; empty for the agent's own model. */
  profile: z.string().default(''),
  protocol: z.enum(['native', 'xml']),
  condition: Condition,
  fallback: Fallback,
  deadlineS: z.string(),
  repeats: z.string(),
  seed: z.string(),
  turns: z.string(),
  consultations: z.string(),
  minutes: z.string(),
  stallSteps: z.string(),
  deliveredChars: z.string(),
  /** Budgets for models; each empty for none. */
  maxTokens: z.string().default(''),
  maxCost: z.string().default(''),
  reset: z.string(),
  /** Which calls wait for a person, for how long, and what happens then. */
  rules: z.array(ApprovalRule).default([]),
  /** A length of time. */
  approvalAfter: z.string().default('2 minutes'),
  approvalFallback: CallFallback.default('wait'),
  /** Which asks come before a person; each empty for no limit. */
  sharePercent: z.string().default(''),
  capacity: z.string().default(''),
  hourlyMinutes: z.string().default(''),
  /** Whether the agent states how sure it is, and who sees an unsure call first. */
  confidence: z.enum(['off', 'record', 'desk', 'advisor']).default('off'),
  confidencePercent: z.string().default('50'),
  /** What experts' seats may see of the run. */
  isBlinded: z.boolean().default(false),
  isKeyOpen: z.boolean().default(false),
  effect: z.enum(['shown', 'not_shown']).default('shown'),
  keepsSession: z.boolean().default(false),
  /** How the task is verified; `usual` as the environment or the settings say. */
  verifierMode: z.enum(['usual', 'code', 'sql']).default('usual'),
});
export type StartChoice = z.infer<typeof StartChoice>;
export type StartProblems = Partial<Record<keyof StartChoice, string>>;

export const DEFAULT_CHOICE: StartChoice = {
  environment: BUILT_IN,
  scenario: '',
  task: '',
  policy: 'rehearsal',
  profile: '',
  protocol: 'native',
  condition: 'human+draft',
  fallback: 'wait',
  deadlineS: '120',
  repeats: '1',
  seed: '0',
  turns: '',
  consultations: '',
  minutes: '',
  stallSteps: '',
  deliveredChars: '',
  maxTokens: '',
  maxCost: '',
  reset: '',
  rules: [],
  approvalAfter: '2 minutes',
  approvalFallback: 'wait',
  sharePercent: '',
  capacity: '',
  hourlyMinutes: '',
  confidence: 'off',
  confidencePercent: '50',
  isBlinded: false,
  isKeyOpen: false,
  effect: 'shown',
  keepsSession: false,
  verifierMode: 'usual',
};

export const isHuman = (condition: Condition): boolean =>
  condition === 'human' || condition === 'human+draft';

/** The conditions an episode is started in, with what each means; a brief is the command line's. */
export const CONDITIONS: readonly { value: Condition; label: string; means: string }[] = [
  {
    value: 'human+draft',
    label: 'Human with a draft',
    means: 'So unless set: the advisor drafts; you accept, edit or decline.',
  },
  { value: 'human', label: 'Human', means: 'You answer each question yourself, without drafts.' },
  { value: 'model', label: 'Model', means: 'The advisor answers at once; no one is asked.' },
  { value: 'none', label: 'No expert', means: 'The agent works alone: the baseline.' },
];

/** The fallbacks a condition has: without a draft there is none to send. */
export const fallbacksOf = (condition: Condition): Fallback[] =>
  condition === 'human+draft' ? ['wait', 'draft', 'proceed'] : ['wait', 'proceed'];

/** Options that only matter to an agent: a person who plays asks nobody, is held up by nobody and calls from a form. */
export const FOR_AGENTS = {
  condition: 'none',
  fallback: 'wait',
  protocol: 'native',
  consultations: '',
  stallSteps: '',
  maxTokens: '',
  maxCost: '',
  confidence: 'off',
  rules: [],
} satisfies Partial<StartChoice>;

const withoutAdvice = (choice: StartChoice): StartChoice =>
  choice.policy === 'human' ? { ...choice, ...FOR_AGENTS } : choice;

/** The options that are not the usual ones, in words. */
export function optionsText(chosen: StartChoice): string {
  const choice = withoutAdvice(chosen);
  const { condition, rules, confidence, repeats } = choice;
  const isAsked = isHuman(condition);
  const amount = (field: keyof typeof AMOUNTS): string => {
    const text = choice[field].trim();
    return text === DEFAULT_CHOICE[field] ? '' : AMOUNTS[field].replace('#', text);
  };
  const advice = CONDITIONS.find(({ value }) => value === condition)?.label.toLowerCase() ?? condition;
  const texts = [
    repeats.trim() === '1' ? '' : `${repeats.trim()} runs`,
    choice.policy === 'human' || condition === DEFAULT_CHOICE.condition ? '' : `advice: ${advice}`,
    isAsked && choice.fallback !== 'wait' ? `waits ${choice.deadlineS.trim()} seconds for an answer` : '',
    choice.protocol === 'xml' ? 'calls in the text' : '',
    ...(Object.keys(AMOUNTS) as (keyof typeof AMOUNTS)[])
      .filter((field) => isAsked || !Object.hasOwn(ADMISSION_AMOUNTS, field))
      .map(amount),
    confidence === 'off' ? '' : 'says how sure it is',
    rules.length === 0 ? '' : 'approvals by hand',
    choice.isBlinded ? 'experts blinded' : '',
    choice.isKeyOpen ? 'answer key open to experts' : '',
    choice.effect === 'shown' ? '' : 'drafts not tried',
    choice.keepsSession ? 'keeps its session' : '',
    choice.verifierMode === 'usual' || choice.environment === BUILT_IN ? '' : 'verified another way',
    choice.reset.trim() === '' ? '' : 'own reset arguments',
  ].filter((text) => text !== '');
  if (texts.length > 0) return texts.join(' · ');
  return choice.policy === 'human' ? 'as usual: 1 run' : 'as usual: 1 run, a person advises with a draft';
}

const ADMISSION_AMOUNTS = {
  sharePercent: '# % of questions to people',
  capacity: 'at most # waiting a seat',
  hourlyMinutes: '# minutes of people an hour',
};
/** Numbers in words; `#` is the number. */
const AMOUNTS = {
  seed: 'seed #',
  turns: 'at most # turns',
  consultations: 'at most # questions',
  minutes: 'at most # minutes',
  maxTokens: 'at most # tokens',
  maxCost: 'costs at most #',
  stallSteps: 'a reminder after # steps',
  deliveredChars: 'results cut at # characters',
  ...ADMISSION_AMOUNTS,
};

/** The faults of a choice, by field; empty when it can be started. */
export function problemsOf(chosen: StartChoice, hasAgentModel: boolean): StartProblems {
  const choice = withoutAdvice(chosen);
  const problems: StartProblems = {};
  const whole = (
    field: Exclude<keyof StartChoice, 'rules' | 'isBlinded' | 'isKeyOpen' | 'keepsSession'>,
    min: number,
    max: number,
    isOptional = false,
  ): void => {
    const text = choice[field].trim();
    if (isOptional && text === '') return;
    const value = Number(text);
    if (text === '' || !Number.isInteger(value) || value < min || value > max)
      problems[field] =
        max === Number.MAX_SAFE_INTEGER
          ? `A whole number from ${String(min)}.`
          : `A whole number from ${String(min)} to ${String(max)}.`;
  };
  if (choice.environment === '') problems.environment = 'Choose an environment.';
  if (choice.policy === 'chat' && choice.profile === '' && !hasAgentModel)
    problems.policy = 'No model is set for the agent.';
  whole('task', 0, Number.MAX_SAFE_INTEGER, true);
  if (choice.scenario !== '' && choice.task.trim() === '') problems.task = 'Choose a task.';
  if (isHuman(choice.condition) && choice.fallback !== 'wait') whole('deadlineS', 1, Number.MAX_SAFE_INTEGER);
  whole('repeats', 1, 64);
  whole('seed', 0, Number.MAX_SAFE_INTEGER);
  whole('turns', 1, 10_000, true);
  whole('consultations', 0, 1000, true);
  whole('minutes', 1, 10_000, true);
  whole('stallSteps', 1, 10_000, true);
  whole('deliveredChars', 1, 10_000_000, true);
  whole('maxTokens', 1, 1_000_000_000, true);
  if (choice.maxCost.trim() !== '' && !(Number(choice.maxCost) > 0)) problems.maxCost = 'A number above 0.';
  if (isHuman(choice.condition)) {
    whole('sharePercent', 0, 100, true);
    whole('capacity', 1, 1000, true);
    whole('hourlyMinutes', 1, 6000, true);
  }
  if (choice.confidence === 'desk' || choice.confidence === 'advisor') whole('confidencePercent', 1, 100);
  if (choice.confidence === 'advisor' && !mayAsk(choice.condition))
    problems.confidence = 'Nobody advises in this condition: choose another, or the desk.';
  const mayExpire = choice.rules.length > 0 && choice.approvalFallback !== 'wait';
  if (mayExpire && readLength(choice.approvalAfter) === null)
    problems.approvalAfter = 'A length of time, such as 50 seconds, 2 hours or 3 days.';
  const fault = choice.rules.map(ruleProblem).find((problem) => problem !== null);
  if (fault !== undefined) problems.rules = fault;
  if (resetOf(choice.reset) === null) problems.reset = 'A JSON object, such as {"verifier_mode":"code"}.';
  return problems;
}

/** The agent a choice asks for. `agentModel` is the model of its profile, where one is chosen. */
function agentChoice(choice: StartChoice, agentModel: string | null): StartEpisode['agent'] {
  const { policy, protocol, profile } = choice;
  if (policy === 'rehearsal') return { policy, protocol, model: null };
  return { policy, protocol, model: agentModel, ...(profile === '' ? {} : { profile }) };
}

/** The command a choice becomes; call only when it has no problems. */
export function inputOf(chosen: StartChoice, agentModel: string | null): StartEpisode {
  const choice = withoutAdvice(chosen);
  const hasDeadline = isHuman(choice.condition) && choice.fallback !== 'wait';
  const limits = {
    turns: optionalNumber(choice.turns),
    consultations: optionalNumber(choice.consultations),
    time_ms: choice.minutes.trim() === '' ? undefined : Number(choice.minutes) * 60_000,
    stall_steps: optionalNumber(choice.stallSteps),
    delivered_chars: optionalNumber(choice.deliveredChars),
    tokens: choice.policy === 'chat' ? optionalNumber(choice.maxTokens) : undefined,
    cost: choice.policy === 'chat' ? optionalNumber(choice.maxCost) : undefined,
  };
  const given = Object.entries(limits).filter(([, value]) => value !== undefined);
  return StartEpisode.parse({
    environment: choice.environment,
    scenario: choice.scenario.trim() === '' ? null : choice.scenario.trim(),
    task_idx: optionalNumber(choice.task) ?? null,
    agent: agentChoice(choice, agentModel),
    condition: choice.condition,
    deadline_ms: hasDeadline ? Number(choice.deadlineS) * 1000 : null,
    fallback: hasDeadline ? choice.fallback : 'wait',
    seed: Number(choice.seed),
    repeats: Number(choice.repeats),
    limits: Object.fromEntries(given),
    reset: resetOf(choice.reset) ?? {},
    ...(choice.isBlinded ? { is_blinded: true } : {}),
    ...(choice.isKeyOpen ? { is_key_open: true } : {}),
    ...(choice.effect === 'not_shown' ? { effect: choice.effect } : {}),
    ...(choice.keepsSession ? { keeps_session: true } : {}),
    ...(choice.verifierMode === 'usual' || choice.environment === BUILT_IN
      ? {}
      : { verifier_mode: choice.verifierMode }),
    ...(isHuman(choice.condition) ? admissionOf(choice) : {}),
    ...confidenceOf(choice),
    ...(choice.rules.length === 0 ? {} : { approval: approvalChoice(choice) }),
  });
}

/** Nothing at all when every ask comes before a person. */
function admissionOf(choice: StartChoice): Pick<StartEpisode, 'admission'> {
  const [percent, capacity, minutes] = [choice.sharePercent, choice.capacity, choice.hourlyMinutes].map(
    optionalNumber,
  );
  if (percent === undefined && capacity === undefined && minutes === undefined) return {};
  return {
    admission: {
      share: percent === undefined ? null : percent / 100,
      capacity: capacity ?? null,
      hourly_minutes: minutes ?? null,
    },
  };
}

/** Nothing at all where the agent is not asked how sure it is. */
function confidenceOf({ confidence, confidencePercent }: StartChoice): Pick<StartEpisode, 'confidence'> {
  if (confidence === 'off') return {};
  if (confidence === 'record') return { confidence: { below: null, to: 'desk' } };
  return { confidence: { below: Number(confidencePercent) / 100, to: confidence } };
}

const approvalChoice = ({
  rules,
  approvalFallback: fallback,
  approvalAfter,
}: StartChoice): StartEpisode['approval'] => ({
  rules,
  deadline_ms: fallback === 'wait' ? null : readLength(approvalAfter),
  fallback,
});

const optionalNumber = (text: string): number | undefined => (text.trim() === '' ? undefined : Number(text));

function resetOf(text: string): Record<string, unknown> | null {
  if (text.trim() === '') return {};
  try {
    const value: unknown = parseJson(text);
    return isRecord(value) ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

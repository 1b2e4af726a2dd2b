// Which label a tool error gets, and which reward a label gives. The labels are guesses from keywords in the error
// text: upstream guesses, and so must a faithful world.
import { RewardType } from '../../shared/wire.ts';
import { problem, type FrameProblem } from './problems.ts';
import { float, isTruthy } from './python.ts';

const GUESSES: readonly (readonly [label: string, keywords: readonly string[]])[] = [
  ['tool_not_found', ['not found', 'unknown tool', 'no tool']],
  [
    'invalid_args',
    ['invalid', 'argument', 'parameter', 'required property', 'validation error', 'missing', 'schema'],
  ],
  ['timeout', ['timeout', 'timed out']],
];

/** The label of a tool error. A 404 that says "not found" reads as an unknown tool, whatever was missing. */
export function labelOfError(error: string): string {
  const lower = error.toLowerCase();
  const guess = GUESSES.find(([, keywords]) => keywords.some((keyword) => lower.includes(keyword)));
  return guess?.[0] ?? 'server_error';
}

export type RewardConfig = Record<string, unknown>;

const DEFAULT_CONFIG: RewardConfig = {
  complete: float(1),
  incomplete: float(0.1),
  format_error: float(-1),
};

/** What a reset's `reward_config` stands for: it replaces the defaults, it does not add to them. */
export const readConfig = (given: unknown): RewardConfig =>
  isTruthy(given) ? { ...(given as RewardConfig) } : DEFAULT_CONFIG;

export function rewardForLabel(
  config: RewardConfig,
  label: string,
): { ok: true; reward: unknown } | { ok: false; problems: FrameProblem[] } {
  const isFormatError = RewardType.formatErrors.has(label);
  const key = isFormatError ? 'format_error' : label;
  if (!Object.hasOwn(config, key)) return { ok: true, reward: isFormatError ? float(-1) : float(0) };
  const value = config[key];
  if (config === DEFAULT_CONFIG) return { ok: true, reward: value };
  if (value === null || typeof value === 'number' || typeof value === 'boolean')
    return { ok: true, reward: value };
  if (typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value)))
    return { ok: true, reward: Number(value) };
  const what = typeof value === 'string' ? 'parsing' : 'type';
  const kinds = ['bool', 'int', 'float'] as const;
  return { ok: false, problems: kinds.map((kind) => problem(`${kind}_${what}`, ['reward', kind], value)) };
}

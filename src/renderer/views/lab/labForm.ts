// The numbers of the rewards as a person types them: what each is called, which are wrong, and why. Pure.
import { brokenRules, RewardSettings, weightSum } from '../../../shared/rewards/settings.ts';

/** Texts of the fields by the path of their number, such as `shaping.base.complete`. */
export type SettingsDraft = Readonly<Record<string, string>>;

export type FieldRow = { path: string; label: string; hint?: string; isShare?: true; isWhole?: true };

export const BASE_FIELDS: readonly FieldRow[] = [
  { path: 'shaping.base.complete', label: 'Complete' },
  { path: 'shaping.base.incomplete', label: 'Incomplete' },
  { path: 'shaping.base.other', label: 'Anything else' },
  { path: 'shaping.base.format_error', label: 'Format error' },
];
export const MODIFIER_FIELDS: readonly FieldRow[] = [
  { path: 'shaping.modifiers.solo', label: 'Solo' },
  { path: 'shaping.modifiers.recovery', label: 'Recovery' },
  { path: 'shaping.modifiers.blind', label: 'Blind' },
];
export const SHARE_FIELDS: readonly FieldRow[] = [
  {
    path: 'shaping.format_error_share',
    label: 'Format error above this share of bad turns',
    hint: 'Of episodes that were not completed.',
    isShare: true,
  },
];
export const WEIGHT_FIELDS: readonly FieldRow[] = [
  { path: 'rubric.weights.primary', label: 'Primary objective', isShare: true },
  { path: 'rubric.weights.process', label: 'Process quality', isShare: true },
  { path: 'rubric.weights.format', label: 'Format compliance', isShare: true },
  { path: 'rubric.weights.efficiency', label: 'Efficiency', isShare: true },
];
export const GUARD_FIELDS: readonly FieldRow[] = [
  {
    path: 'rubric.unfinished',
    label: 'Without completion, the rest counts for',
    hint: 'All components but the primary one are multiplied with this.',
    isShare: true,
  },
  { path: 'rubric.process_calls', label: 'Useful calls for full process', isWhole: true },
  { path: 'rubric.format_turns', label: 'Moves for full format', isWhole: true },
  { path: 'rubric.efficient_turns', label: 'Fully efficient up to turn', isWhole: true },
  { path: 'rubric.slow_turns', label: 'Not efficient from turn', isWhole: true },
];

const PRIMARY = 'rubric.primary.';

/** The labels the primary objective pays for, `complete` first. */
export const labelFields = (draft: SettingsDraft): FieldRow[] =>
  Object.keys(draft)
    .filter((path) => path.startsWith(PRIMARY))
    .map((path) => path.slice(PRIMARY.length))
    .toSorted((a, b) => Number(b === 'complete') - Number(a === 'complete') || (a < b ? -1 : 1))
    .map((label) => ({ path: PRIMARY + label, label: label.replaceAll('_', ' '), isShare: true }));

/** A label more that the primary objective pays for, at 0 until it is changed. */
export const withRewardLabel = (draft: SettingsDraft, label: string): SettingsDraft => {
  const path = PRIMARY + label.trim();
  return label.trim() === '' || path in draft ? draft : { ...draft, [path]: '0' };
};

export const settingsDraft = (settings: RewardSettings): SettingsDraft => flat(settings, '');

function flat(value: object, before: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]: [string, unknown]) =>
      typeof inner === 'object' && inner !== null
        ? Object.entries(flat(inner, `${before}${key}.`))
        : [[before + key, String(inner)]],
    ),
  );
}

export type CheckedDraft = {
  /** Null while something is wrong. */
  settings: RewardSettings | null;
  /** What is wrong, by path; empty where a rule told at another field is about this one too. */
  errors: Readonly<Record<string, string>>;
  /** Of what the weights are now, wrong or not. */
  sum: number;
};

export function judge(draft: SettingsDraft): CheckedDraft {
  const errors: Record<string, string> = {};
  const raw: Record<string, Record<string, unknown>> = { shaping: {}, rubric: {} };
  for (const [path, text] of Object.entries(draft)) {
    const value = text.trim() === '' ? Number.NaN : Number(text);
    if (!Number.isFinite(value)) errors[path] = 'A number is needed.';
    put(raw, path, Number.isFinite(value) ? value : 0);
  }
  const parsed = RewardSettings.safeParse(raw);
  for (const { path, message } of parsed.error?.issues ?? [])
    errors[path.map(String).join('.')] ??= `${message}.`;
  const sum = sumOf(draft);
  if (!parsed.success || Object.keys(errors).length > 0) return { settings: null, errors, sum };
  for (const { at, message } of brokenRules(parsed.data)) {
    for (const [index, path] of at.entries()) errors[path] ??= index === 0 ? sentence(message) : '';
  }
  const isBroken = Object.keys(errors).length > 0;
  return { settings: isBroken ? null : parsed.data, errors, sum: weightSum(parsed.data.rubric) };
}

const sumOf = (draft: SettingsDraft): number =>
  WEIGHT_FIELDS.reduce((sum, { path }) => sum + (Number(draft[path]) || 0), 0);

const sentence = (words: string): string => `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;

/** A label may hold dots: only the first two steps of a path lead somewhere. */
function put(raw: Record<string, Record<string, unknown>>, path: string, value: number): void {
  const [part = '', name = '', ...rest] = path.split('.');
  const home = raw[part];
  if (home === undefined) return;
  if (rest.length === 0) home[name] = value;
  else home[name] = { ...(home[name] as object | undefined), [rest.join('.')]: value };
}

/** What a completed task is worth in each pattern by the numbers typed; null where one is none. */
export function totalOf(draft: SettingsDraft, path: string): number | null {
  const total = Number(draft['shaping.base.complete'] || Number.NaN) + Number(draft[path] || Number.NaN);
  return Number.isFinite(total) ? total : null;
}

/** Whether two sets of numbers are the same, however they are written. */
export const isSameSettings = (a: RewardSettings, b: RewardSettings): boolean => {
  const [one, other] = [settingsDraft(a), settingsDraft(b)];
  const paths = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...paths].every((path) => one[path] === other[path]);
};

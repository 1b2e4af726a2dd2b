// The reward settings as a person types them: every field, which numbers are wrong, and why. Pure.
import { brokenRules, RewardSettings, type ComponentName } from '../../../shared/rewards/settings.ts';

const COMPONENT_LABELS: Readonly<Record<ComponentName, string>> = {
  primary: 'Primary objective',
  process: 'Process quality',
  format: 'Format compliance',
  efficiency: 'Efficiency',
};

/** A number without the digits that rounding adds. */
export const plainNumber = (value: number): string => String(Number(value.toFixed(3)));

/** Texts of the fields by the path of their number, such as `shaping.base.complete`. */
export type SettingsDraft = Readonly<Record<string, string>>;

export type NumberField = {
  path: string;
  label: string;
  /** The label amid others on one line. */
  short?: string;
  hint?: string;
  kind?: 'share' | 'whole';
};
export type FieldGroup = { title: string; extra?: 'sum' | 'add_label'; fields: readonly NumberField[] };
type FieldSection = { title: string; lead: string; groups: readonly FieldGroup[] };

const fieldsAt = (
  at: string,
  labels: Readonly<Record<string, string>>,
  kind?: 'share' | 'whole',
): NumberField[] =>
  Object.entries(labels).map(([name, label]) => ({
    path: `${at}.${name}`,
    label,
    ...(kind === undefined ? {} : { kind }),
  }));

const BASE_FIELDS = fieldsAt('shaping.base', {
  complete: 'Complete',
  incomplete: 'Incomplete',
  other: 'Anything else',
  format_error: 'Format error',
});
const MODIFIER_FIELDS = fieldsAt('shaping.modifiers', { solo: 'Solo', recovery: 'Recovery', blind: 'Blind' });
const FORMAT_ERROR_FIELD: NumberField = {
  path: 'shaping.format_error_share',
  label: 'Format error above this share of bad turns',
  short: 'above',
  hint: 'Of episodes that were not completed.',
  kind: 'share',
};
const WEIGHTS = 'rubric.weights';
const PRIMARY = 'rubric.primary.';
const GUARD_NAMES = ['calls', 'moves', 'efficient to turn', 'slow from turn'];
const GUARD_FIELDS: readonly NumberField[] = [
  {
    path: 'rubric.unfinished',
    label: 'Without completion, the rest counts for',
    short: 'without completion ×',
    hint: 'All components but the primary one are multiplied with this.',
    kind: 'share',
  },
  ...fieldsAt(
    'rubric',
    {
      process_calls: 'Useful calls for full process',
      format_turns: 'Moves for full format',
      efficient_turns: 'Fully efficient up to turn',
      slow_turns: 'Not efficient from turn',
    },
    'whole',
  ).map((field, at) => ({ ...field, short: GUARD_NAMES[at] ?? field.label })),
];

/** All fields of the form, in the order they are shown. */
export const fieldSections = (draft: SettingsDraft): readonly FieldSection[] => [
  {
    title: 'Graduated reward',
    lead: 'Based on the verdict and how the agent was helped.',
    groups: [
      { title: 'By the verifier’s label', fields: BASE_FIELDS },
      {
        title: 'Added on completion',
        fields: MODIFIER_FIELDS.map((field) => ({ ...field, hint: totalHint(draft, field.path) })),
      },
      { title: 'Share of format errors', fields: [FORMAT_ERROR_FIELD] },
    ],
  },
  {
    title: 'Rubric',
    lead: 'Independent components in [0, 1], weighed.',
    groups: [
      { title: 'Weights', extra: 'sum', fields: fieldsAt(WEIGHTS, COMPONENT_LABELS, 'share') },
      { title: 'Primary objective', extra: 'add_label', fields: primaryFields(draft) },
      { title: 'Guards', fields: GUARD_FIELDS },
    ],
  },
];

/** The numbers of a group on one line: `complete 1 · incomplete 0.1`. */
export const groupSummary = ({ fields }: FieldGroup, draft: SettingsDraft): string =>
  fields
    .map(({ path, label, short }) => `${short ?? label.toLowerCase()} ${draft[path]?.trim() || '?'}`)
    .map((text) => text.replace(' -', ' −').replace('× ', '×'))
    .join(' · ');

/** The labels the primary objective pays for, `complete` first. */
function primaryFields(draft: SettingsDraft): NumberField[] {
  const labels = Object.keys(draft).flatMap((path) =>
    path.startsWith(PRIMARY) ? path.slice(PRIMARY.length) : [],
  );
  const others = labels.filter((label) => label !== 'complete').toSorted();
  return ['complete', ...others].map((label) => ({
    path: PRIMARY + label,
    label: label.replaceAll('_', ' '),
    kind: 'share',
  }));
}

/** A label more that the primary objective pays for, at 0 until it is changed. */
export const withRewardLabel = (draft: SettingsDraft, label: string): SettingsDraft => {
  const path = PRIMARY + label.trim();
  return path === PRIMARY || path in draft ? draft : { ...draft, [path]: '0' };
};

const numberIn = (draft: SettingsDraft, path: string): number => {
  const text = draft[path]?.trim() ?? '';
  return text === '' ? Number.NaN : Number(text);
};

/** What a completed task is worth in all, by the numbers typed. */
const totalHint = (draft: SettingsDraft, path: string): string => {
  const total = numberIn(draft, 'shaping.base.complete') + numberIn(draft, path);
  return Number.isFinite(total) ? `${plainNumber(total)} in all` : '';
};

export const settingsDraft = (settings: RewardSettings): SettingsDraft => flat(settings, '');

const flat = (value: object, before: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]: [string, unknown]) =>
      typeof inner === 'object' && inner !== null
        ? Object.entries(flat(inner, `${before}${key}.`))
        : [[before + key, String(inner)]],
    ),
  );

type CheckedDraft = {
  /** Null while something is wrong. */
  settings: RewardSettings | null;
  /** What is wrong, by path; empty where a rule told at another field is about this one too. */
  errors: Readonly<Record<string, string>>;
  /** Of the weights as they are typed, wrong or not. */
  sum: number;
};

export function checkDraft(draft: SettingsDraft): CheckedDraft {
  const errors: Record<string, string> = {};
  const raw: Record<string, Record<string, unknown>> = { shaping: {}, rubric: {} };
  for (const path of Object.keys(draft)) {
    const value = numberIn(draft, path);
    if (!Number.isFinite(value)) errors[path] = 'A number is needed.';
    // A label may hold dots: only the first two steps of a path lead somewhere.
    const [part = '', name = '', ...rest] = path.split('.');
    const inner = rest.length === 0 ? value : { ...(raw[part]?.[name] as object), [rest.join('.')]: value };
    raw[part] = { ...raw[part], [name]: inner };
  }
  const parsed = RewardSettings.safeParse(raw);
  for (const { path, message } of parsed.error?.issues ?? []) errors[path.join('.')] ??= `${message}.`;
  for (const { at, message } of parsed.success ? brokenRules(parsed.data) : []) {
    for (const [index, path] of at.entries()) errors[path] ??= index === 0 ? sentence(message) : '';
  }
  const weights = Object.keys(draft).filter((path) => path.startsWith(WEIGHTS));
  return {
    settings: parsed.success && Object.keys(errors).length === 0 ? parsed.data : null,
    errors,
    sum: weights.reduce((sum, path) => sum + (numberIn(draft, path) || 0), 0),
  };
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

/** Whether two sets of numbers are the same, however they are written. */
export const isSameSettings = (a: RewardSettings, b: RewardSettings): boolean => {
  const [one, other] = [settingsDraft(a), settingsDraft(b)];
  return Object.keys({ ...one, ...other }).every((path) => one[path] === other[path]);
};

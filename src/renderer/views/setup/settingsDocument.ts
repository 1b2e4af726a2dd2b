// The settings that have no field of their own, as one JSON text, and the changes that an edited text asks for. Pure.
import { z } from 'zod';
import { canonical } from '../../../shared/canonical.ts';
import { DefaultBudgets } from '../../../shared/contract/budgets.ts';
import type { Inputs, Outputs } from '../../../shared/contract/contract.ts';
import { GATEWAY_DEFAULTS, GatewaySettings } from '../../../shared/contract/gateway.ts';
import { NamedPrice } from '../../../shared/contract/models.ts';
import { AwmPatch } from '../../../shared/contract/settings.ts';
import { DEFAULT_PROFILE, ProfileName } from '../../../shared/events/library.ts';
import { EMPTY_ROSTER, Roster } from '../../../shared/experts/roster.ts';
import { isRecord, parseJson } from '../../../shared/json.ts';
import { RewardSettings } from '../../../shared/rewards/settings.ts';

type Settings = Outputs['settings.read'];
type Patch = Inputs['settings.change'];

const { routes, seat_first_s } = Roster.shape;
const SettingsDocument = z.strictObject({
  gateway: GatewaySettings,
  budgets: DefaultBudgets,
  prices: z.array(NamedPrice),
  roster: z.strictObject({ routes, seat_first_s }),
  awm: AwmPatch,
  reward_profiles: z.array(z.strictObject({ name: ProfileName, settings: RewardSettings })),
});
type SettingsDocument = z.infer<typeof SettingsDocument>;

const NO_BUDGET = { turns: null, minutes: null, tokens: null, cost: null };
const DEFAULTS: SettingsDocument = {
  gateway: GATEWAY_DEFAULTS,
  budgets: { per_episode: NO_BUDGET, per_run: NO_BUDGET },
  prices: [],
  roster: { routes: EMPTY_ROSTER.routes, seat_first_s: EMPTY_ROSTER.seat_first_s },
  awm: { data_folder: null, verifier_mode: 'code', judge_base_url: null, judge_model: null },
  reward_profiles: [],
};

/** Fills in defaults, as deep as names go. */
const withDefaults = (value: unknown, defaults: unknown): unknown =>
  isRecord(value) && isRecord(defaults)
    ? {
        ...value,
        ...Object.fromEntries(
          Object.entries(defaults).map(([name, usual]: [string, unknown]) => [
            name,
            Object.hasOwn(value, name) ? withDefaults(value[name], usual) : usual,
          ]),
        ),
      }
    : value;

/** As it is in force, but for what flags and variables say of the Agent World Model. */
function inForce({ gateway, budgets, prices, roster, awm, reward_profiles }: Settings): SettingsDocument {
  const { judge } = awm;
  return {
    gateway,
    budgets,
    prices,
    roster: { routes: roster.routes, seat_first_s: roster.seat_first_s },
    awm: {
      data_folder: awm.data_setting,
      verifier_mode: awm.verifier_mode,
      judge_base_url: judge.is_overridden ? null : judge.base_url,
      judge_model: judge.is_overridden ? null : judge.model,
    },
    reward_profiles: reward_profiles.map(({ name, settings }) => ({ name, settings })),
  };
}

export const documentOf = (settings: Settings): string => JSON.stringify(inForce(settings), null, 2);

type Edits = {
  /** In the order they are made; none while something is wrong, or nothing is changed. */
  patches: Patch[];
  /** What is wrong with the text, and where. */
  problem: string | null;
};

/** Changes to the settings in an edited text. */
export function patchesOf(settings: Settings, text: string): Edits {
  const before = inForce(settings);
  const read = parse(text);
  if (typeof read === 'string') return { patches: [], problem: read };
  const [gateway, awm] = [changedFields(before.gateway, read.gateway), changedFields(before.awm, read.awm)];
  const isChanged = (part: 'budgets' | 'roster'): boolean => !isSame(read[part], before[part]);
  const patches: Patch[] = [
    ...(gateway === null ? [] : [{ gateway }]),
    ...(isChanged('budgets') ? [{ budgets: read.budgets }] : []),
    ...listEdits(before.prices, read.prices).map((prices) => ({ prices })),
    ...(isChanged('roster') ? [{ roster: { ...settings.roster, ...read.roster } }] : []),
    ...(awm === null ? [] : [{ awm }]),
    ...listEdits(before.reward_profiles, read.reward_profiles)
      // The default is there whether it stands in the text or not.
      .filter((edit) => !('remove' in edit && edit.remove === DEFAULT_PROFILE))
      .map((edit) => ({ reward_profiles: edit })),
  ];
  return { patches, problem: null };
}

/** The document, or what is wrong with the text. */
function parse(text: string): SettingsDocument | string {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    return 'This is no JSON: look for a missing comma, quote or bracket.';
  }
  const { data, error } = SettingsDocument.safeParse(withDefaults(value, DEFAULTS));
  const [issue] = error?.issues ?? [];
  if (issue !== undefined) return `${issue.path.join('.') || 'The document'}: ${issue.message}.`;
  return data ?? '';
}

const isSame = (one: unknown, other: unknown): boolean => canonical(one) === canonical(other);

/** Only these: what a flag says of the others is not written into the settings. Null where all are as they were. */
function changedFields<Fields extends object>(before: Fields, after: Fields): Partial<Fields> | null {
  const changed = Object.entries(after).filter(
    ([name, value]) => !isSame(value, before[name as keyof Fields] ?? null),
  );
  return changed.length === 0 ? null : (Object.fromEntries(changed) as Partial<Fields>);
}

/** Of a list by names: what is gone is removed, what is new or changed is saved. */
function listEdits<Item extends { name: string }>(
  before: readonly Item[],
  after: readonly Item[],
): ({ remove: string } | { save: Item })[] {
  return [
    ...before
      .filter(({ name }) => !after.some((one) => one.name === name))
      .map(({ name }) => ({ remove: name })),
    ...after.filter((one) => !before.some((other) => isSame(one, other))).map((save) => ({ save })),
  ];
}

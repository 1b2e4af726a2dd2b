// Whether calls of an episode may be tried on a throw-away session: by the console itself, only when a person asks, or not
// at all.
import type { Caller, Outputs } from '../../shared/contract/contract.ts';
import { roleOf } from '../../shared/contract/roles.ts';
import { kindOf } from '../../shared/environmentKinds.ts';
import { notRunHere } from '../../shared/episode/branch.ts';
import type { EpisodeRecord } from '../../shared/episode/record.ts';
import { Failure } from '../../shared/failure.ts';
import type { SettingsStore } from '../settings/settings.ts';

export type Effect = Outputs['preview.describe'];

export function effectOf(
  { started, ended, reset }: EpisodeRecord,
  caller: Caller,
  settings: Pick<SettingsStore, 'environmentSettings'>,
): Effect {
  if (started === null || reset === null) return off('the episode was not reset');
  if (started.bench !== undefined) return off('calls are not tried out in a bench');
  // The owner answers at the desk as experts do; afterwards nothing is left to decide.
  if (started.effect === 'not_shown' && (roleOf(caller) === 'expert' || ended === null))
    return off('in this run nobody is shown what calls return before they are made');
  if (notRunHere(started.source) !== null)
    return off('the environment that this episode ran in is not known here');
  if (kindOf(started.environment).isPartOfProduct) return { mode: 'by_itself', why: null };
  const { tries_drafts: isAllowed, isolated } = settings.environmentSettings(started.environment.id);
  return { mode: isAllowed === true && isolated !== null ? 'by_itself' : 'on_request', why: null };
}

const off = (why: string): Effect => ({ mode: 'off', why });

/** Throws `bad_input` for a try that this episode does not allow. */
export function checkEffect({ mode, why }: Effect, isAutomatic: boolean): void {
  if (mode === 'off')
    throw new Failure('bad_input', why ?? 'calls are not tried here', {
      next: 'Answer from what is on screen: whoever is asked gets the same help.',
    });
  if (mode === 'on_request' && isAutomatic)
    throw new Failure('bad_input', 'calls of this environment are tried when a person asks for it', {
      next: 'An audit has to show that two sessions are kept apart, and the environment’s settings have to allow it.',
    });
}

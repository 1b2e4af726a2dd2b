// What of an owner's steering goes to the log.
import { ZodError } from 'zod';
import { newestStep, type CurriculumHistory } from '../../shared/curriculum/history.ts';
import type { RunKey } from '../../shared/curriculum/rollout.ts';
import { changedSettings } from '../../shared/curriculum/settings.ts';
import type { CurriculumSteering } from '../../shared/curriculum/steering.ts';
import type { LogEvent } from '../../shared/events/vocabulary.ts';
import { Failure } from '../../shared/failure.ts';
import { issueText } from '../../shared/issueText.ts';

/** As the owner asks for it, with the key's name beside its id. */
export type Steering = Exclude<CurriculumSteering, { what: 'key' }> | { what: 'key'; key: RunKey };

/** Throws `bad_input` for settings that make no sense, `not_found` where nothing was decided at this step or later. */
export function steeringEvent(run: string, history: CurriculumHistory, steering: Steering): LogEvent {
  switch (steering.what) {
    case 'key':
      return { kind: 'curriculum.assigned', run, key: steering.key };
    case 'set_back':
      if (newestStep(history) >= Math.max(1, steering.step))
        return { kind: 'curriculum.set_back', run, step: steering.step };
      throw new Failure(
        'not_found',
        `nothing was decided of ${run} at step ${String(steering.step)} or later`,
        {
          next: 'The Training view lists the steps that were decided.',
        },
      );
    case 'settings':
      return { kind: 'curriculum.configured', run, settings: settingsAfter(history, steering.settings) };
  }
}

function settingsAfter(
  { settings }: CurriculumHistory,
  change: Extract<Steering, { what: 'settings' }>['settings'],
): CurriculumHistory['settings'] {
  try {
    return changedSettings(settings, change);
  } catch (thrown) {
    if (!(thrown instanceof ZodError)) throw thrown;
    throw new Failure('bad_input', thrown.issues.map(issueText).slice(0, 5).join('; '), {
      cause: thrown,
      next: 'Nothing was changed. docs/curriculum.md shows every setting.',
    });
  }
}

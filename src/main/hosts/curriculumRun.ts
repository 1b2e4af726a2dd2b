// `interject curriculum --run`: the decisions of a run taken again from what the log recorded, with its own settings or
// others.
import { readFileSync } from 'node:fs';
import { ZodError } from 'zod';
import { repeatDecisions, standingOf, type RepeatedDecision } from '../../shared/curriculum/history.ts';
import {
  changedSettings,
  CURRICULUM_DEFAULTS,
  SettingsChange,
  type CurriculumSettings,
} from '../../shared/curriculum/settings.ts';
import { changeText, taskLabel } from '../../shared/curriculum/words.ts';
import { curriculumStream } from '../../shared/events/curriculum.ts';
import { Failure } from '../../shared/failure.ts';
import { issueText } from '../../shared/issueText.ts';
import type { CommandOutput } from './output.ts';
import { fromCaller } from './paths.ts';
import { withCommandLog } from './commandLog.ts';

/** Resolves with 0, and with 1 where the run's own settings do not give its decisions again. */
export async function repeatRun(
  run: string,
  { settings: file, data }: { settings?: string; data?: string },
  output: CommandOutput,
): Promise<number> {
  const settings = file === undefined ? null : settingsIn(file);
  const events = await withCommandLog({ data, output, isReading: true }, ({ log }) =>
    standingOf(log.read(curriculumStream(run))).map(({ event }) => event),
  );
  const decisions = repeatDecisions(events, settings);
  if (decisions.length === 0) {
    throw new Failure('not_found', `there is no decision of a run ${run}`, {
      next: 'A trainer’s POST /curriculum/next makes one a step: docs/curriculum.md.',
    });
  }
  for (const { repeated, inputs, isSame } of decisions) {
    output.line({ type: 'decision', is_same: isSame, plan: repeated, inputs });
    for (const change of repeated.changes)
      output.say(`Before step ${String(repeated.step)}: ${changeText(change)}`);
    for (const { reason, signal, rate, from, phase } of repeated.signals) {
      if (reason !== 'changes') continue;
      output.say(`Before step ${String(repeated.step)}: ${from} to ${phase} (${signal} ${String(rate)})`);
    }
  }
  return summed(run, decisions, settings, output);
}

function summed(
  run: string,
  decisions: readonly RepeatedDecision[],
  settings: CurriculumSettings | null,
  output: CommandOutput,
): number {
  const others = decisions.filter(({ isSame }) => !isSame).map(({ repeated }) => repeated.step);
  const gone = decisions.at(-1)?.repeated.tasks.filter(({ has_expert }) => !has_expert) ?? [];
  output.line({
    type: 'curriculum',
    run,
    decisions: decisions.length,
    other_settings: settings !== null,
    differs_at: others,
    withdrawn: gone.map(taskLabel),
  });
  const count = `${String(decisions.length)} ${decisions.length === 1 ? 'decision' : 'decisions'}`;
  if (settings === null && others.length === 0) output.say(`${count}, each the same again from its inputs.`);
  else if (settings === null) output.say(`${count}; not the same again before steps ${others.join(', ')}.`);
  else {
    output.say(
      `${count}, ${String(others.length)} otherwise with these settings. The rollouts are those that the run's own settings gave.`,
    );
  }
  return settings === null && others.length > 0 ? 1 : 0;
}

function settingsIn(path: string): CurriculumSettings {
  let text: string;
  try {
    text = readFileSync(fromCaller(path), 'utf8');
  } catch (cause) {
    throw new Failure('bad_input', `cannot read ${path}`, { cause, next: 'Check the path.' });
  }
  try {
    const change = SettingsChange.parse(JSON.parse(text));
    return changedSettings(CURRICULUM_DEFAULTS, change);
  } catch (cause) {
    const why =
      cause instanceof ZodError ? cause.issues.map(issueText).join('; ') : 'it cannot be read as JSON';
    throw new Failure('bad_input', `${path} holds no settings of a curriculum: ${why}`, {
      cause,
      next: 'The settings stand in docs/curriculum.md.',
    });
  }
}

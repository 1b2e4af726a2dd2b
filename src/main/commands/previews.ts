// The commands that try calls on a throw-away session. What a try changed in the world stays here until a person asks for
// it: seeing it is recorded, making it is not.
import { canonical } from '../../shared/canonical.ts';
import type { Caller, Handlers, Inputs, Outputs } from '../../shared/contract/contract.ts';
import type { TableChange } from '../../shared/events/world.ts';
import type { EpisodeRecord } from '../../shared/episode/record.ts';
import { seatActor, SYSTEM } from '../../shared/events/actor.ts';
import { KINDS } from '../../shared/events/vocabulary.ts';
import { Failure } from '../../shared/failure.ts';
import { isToolError } from '../../shared/wire.ts';
import type { PreviewRun, RunPreview } from '../episode/preview.ts';
import { createSharedTries, type SharedTries } from '../episode/sharedTries.ts';
import type { EventLog } from '../log/eventLog.ts';
import type { SettingsStore } from '../settings/settings.ts';
import type { StateRecord } from '../state/recordsOfCalls.ts';
import type { Requests } from './console.ts';
import { veilFor } from './veil.ts';
import { roleOf } from '../../shared/contract/roles.ts';
import { kindOf } from '../../shared/environmentKinds.ts';
import { notRunHere } from '../../shared/episode/branch.ts';

type PreviewDependencies = {
  log: EventLog;
  preview: RunPreview;
  newId: () => string;
  requests: Requests;
  settings: Pick<SettingsStore, 'environmentSettings'>;
};
type PreviewHandlers = Pick<Handlers, 'preview.describe' | 'preview.run' | 'preview.changes'>;

/** A preview that takes longer than this is given up. */
const PREVIEW_MS = 120_000;
/** Tries that are made at once, so that live episodes keep their turn. */
const AT_ONCE = 2;
const TRIES_KEPT = 64;

/** A try under the name by which its changes are asked for. */
type NamedTry = PreviewRun & { name: string };

export function previewCommands(parts: PreviewDependencies): PreviewHandlers {
  const { log, settings } = parts;
  const shared = createSharedTries<NamedTry>({ atOnce: AT_ONCE, kept: TRIES_KEPT });
  const tried = createTried();
  log.subscribe(({ stream, event }) => {
    if (KINDS[event.kind].settles !== null || event.kind === 'episode.ended') shared.endGroup(stream);
  });
  return {
    'preview.describe': async ({ episode }, caller) => effectOf(log.record(episode), caller, settings),
    'preview.run': async (input, caller) => {
      const { seat } = caller;
      const { episode, id = parts.newId() } = input;
      return parts.requests.run(seat, id, async (giveUp) => {
        try {
          const tries = await runPreview(parts, shared, input, caller, giveUp);
          const { name, changes, records, ...result } = tries;
          const veil = veilFor(log, caller);
          const isKept = changes !== null && !veil.isCovered(episode);
          if (isKept) tried.keep(seat, name, { episode, changes, records });
          return veil.tried(episode, { ...result, preview: isKept ? name : null });
        } catch (thrown) {
          if (!giveUp.aborted) throw thrown;
          throw new Failure('closed', 'the try was given up', { cause: thrown });
        }
      });
    },
    'preview.changes': async ({ preview }, { seat }) => tried.read(seat, preview),
  };
}

type PreviewChanges = { episode: string; changes: TableChange[]; records: StateRecord[] };
/** As many tries are kept for a person to look into. */
const TRIED_MAX = 100;

/** Keeps what tries changed, by the seat that made them, until it is asked for, because seeing it is recorded. */
function createTried() {
  const kept = new Map<string, PreviewChanges>();
  return {
    keep: (seat: string, preview: string, difference: PreviewChanges): void => {
      kept.delete(`${seat} ${preview}`);
      kept.set(`${seat} ${preview}`, difference);
      for (const oldest of kept.keys()) {
        if (kept.size <= TRIED_MAX) break;
        kept.delete(oldest);
      }
    },
    read: (seat: string, preview: string): PreviewChanges => {
      const found = kept.get(`${seat} ${preview}`);
      if (found !== undefined) return found;
      throw new Failure('not_found', 'what this try changed is no longer kept', { next: 'Try it again.' });
    },
  };
}

async function runPreview(
  parts: PreviewDependencies,
  shared: SharedTries<NamedTry>,
  input: Inputs['preview.run'],
  caller: Caller,
  giveUp: AbortSignal,
): Promise<NamedTry> {
  const { log, preview, newId, settings } = parts;
  const { episode, turn, calls, with_verdict: withVerdict, automatic: isAutomatic = false } = input;
  const record = log.record(episode);
  if (record.reset === null) throw new Failure('not_found', `there is no episode ${episode} that was reset`);
  const effect = effectOf(record, caller, settings);
  checkEffect(effect, isAutomatic);
  if (isAutomatic && withVerdict)
    throw new Failure('bad_input', 'the verdict of a try is shown only to who asks for it');
  const make = async (stop: AbortSignal): Promise<NamedTry> => {
    const signal = AbortSignal.any([stop, AbortSignal.timeout(PREVIEW_MS)]);
    const mayGuess = effect.mode === 'by_itself';
    const result = await preview({ episode, afterTurn: turn, calls, withVerdict, mayGuess, signal });
    return { ...result, name: newId() };
  };
  const key = tryKey(record, input);
  if (input.again === true) shared.forget(key);
  const request = { key, group: episode, isAskedFor: !isAutomatic, signal: giveUp, make };
  // The verdict is of one session, and shown to one seat.
  const result = withVerdict ? await make(giveUp) : await shared.ask(request);
  noteShown(log, input, caller, result);
  return result;
}

/** The state by the calls that made it, and what is tried in it. */
function tryKey({ id, turns }: EpisodeRecord, { turn, calls }: Inputs['preview.run']): string {
  const made = turns.filter(
    ({ turn: at, call }) => at <= turn && call !== null && call.sent !== null && call.returned !== null,
  );
  return canonical([id, turn, made.length, calls]);
}

/** As much of each result as the log keeps of it. */
const SHOWN_TEXT_MAX = 2_000;

/** A try that a person asked for is an act of theirs; one that was shown without asking is noted once for each seat. */
function noteShown(
  log: EventLog,
  { episode, call, calls, with_verdict: withVerdict, automatic: isAutomatic = false }: Inputs['preview.run'],
  { seat }: Caller,
  { name, replayed, drift, results, verdict }: NamedTry,
): void {
  const { ended, previews } = log.record(episode);
  if (ended !== null) return;
  const isNoted = previews.some(
    (one) =>
      one.shown_to === seat &&
      one.call === call &&
      one.replayed === replayed &&
      canonical(one.calls) === canonical(calls),
  );
  if (isAutomatic && isNoted) return;
  log.append(episode, isAutomatic ? SYSTEM : seatActor(seat), {
    kind: 'preview.ran',
    preview: name,
    call,
    calls,
    replayed,
    drift,
    verdict,
    privilege: withVerdict ? ['verdict'] : [],
    results: results.map(({ error, text, reward_type: label }) => ({
      is_error: isToolError(error, label),
      text: (error ?? text)?.slice(0, SHOWN_TEXT_MAX) ?? null,
    })),
    ...(isAutomatic ? { shown_to: seat } : {}),
  });
}

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
function checkEffect({ mode, why }: Effect, isAutomatic: boolean): void {
  if (mode === 'off')
    throw new Failure('bad_input', why ?? 'calls are not tried here', {
      next: 'Answer from what is on screen: whoever is asked gets the same help.',
    });
  if (mode === 'on_request' && isAutomatic)
    throw new Failure('bad_input', 'calls of this environment are tried when a person asks for it', {
      next: 'An audit has to show that two sessions are kept apart, and the environment’s settings have to allow it.',
    });
}

// The commands that try calls on a throw-away session. What a try changed in the world stays here until a person asks for
// it: seeing it is recorded, making it is not.
import type { Handlers, Inputs } from '../../shared/contract/contract.ts';
import type { TableChange } from '../../shared/contract/state.ts';
import { type Actor, seatActor } from '../../shared/events/actor.ts';
import { Failure } from '../../shared/failure.ts';
import type { RunPreview } from '../episode/preview.ts';
import type { EventLog } from '../log/eventLog.ts';
import { veilFor } from './veil.ts';

type PreviewDependencies = { log: EventLog; preview: RunPreview; newId: () => string };
type PreviewHandlers = Pick<Handlers, 'preview.run' | 'preview.changes' | 'preview.cancel'>;

/** A preview that takes longer than this is given up. */
const PREVIEW_MS = 120_000;

export function previewCommands(parts: PreviewDependencies): PreviewHandlers {
  const { log } = parts;
  const tries = new Map<string, AbortController>();
  const tried = createTried();
  return {
    'preview.run': async (input, caller) => {
      const { seat } = caller;
      const key = `${seat} ${input.try ?? parts.newId()}`;
      const giveUp = new AbortController();
      tries.set(key, giveUp);
      try {
        const { name, changes, ...result } = await runPreview(parts, input, seatActor(seat), giveUp.signal);
        if (changes !== null) tried.keep(seat, name, { episode: input.episode, changes });
        return veilFor(log, caller).tried(input.episode, {
          ...result,
          preview: changes === null ? null : name,
        });
      } catch (thrown) {
        if (!giveUp.signal.aborted) throw thrown;
        throw new Failure('closed', 'the try was given up', { cause: thrown });
      } finally {
        tries.delete(key);
      }
    },
    'preview.changes': async ({ preview }, { seat }) => tried.read(seat, preview),
    'preview.cancel': async (input, { seat }) => {
      tries.get(`${seat} ${input.try}`)?.abort();
      return {};
    },
  };
}

type PreviewChanges = { episode: string; changes: TableChange[] };
/** As many tries are kept for a person to look into. */
const TRIED_MAX = 100;

/** What tries changed, by the seat that made them: kept here until it is asked for, because seeing it is recorded. */
function createTried() {
  const kept = new Map<string, PreviewChanges>();
  return {
    keep: (seat: string, preview: string, difference: PreviewChanges): void => {
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
  { log, preview, newId }: PreviewDependencies,
  input: Inputs['preview.run'],
  actor: Actor,
  giveUp: AbortSignal,
) {
  const { episode, turn, call, calls, with_verdict } = input;
  const record = log.record(episode);
  if (record.started?.bench !== undefined)
    throw new Failure('bad_input', 'calls are not tried out in a bench', {
      next: 'Answer from what is on screen: every arm gets the same help.',
    });
  if (record.reset === null) throw new Failure('not_found', `there is no episode ${episode} that was reset`);
  const result = await preview({
    episode,
    afterTurn: turn,
    calls,
    withVerdict: with_verdict,
    signal: AbortSignal.any([giveUp, AbortSignal.timeout(PREVIEW_MS)]),
  });
  const name = newId();
  if (log.record(record.id).ended === null) {
    log.append(episode, actor, {
      kind: 'preview.ran',
      preview: name,
      call,
      calls,
      replayed: result.replayed,
      drift: result.drift,
      verdict: result.verdict,
      privilege: with_verdict ? ['verdict'] : [],
    });
  }
  return { ...result, name };
}

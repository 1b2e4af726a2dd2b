// Calls that are made again on a person's word: started, watched, stopped; what came of it is kept in a stream beside
// the episode (`again/<episode>`), never in the episode's own.
import { DRIFT_RULES } from '../../shared/drift.ts';
import type { Handlers } from '../../shared/contract/contract.ts';
import type { Repeat } from '../../shared/contract/library.ts';
import { seatActor } from '../../shared/events/actor.ts';
import type { AgainStep } from '../../shared/events/library.ts';
import type { EnvironmentSpec } from '../../shared/events/lifecycle.ts';
import type { Recorded } from '../../shared/events/vocabulary.ts';
import { checkSecrets } from '../../shared/episode/lostSecrets.ts';
import type { EpisodeRecord } from '../../shared/episode/record.ts';
import { Failure } from '../../shared/failure.ts';
import type { OpenSession } from '../environments/port.ts';
import { callsToRepeat, repeatCalls } from '../episode/repeat.ts';
import type { EventLog } from '../log/eventLog.ts';

type RepeatsDependencies = {
  log: EventLog;
  environment: (id: string) => EnvironmentSpec;
  openSession: OpenSession;
  clock: () => number;
  newId: () => string;
  report: (thrown: unknown) => void;
};
type RunningRepeat = { repeat: Repeat; stop: AbortController; ended: Promise<void> };

type Repeats = {
  handlers: Pick<Handlers, 'repeat.start' | 'repeat.stop' | 'repeat.list'>;
  /** Stops what runs and waits until it is in the log. */
  close(): Promise<void>;
};

/** Calls of so many episodes are made again at once; each holds a session of an environment. */
const RUNNING_MAX = 4;

const againStream = (episode: string): string => `again/${episode}`;

export function createRepeats(parts: RepeatsDependencies): Repeats {
  const { log, newId, report } = parts;
  const running = new Map<string, RunningRepeat>();
  const start = (record: EpisodeRecord, environment: EnvironmentSpec, seat: string): string => {
    const repeat = newRepeat(newId(), record, environment, parts.clock());
    const stop = new AbortController();
    const ended = runRepeat(parts, record, repeat, { seat, signal: stop.signal })
      .catch(report)
      .finally(() => running.delete(repeat.repeat));
    running.set(repeat.repeat, { repeat, stop, ended });
    return repeat.repeat;
  };
  return {
    handlers: {
      'repeat.start': async ({ episode, environment }, { seat }) => {
        const record = knownTo(log, episode);
        if (running.size >= RUNNING_MAX) {
          throw new Failure(
            'bad_input',
            `the calls of ${String(RUNNING_MAX)} episodes are being made again`,
            {
              next: 'Wait for one of them, or stop it.',
            },
          );
        }
        const spec = environment === null ? record.started?.environment : parts.environment(environment);
        if (spec === undefined) throw new Failure('not_found', `there is no episode ${episode}`);
        // What its calls came to is kept at its end.
        log.checkWritable();
        return { repeat: start(record, spec, seat) };
      },
      'repeat.stop': async ({ repeat }) => {
        const found = running.get(repeat);
        found?.stop.abort();
        await found?.ended;
        return {};
      },
      'repeat.list': async ({ episode }) => ({
        repeats: [
          ...[...running.values()].map(({ repeat }) => repeat).filter((one) => one.episode === episode),
          ...log.read(againStream(episode)).flatMap(repeatOf).toReversed(),
        ],
      }),
    },
    close: async () => {
      for (const { stop } of running.values()) stop.abort();
      await Promise.all([...running.values()].map(({ ended }) => ended));
    },
  };
}

function knownTo(log: EventLog, episode: string): EpisodeRecord {
  const record = log.record(episode);
  if (record.started === null) throw new Failure('not_found', `there is no episode ${episode}`);
  if (record.ended === null) {
    throw new Failure('bad_input', 'this episode is still running', {
      next: 'Wait for its end: what is compared must not grow.',
    });
  }
  checkSecrets(record);
  if (callsToRepeat(record).length === 0) {
    throw new Failure('bad_input', 'no call of this episode went to an environment', {
      next: 'There is nothing to make again.',
    });
  }
  return record;
}

const newRepeat = (
  repeat: string,
  record: EpisodeRecord,
  environment: EnvironmentSpec,
  at: number,
): Repeat => ({
  repeat,
  episode: record.id,
  at,
  environment,
  state: 'running',
  failure: null,
  calls: callsToRepeat(record).length,
  steps: [],
  rules: DRIFT_RULES.map(({ name }) => name),
});

type RepeatCaller = { seat: string; signal: AbortSignal };

async function runRepeat(
  { log, openSession }: RepeatsDependencies,
  record: EpisodeRecord,
  repeat: Repeat,
  way: RepeatCaller,
) {
  const steps: AgainStep[] = repeat.steps;
  const { episode, environment, calls, rules } = repeat;
  const { outcome, failure } = await repeatCalls({
    record,
    environment,
    loadText: (text) => log.texts.loadText(text),
    openSession,
    signal: way.signal,
    onStep: (step) => steps.push(step),
  });
  log.append(againStream(episode), seatActor(way.seat), {
    kind: 'episode.repeated',
    episode,
    repeat: repeat.repeat,
    environment,
    outcome,
    failure,
    calls,
    steps,
    rules,
  });
}

function repeatOf({ at, event }: Recorded): Repeat[] {
  if (event.kind !== 'episode.repeated') return [];
  const { kind: _kind, outcome, ...rest } = event;
  return [{ ...rest, at, state: outcome }];
}

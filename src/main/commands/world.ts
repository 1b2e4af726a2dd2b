// Owns: the commands that try, branch and look: previews, forks, resuming, the state of the world at any turn.
import type { Actor } from '../../shared/events/actor.ts';
import type { Handlers, Inputs } from '../../shared/contract/contract.ts';
import { AgentSpec, EVERYTHING } from '../../shared/events/lifecycle.ts';
import { Failure } from '../../shared/failure.ts';
import { lastAnsweredTurn, notRunHere } from '../../shared/episode/branch.ts';
import type { EpisodeRecord } from '../../shared/episode/record.ts';
import type { Desk } from '../desk/desk.ts';
import type { State } from '../episode/images.ts';
import type { Preview } from '../episode/preview.ts';
import { NO_APPROVAL, type RunSpec } from '../episode/stage.ts';
import type { Supervisor } from '../episode/supervisor.ts';
import type { EventLog } from '../log/eventLog.ts';
import { openState, readTable, tablesOf } from '../state/database.ts';
import { compareImages } from '../state/differences.ts';
import { veilFor } from './veil.ts';

type Parts = {
  log: EventLog;
  desk: Desk;
  supervisor: Supervisor;
  preview: Preview;
  /** State after a turn, or now with null. Null where the world's state cannot be read. */
  images: (episode: string, turn: number | null) => Promise<State | null>;
  newId: () => string;
};
type WorldHandlers = Pick<
  Handlers,
  'preview.run' | 'preview.cancel' | 'episode.fork' | 'episode.resume' | 'state.tables' | 'state.page'
>;

/** A preview that takes longer than this is given up. */
const PREVIEW_MS = 120_000;

export function worldCommands(parts: Parts): WorldHandlers {
  const { log, supervisor } = parts;
  const tries = new Map<string, AbortController>();
  return {
    'preview.run': async (input, caller) => {
      const { seat } = caller;
      const key = `${seat} ${input.try ?? parts.newId()}`;
      const giveUp = new AbortController();
      tries.set(key, giveUp);
      try {
        const tried = await runPreview(parts, input, { type: 'human', id: seat }, giveUp.signal);
        return veilFor(log, caller).tried(input.episode, tried);
      } catch (thrown) {
        if (!giveUp.signal.aborted) throw thrown;
        throw new Failure('closed', 'the try was given up', { cause: thrown });
      } finally {
        tries.delete(key);
      }
    },
    'preview.cancel': async (input, { seat }) => {
      tries.get(`${seat} ${input.try}`)?.abort();
      return {};
    },
    'episode.fork': async ({ episode, turn }) => {
      const record = runnable(log, episode);
      if (turn > record.counts.turns)
        throw new Failure('bad_input', `the episode has no turn ${String(turn)}`);
      // A final answer, or a move still under way, has nothing after it: the branch goes on before it.
      const from = lastAnsweredTurn(record, turn);
      return { episode: supervisor.start(continued(record, from, 'fork')).id, turn: from };
    },
    'episode.resume': async ({ episode }) => {
      const record = runnable(log, episode);
      if (record.ended?.outcome !== 'interrupted') {
        throw new Failure('bad_input', 'only an interrupted episode can be resumed', {
          next: 'Fork it from a turn instead.',
        });
      }
      const turn = lastAnsweredTurn(record);
      return { episode: supervisor.start(continued(record, turn, 'resume')).id, turn };
    },
    'state.tables': async ({ episode, turn }) => {
      const { initial, current, drift, source } = await imagesOf(parts, episode, turn);
      const db = openState(current);
      try {
        return { tables: tablesOf(db), changes: compareImages(initial, current), drift, source };
      } finally {
        db.close();
      }
    },
    'state.page': async ({ episode, turn, table, offset, limit }) => {
      const { current } = await imagesOf(parts, episode, turn);
      const db = openState(current);
      try {
        return readTable(db, table, offset, limit);
      } finally {
        db.close();
      }
    },
  };
}

function known(log: EventLog, episode: string): EpisodeRecord {
  const record = log.record(episode);
  if (record.reset === null) throw new Failure('not_found', `there is no episode ${episode} that was reset`);
  return record;
}

/** Throws `bad_input` for one whose environment is not known here. */
function runnable(log: EventLog, episode: string): EpisodeRecord {
  const record = known(log, episode);
  const problem = notRunHere(record.started?.source);
  if (problem !== null) throw new Failure('bad_input', problem.why, { next: problem.next });
  return record;
}

async function imagesOf({ images }: Parts, episode: string, turn: number | null): Promise<State> {
  const found = await images(episode, turn);
  if (found !== null) return found;
  throw new Failure('not_found', 'the state of this world cannot be read', {
    next: 'The session that played it is gone and could not be rebuilt.',
  });
}

/** The same run, going on after a turn. */
function continued(
  { id, started, reset, rules }: EpisodeRecord,
  turn: number,
  why: 'fork' | 'resume',
): RunSpec {
  if (started === null) throw new Failure('not_found', `there is no episode ${id}`);
  const {
    environment,
    condition,
    limits,
    fallback,
    seed,
    repeat,
    group,
    is_blinded,
    is_key_open,
    keeps_session,
    admission = EVERYTHING,
    approval,
  } = started;
  const agent = AgentSpec.safeParse(started.agent);
  if (!agent.success || condition === null || limits === null) {
    throw new Failure(
      'bad_input',
      'this episode was played by an agent that is not ours: nobody can go on for it',
      {
        next: 'Start an episode of the same task instead.',
      },
    );
  }
  return {
    environment,
    scenario: reset?.scenario ?? started.scenario,
    taskIdx: reset?.task_idx ?? started.task_idx,
    agent: agent.data,
    condition,
    limits,
    deadlineMs: started.deadline_ms,
    fallback,
    seed: seed ?? 0,
    repeat,
    group,
    reset: {},
    admission,
    // The rules as they stand, not as they were at that turn: they are a person's last word on what needs one.
    approval: {
      rules,
      deadlineMs: approval?.deadline_ms ?? NO_APPROVAL.deadlineMs,
      fallback: approval?.fallback ?? NO_APPROVAL.fallback,
    },
    isBlinded: is_blinded ?? false,
    isKeyOpen: is_key_open ?? false,
    keepsSession: keeps_session ?? false,
    from: { episode: id, turn, why },
  };
}

async function runPreview(
  { log, desk, preview, newId }: Parts,
  input: Inputs['preview.run'],
  actor: Actor,
  giveUp: AbortSignal,
) {
  const { episode, turn, call, calls, with_verdict } = input;
  const record = known(log, episode);
  const result = await preview({
    episode,
    afterTurn: turn,
    calls,
    withVerdict: with_verdict,
    signal: AbortSignal.any([giveUp, AbortSignal.timeout(PREVIEW_MS)]),
  });
  // What was seen is in the log before it is shown.
  if (with_verdict && actor.id !== null) desk.noteSeen(actor.id, episode, ['verdict']);
  if (log.record(record.id).ended === null) {
    log.append(episode, actor, {
      kind: 'preview.ran',
      preview: newId(),
      call,
      calls,
      replayed: result.replayed,
      drift: result.drift,
      verdict: result.verdict,
      privilege: with_verdict ? ['verdict'] : [],
    });
  }
  return result;
}

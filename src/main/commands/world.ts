// The commands that branch and look: forks, resuming, the state of the world at any turn.
import type { Handlers, Inputs, Outputs } from '../../shared/contract/contract.ts';
import { Failure } from '../../shared/failure.ts';
import { brokeOff, carriedApproval, lastAnsweredTurn, notRunHere } from '../../shared/episode/branch.ts';
import { checkSecrets } from '../../shared/episode/lostSecrets.ts';
import type { EpisodeRecord } from '../../shared/episode/record.ts';
import type { WorldImages } from '../episode/images.ts';
import { specOfRecord } from '../episode/continueEpisode.ts';
import type { RunSpec } from '../episode/stage.ts';
import type { Supervisor } from '../episode/supervisor.ts';
import type { EventLog } from '../log/eventLog.ts';
import { compareImages, openState, readTable, stateTables } from '../state/database.ts';
import { callOf } from '../../shared/episode/calls.ts';

type WorldDependencies = {
  log: EventLog;
  supervisor: Supervisor;
  /** State after a turn, or now with null. Null where the world's state cannot be read. */
  images: (episode: string, turn: number | null) => Promise<WorldImages | null>;
};
type WorldHandlers = Pick<
  Handlers,
  'episode.fork' | 'episode.resume' | 'call.changes' | 'state.tables' | 'state.page'
>;

export function worldStateCommands(parts: WorldDependencies): WorldHandlers {
  const { log, supervisor } = parts;
  return {
    'episode.fork': async ({ episode, turn }) => {
      const record = runnable(log, episode);
      if (turn > record.counts.turns)
        throw new Failure('bad_input', `the episode has no turn ${String(turn)}`);
      // A final answer, or a move still under way, has nothing after it: the branch goes on before it.
      const from = lastAnsweredTurn(record, turn);
      return {
        episode: await startContinued(supervisor, record, { episode, turn: from, why: 'fork' }),
        turn: from,
      };
    },
    'episode.resume': async (input) => resume(parts, input),
    'call.changes': async ({ episode, call }) => {
      const changes = callOf(known(log, episode), call)?.changes;
      if (changes !== undefined && changes !== null) return { changes };
      throw new Failure('not_found', 'what this call changed in the world was not read');
    },
    'state.tables': async ({ episode, turn }) => {
      const { initial, current, drift, source, atTurn, seedProblems } = await imagesOf(parts, episode, turn);
      const db = openState(current);
      try {
        return {
          tables: stateTables(db),
          changes: compareImages(initial, current),
          drift,
          source,
          ...(atTurn === undefined ? {} : { at_turn: atTurn }),
          ...(seedProblems === undefined ? {} : { seed_problems: seedProblems }),
        };
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

async function startContinued(
  supervisor: Supervisor,
  record: EpisodeRecord,
  from: NonNullable<RunSpec['from']>,
): Promise<string> {
  const { id, begun } = supervisor.start(continued(record, from));
  await begun;
  return id;
}

async function resume(
  { log, supervisor }: WorldDependencies,
  { episode, accepts_drift: acceptsDrift = false }: Inputs['episode.resume'],
): Promise<Outputs['episode.resume']> {
  const record = runnable(log, episode);
  if (record.ended === null || !brokeOff(record.ended)) {
    throw new Failure(
      'bad_input',
      'only an interrupted episode, or one whose environment closed the connection, can be resumed',
      { next: 'Fork it from a turn instead.' },
    );
  }
  const turn = lastAnsweredTurn(record);
  const from = { episode, turn, why: 'resume', stopsAtDrift: !acceptsDrift } as const;
  return { episode: await startContinued(supervisor, record, from), turn };
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

async function imagesOf(
  { images }: WorldDependencies,
  episode: string,
  turn: number | null,
): Promise<WorldImages> {
  const found = await images(episode, turn);
  if (found !== null) return found;
  throw new Failure('not_found', 'the state of this world cannot be read', {
    next: 'The session that played it is gone and could not be rebuilt.',
  });
}

/**
 * The same run, going on after a turn. A call that nobody decides waits in it: that one is executed instead is chosen anew for
 * each run. Throws `bad_input` for an agent that is not ours, and where its reset or a call
 * had a secret: the state would be another one.
 */
export function continued(record: EpisodeRecord, from: NonNullable<RunSpec['from']>): RunSpec {
  checkSecrets(record, { upToTurn: from.turn });
  const spec = specOfRecord(record);
  return { ...spec, approval: { rules: spec.approval.rules, ...carriedApproval(spec.approval) }, from };
}

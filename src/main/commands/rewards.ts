// The commands of the reward lab: named settings, scoring a set of episodes, storing what came of it.
import { isDeepStrictEqual } from 'node:util';
import type { Handlers, Inputs, Outputs } from '../../shared/contract/contract.ts';
import type { Scoring } from '../../shared/contract/rewards.ts';
import { seatActor } from '../../shared/events/actor.ts';
import { DEFAULT_PROFILE, PROFILE_STREAM, SCORED_PREFIX, scoredStream } from '../../shared/events/rewards.ts';
import { Failure, failureFrom } from '../../shared/failure.ts';
import type { RewardSettings } from '../../shared/rewards/settings.ts';
import { recordSeen } from '../desk/seen.ts';
import type { EventLog } from '../log/eventLog.ts';
import { reportOf } from '../reward/compare.ts';
import { compareEpisodes, taskKeyOf, type ComparedEpisode } from '../reward/comparedEpisodes.ts';
import { storedScores } from '../reward/storedScores.ts';
import { nextVersion, profileNamed, profilesIn } from '../reward/profiles.ts';
import { checkRewards } from '../reward/settings.ts';
import type { ScoreSet, ScoreSets } from './rewardSets.ts';

type RewardsDependencies = { log: EventLog; sets: ScoreSets };
type RewardCommands<Name extends string> = Pick<Handlers, Extract<keyof Handlers, `rewards.${Name}`>>;

export const rewardCommands = (parts: RewardsDependencies): RewardCommands<string> => ({
  ...profileCommands(parts),
  ...scoreCommands(parts),
  ...keepCommands(parts),
});

function profileCommands({
  log,
}: RewardsDependencies): RewardCommands<'profiles' | 'save_profile' | 'remove_profile'> {
  return {
    'rewards.profiles': async () => ({ profiles: profilesIn(log.read(PROFILE_STREAM)) }),
    'rewards.save_profile': async ({ name, settings: given }, { seat }) => {
      checkName(name);
      const settings = checkRewards(given);
      const version = nextVersion(log.read(PROFILE_STREAM), name);
      const event = { kind: 'reward_profile.saved' as const, name, version, settings };
      const { at } = log.append(PROFILE_STREAM, seatActor(seat), event);
      return { name, version, settings, saved_at: at };
    },
    'rewards.remove_profile': async ({ name }, { seat }) => {
      checkName(name);
      const removed = profileNamed(log.read(PROFILE_STREAM), name);
      log.append(PROFILE_STREAM, seatActor(seat), { kind: 'reward_profile.removed', name });
      return removed;
    },
  };
}

function checkName(name: string): void {
  if (name !== DEFAULT_PROFILE) return;
  throw new Failure('bad_input', `the profile ${DEFAULT_PROFILE} stays as it is`, {
    next: 'Save under another name.',
  });
}

/** Settings by name are read as they are now; those given as they are are held to the rules. */
const settingsOf = (log: EventLog, scoring: Scoring): RewardSettings =>
  'profile' in scoring
    ? profileNamed(log.read(PROFILE_STREAM), scoring.profile).settings
    : checkRewards(scoring.settings);

function scoreCommands({
  log,
  sets,
}: RewardsDependencies): RewardCommands<'open' | 'score' | 'rows' | 'close'> {
  const compare = async (
    set: ScoreSet,
    { before, after, measure }: Pick<Inputs['rewards.score'], 'before' | 'after' | 'measure'>,
  ): Promise<ComparedEpisode[]> => {
    const [was, is] = [settingsOf(log, before), settingsOf(log, after)];
    const scores = { before: await set.scores(was), after: await set.scores(is) };
    return compareEpisodes(set.entries, scores, measure);
  };
  return {
    'rewards.open': async ({ from }) => {
      const { id, total } = sets.open(from);
      return { set: id, total };
    },
    'rewards.score': async (input, { seat }) => {
      const set = sets.find(input.set);
      if (set.failure !== null) throw failureFrom(set.failure);
      if (!set.isRead) return { state: 'reading', done: set.done, total: set.total };
      const compared = await compare(set, input);
      noteOnlyTask(log, seat, set.entries);
      const { continuations, probes } = set;
      const report = reportOf(compared, input.measure);
      return { state: 'done', report, left_out: { continuations, probes } };
    },
    'rewards.rows': async ({ order, offset, limit, ...input }) => {
      const episodes = await compare(readSet(sets, input.set), input);
      const way = { gain: -1, loss: 1, newest: 0 }[order];
      const rows = episodes.toSorted((a, b) => way * (a.gain - b.gain)).slice(offset, offset + limit);
      return {
        total: episodes.length,
        rows: rows.map(({ row, before, after }) => ({ row, before, after })),
      };
    },
    'rewards.close': async ({ set }) => {
      sets.forget(set);
      return {};
    },
  };
}

/** Counts over one task alone tell its verdict as a line of a list does; over many tasks they tell none of theirs. */
function noteOnlyTask(log: EventLog, seat: string, entries: ScoreSet['entries']): void {
  const [first] = entries;
  const isVerified = entries.some(({ known }) => known.facts.label !== null);
  if (first === undefined || !isVerified || new Set(entries.map(taskKeyOf)).size > 1) return;
  const { environment_key: environment, scenario, task_idx } = first;
  recordSeen(log, seat, first.episode, ['verdict'], {
    environment: environment ?? null,
    scenario,
    task_idx,
  });
}

/** A set that is read to its end. */
function readSet(sets: ScoreSets, id: string): ScoreSet {
  const set = sets.find(id);
  if (set.failure !== null) throw failureFrom(set.failure);
  if (set.isRead) return set;
  throw new Failure('bad_input', 'this set of episodes is still being read', { next: 'Wait for its end.' });
}

/** Scores in one event: few enough that a slice is soon written. */
const SCORES = 250;

function keepCommands({ log, sets }: RewardsDependencies): RewardCommands<'keep' | 'kept'> {
  return {
    'rewards.keep': async ({ set: id, profile }, { seat }) => {
      const set = readSet(sets, id);
      const { version, settings } = profileNamed(log.read(PROFILE_STREAM), profile);
      const stored = storedScores(log.read(scoredStream(profile)));
      const breakdowns = await set.scores(settings);
      const scores = set.entries.flatMap(({ episode }, index) => {
        const [old, breakdown] = [stored.get(episode), breakdowns[index]];
        if (breakdown === undefined) return [];
        const isStored = old?.version === version && isDeepStrictEqual(old.breakdown, breakdown);
        return isStored ? [] : { episode, breakdown };
      });
      let kept = 0;
      while (kept < scores.length && !set.isClosed) {
        if (kept > 0) await sets.pause();
        const slice = scores.slice(kept, kept + SCORES);
        const event = { kind: 'episodes.scored' as const, profile, version, scores: slice };
        log.append(scoredStream(profile), seatActor(seat), event);
        kept += slice.length;
      }
      return { kept, known: set.entries.length - scores.length };
    },
    'rewards.kept': async () => ({
      kept: log
        .streams(SCORED_PREFIX)
        .flatMap((stream) => keptSummary(log, stream))
        .toSorted((a, b) => b.at - a.at),
    }),
  };
}

function keptSummary(log: EventLog, stream: string): Outputs['rewards.kept']['kept'] {
  const versions = Map.groupBy(storedScores(log.read(stream)).values(), ({ version }) => version);
  return [...versions].map(([version, scores]) => ({
    profile: stream.slice(SCORED_PREFIX.length),
    version,
    episodes: scores.length,
    at: scores.reduce((newest, { at }) => Math.max(newest, at), 0),
  }));
}

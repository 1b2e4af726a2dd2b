// The commands of the reward lab: named settings, scoring a set of episodes, storing what came of it.
import { isDeepStrictEqual } from 'node:util';
import type { Handlers, Inputs, Outputs } from '../../shared/contract/contract.ts';
import type { ProfileRow, Scoring } from '../../shared/contract/rewards.ts';
import type { Actor } from '../../shared/events/actor.ts';
import { DEFAULT_PROFILE, PROFILE_STREAM, SCORED_PREFIX, scoredStream } from '../../shared/events/rewards.ts';
import { Failure, failureFrom } from '../../shared/failure.ts';
import type { RewardSettings } from '../../shared/rewards/settings.ts';
import { recordSeen } from '../desk/seen.ts';
import type { EventLog } from '../log/eventLog.ts';
import { reportOf } from '../reward/compare.ts';
import { rowAt, taskKeyOf, type RewardComparison } from '../reward/rewardComparison.ts';
import { storedScores } from '../reward/storedScores.ts';
import { nextVersion, profileNamed, profilesIn, type Profile } from '../reward/profiles.ts';
import { breakdownOf } from '../reward/reward.ts';
import { checkRewards } from '../reward/settings.ts';
import type { ScoreSet, ScoreSets } from './rewardSets.ts';

type RewardsDependencies = { log: EventLog; sets: ScoreSets };
type RewardMethod = Extract<keyof Handlers, `rewards.${string}`>;
type RewardCommands<M extends RewardMethod> = Pick<Handlers, M>;

export const rewardCommands = (parts: RewardsDependencies): RewardCommands<RewardMethod> => ({
  ...profileCommands(parts),
  ...scoreCommands(parts),
  ...keepCommands(parts),
});

const profileRow = ({ name, version, settings, savedAt }: Profile): ProfileRow => ({
  name,
  version,
  settings,
  saved_at: savedAt,
});
const humanSeat = (seat: string): Actor => ({ type: 'human', id: seat });

type ProfileMethod = 'rewards.profiles' | 'rewards.save_profile' | 'rewards.remove_profile';

function profileCommands({ log }: RewardsDependencies): RewardCommands<ProfileMethod> {
  return {
    'rewards.profiles': async () => ({ profiles: profilesIn(log.read(PROFILE_STREAM)).map(profileRow) }),
    'rewards.save_profile': async ({ name, settings }, { seat }) => {
      checkName(name);
      const checked = checkRewards(settings);
      const version = nextVersion(log.read(PROFILE_STREAM), name);
      const event = { kind: 'reward_profile.saved' as const, name, version, settings: checked };
      const { at } = log.append(PROFILE_STREAM, humanSeat(seat), event);
      return { name, version, settings: checked, saved_at: at };
    },
    'rewards.remove_profile': async ({ name }, { seat }) => {
      checkName(name);
      const removed = profileNamed(log.read(PROFILE_STREAM), name);
      log.append(PROFILE_STREAM, humanSeat(seat), { kind: 'reward_profile.removed', name });
      return profileRow(removed);
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

type ScoreMethod = 'rewards.open' | 'rewards.score' | 'rewards.rows' | 'rewards.close';

function scoreCommands({ log, sets }: RewardsDependencies): RewardCommands<ScoreMethod> {
  return {
    'rewards.open': async ({ from }) => {
      const { id, total } = sets.open(from);
      return { set: id, total };
    },
    'rewards.score': async ({ set: id, measure, before, after }, { seat }) => {
      const settings = [settingsOf(log, before), settingsOf(log, after)] as const;
      const set = sets.find(id);
      if (set.failure !== null) throw failureFrom(set.failure);
      if (set.state === null) return { state: 'reading', done: set.done, total: set.total };
      const columns = { before: await set.columns(settings[0]), after: await set.columns(settings[1]) };
      noteOnlyTask(log, seat, set.entries);
      return { state: 'done', report: reportOf(set.entries, columns, measure) };
    },
    'rewards.rows': async (input) => scoreRows(log, readSet(sets, input.set), input),
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
  recordSeen(log, seat, first.episode, ['verdict'], first);
}

/** A set that is read to its end. */
function readSet(sets: ScoreSets, id: string): ScoreSet {
  const set = sets.find(id);
  if (set.failure !== null) throw failureFrom(set.failure);
  if (set.state === 'read') return set;
  throw new Failure('bad_input', 'this set of episodes is still being read', { next: 'Wait for its end.' });
}

async function scoreRows(
  log: EventLog,
  set: ScoreSet,
  { measure, before, after, order, offset, limit }: Inputs['rewards.rows'],
): Promise<Outputs['rewards.rows']> {
  const settings = { before: settingsOf(log, before), after: settingsOf(log, after) };
  const [was, is] = [await set.columns(settings.before), await set.columns(settings.after)];
  const compared: RewardComparison = {
    entries: set.entries,
    before: was[measure],
    after: is[measure],
    patterns: is.patterns,
  };
  const gain = (index: number): number => (compared.after[index] ?? 0) - (compared.before[index] ?? 0);
  const way = { gain: -1, loss: 1, newest: 0 }[order];
  const places = set.entries.map((_, index) => index).toSorted((a, b) => way * (gain(a) - gain(b)) || a - b);
  const rows = places.slice(offset, offset + limit).flatMap((index) => {
    const entry = set.entries[index];
    if (entry === undefined) return [];
    return {
      row: rowAt(compared, index),
      before: breakdownOf(entry.known, settings.before),
      after: breakdownOf(entry.known, settings.after),
    };
  });
  return { total: places.length, rows };
}

/** Scores in one event: few enough that a slice is soon written. */
const SCORES = 250;

function keepCommands({ log, sets }: RewardsDependencies): RewardCommands<'rewards.keep' | 'rewards.kept'> {
  return {
    'rewards.keep': async ({ set: id, profile: name }, { seat }) => {
      const set = readSet(sets, id);
      const profile = profileNamed(log.read(PROFILE_STREAM), name);
      const counts = { kept: 0, known: 0 };
      const kept = storedScores(log.read(scoredStream(name)));
      for (let at = 0; at < set.entries.length && !set.isClosed; at += SCORES) {
        const all = set.entries.slice(at, at + SCORES).map(({ episode, known }) => ({
          episode,
          breakdown: breakdownOf(known, profile.settings),
        }));
        const scores = all.filter(({ episode, breakdown }) => {
          const old = kept.get(episode);
          return old?.version !== profile.version || !isDeepStrictEqual(old.breakdown, breakdown);
        });
        counts.kept += scores.length;
        counts.known += all.length - scores.length;
        if (scores.length === 0) continue;
        const { version } = profile;
        log.append(scoredStream(name), humanSeat(seat), {
          kind: 'episodes.scored',
          profile: name,
          version,
          scores,
        });
        await sets.pause();
      }
      return counts;
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

// Finds in what is about to be sent to a seat whatever tells of a task's answer. One entry for every command that the
// contract says reveals something.
import type { Inputs, Outputs, RevealingMethod } from '../../shared/contract/contract.ts';
import type { Push } from '../../shared/contract/envelope.ts';
import type { DeskItem, EpisodeRow } from '../../shared/contract/rows.ts';
import { revealedBy, revealedByRow } from '../../shared/episode/cover.ts';
import { inherited } from '../../shared/events/outcome.ts';
import type { Saw } from '../../shared/events/actor.ts';
import type { Recorded } from '../../shared/events/vocabulary.ts';
import type { TaskAddress } from '../desk/seen.ts';
import type { EventLog } from '../log/eventLog.ts';

/** `task` where what is sent names it; else that of the episode. */
export type Revealed = { episode: string | null; task?: TaskAddress; saw: readonly Saw[] };
type Find<M extends RevealingMethod> = (output: Outputs[M], input: Inputs[M], log: EventLog) => Revealed[];

const VERDICT_SEEN: readonly Saw[] = ['verdict'];
const HIDDEN_STATE: readonly Saw[] = ['hidden_state'];

type NamedTask = { environment_key?: string | undefined; scenario: string | null; task_idx: number | null };
const taskOfNamed = ({ environment_key: environment, scenario, task_idx }: NamedTask): TaskAddress => ({
  environment: environment ?? null,
  scenario,
  task_idx,
});

const rowsShown = (rows: readonly (EpisodeRow | null)[]): Revealed[] =>
  rows.flatMap((row) =>
    row === null ? [] : [{ episode: row.id, task: taskOfNamed(row), saw: revealedByRow(row) }],
  );

const itemsShown = (items: readonly DeskItem[]): Revealed[] =>
  items.map((item) => ({
    episode: item.episode,
    task: taskOfNamed(item),
    saw: inherited({ privilege: item.draft?.privilege }),
  }));

const eventsShown = (episode: string, events: readonly Recorded[]): Revealed[] => [
  { episode, saw: events.flatMap(({ event }) => revealedBy(event)) },
];

/** What one event of the log tells, for an answer that holds words of it. */
function eventShown(log: EventLog, episode: string | null, n: number | null): Revealed[] {
  if (episode === null || n === null) return [];
  return eventsShown(episode, log.read(episode, n - 1, 1));
}

export const REVEALED_BY: { [M in RevealingMethod]: Find<M> } = {
  'episodes.page': ({ rows }) => rowsShown(rows),
  'episode.read': ({ events }, { episode }) => eventsShown(episode, events),
  'answer_key.show': ({ saw }, { episode }) => [{ episode, saw }],
  'advice.similar': ({ advice }) =>
    advice.map((one) => ({
      episode: one.episode,
      task: taskOfNamed(one),
      saw: [...inherited(one), ...(one.reward_type === null ? [] : VERDICT_SEEN)],
    })),
  'preview.run': ({ verdict }, { episode }) => [{ episode, saw: verdict === null ? [] : VERDICT_SEEN }],
  'preview.changes': ({ episode }) => [{ episode, saw: HIDDEN_STATE }],
  'call.changes': (_changes, { episode }) => [{ episode, saw: HIDDEN_STATE }],
  'state.tables': (_state, { episode }) => [{ episode, saw: HIDDEN_STATE }],
  'state.page': (_page, { episode }) => [{ episode, saw: HIDDEN_STATE }],
  'answers.mine': ({ answers }) =>
    answers
      .filter(({ verified }) => verified !== null)
      .map((answer) => ({ episode: answer.episode, task: taskOfNamed(answer), saw: VERDICT_SEEN })),
  'request.uncover': (_spans, { episode }) => [{ episode, saw: ['criteria'] }],
  'groups.page': ({ groups }) =>
    groups
      .filter(({ reward_mean: mean, completed }) => mean !== null || completed > 0)
      .map((group) => ({ episode: null, task: taskOfNamed(group), saw: VERDICT_SEEN })),
  'group.read': ({ rows }) => rowsShown(rows),
  'training.read': ({ tasks }) =>
    tasks.map((task) => ({ episode: null, task: taskOfNamed(task), saw: VERDICT_SEEN })),
  'environments.overview': ({ tasks }) =>
    tasks.map((task) => ({ episode: null, task: taskOfNamed(task), saw: VERDICT_SEEN })),
  'training.curriculum': ({ overview }) =>
    (overview?.plan.tasks ?? [])
      .filter(({ of }) => of > 0)
      .map((task) => ({ episode: null, task: taskOfNamed(task), saw: VERDICT_SEEN })),
  'log.search': ({ hits }, _input, log) => hits.flatMap(({ episode, n }) => eventShown(log, episode, n)),
  // What continuations of a task came to.
  'lift.read': ({ lifts }, { episode }) => (lifts.length === 0 ? [] : [{ episode, saw: VERDICT_SEEN }]),
  'decisions.page': ({ rows }, _input, log) =>
    rows.flatMap((row) => [
      ...eventShown(log, row.episode, row.n),
      { episode: row.episode, task: taskOfNamed(row), saw: row.reward_type === null ? [] : VERDICT_SEEN },
    ]),
  'export.job': ({ report }, _input, log) =>
    [...new Set((report?.sample ?? []).map(({ episode }) => episode))].flatMap((episode) =>
      eventsShown(episode, log.read(episode)),
    ),
  'queue.items': ({ items }) => rowsShown(items.flatMap(({ episodes }) => episodes)),
  'queue.open': ({ row }) => rowsShown(row.episodes),
  'annotation.conflicts': ({ row }) => rowsShown(row.episodes),
  'rewards.scores': ({ scores }, { episodes }) =>
    episodes.map((episode, at) => ({
      episode,
      saw: (scores[at]?.verifier.label ?? null) === null ? [] : VERDICT_SEEN,
    })),
  'bench.show': ({ summary }) =>
    (summary?.tasks ?? []).map(({ scenario, task_idx }) => ({
      episode: null,
      task: { environment: null, scenario, task_idx },
      saw: VERDICT_SEEN,
    })),
};

/** What news tells, by its topic. */
export function shownByPush(push: Push): Revealed[] {
  switch (push.topic) {
    case 'episode':
      return eventsShown(push.episode, push.events);
    case 'episodes':
      return rowsShown(push.rows);
    case 'desk':
      return itemsShown(push.items);
    case 'gateway':
    case 'imports':
    case 'projects':
    case 'refetch':
      return [];
  }
}

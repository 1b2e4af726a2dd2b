// From a name and an unknown input to a handler and back. Every host and transport comes through here.
import type { z } from 'zod';
import {
  isMethod,
  routes,
  type Caller,
  type Handlers,
  type Method,
  type Outputs,
  isRevealing,
  type Inputs,
  type RevealingMethod,
} from '../../shared/contract/contract.ts';
import type { Push, Topic } from '../../shared/contract/envelope.ts';
import { checkMethod, checkInput, refused, roleOf } from '../../shared/contract/roles.ts';
import type { DeskItem, EpisodeRow } from '../../shared/episode/rowShapes.ts';
import { findConsultation } from '../../shared/episode/consultations.ts';
import { revealedBy, revealedByRow } from '../../shared/episode/reveals.ts';
import type { Saw } from '../../shared/events/actor.ts';
import { inherited } from '../../shared/events/outcome.ts';
import { isBlobRef } from '../../shared/events/text.ts';
import type { Recorded } from '../../shared/events/vocabulary.ts';
import { Failure } from '../../shared/failure.ts';
import { recordSeen, type TaskAddress } from '../desk/seen.ts';
import type { EventLog } from '../log/eventLog.ts';
import { veilFor } from './veil.ts';

export type RouteCommand = (method: string, input: unknown, caller: Caller) => Promise<unknown>;

/**
 * Parses the input, calls the one handler, records what its value shows, and returns it. Throws `unknown_method`,
 * `bad_input` or `unauthorized` at the door.
 */
export function createRouter(handlers: Handlers, disclosure: Disclosure): RouteCommand {
  const call = async <M extends Method>(method: M, input: unknown, caller: Caller): Promise<Outputs[M]> => {
    checkMethod(method, caller);
    const parsed = routes[method].input.safeParse(input);
    if (!parsed.success) throw badInput(method, parsed.error);
    disclosure.check(method, parsed.data, caller);
    const output = await handlers[method](parsed.data, caller);
    disclosure.answered(method, parsed.data, output, caller);
    return output;
  };
  return async (method, input, caller) => {
    if (!isMethod(method)) {
      throw new Failure('unknown_method', `there is no command ${method}`, {
        next: 'The console and its main process may be of different versions: reload the page.',
      });
    }
    return call(method, input, caller);
  };
}

function badInput(method: string, error: z.ZodError): Failure {
  const issues = error.issues.map(({ path, message }) => `${path.join('.') || 'input'}: ${message}`);
  return new Failure('bad_input', `${method}: ${issues.join('; ')}`, { cause: error });
}

/**
 * Keeps from a seat what is not for it, or records it as seen before it is sent. Every answer and every push of the
 * console goes through here, so that no door of it can forget to.
 */
export type Disclosure = {
  /** Throws `unauthorized` for an input that is not for this caller. */
  check(method: Method, input: Inputs[Method], caller: Caller): void;
  /** Records what the answer shows. Nothing is sent before that. */
  answered<M extends Method>(method: M, input: Inputs[M], output: Outputs[M], caller: Caller): void;
  /** Throws `unauthorized` for a stream that is not for this caller. */
  checkTopic(topic: Topic, caller: Caller): void;
  /** The push as this caller reads it; what it shows is recorded. */
  pushed(push: Push, caller: Caller): Push;
};

const ANSWERING: ReadonlySet<Method> = new Set<Method>([
  'desk.answer',
  'desk.decline',
  'desk.claim',
  'desk.pass',
]);

export function createDisclosure(log: EventLog, clock: () => number): Disclosure {
  const handedOut = createHandedOut();
  const note = (shown: readonly Revealed[], { seat, isCommand = false }: Caller): void => {
    if (isCommand) return;
    for (const { episode, task, saw } of shown) if (saw.length > 0) recordSeen(log, seat, episode, saw, task);
  };
  const checkEpisode = (stream: string, caller: Caller): void => {
    if (roleOf(caller) === 'owner') return;
    const { n, started } = log.record(stream);
    // A stream of a kind that nobody named is not an episode because its name looks like one.
    if (n > 0 && started === null) throw refused('an expert’s seat reads episodes, and this is none');
  };
  return {
    check: (method, input, caller) => {
      checkInput(method, input, caller);
      if ('episode' in input) checkEpisode(input.episode, caller);
      if (ANSWERING.has(method)) checkFirst(log, input, caller, clock());
      if (method !== 'text.read' || roleOf(caller) === 'owner') return;
      const { sha256 } = input as Inputs['text.read'];
      if (!handedOut.has(caller.seat, sha256)) {
        throw refused('an expert’s seat reads only texts that something it was shown refers to', {
          next: 'Reload the page, then open the text again.',
        });
      }
    },
    answered: (method, input, output, caller) => {
      if (roleOf(caller) === 'expert') handedOut.add(caller.seat, output);
      if (isRevealing(method)) note(revealedByAnswer(method, output, input, log), caller);
    },
    checkTopic: (topic, caller) => {
      if (topic.topic === 'episode') checkEpisode(topic.episode, caller);
    },
    pushed: (push, caller) => {
      if (push.topic === 'episode') checkEpisode(push.episode, caller);
      const sent = withoutOthersFirst(veilFor(log, caller).push(push), caller, clock());
      if (roleOf(caller) === 'expert') handedOut.add(caller.seat, sent);
      note(revealedByPush(sent), caller);
      return sent;
    },
  };
}

const revealedByAnswer = <M extends RevealingMethod>(
  method: M,
  output: Outputs[Method],
  input: Inputs[Method],
  log: EventLog,
): Revealed[] => REVEALED_BY[method](output as Outputs[M], input as Inputs[M], log);

/** Hashes of the long texts that what a seat was sent refers to: a text is read by its hash, which says nothing of whose it is. */
function createHandedOut() {
  const bySeat = new Map<string, Set<string>>();
  return {
    has: (seat: string, sha256: string): boolean => bySeat.get(seat)?.has(sha256) ?? false,
    add: (seat: string, value: unknown): void => {
      const known = bySeat.get(seat) ?? new Set<string>();
      bySeat.set(seat, known);
      collect(value, known);
    },
  };
}

function collect(value: unknown, into: Set<string>): void {
  if (typeof value !== 'object' || value === null) return;
  if (isBlobRef(value)) into.add(value.$blob);
  else for (const inner of Object.values(value)) collect(inner, into);
}

/** `task` where what is sent names it; else that of the episode. */
type Revealed = { episode: string | null; task?: TaskAddress; saw: readonly Saw[] };
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

/** The texts of one event of the log, for an answer that quotes them. */
function eventShown(log: EventLog, episode: string | null, n: number | null): Revealed[] {
  if (episode === null || n === null) return [];
  return eventsShown(episode, log.read(episode, n - 1, 1));
}

const REVEALED_BY: { [M in RevealingMethod]: Find<M> } = {
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

/** The texts of a push, by topic. */
function revealedByPush(push: Push): Revealed[] {
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

type FirstSeat = { seat: string; until: number };

const isKeptFrom = (first: FirstSeat | null, { seat }: Caller, now: number): boolean =>
  first !== null && first.seat !== seat && first.until > now;

/** Throws `unauthorized` while the question is for another seat first. */
function checkFirst(log: EventLog, input: Inputs[Method], caller: Caller, now: number): void {
  if (roleOf(caller) === 'owner' || !('episode' in input) || !('consultation' in input)) return;
  const found = findConsultation(log.record(input.episode), String(input.consultation));
  if (found === undefined || found.isOpened || found.decision !== null) return;
  const { routed } = found;
  if (!isKeptFrom(routed?.first ?? null, caller, now)) return;
  throw refused(`this question is for ${routed?.expert ?? 'another seat'} first`, {
    next: 'It comes to your desk when their time is over, or when they pass it on.',
  });
}

/** The desk as this seat reads it. */
function withoutOthersFirst(push: Push, caller: Caller, now: number): Push {
  if (push.topic !== 'desk' || roleOf(caller) === 'owner') return push;
  const items = push.items.filter(({ first }) => !isKeptFrom(first ?? null, caller, now));
  return { ...push, items, total: push.total - (push.items.length - items.length) };
}

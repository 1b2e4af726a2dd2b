// What an expert's seat may do. Whatever is not named here is the owner's: a new command is closed until opened.
import { STREAM_READERS, streamKind } from '../events/streams.ts';
import { Failure } from '../failure.ts';
import { commandLine } from './commandLine.ts';
import type { Caller, Inputs, Method } from './contract.ts';
import type { Topic } from './envelope.ts';
import type { Role } from './seat.ts';
import { stepIns } from './stepIns.ts';

/** To read what the desk and the live view show, to answer, and to step into an episode that runs. */
export const EXPERT_METHODS: ReadonlySet<Method> = new Set<Method>([
  'app.describe',
  'text.read',
  'episodes.page',
  'episode.read',
  'answer_key.describe',
  // Granted per run: its handler refuses where it is not.
  'answer_key.show',
  'desk.answer',
  'desk.decline',
  'desk.claim',
  'desk.pass',
  'desk.advise_late',
  'desk.redraft',
  'desk.missed',
  'advice.similar',
  'advice.make_plan',
  'seat.set_presence',
  'answers.mine',
  'guide.read',
  'guide.end',
  ...(Object.keys(stepIns) as (keyof typeof stepIns)[]),
  'preview.describe',
  'preview.run',
  'preview.changes',
  'preview.cancel',
  'call.changes',
  'state.tables',
  'state.page',
  // What is assigned to the seat; the handlers refuse the rest.
  'project.list',
  'queue.items',
  'queue.next',
  'queue.open',
  'queue.skip',
  'queue.postpone',
  'queue.done',
  'queue.reopen',
  'annotation.give',
  'annotation.withdraw',
  'annotation.correct',
  'annotation.prefer',
]);

const EXPERT_TOPICS: ReadonlySet<Topic['topic']> = new Set<Topic['topic']>([
  'episode',
  'episodes',
  'desk',
  'projects',
]);

/** What a key to the console never may, though it opens the owner's: secrets and ways in that would outlive it. */
const NOT_BY_KEY: ReadonlySet<Method> = new Set<Method>([
  'keys.defaults',
  'owner.renew_token',
  // Where the owner's stored keys are sent.
  'settings.write',
  'awm.write',
  'folder.settle',
]);

export const roleOf = ({ invite }: Caller): Role => (invite === undefined ? 'owner' : 'expert');

/** Throws `unauthorized` when the command is not for this caller, whatever its input. */
export function checkMethod(method: Method, caller: Caller): void {
  if (caller.key !== undefined && NOT_BY_KEY.has(method)) {
    throw refused(`${method} is not for a key to the console`, {
      next: 'Make a key of its own under Settings, or open the console with the owner’s own token.',
    });
  }
  if (roleOf(caller) === 'expert' && !EXPERT_METHODS.has(method))
    throw refused(`${method} is not for an expert’s seat`);
  if (Object.hasOwn(commandLine, method) && caller.isCommand !== true)
    throw refused(`${method} is for commands of this machine`, { next: 'Use the command line.' });
}

/** Throws `unauthorized` when the caller may use the command, but not with this input. */
export function checkInput(input: Inputs[Method], caller: Caller): void {
  if (caller.key !== undefined && executesUndecided(input)) {
    throw refused(
      'a key to the console has no call executed that nobody decides: that is the owner’s choice',
      {
        next: 'Let such calls wait or be refused, or choose it with the owner’s own token.',
      },
    );
  }
  if ('into' in input && input.into !== undefined && caller.isCommand !== true)
    throw refused('a folder of your choice is for commands of this machine', { next: 'Leave it out.' });
  if (roleOf(caller) === 'owner') return;
  if ('episode' in input) checkStream(input.episode);
  if ('condition' in input && ('filter' in input || 'order' in input)) {
    throw refused('an expert’s seat lists episodes as they come: outcomes would show');
  }
  if ('with_verdict' in input && input.with_verdict) {
    throw refused('an expert’s seat tries calls without the verdict');
  }
}

const executesUndecided = (input: Inputs[Method]): boolean =>
  ('hold_fallback' in input && input.hold_fallback === 'approve') ||
  ('approval' in input && input.approval?.fallback === 'approve') ||
  ('starts' in input && input.starts.some(({ approval }) => approval?.fallback === 'approve'));

/** Throws `unauthorized` when the topic is not for this caller. */
export function checkTopic(topic: Topic, caller: Caller): void {
  if (roleOf(caller) === 'owner') return;
  if (!EXPERT_TOPICS.has(topic.topic)) throw refused(`${topic.topic} is not for an expert’s seat`);
  if (topic.topic === 'episode') checkStream(topic.episode);
}

/** The table of streams decides; a kind that is not in it is nobody's. */
function checkStream(stream: string): void {
  const kind = streamKind(stream);
  if (kind !== null && STREAM_READERS[kind].expert) return;
  throw refused('an expert’s seat reads episodes, not other seats or what the owner keeps beside them');
}

/** A command of the owner's, or one that this run does not grant. */
export const refused = (
  message: string,
  { next }: { next: string } = { next: 'Ask the person who invited you.' },
): Failure => new Failure('unauthorized', message, { next });

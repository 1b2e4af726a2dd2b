// Checks that a caller may use a command, or watch a topic, by its row of the contract.
import { STREAM_READERS, streamKind } from '../events/streams.ts';
import { Failure } from '../failure.ts';
import { routes, type Caller, type Inputs, type Method } from './contract.ts';
import { TOPICS, type Topic } from './envelope.ts';
import type { Role } from './seat.ts';

export const roleOf = ({ invite }: Caller): Role => (invite === undefined ? 'owner' : 'expert');

/** Throws `unauthorized` when the command is not for this caller, whatever its input. */
export function checkMethod(method: Method, caller: Caller): void {
  const { who } = routes[method];
  if (caller.key !== undefined && who === 'owner alone') throw notByKey(method);
  if (roleOf(caller) === 'expert' && who !== 'expert') throw refused(`${method} is not for an expert’s seat`);
  if (who === 'command' && caller.isCommand !== true)
    throw refused(`${method} is for commands of this machine`, { next: 'Use the command line.' });
}

/** Throws `unauthorized` when the caller may use the command, but not with this input. */
export function checkInput(method: Method, input: Inputs[Method], caller: Caller): void {
  const { parts = {} } = routes[method];
  const part = Object.keys(input).find((name) => parts[name]?.who === 'owner alone');
  if (caller.key !== undefined && part !== undefined) throw notByKey(`${method} of ${part}`);
  if (caller.key !== undefined && namesAFile(input)) throw notByKey(`${method} with a file of this machine`);
  if (caller.key !== undefined && executesUndecided(input)) {
    throw refused(
      'a key to the console has no call executed that nobody decides: that is the owner’s choice',
      {
        next: 'Let such calls wait or be refused, or choose it with the owner’s own token.',
      },
    );
  }
  const { into } = 'write' in input ? (input.write ?? {}) : 'into' in input ? input : {};
  if (into !== undefined && caller.isCommand !== true)
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

const notByKey = (what: string): Failure =>
  refused(`${what} is not for a key to the console`, {
    next: 'Make a key of its own under Setup, or open the console with the owner’s own token.',
  });

/** A file of an authority's certificate is read by main: what it says of a path would tell what lies there. */
const namesAFile = (input: Inputs[Method]): boolean =>
  'connection' in input && input.connection !== undefined && input.connection.ca_file !== null;

const executesUndecided = (input: Inputs[Method]): boolean =>
  ('hold_fallback' in input && input.hold_fallback === 'approve') ||
  ('approval' in input && input.approval?.fallback === 'approve') ||
  ('starts' in input && input.starts.some(({ approval }) => approval?.fallback === 'approve'));

/** Throws `unauthorized` when the topic is not for this caller. */
export function checkTopic(topic: Topic, caller: Caller): void {
  if (roleOf(caller) === 'owner') return;
  if (TOPICS[topic.topic].who !== 'expert') throw refused(`${topic.topic} is not for an expert’s seat`);
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

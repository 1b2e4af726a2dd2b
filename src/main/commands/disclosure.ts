// What leaves main for a seat: kept from it, or recorded as seen before it is sent. Every answer and every push of the
// console goes through here, so that no door of it can forget to.
import {
  isRevealing,
  type Caller,
  type Inputs,
  type Method,
  type Outputs,
  type RevealingMethod,
} from '../../shared/contract/contract.ts';
import type { Push, Topic } from '../../shared/contract/envelope.ts';
import { checkInput, refused, roleOf } from '../../shared/contract/roles.ts';
import { isBlobRef } from '../../shared/events/text.ts';
import { recordSeen } from '../desk/seen.ts';
import type { EventLog } from '../log/eventLog.ts';
import { REVEALED_BY, shownByPush, type Revealed } from './revealed.ts';
import { checkFirst, withoutOthersFirst } from './firstSeat.ts';
import { veilFor } from './veil.ts';

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
      if (isRevealing(method)) note(shownBy(method, output, input, log), caller);
    },
    checkTopic: (topic, caller) => {
      if (topic.topic === 'episode') checkEpisode(topic.episode, caller);
    },
    pushed: (push, caller) => {
      if (push.topic === 'episode') checkEpisode(push.episode, caller);
      const told = withoutOthersFirst(veilFor(log, caller).push(push), caller, clock());
      if (roleOf(caller) === 'expert') handedOut.add(caller.seat, told);
      note(shownByPush(told), caller);
      return told;
    },
  };
}

const shownBy = <M extends RevealingMethod>(
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

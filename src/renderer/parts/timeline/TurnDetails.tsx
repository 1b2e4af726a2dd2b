// Everything about one turn, verbatim first: what was written, how it was read, what was sent, what came back.
import { GitFork } from 'lucide-react';
import type { ReactNode } from 'react';
import { notRunHere } from '../../../shared/episode/branch.ts';
import { isPlayedByPerson } from '../../../shared/episode/phase.ts';
import type { Call, EpisodeRecord, Message, Turn } from '../../../shared/episode/record.ts';
import { ruleText } from '../../../shared/episode/ruleText.ts';
import { costOf, formatMoney } from '../../../shared/episode/spending.ts';
import type { Usage } from '../../../shared/events/prices.ts';
import { textHead } from '../../../shared/events/text.ts';
import { useSession } from '../../state/hooks.ts';
import { isViewOf, useRole } from '../../state/role.ts';
import { Button } from '../../ui/Button.tsx';
import { formatDuration } from '../../ui/time.ts';
import { ObservationView, useObservation } from '../observation/ObservationView.tsx';
import { TryFromHere } from '../preview/TryFromHere.tsx';
import { DataText, DataValue } from '../text/DataText.tsx';
import { formatCount } from '../text/size.ts';
import { CoveredChanges } from '../world/Changes.tsx';
import { Facts, Folded } from './Facts.tsx';
import { MessageText } from './MessageText.tsx';
import { forkTurn, useFork } from './useFork.ts';

export function TurnDetails({ turn, record }: { turn: Turn; record: EpisodeRecord }): ReactNode {
  const { reasoning, call, move } = turn;
  const isCall = move?.type === 'call_tool' || move?.type === 'list_tools';
  return (
    <>
      {turn.hasText ? null : (
        <p className="soft small">Only the call was recorded, not the agent’s own text.</p>
      )}
      {isCall ? null : <Reply turn={turn} />}
      {reasoning === null ? null : <DataText label="Reasoning" text={reasoning} isProse />}
      <ReadingDetails turn={turn} />
      {move?.type === 'ask_expert' ? <DataValue label="Asked with" value={move.arguments} /> : null}
      <Facts
        facts={[['No one was asked', call === null || call.waived === null ? null : ruleText(call.waived)]]}
      />
      {call !== null && call.returned !== null ? (
        <Returned returned={call.returned} isPlayed={isPlayedByPerson(record)} />
      ) : null}
      <RawCall turn={turn} isCall={isCall} />
      <Changed call={call} episode={record.id} />
      <ReadMessages messages={messagesOf(record, turn)} record={record} />
      <Facts facts={modelFacts(turn, record)} />
      <TurnActs turn={turn} record={record} />
    </>
  );
}

/** The agent's text, and the calls that its model made beside it. */
function Reply({ turn: { content, toolCalls, hasText, move } }: { turn: Turn }): ReactNode {
  return (
    <>
      {textHead(content) === '' && (toolCalls.length > 0 || !hasText) ? null : (
        <DataText label="Reply as received" text={content} isProse={move?.type === 'final'} />
      )}
      {toolCalls.map((native) => (
        <DataText key={native.id} label={`Native call ${native.name}`} text={native.arguments} />
      ))}
    </>
  );
}

/** The call and its reply, verbatim. */
function RawCall({ turn, isCall }: { turn: Turn; isCall: boolean }): ReactNode {
  const frame = turn.call?.returned?.frame ?? '';
  if (!isCall && frame === '') return null;
  return (
    <Folded label="The call and the reply as they were">
      {isCall ? <Reply turn={turn} /> : null}
      <Sent turn={turn} />
      {frame === '' ? null : <DataText label="Frame" text={frame} />}
    </Folded>
  );
}

/** The host's words to the agent instead of carrying its call out. */
export function ToldDetails({ turn, record }: { turn: Turn; record: EpisodeRecord }): ReactNode {
  const messages = messagesOf(record, turn);
  const { move, call } = turn;
  if (messages.length > 0) {
    return messages.map((message) => <MessageText key={message.n} message={message} record={record} />);
  }
  const text = call?.refused?.text ?? (move?.type === 'malformed' ? move.detail : '');
  return <DataText label="The agent was told" text={text} isProse />;
}

const messagesOf = ({ messages }: EpisodeRecord, { turn, n }: Turn): Message[] =>
  messages.filter((message) => message.turn === turn && message.n > n && message.role !== 'assistant');

function ReadingDetails({ turn: { move, repairs, ignoredCalls, replyOf } }: { turn: Turn }): ReactNode {
  if (move?.type === 'malformed') {
    return <DataText label={`Could not be read: ${move.code}`} text={move.detail} tone="error" isProse />;
  }
  const notes = [
    ...(replyOf === undefined ? [] : [`A further call of the reply of turn ${String(replyOf)}.`]),
    ...(repairs.length === 0 ? [] : [`Repaired to be read: ${repairs.join(', ')}.`]),
    ...(ignoredCalls === 0
      ? []
      : [`${formatCount(ignoredCalls, 'further call')} in the same reply not run.`]),
  ];
  return notes.length === 0 ? null : <p className="soft small">{notes.join(' ')}</p>;
}

/** The call that was sent; beside the proposal, if it differs. */
function Sent({ turn: { move, call } }: { turn: Turn }): ReactNode {
  if (move?.type !== 'call_tool') return null;
  const sent = call?.sent ?? null;
  const isSame =
    sent !== null &&
    sent.toolName === move.tool_name &&
    JSON.stringify(sent.arguments) === JSON.stringify(move.arguments);
  return (
    <>
      {isSame ? null : <DataValue label={`Proposed: ${move.tool_name}`} value={move.arguments} />}
      {sent === null ? null : <DataValue label={`Sent: ${sent.toolName}`} value={sent.arguments} />}
    </>
  );
}

type ReturnedProps = { returned: NonNullable<Call['returned']>; isPlayed: boolean };

function Returned({ returned, isPlayed }: ReturnedProps): ReactNode {
  const { error, text, frame, reward_type, reward, latency_ms, done } = returned;
  const parts = useObservation(frame);
  const result = text === null ? null : <DataText label="Result" text={text} />;
  return (
    <>
      {error === null ? null : <DataText label="Error" text={error} tone="error" />}
      {parts === null ? (
        result
      ) : (
        <>
          <ObservationView label="Observation" parts={parts} reward={reward} />
          {result === null ? null : (
            <Folded label={isPlayed ? 'As text' : 'As the agent read it'}>{result}</Folded>
          )}
        </>
      )}
      {error === null && text === null ? <p className="soft small">It returned nothing.</p> : null}
      <Facts
        facts={[
          ['Label', reward_type],
          ['Reward', reward === null ? null : String(reward)],
          ['Done', done ? 'yes: the environment ended the episode' : null],
          ['Took', latency_ms === null ? null : formatDuration(latency_ms)],
        ]}
      />
    </>
  );
}

/** Null where the world's state cannot be read: then nothing is claimed. */
function Changed({ call, episode }: { call: Call | null; episode: string }): ReactNode {
  const { call: request } = useSession();
  if (call === null || call.areChangesCovered !== true) return null;
  return (
    <CoveredChanges
      what="Show what this call changed"
      read={() => request('call.changes', { episode, call: call.id })}
      label={(rows, count) => (count === 0 ? 'This call changed nothing' : `What this call changed: ${rows}`)}
    />
  );
}

/** Messages that the agent read, if they are not simply the result: cut, or with words of the host in them. */
function ReadMessages({
  messages,
  record,
}: {
  messages: readonly Message[];
  record: EpisodeRecord;
}): ReactNode {
  const notable = messages.filter(
    ({ segments, full_length, content, origin }) =>
      full_length > content.length ||
      origin === 'prompt' ||
      segments.some(({ type }) => type !== 'environment'),
  );
  return notable.map((message) => <MessageText key={message.n} message={message} record={record} />);
}

/** In money, where the price was known when the episode began; said where it was not. */
function costFact({ usage, actor }: Turn, { started }: EpisodeRecord): string | null {
  if (usage === null || actor.type === 'human' || started?.source !== 'run') return null;
  const price = started.prices?.agent;
  const cost = costOf(usage, price);
  return cost === null || price === undefined ? 'price unknown' : formatMoney(cost, price.currency);
}

const tokensFact = ({ input_tokens: input, output_tokens: output, ...part }: Usage): string =>
  [
    `${String(input ?? '?')} in, ${String(output ?? '?')} out`,
    ...(part.cached_tokens === undefined ? [] : [`${String(part.cached_tokens)} cached`]),
    ...(part.reasoning_tokens === undefined ? [] : [`${String(part.reasoning_tokens)} reasoning`]),
  ].join(', ');

const modelFacts = (
  { model, stopReason, usage, latency_ms, confidence, ...turn }: Turn,
  record: EpisodeRecord,
): [string, string | null][] => [
  ['Stated confidence', confidence === undefined ? null : `${String(Math.round(confidence * 100))} %`],
  ['Model', model],
  ['Stopped by', stopReason],
  ['Tokens', usage === null ? null : tokensFact(usage)],
  ['Cost', costFact({ model, stopReason, usage, latency_ms, ...turn }, record)],
  ['Thought for', latency_ms === null ? null : formatDuration(latency_ms)],
];

export function TurnActs({ turn, record }: { turn: Turn; record: EpisodeRecord }): ReactNode {
  const role = useRole();
  const { fork, isBusy } = useFork(record);
  const from = forkTurn(record, turn.turn);
  const problem = notRunHere(record.started?.source);
  return (
    <>
      {from === null || !isViewOf('episodes', role) ? null : (
        <div>
          <Button
            size="small"
            icon={<GitFork />}
            isBusy={isBusy}
            isDisabled={problem !== null}
            {...(problem === null ? {} : { title: `${problem.why} ${problem.next}` })}
            onClick={() => void fork(turn.turn)}
          >
            {turn.move?.type === 'final' ? 'Fork before the final answer' : `Fork after turn ${String(from)}`}
          </Button>
        </div>
      )}
      <TryFromHere turn={turn} record={record} />
    </>
  );
}

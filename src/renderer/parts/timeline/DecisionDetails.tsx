// The details of a decision about a call, and of a label on a turn: proposed, decided, effective, told.
import type { ReactNode } from 'react';
import type { Call, EpisodeRecord, Turn } from '../../../shared/episode/record.ts';
import { ruleText } from '../../../shared/episode/ruleText.ts';
import { formatMoment } from '../../ui/time.ts';
import { privilegeMark } from '../advice/privilegeText.ts';
import { DataText, DataValue } from '../text/DataText.tsx';
import { Facts } from './Facts.tsx';
import { ToldDetails } from './TurnDetails.tsx';

/** The rule in words, or what else held it. */
const heldBecause = (call: Call | null): string | null => {
  const held = call?.held ?? null;
  if (held === null || held.rule === null) return held?.why ?? null;
  return held.why === 'rule' ? ruleText(held.rule) : held.rule;
};

export function DecisionDetails({ turn, record }: { turn: Turn; record: EpisodeRecord }): ReactNode {
  const { move, call } = turn;
  const decision = call?.decision ?? null;
  if (decision === null) return null;
  return (
    <>
      {move?.type === 'call_tool' ? (
        <DataValue label={`Proposed: ${move.tool_name}`} value={move.arguments} />
      ) : null}
      {decision.type === 'edited' ? (
        <DataValue label={`Sent instead: ${decision.toolName}`} value={decision.arguments} />
      ) : null}
      {'reason' in decision && decision.reason !== null ? (
        <DataText label="Reason" text={decision.reason} isProse />
      ) : null}
      {decision.type === 'answered' ? (
        <DataText
          label="Fabricated result"
          text={decision.text}
          tone={decision.isError ? 'error' : 'plain'}
          note="Written by a person. The environment never saw the call."
        />
      ) : null}
      <Facts
        facts={[
          ['Held because', heldBecause(call)],
          [
            'Waiting since',
            call?.held === null || call?.held === undefined ? null : formatMoment(call.held.at),
          ],
          ['Decided by', decision.actor.id ?? decision.actor.type],
          ['At', formatMoment(decision.at)],
          ['Privilege', 'privilege' in decision ? privilegeMark(decision.privilege) : null],
        ]}
      />
      {decision.type === 'rejected' || (decision.type === 'edited' && call?.returned) ? (
        <ToldDetails turn={turn} record={record} />
      ) : null}
    </>
  );
}

export function LabelDetails({ turn: { label, move } }: { turn: Turn }): ReactNode {
  if (label === null) return null;
  return (
    <>
      <p className="soft small">
        {label.agrees
          ? 'The expert would have made the same move.'
          : 'The expert would have moved differently. The agent was not interrupted.'}
      </p>
      {move === null || label.agrees ? null : <DataValue label="The agent’s move" value={move} />}
      <DataValue label="The expert’s move" value={label.move} />
      <Facts
        facts={[
          ['Given by', label.actor.id ?? label.actor.type],
          ['At', formatMoment(label.at)],
          ['Privilege', privilegeMark(label.privilege)],
          [
            'Asked of',
            label.beta === null ? 'every turn of this kind' : `${String(label.beta * 100)} % of turns`,
          ],
        ]}
      />
    </>
  );
}

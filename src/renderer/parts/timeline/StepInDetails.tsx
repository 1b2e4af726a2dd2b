// The details of what people did around the turns: phases, notes, breakpoints, rules, tries, forks.
import type { ReactNode } from 'react';
import type { Call, EpisodeRecord, StepInItem, Turn } from '../../../shared/episode/record.ts';
import { restartText } from '../../../shared/episode/restarts.ts';
import { ruleText } from '../../../shared/episode/ruleText.ts';
import { outcomeOf } from '../../../shared/taskOutcome.ts';
import { carriedText } from '../../../shared/timeline/stepInRow.ts';
import { episodeRoute, formatRoute, type Route } from '../../state/route.ts';
import { OutcomeMark } from '../../ui/OutcomeMark.tsx';
import { formatMoment } from '../../ui/time.ts';
import { privilegeMark } from '../advice/privilegeText.ts';
import { DataText, DataValue } from '../text/DataText.tsx';
import { breakpointText, ruleSentence } from './breakpointText.ts';
import { DriftList } from './DriftList.tsx';
import { Facts } from './Facts.tsx';
import { ToldDetails } from './TurnDetails.tsx';
import * as styles from './Details.module.css';

const PHASES = { autonomous: 'the agent acts', paused: 'paused', correcting: 'a person acts' } as const;
const CAUSES = {
  person: 'a person',
  step: 'a single step',
  breakpoint: 'a breakpoint',
  rejections: 'three rejected calls in a row',
} as const;

const DOUBTS = {
  waits:
    'The call had been sent when Interject ended, and its answer never came. It waits for a person’s word.',
  send_again: 'The call was sent once more.',
  unknown: 'The call was not sent again; the agent was told that nobody knows whether it was carried out.',
} as const;

export function StepInDetails({ item, record }: { item: StepInItem; record: EpisodeRecord }): ReactNode {
  switch (item.type) {
    case 'phase':
      return (
        <>
          {item.reason === null ? null : <DataText label="Reason" text={item.reason} isProse />}
          <Facts
            facts={[
              ['Before', PHASES[item.from]],
              ['After', PHASES[item.to]],
              ['Caused by', CAUSES[item.cause]],
              ['Seat', item.actor.id],
              ['At', formatMoment(item.at)],
            ]}
          />
        </>
      );
    case 'note':
      return <NoteDetails id={item.note} record={record} />;
    case 'breakpoint_hit':
      return <p className="soft small">{hitText(record, item.breakpoint, item.turn)}</p>;
    case 'rules':
      return <RulesDetails record={record} count={item.count} />;
    case 'discarded':
      return (
        <>
          <p className="soft small">
            {`Turns ${String(item.fromTurn)} to ${String(item.toTurn)} stay in the log but are left out of exports.`}
          </p>
          {item.reason === null ? null : <DataText label="Reason" text={item.reason} isProse />}
        </>
      );
    case 'preview':
      return <PreviewDetails id={item.preview} record={record} />;
    case 'forked':
      return <ForkedDetails record={record} />;
    case 'went_on':
      return <RestartDetails attempt={item.attempt} record={record} />;
    case 'doubt':
      return (
        <>
          <p className="soft small">{DOUBTS[item.act ?? 'waits']}</p>
          <Facts
            facts={[
              ['Call of turn', String(item.turn)],
              ['Seat', item.act === null ? null : item.actor.id],
              ['At', formatMoment(item.at)],
            ]}
          />
        </>
      );
  }
}

function RestartDetails({ attempt, record }: { attempt: number; record: EpisodeRecord }): ReactNode {
  const restart = record.restarts.find((one) => one.attempt === attempt);
  if (restart === undefined) return null;
  const { wentOn, actor, ran_until: ranUntil, at } = restart;
  const drift = wentOn?.drift ?? null;
  return (
    <>
      <p className="soft small">{`${restartText(restart)}.`}</p>
      <Facts
        facts={[
          ['Ran until', formatMoment(ranUntil)],
          ['Picked up', formatMoment(at)],
          ['By', actor.type === 'human' ? actor.id : 'itself'],
          ['Attempt', String(attempt)],
        ]}
      />
      {drift === null ? null : <DriftList drift={[drift]} replayed={wentOn?.replayed ?? 0} />}
    </>
  );
}

function NoteDetails({ id, record }: { id: string; record: EpisodeRecord }): ReactNode {
  const note = record.notes.find((one) => one.id === id);
  if (note === undefined) return null;
  const { text, deliveredTurn, privilege, actor } = note;
  return (
    <>
      <DataText label="Full note" text={text} isProse />
      <Facts
        facts={[
          ['Read by the agent', deliveredTurn === null ? 'not yet' : `before turn ${String(deliveredTurn)}`],
          ['Privilege', privilegeMark(privilege)],
          ['Seat', actor.id],
        ]}
      />
    </>
  );
}

function hitText({ breakpoints }: EpisodeRecord, id: string, turn: number): string {
  const found = breakpoints.find((one) => one.id === id);
  const where =
    found === undefined ? 'The breakpoint has been cleared since.' : `It stops ${breakpointText(found.at)}.`;
  return `Stopped for turn ${String(turn)}. ${where}`;
}

/** The event holds the rules of that moment; the record keeps those that hold now. */
function RulesDetails({ record: { rules }, count }: { record: EpisodeRecord; count: number }): ReactNode {
  if (rules.length !== count || count === 0) {
    return (
      <p className="soft small">
        {count === 0
          ? 'From here on no call needed approval.'
          : 'These rules were replaced later. Shown as they were.'}
      </p>
    );
  }
  return (
    <ol className={styles.list}>
      {rules.map((rule, index) => (
        <li key={`${String(index)}${rule.glob}`}>{ruleSentence(rule)}</li>
      ))}
    </ol>
  );
}

function PreviewDetails({ id, record }: { id: string; record: EpisodeRecord }): ReactNode {
  const found = record.previews.find(({ preview }) => preview === id);
  if (found === undefined) return null;
  return (
    <>
      {found.calls.map(({ tool_name: name, arguments: args }, index) => (
        <DataValue key={`${String(index)}${name}`} label={`Tried: ${name}`} value={args} />
      ))}
      <DriftList drift={found.drift} replayed={found.replayed} />
      {(found.results ?? []).map(({ is_error: isError, text }, index) =>
        text === null ? null : (
          <DataText
            // A result has no other name than its place.
            // oxlint-disable-next-line react/no-array-index-key
            key={index}
            label={`${isError ? 'Error' : 'Result'} of ${found.calls[index]?.tool_name ?? 'the call'}, as shown`}
            text={text}
            {...(isError ? { tone: 'error' as const } : {})}
          />
        ),
      )}
      <Facts
        facts={[
          ['Shown without asking to', found.shown_to ?? null],
          [
            'The verifier would say',
            found.verdict === null ? null : <OutcomeMark key="verdict" outcome={outcomeOf(found.verdict)} />,
          ],
          ['Privilege', privilegeMark(found.privilege)],
        ]}
      />
    </>
  );
}

/** The other episode, read from where this one leaves it. */
const forkRoute = ({ from }: { from: string }): Route => episodeRoute(from);

function ForkedDetails({ record: { forked } }: { record: EpisodeRecord }): ReactNode {
  if (forked === null) return null;
  return (
    <>
      <Facts
        facts={[
          [
            'From',
            <a key="from" href={formatRoute(forkRoute(forked))}>
              {forked.from}
            </a>,
          ],
          ['Copied turns', `1 to ${String(forked.from_turn)}`],
          ['Carried over', carriedText(forked)],
          ['Why', forked.why === 'fork' ? 'a branch a person chose' : 'continuing after an interruption'],
        ]}
      />
      <DriftList drift={forked.drift} replayed={forked.replayed} />
    </>
  );
}

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

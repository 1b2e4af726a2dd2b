// The details of what happened around the turns: start, reset, tools, connection, verifier, end.
import type { ReactNode } from 'react';
import { limitText } from '../../../shared/episode/phase.ts';
import { spendingOf, spendingText } from '../../../shared/episode/spending.ts';
import { failureText } from '../../../shared/failure.ts';
import type { EpisodeRecord, Item } from '../../../shared/episode/record.ts';
import { outcomeOf } from '../../../shared/taskOutcome.ts';
import type { Outcome } from '../../../shared/events/lifecycle.ts';
import { OutcomeMark, OutcomeOrHidden } from '../../ui/OutcomeMark.tsx';
import { formatDuration, formatMoment } from '../../ui/time.ts';
import { recordOutcome } from '../episode/facts.ts';
import { ObservationView, useObservation } from '../observation/ObservationView.tsx';
import { DataText, DataValue } from '../text/DataText.tsx';
import { Facts, Folded } from './Facts.tsx';
import { erasedRowText } from './erasedRow.ts';
import { GatewayDetails } from './GatewayDetails.tsx';
import { isGatewayItem } from './gatewayRow.ts';
import { ImportDetails } from './ImportDetails.tsx';
import { StepInDetails } from './StepInDetails.tsx';

export function ItemDetails({ item, record }: { item: Item; record: EpisodeRecord }): ReactNode {
  switch (item.type) {
    case 'started':
      return record.started === null ? null : (
        <DataValue label="Started with" value={withoutKind(record.started)} />
      );
    case 'reset':
      return <Reset record={record} />;
    case 'tools':
      return <p className="soft small">{record.tools.map((tool) => tool.name).join(', ')}</p>;
    case 'connection':
    case 'start_retried':
    case 'model_failed':
      return <Broken item={item} />;
    case 'verified':
      return <Verified record={record} />;
    case 'finished':
      return <FinishedDetails record={record} />;
    case 'ended':
      return <Ended record={record} />;
    case 'stop_requested':
      return item.reason === null ? (
        <p className="soft small">No reason was given.</p>
      ) : (
        <DataText label="Reason" text={item.reason} isProse />
      );
    case 'criteria':
      return <CriteriaDetails record={record} />;
    case 'answer_key':
      return (
        <p className="soft small">
          {`Seat ${item.seat} saw what the verifier checks, at ${formatMoment(item.at)}. Later advice from this seat on this task is marked.`}
        </p>
      );
    case 'erased':
      return <p className="soft small">{erasedRowText(record).detail}</p>;
    case 'message':
      return (
        <DataText
          label={item.role === 'tool' ? 'What it read' : 'What it was told'}
          text={item.text}
          isProse
        />
      );
    case 'imported':
      return <ImportDetails record={record} />;
    case 'turn':
    case 'consultation':
      return null;
    default:
      return isGatewayItem(item) ? (
        <GatewayDetails item={item} record={record} />
      ) : (
        <StepInDetails item={item} record={record} />
      );
  }
}

const withoutKind = ({ kind: _kind, ...rest }: NonNullable<EpisodeRecord['started']>): object => rest;

const tookText = (latency_ms: number | null): string | null =>
  latency_ms === null ? null : formatDuration(latency_ms);

function Reset({ record: { reset } }: { record: EpisodeRecord }): ReactNode {
  const parts = useObservation(reset?.frame ?? '');
  if (reset === null) return null;
  return (
    <>
      {parts === null ? null : (
        <ObservationView label="First observation" parts={parts} reward={reset.reward} />
      )}
      {reset.warning === null ? null : <DataText label="Warning" text={reset.warning} tone="error" isProse />}
      <DataValue label="Asked for" value={reset.request} />
      <Facts
        facts={[
          ['Label', reset.reward_type],
          ['Tools', reset.num_tools],
          ['Took', tookText(reset.latency_ms)],
        ]}
      />
      <Folded label="Frame as received">
        <DataText label="Frame" text={reset.frame} />
      </Folded>
    </>
  );
}

function Broken({
  item,
}: {
  item: Extract<Item, { type: 'connection' | 'start_retried' | 'model_failed' }>;
}): ReactNode {
  if (item.type === 'model_failed')
    return <DataText label={item.code} text={item.message} tone="error" isProse />;
  if (item.failure === null) return <p className="soft small">{formatMoment(item.at)}</p>;
  return (
    <>
      <DataText label={item.failure.code} text={item.failure.message} tone="error" isProse />
      {item.failure.next === null ? null : <p className="soft small">{item.failure.next}</p>}
    </>
  );
}

function Verified({ record: { verified } }: { record: EpisodeRecord }): ReactNode {
  if (verified === null) return null;
  return (
    <>
      {verified.error === null ? null : <DataText label="Error" text={verified.error} tone="error" />}
      {verified.verify_result === null ? null : <DataValue label="Result" value={verified.verify_result} />}
      {verified.final_answer === null ? null : (
        <DataText label="Final answer it received" text={verified.final_answer} isProse />
      )}
      <Facts
        facts={[
          ['Outcome', <OutcomeMark key="outcome" outcome={outcomeOf(verified.reward_type)} />],
          ['Mode', verified.verifier_mode],
          ['Verifier’s label', verified.reward_type],
          ['Reward', verified.reward],
          ['Took', tookText(verified.latency_ms)],
        ]}
      />
      <Folded label="Frame as received">
        <DataText label="Frame" text={verified.frame} />
      </Folded>
    </>
  );
}

function FinishedDetails({ record: { finished } }: { record: EpisodeRecord }): ReactNode {
  if (finished === null) return null;
  return (
    <>
      <Facts
        facts={[
          ['Label', finished.reward_type],
          ['Steps', finished.steps_taken],
          ['Took', tookText(finished.latency_ms)],
        ]}
      />
      <Folded label="Frame as received">
        <DataText label="Frame" text={finished.frame} />
      </Folded>
    </>
  );
}

const REASONS: Readonly<Record<string, string>> = {
  budget: 'its budget for models is spent',
  budget_unknown: 'there is a budget for models, and what they take is not known',
};

const ENDINGS: Readonly<Record<Outcome, string>> = {
  done: 'its final answer',
  limit: 'a limit',
  stopped: 'a stop',
  interrupted: 'an interruption',
  error: 'an error',
};

function EndedOutcome({ record }: { record: EpisodeRecord }): ReactNode {
  return <OutcomeOrHidden outcome={recordOutcome(record)} />;
}

function Ended({ record }: { record: EpisodeRecord }): ReactNode {
  const { ended } = record;
  if (ended === null) return null;
  const spent = spendingOf(record);
  const { failure } = ended;
  return (
    <>
      {failure === null ? null : (
        <DataText label={failure.code} text={failure.message} tone="error" isProse />
      )}
      {failure === null || failure.next === null ? null : <p className="soft small">{failure.next}</p>}
      {ended.final_answer === null ? null : (
        <DataText label="Final answer" text={ended.final_answer} isProse />
      )}
      <Facts
        facts={[
          ['Ended by', ENDINGS[ended.outcome]],
          ['Why', ended.reason === null ? null : (REASONS[ended.reason] ?? ended.reason)],
          ['Limit', ended.limit === undefined ? null : limitText(ended.limit, { currency: spent?.currency })],
          ['Spent', spent === null ? null : spendingText(spent)],
          ['Outcome', <EndedOutcome key="outcome" record={record} />],
          ['Reward', ended.reward],
          ['At', formatMoment(ended.at)],
        ]}
      />
    </>
  );
}

/** Who was asked, and what it cost; the words themselves stand behind the answer key's cover. */
function CriteriaDetails({ record: { criteria } }: { record: EpisodeRecord }): ReactNode {
  if (criteria === null) return null;
  const { failure, usage, verifier_sha256: verifier } = criteria;
  const tokens =
    usage === null
      ? 'The model did not say how many tokens it took.'
      : `${String(usage.input_tokens ?? 0)} tokens in, ${String(usage.output_tokens ?? 0)} out${criteria.is_cached ? ', spent for an earlier episode' : ''}.`;
  return (
    <p className="soft small">
      {failure === null ? tokens : failureText(failure)}
      {` Verifier ${verifier.slice(0, 12)}. The words stand in the answer key.`}
    </p>
  );
}

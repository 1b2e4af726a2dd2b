// The details of what happened around the turns: start, reset, tools, connection, verifier, end.
import { Download } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { conservationWords } from '../../../shared/conservation.ts';
import type { GatewayItem } from '../../../shared/episode/record.ts';
import { isPlayedByPerson, limitText } from '../../../shared/episode/phase.ts';
import type { EpisodeRecord, Item } from '../../../shared/episode/record.ts';
import { spendingOf, spendingText } from '../../../shared/episode/spending.ts';
import type { Outcome } from '../../../shared/events/lifecycle.ts';
import { failureShape } from '../../../shared/failure.ts';
import { lengthText } from '../../../shared/lengthOfTime.ts';
import { outcomeOf } from '../../../shared/taskOutcome.ts';
import { erasedRowText, gatewayText, isGatewayItem } from '../../../shared/timeline/rows.ts';
import type { Transport } from '../../client/transport.ts';
import { useSession, useToast } from '../../state/hooks.ts';
import { useRole } from '../../state/role.ts';
import { Button } from '../../ui/Button.tsx';
import { OutcomeMark, OutcomeOrHidden } from '../../ui/OutcomeMark.tsx';
import { saveFile } from '../../ui/saveFile.ts';
import { formatDuration, formatMoment } from '../../ui/time.ts';
import { ExecutesUndecided } from '../call/ExecutesUndecided.tsx';
import { recordOutcome } from '../episode/facts.ts';
import { ObservationView, useObservation } from '../observation/ObservationView.tsx';
import { DataText, DataValue } from '../text/DataText.tsx';
import { formatBytes } from '../text/size.ts';
import { Facts, Folded } from './Facts.tsx';
import { MessageText } from './MessageText.tsx';
import { StepInDetails } from './StepInDetails.tsx';
import * as styles from './Details.module.css';

export function ItemDetails({ item, record }: { item: Item; record: EpisodeRecord }): ReactNode {
  switch (item.type) {
    case 'started':
      return <Started record={record} />;
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
    case 'ended':
      return <Ended record={record} />;
    case 'stop_requested':
      return item.reason === null ? (
        <p className="soft small">No reason was given.</p>
      ) : (
        <DataText label="Reason" text={item.reason} isProse />
      );
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
    case 'finished':
    case 'criteria':
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

function Started({ record }: { record: EpisodeRecord }): ReactNode {
  const first = record.turns[0]?.n ?? Infinity;
  const read = record.messages.filter(({ n, role }) => n < first && role !== 'assistant');
  return (
    <>
      {record.started === null ? null : (
        <DataValue label="Started with" value={withoutKind(record.started)} />
      )}
      {read.length === 0 ? null : (
        <Folded label={isPlayedByPerson(record) ? 'What the person read first' : 'What the agent read first'}>
          {read.map((message) => (
            <MessageText key={message.n} message={message} record={record} />
          ))}
        </Folded>
      )}
    </>
  );
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

type Props = { item: GatewayItem; record: EpisodeRecord };

export function GatewayDetails({ item, record }: Props): ReactNode {
  switch (item.type) {
    case 'tapped': {
      const { tapped } = record;
      if (tapped === null) return null;
      return (
        <Facts
          facts={[
            ['Key', tapped.key],
            ['Client', tapped.user_agent],
            ['People may', tapped.may_act ? 'advise, and act in its place' : 'advise and leave notes'],
            [
              'An episode a person changed',
              tapped.on_touch === 'mark' ? 'is marked' : 'ends with a server error',
            ],
            ['A held call waits for at most', lengthText(tapped.hold_limit_ms)],
            [
              'A call that nobody decides',
              tapped.hold_fallback === 'approve' ? <ExecutesUndecided key="executes" /> : 'is not executed',
            ],
          ]}
        />
      );
    }
    case 'frame':
      return <DataText label="Frame as received" text={item.frame} />;
    case 'gap':
      return (
        <Facts
          facts={[
            ['From', formatMoment(item.fromAt)],
            ['To', formatMoment(item.toAt)],
            ['Frames passed on', item.frames],
            ['Why', item.reason],
          ]}
        />
      );
    case 'touched':
    case 'leaked':
      return <p className="soft small">{gatewayText(record, item).detail}</p>;
  }
}

export function ImportDetails({ record: { id, imported } }: { record: EpisodeRecord }): ReactNode {
  if (imported === null) return null;
  const { source, version, companions, not_recorded: lacks, diagnostics, extra, conservation } = imported;
  return (
    <>
      <Facts
        facts={[
          ['File', source.name],
          ['Size', formatBytes(source.bytes)],
          ['Episode in the file', source.index + 1],
          ['Version', version],
          ['SHA-256', source.sha256.slice(0, 12)],
          ['Record read', conservation === undefined ? null : conservationWords(conservation)],
          ['File kept', companions.map(({ name }) => name).join(', ')],
        ]}
      />
      <KeptFileButton episode={id} />
      {lacks.length === 0 ? null : (
        <p className="soft small">{`This file does not record: ${lacks.join(', ')}.`}</p>
      )}
      {diagnostics.length === 0 ? null : (
        <ul className={styles.list} aria-label="Problems in the file">
          {diagnostics.map(({ code, message, pointer, count }) => (
            <li key={`${code}${pointer ?? ''}`}>
              {message}
              {pointer === null ? null : <code>{` ${pointer}`}</code>}
              {count > 1 ? ` (${String(count)} times)` : ''}
            </li>
          ))}
        </ul>
      )}
      {Object.keys(extra).length === 0 ? null : (
        <DataValue label="Other contents of the file" value={extra} />
      )}
    </>
  );
}

/** The file as it came in: an owner's alone, as it may hold more than this episode. */
function KeptFileButton({ episode }: { episode: string }): ReactNode {
  const isOwner = useRole() === 'owner';
  const { call } = useSession();
  const toast = useToast();
  const [share, setShare] = useState<number | null>(null);
  if (!isOwner) return null;
  const save = (): void => {
    setShare(0);
    fetchKept(call, episode, setShare)
      .then(({ name, content }) => saveFile(name, content))
      .catch((thrown: unknown) => {
        const { message, next } = failureShape(thrown);
        toast({ tone: 'error', title: `Could not save the file: ${message}`, text: next });
      })
      .finally(() => setShare(null));
  };
  return (
    <div>
      <Button size="small" icon={<Download />} isBusy={share !== null} onClick={save}>
        {share === null || share === 0 ? 'Save the original file' : `${String(Math.floor(share * 100))} %`}
      </Button>
    </div>
  );
}

/** Bytes held in memory before the browser gets them to keep where it likes, which for much of it is the disk. */
const HELD = 32 * 1024 * 1024;

type KeptFile = { name: string; content: Blob };

/** The whole file. `onShare` hears how much of it is there, from 0 to 1. Throws `not_found` when it is not kept any more. */
export async function fetchKept(
  call: Transport['call'],
  episode: string,
  onShare: (share: number) => void,
): Promise<KeptFile> {
  let content = new Blob([]);
  let held: Uint8Array<ArrayBuffer>[] = [];
  let offset = 0;
  for (;;) {
    const { name, bytes, data } = await call('import.source', { episode, offset });
    const part = Uint8Array.from(atob(data), (char) => char.charCodeAt(0));
    held.push(part);
    offset += part.length;
    onShare(bytes === 0 ? 1 : offset / bytes);
    const isWhole = part.length === 0 || offset >= bytes;
    if (!isWhole && held.reduce((sum, { length }) => sum + length, 0) < HELD) continue;
    content = new Blob([content, ...held], { type: 'application/octet-stream' });
    held = [];
    if (isWhole) return { name, content };
  }
}

// The whole request of a client that asked, on the card: messages, tools, and criteria behind a cover.
import { EyeOff } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { DeskItem } from '../../../shared/episode/rowShapes.ts';
import { isRecord, parseJson } from '../../../shared/json.ts';
import { useText } from '../../state/hooks.ts';
import { useAct } from '../../state/queries.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { LongText } from '../text/LongText.tsx';
import * as styles from './AdviceCard.module.css';

type RequestProps = {
  item: DeskItem;
  /** Reads what stands under the marks; null for a seat that may not. */
  onUncover: (() => Promise<CoveredText[]>) | null;
};

export function ClientRequest({ item, onUncover }: RequestProps): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  const request = item.request ?? null;
  if (request === null) return null;
  const covered = item.covered?.length ?? 0;
  return (
    <details className={styles.tried} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary className={styles.label}>
        The whole request
        {covered === 0 ? '' : `, ${String(covered)} ${covered === 1 ? 'part' : 'parts'} covered`}
      </summary>
      {isOpen ? <OpenRequest request={request} covered={covered} onUncover={onUncover} /> : null}
    </details>
  );
}

function OpenRequest({
  request,
  covered,
  onUncover,
}: {
  request: NonNullable<DeskItem['request']>;
  covered: number;
  onUncover: RequestProps['onUncover'];
}): ReactNode {
  const { text, isWhole, isLoading, load } = useText(request);
  const [spans, setSpans] = useState<CoveredText[] | null>(null);
  const { isBusy, failure, run } = useAct(async () => setSpans((await onUncover?.()) ?? []));
  if (!isWhole) {
    return (
      <Button size="small" isBusy={isLoading} onClick={load}>
        Read the whole request
      </Button>
    );
  }
  const { messages, tools, rest } = readRequest(spans === null ? text : uncovered(text, spans));
  return (
    <div className={styles.request}>
      {covered === 0 ? null : spans !== null ? (
        <p className={styles.seenKey} role="status">
          Your advice on this task is marked: you have seen what the verifier checks.
        </p>
      ) : (
        <div className={styles.covering}>
          <EyeOff aria-hidden="true" />
          <p>The client wrote what the verifier checks into its request. It is covered.</p>
          {onUncover === null ? null : (
            <Button size="small" isBusy={isBusy} onClick={() => void run()}>
              Show it; your advice will be marked
            </Button>
          )}
        </div>
      )}
      {failure === null ? null : <ErrorNote title="Could not show it" failure={failure} />}
      {messages.map(({ role, text: said }, at) => (
        <section key={`${role}${String(at)}`} aria-label={`Message ${String(at + 1)}, ${role}`}>
          <h3 className={styles.label}>{role}</h3>
          <LongText text={said} isProse />
        </section>
      ))}
      {tools.length === 0 ? null : <p className={styles.quiet}>Tools: {tools.join(', ')}</p>}
      {rest === null ? null : <LongText text={rest} />}
    </div>
  );
}

type CoveredText = { start: number; end: number; text: string };
type RequestMessage = { role: string; text: string };
type ReadRequest = { messages: RequestMessage[]; tools: string[]; rest: string | null };

/** The request's JSON with what stood under its marks. */
export const uncovered = (request: string, spans: readonly CoveredText[]): string =>
  spans
    .toSorted((a, b) => b.start - a.start)
    .reduce(
      (json, { start, end, text }) =>
        json.slice(0, start) + JSON.stringify(text).slice(1, -1) + json.slice(end),
      request,
    );

/** Its parts as far as they can be told; what is neither messages nor tools stays JSON. */
export function readRequest(json: string): ReadRequest {
  let body: unknown;
  try {
    body = parseJson(json);
  } catch {
    return { messages: [], tools: [], rest: json };
  }
  if (!isRecord(body)) return { messages: [], tools: [], rest: json };
  const { messages, tools, ...others } = body;
  const read = Array.isArray(messages) ? messages.flatMap(requestMessages) : [];
  const names = Array.isArray(tools) ? tools.flatMap(toolName) : [];
  const rest = Array.isArray(messages)
    ? others
    : { ...others, ...(messages === undefined ? {} : { messages }) };
  return {
    messages: read,
    tools: names,
    rest: Object.keys(rest).length === 0 ? null : JSON.stringify(rest, null, 2),
  };
}

function requestMessages(message: unknown): RequestMessage[] {
  if (!isRecord(message)) return [];
  const role = typeof message['role'] === 'string' ? message['role'] : 'unknown';
  const calls = message['tool_calls'];
  const parts = [requestText(message['content']), calls === undefined ? '' : JSON.stringify(calls, null, 2)];
  return [{ role, text: parts.filter(Boolean).join('\n') }];
}

function requestText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content))
    return content === null || content === undefined ? '' : JSON.stringify(content);
  return content
    .map((part: unknown) =>
      isRecord(part) && typeof part['text'] === 'string' ? part['text'] : JSON.stringify(part),
    )
    .join('\n');
}

function toolName(tool: unknown): string[] {
  if (typeof tool === 'string') return [tool];
  if (!isRecord(tool)) return [];
  const named = isRecord(tool['function']) ? tool['function']['name'] : tool['name'];
  return typeof named === 'string' ? [named] : [];
}

// Abilities of a model, found by small requests one after the other; the cost is said before, and it can be stopped.
import { CircleCheck, CircleHelp, CircleX } from 'lucide-react';
import { useCallback, useEffect, useRef, useState, type ReactNode } from 'react';
import { ModelProbe, PROBE_COST, type ProbeResult } from '../../../shared/contract/models.ts';
import { failureShape, type FailureShape } from '../../../shared/failure.ts';
import { useSession } from '../../state/hooks.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import * as styles from './Setup.module.css';

const LABELS: Readonly<Record<ModelProbe, string>> = {
  answer: 'Answers',
  system_role: 'Follows a system message',
  tools: 'Calls tools',
  parallel_calls: 'Makes several calls in one reply',
  streaming: 'Streams',
  reasoning: 'Shows its reasoning',
  context: 'Says how much it can read',
};

const ICONS = { yes: CircleCheck, no: CircleX, unclear: CircleHelp };
const FINDINGS = { yes: 'Yes', no: 'No', unclear: 'Unclear' };

type Asked = { probe: ModelProbe; result: ProbeResult };

type Props = { role: 'agent' | 'expert'; profile?: string };

function useProbes({ role, profile }: Props) {
  const { call } = useSession();
  const [asked, setAsked] = useState<readonly Asked[]>([]);
  const [now, setNow] = useState<ModelProbe | null>(null);
  const [failure, setFailure] = useState<FailureShape | null>(null);
  const running = useRef<string | null>(null);
  const stop = useCallback((): void => {
    const id = running.current;
    running.current = null;
    setNow(null);
    if (id !== null) void call('request.cancel', { id }).catch(() => undefined);
  }, [call]);
  // A view that is left asks no more.
  useEffect(() => stop, [stop]);
  const start = async (probes: readonly ModelProbe[]): Promise<void> => {
    const run = crypto.randomUUID();
    running.current = run;
    setAsked([]);
    setFailure(null);
    try {
      for (const probe of probes) {
        setNow(probe);
        const input = { role, probe, id: run, ...(profile === undefined ? {} : { profile }) };
        const result = await call('models.probe', input);
        if (running.current !== run) return;
        setAsked((before) => [...before, { probe, result }]);
        // What does not answer the first question answers none.
        if (probe === 'answer' && result.failure !== null) {
          setFailure(result.failure);
          break;
        }
      }
    } catch (thrown) {
      if (running.current === run) setFailure(failureShape(thrown));
    }
    if (running.current !== run) return;
    running.current = null;
    setNow(null);
  };
  return { asked, now, failure, start, stop };
}

export function ModelAbilities(props: Props): ReactNode {
  const { asked, now, failure, start, stop } = useProbes(props);
  const { requests, input_tokens: input, output_tokens: output } = PROBE_COST;
  const shown = asked.filter(({ result }) => result.failure === null);
  return (
    <div className={styles.abilities}>
      <div className={styles.actions}>
        {now === null ? (
          <>
            <Button size="small" onClick={() => void start(['answer'])}>
              Test
            </Button>
            <Button size="small" onClick={() => void start(ModelProbe.options)}>
              Try what it can do
            </Button>
          </>
        ) : (
          <Button size="small" onClick={stop}>
            Stop
          </Button>
        )}
        <span className="quiet">
          {now === null
            ? `One short request, or ${String(requests)} small requests: about ${input.toLocaleString()} tokens in, at most ${output.toLocaleString()} out.`
            : `Asking: ${LABELS[now].toLowerCase()}?`}
        </span>
      </div>
      {failure === null ? null : <ErrorNote title="The model did not answer" failure={failure} />}
      {shown.length === 0 ? null : (
        <ul className={styles.findings} aria-label="What the model can do">
          {shown.map(({ probe, result: { finding, evidence } }) => {
            const Icon = ICONS[finding];
            return (
              <li key={probe} className={styles[finding]}>
                <Icon aria-hidden="true" />
                <span>
                  <strong>{LABELS[probe]}</strong>: {FINDINGS[finding]}
                  <span className={styles.evidence}>{evidence}</span>
                </span>
              </li>
            );
          })}
        </ul>
      )}
      {shown.length === 0 || now !== null ? null : <p className="quiet">{usedText(asked)}</p>}
    </div>
  );
}

/** The tokens in all; a server that does not say is not counted as nothing. */
function usedText(asked: readonly Asked[]): string {
  const said = asked.flatMap(({ result: { usage } }) => usage ?? []);
  const sum = (field: 'input_tokens' | 'output_tokens'): string =>
    said.reduce((all, usage) => all + (usage[field] ?? 0), 0).toLocaleString();
  if (said.length === 0) return 'The server did not say how many tokens this took.';
  return `This took ${sum('input_tokens')} tokens in and ${sum('output_tokens')} out.`;
}

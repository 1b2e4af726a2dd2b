// Turning plain words into calls, shown as sentences before they are added under the words.
import { useState, type ReactNode } from 'react';
import type { Outputs } from '../../../shared/contract/contract.ts';
import { formatPlan, parsePlan, type PlannedCall } from '../../../shared/plan.ts';
import { callSentence, type SentenceTool } from '../../../shared/sentences/sentence.ts';
import { useAct } from '../../state/queries.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { useNameOf } from '../plan/Names.tsx';
import { StepSentence } from '../plan/StepSentence.tsx';
import * as styles from './MakePlan.module.css';
import type { AdviceState } from './useAdvice.ts';

type MadePlan = Outputs['advice.make_plan'];
type MakePlanProps = {
  advice: AdviceState;
  tools: readonly SentenceTool[];
  make: (text: string) => Promise<MadePlan>;
};

export function MakePlan({ advice, tools, make }: MakePlanProps): ReactNode {
  const { text } = advice;
  const [made, setMade] = useState<{ text: string; plan: MadePlan } | null>(null);
  const { isBusy, failure, run } = useAct(async () => setMade({ text, plan: await make(text) }));
  // Words that are calls already need none made of them.
  if (text.trim() === '' || parsePlan(text).calls.length > 0) return null;
  // A plan made of other words is none of these.
  const plan = made !== null && made.text === text ? made.plan : null;
  return (
    <div className={styles.make}>
      <Button size="small" tone="quiet" isBusy={isBusy} onClick={() => void run()}>
        Make plan
      </Button>
      {failure === null ? null : <ErrorNote title="No plan was made" failure={failure} />}
      {plan === null ? null : (
        <Offer
          plan={plan}
          tools={tools}
          onAdd={() => advice.type(withPlan(text, plan.calls))}
          onDrop={() => setMade(null)}
        />
      )}
    </div>
  );
}

/** The person's words as they are, and the plan under them: the agent reads both, and the log keeps both. */
export const withPlan = (text: string, calls: readonly PlannedCall[]): string =>
  `${text.trimEnd()}\n\n${formatPlan({ calls: calls.map((call) => ({ ...call, purpose: null })), success_state: null, tips: null })}`;

function Offer({
  plan,
  tools,
  onAdd,
  onDrop,
}: {
  plan: MadePlan;
  tools: readonly SentenceTool[];
  onAdd: () => void;
  onDrop: () => void;
}): ReactNode {
  const { calls, by, unread } = plan;
  const nameOf = useNameOf();
  const toolOf = (name: string): SentenceTool => tools.find((tool) => tool.name === name) ?? { name };
  if (calls.length === 0) {
    return (
      <p className={styles.offer} role="status">
        No call found in this text. Put a tool and its arguments on one line, or send the text as it is.
      </p>
    );
  }
  return (
    <div className={styles.offer} role="status">
      <p>
        {calls.length === 1 ? 'One call' : `${String(calls.length)} calls`},{' '}
        {by === 'model' ? 'read by the advisor model' : 'read by rule'}:
      </p>
      <ol className={styles.calls}>
        {calls.map((call, index) => (
          <li key={`${call.tool} ${String(index)}`}>
            <StepSentence sentence={callSentence(toolOf(call.tool), call.args, nameOf)} chips={null} />
          </li>
        ))}
      </ol>
      {unread.length === 0 ? null : (
        <p className="quiet">Stays plain text: {unread.map((line) => `“${line}”`).join(' ')}</p>
      )}
      <div className={styles.actions}>
        <Button size="small" onClick={onAdd}>
          Add the plan below my text
        </Button>
        <Button size="small" tone="quiet" onClick={onDrop}>
          Not now
        </Button>
      </div>
    </div>
  );
}

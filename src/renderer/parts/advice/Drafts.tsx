// Asking the advisor for another draft, and the drafts so far: compare them, go back to one.
import { RefreshCw } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import type { Consultation } from '../../../shared/episode/record.ts';
import type { Outputs } from '../../../shared/contract/contract.ts';
import { formatPlan, parsePlan, type PlannedCall } from '../../../shared/plan.ts';
import { callSentence, type SentenceTool } from '../../../shared/sentences/sentence.ts';
import { useKeys, useText } from '../../state/hooks.ts';
import { useAct } from '../../state/queries.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Field, Input } from '../../ui/Field.tsx';
import type { MenuEntry } from '../../ui/Menu.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { LaterDiffText } from '../text/laterDiffText.ts';
import { planWords } from '../plan/planWords.ts';
import { useNameOf } from '../plan/Names.tsx';
import { StepSentence } from '../plan/StepSentence.tsx';
import * as styles from './Drafts.module.css';
import type { AdviceState } from './useAdvice.ts';

/** Asking for another draft: the line of the menu that opens it, and the form; both null where it cannot be asked. */
export function useRedraft(
  drafts: Consultation['drafts'],
  onRedraft: ((hint: string) => Promise<void>) | null,
): { entry: MenuEntry | null; form: ReactNode } {
  const [isAsking, setIsAsking] = useState(false);
  const open = (): void => setIsAsking(true);
  useKeys(onRedraft === null ? {} : { 'desk.redraft': open });
  if (onRedraft === null) return { entry: null, form: null };
  return {
    entry: {
      label: 'Another draft',
      icon: <RefreshCw />,
      chord: 'desk.redraft',
      // After the menu has given the focus back.
      onChoose: () => setTimeout(open, 0),
    },
    form: isAsking ? (
      <Redraft
        onRedraft={onRedraft}
        isByRule={drafts.at(-1)?.generator === 'rule'}
        onClose={() => setIsAsking(false)}
      />
    ) : null,
  };
}

/** The drafts so far, where there is more than one. */
export function Drafts({
  drafts,
  advice,
}: {
  drafts: Consultation['drafts'];
  advice: AdviceState;
}): ReactNode {
  if (drafts.length < 2) return null;
  return (
    <details className={styles.history}>
      <summary>{`${String(drafts.length)} drafts`}</summary>
      <ol>
        {drafts.map((draft, index) => (
          <DraftVersion key={draft.id} draft={draft} number={index + 1} advice={advice} />
        ))}
      </ol>
    </details>
  );
}

type RedraftProps = { onRedraft: (hint: string) => Promise<void>; isByRule: boolean; onClose: () => void };

function Redraft({ onRedraft, isByRule, onClose }: RedraftProps): ReactNode {
  const [hint, setHint] = useState('');
  const { isBusy, failure, run } = useAct(async () => {
    await onRedraft(hint.trim());
    onClose();
  });
  const ask = (): void => void run();
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) ask();
    else if (event.key === 'Escape') onClose();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div className={styles.redraft}>
      <Field
        label="What should the next draft take into account?"
        {...(isByRule
          ? {
              hint: 'The last draft came from a rule, which ignores this: unless a model is set meanwhile, the next one says the same.',
            }
          : {})}
      >
        <Input
          autoFocus
          value={hint}
          disabled={isBusy}
          onChange={({ target }) => setHint(target.value)}
          onKeyDown={onKeyDown}
        />
      </Field>
      <Button size="small" isBusy={isBusy} onClick={ask}>
        Ask for it
      </Button>
      <Button size="small" tone="quiet" chord="Escape" onClick={onClose}>
        Back
      </Button>
      {failure === null ? null : <ErrorNote title="No new draft" failure={failure} />}
    </div>
  );
}

/** The hint that a draft was to take into account; null if nobody gave one. */
const hintText = (hint: Consultation['drafts'][number]['hint']): string | null =>
  hint === null || hint.text === '' ? null : `Asked for with: “${hint.text}”`;

function DraftVersion({
  draft,
  number,
  advice,
}: {
  draft: Consultation['drafts'][number];
  number: number;
  advice: AdviceState;
}): ReactNode {
  const { text, isWhole, load } = useText(draft.text);
  const [isCompared, setIsCompared] = useState(false);
  const by = draft.generator === 'rule' ? 'by rule' : `by ${draft.model ?? 'the model'}`;
  return (
    <li>
      <p className="wrap-2 quiet small centered">
        <Badge tone="model">{`Draft ${String(number)}, ${by}`}</Badge>
        <RelativeTime at={draft.at} />
        <Button
          size="small"
          tone="quiet"
          aria-pressed={isCompared}
          onClick={() => {
            load();
            setIsCompared(!isCompared);
          }}
        >
          Compare with your text
        </Button>
        <Button
          size="small"
          tone="quiet"
          isDisabled={!isWhole}
          onClick={() => advice.take({ id: draft.id, text })}
        >
          Use this draft
        </Button>
      </p>
      {hintText(draft.hint) === null ? null : <p className="quiet breaks">{hintText(draft.hint)}</p>}
      {isCompared && isWhole ? (
        <LaterDiffText
          before={planWords(text)}
          after={planWords(advice.text)}
          label={`Draft ${String(number)} compared with your text`}
        />
      ) : null}
    </li>
  );
}

type MadePlan = Outputs['advice.make_plan'];
type MakePlanProps = {
  advice: AdviceState;
  tools: readonly SentenceTool[];
  make: (text: string) => Promise<MadePlan>;
};

/** Turning plain words into calls, shown as sentences before they are added under the words. */
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

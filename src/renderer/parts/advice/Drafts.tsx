// Asking the advisor for another draft, and the drafts so far: compare them, go back to one.
import { RefreshCw } from 'lucide-react';
import { useState, type KeyboardEvent, type ReactNode } from 'react';
import type { Consultation } from '../../../shared/episode/record.ts';
import { useKeys, useText } from '../../state/hooks.ts';
import { useAct } from '../../state/queries.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Field, Input } from '../../ui/Field.tsx';
import type { MenuEntry } from '../../ui/Menu.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { LaterDiffText } from '../text/laterDiffText.ts';
import * as styles from './Drafts.module.css';
import type { AdviceState } from './useAdvice.ts';
import { planWords } from '../plan/planWords.ts';

/** Asking for another draft: the line of the menu that opens it, and the form; both null where it cannot be asked. */
export function useRedraft(
  drafts: Consultation['drafts'],
  onRedraft: ((hint: string) => Promise<void>) | null,
): { entry: MenuEntry | null; form: ReactNode } {
  const [isAsking, setIsAsking] = useState(false);
  const open = (): void => setIsAsking(true);
  useKeys('desk', onRedraft === null ? {} : { 'desk.redraft': open });
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

/** What a draft was asked to take into account; null for one nobody said anything about. */
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
      <p className={styles.facts}>
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

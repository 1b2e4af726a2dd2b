// A model's suggestions for a queue: beginning, how far it is, what came of it, and what reviewers made of them.
import { Square } from 'lucide-react';
import type { ReactNode } from 'react';
import type { QueueRow, Suggesting } from '../../../shared/contract/annotate.ts';
import { formatCount } from '../../parts/text/size.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import * as styles from './Annotate.module.css';
import type { useSuggesting } from './useSuggesting.ts';

type Props = { queue: QueueRow; suggest: ReturnType<typeof useSuggesting> };

export function SuggestBand({ queue: { suggesting, prelabels }, suggest }: Props): ReactNode {
  const text = prelabelText(prelabels);
  const failure = suggesting?.failure ?? null;
  const title = suggesting?.state === 'failed' ? 'The model was stopped' : 'No suggestion for some items';
  return (
    <>
      {suggest.refusal === null ? null : (
        <ErrorNote title="The model was not asked" failure={suggest.refusal} />
      )}
      {suggesting?.state === 'running' ? (
        <div className={styles.suggesting}>
          <progress
            className={styles.bar}
            value={suggesting.done}
            max={Math.max(1, suggesting.items)}
            aria-label="Items the model was asked about"
          />
          <span role="status">{suggestingText(suggesting)}</span>
          <Button size="small" icon={<Square />} onClick={suggest.stop}>
            Stop
          </Button>
        </div>
      ) : null}
      {suggesting !== null && suggesting.state !== 'running' ? (
        <p className={styles.facts} role="status">
          {suggestingText(suggesting)}
        </p>
      ) : null}
      {failure === null || suggest.isRunning ? null : <ErrorNote title={title} failure={failure} />}
      {text === null ? null : <p className={styles.facts}>{text}</p>}
    </>
  );
}

/** How far a model is, or came, in words. */
export function suggestingText({ state, items, done, failed, suggested }: Suggesting): string {
  const asked = `${String(done)} of ${formatCount(items, 'item')} asked about`;
  const found = formatCount(suggested, 'suggestion');
  const without = failed === 0 ? '' : `, ${String(failed)} without any`;
  const end = state === 'stopped' ? ' Stopped.' : state === 'failed' ? ' Stopped after errors.' : '';
  return `The model: ${asked}, ${found}${without}.${end}`;
}

/** What reviewers made of suggestions; null where there were none. */
export function prelabelText({ accepted, fixed, rejected, open }: QueueRow['prelabels']): string | null {
  if (accepted + fixed + rejected + open === 0) return null;
  return `Suggestions: ${String(accepted)} accepted, ${String(fixed)} fixed, ${String(rejected)} rejected, ${String(open)} open.`;
}

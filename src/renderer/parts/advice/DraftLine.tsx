// The line over the editor: where its words come from, and what that means.
import {
  Ellipsis,
  GitCompareArrows,
  Lightbulb,
  ListOrdered,
  LoaderCircle,
  Send,
  Text,
  Undo2,
} from 'lucide-react';
import { hasDraft } from '../../../shared/conditions.ts';
import { textHead } from '../../../shared/events/text.ts';
import type { ReactNode } from 'react';
import type { DeskItem } from '../../../shared/episode/rowShapes.ts';
import type { Leak } from '../../../shared/leak.ts';
import { useRole } from '../../state/role.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { Menu, type MenuEntry } from '../../ui/Menu.tsx';
import { Tooltip } from '../../ui/Tooltip.tsx';
import { LaterDiffText } from '../text/laterDiffText.ts';
import { useMissingKey } from '../inspector/useAnswerKey.ts';
import * as styles from './AdviceCard.module.css';
import { draftPrivilegeText, leakText } from './privilegeText.ts';
import type { AdviceState } from './useAdvice.ts';
import type { AnswerForm } from './useAnswerForm.ts';
import { planWords } from '../plan/planWords.ts';

type DraftLineProps = {
  item: DeskItem;
  advice: AdviceState;
  /** Closed words are kept as they are: nothing here may replace them. */
  isClosed: boolean;
  isDiff: boolean;
  onDiff: () => void;
  /** What was sent, once it was. */
  sentText: string | null;
  /** It was declined: these words went nowhere. */
  isDeclined: boolean;
  form: AnswerForm;
  /** Less-used acts on the words. */
  more: readonly MenuEntry[];
};

export function DraftLine(props: DraftLineProps): ReactNode {
  const { item, advice, form, sentText } = props;
  const { draft } = item;
  // An expert is never asked to read JSON: the other form of a plan is a less-used act.
  const isExpert = useRole() === 'expert';
  const more = moreEntries(props, isExpert && form.hasPlan);
  return (
    <>
      <div className={styles.draftLine}>
        <h2 className={styles.label}>{props.isDeclined ? 'Not sent' : 'Your advice'}</h2>
        <DraftSource item={item} isEdited={advice.isEdited} sentText={sentText} />
        <AboutDraft item={item} />
        <span className={styles.draftTools}>
          {form.hasPlan && !isExpert ? (
            <Tooltip text="The plan as steps or as JSON" chord="desk.plan" side="top">
              <Button
                size="small"
                tone="quiet"
                icon={form.isPlan ? <Text /> : <ListOrdered />}
                onClick={form.toggle}
              >
                {planForm(form)}
              </Button>
            </Tooltip>
          ) : null}
          {more.length === 0 ? null : (
            <Menu
              trigger={
                <Button size="small" tone="quiet" icon={<Ellipsis />}>
                  More
                </Button>
              }
              items={more}
            />
          )}
        </span>
      </div>
      {draft?.leak === undefined || !isLeakNamed(draft.leak) || sentText !== null ? null : (
        <p className={styles.leak}>
          {advice.isEdited ? 'The draft had ' : ''}
          {leakText(draft.leak)}: found in nothing it has read. Right or wrong, check before you send.
        </p>
      )}
    </>
  );
}

/** The other form of the plan. */
const planForm = ({ isPlan }: AnswerForm): string => (isPlan ? 'As JSON' : 'As steps');

/** A bare count tells nobody what to check: it stands among what is known of the draft. */
const isLeakNamed = ({ count, values }: Leak): boolean => count > 0 && values !== null;

/** Acts on the text besides those of the bar. */
function moreEntries(props: DraftLineProps, hasForm: boolean): MenuEntry[] {
  const { item, advice, isClosed, isDiff, onDiff, form } = props;
  const more = [
    ...props.more,
    ...(hasForm
      ? [
          {
            label: planForm(form),
            icon: form.isPlan ? <Text /> : <ListOrdered />,
            chord: 'desk.plan',
            onChoose: form.toggle,
          },
        ]
      : []),
  ];
  if (item.draft === null || !advice.isEdited) return more;
  return [
    {
      label: isDiff ? 'Hide your changes' : 'Show your changes',
      icon: <GitCompareArrows />,
      chord: 'differences',
      onChoose: onDiff,
    },
    ...(isClosed ? [] : [{ label: 'Back to the draft', icon: <Undo2 />, onChoose: advice.undo }]),
    ...more,
  ];
}

/** The draft author's privilege. It is no measure of how good the draft is. */
function AboutDraft({ item }: { item: DeskItem }): ReactNode {
  const { draft } = item;
  if (draft === null) return null;
  return (
    <details className={styles.about}>
      <summary>About this draft</summary>
      <p>{draftPrivilegeText(draft.privilege, draft.generator === 'rule')}</p>
      <WithoutCriteria item={item} />
      {draft.leak !== undefined && !isLeakNamed(draft.leak) ? <p>{leakText(draft.leak)}.</p> : null}
    </details>
  );
}

/** The reason for a model's draft without success criteria, if that can be helped. */
function WithoutCriteria({ item: { episode, draft } }: { item: DeskItem }): ReactNode {
  const isBlind = draft?.generator === 'model' && draft.privilege.length === 0;
  const missing = useMissingKey(isBlind ? episode : null);
  if (missing === null || missing.next === null) return null;
  return <p>{`Drafted without success criteria. ${missing.message} ${missing.next}`}</p>;
}

type DraftSourceProps = { item: DeskItem; isEdited: boolean; sentText: string | null };

function DraftSource({ item, isEdited, sentText }: DraftSourceProps): ReactNode {
  const { draft, draft_failure: failure, condition } = item;
  if (sentText !== null)
    return (
      <Badge tone="human" icon={<Send />}>
        {draft === null || textHead(draft.text) === sentText ? 'As sent' : 'As sent, with your changes'}
      </Badge>
    );
  if (draft !== null) {
    const by = draft.generator === 'rule' ? 'Draft by rule' : `Draft by ${draft.model ?? 'the model'}`;
    return (
      <Badge tone="model" icon={<Lightbulb />}>
        {isEdited ? `${by}, edited` : `${by}, unchecked`}
      </Badge>
    );
  }
  if (failure !== null) {
    const why = failure.code === 'model_not_configured' ? 'no model is set for the advisor' : failure.message;
    return (
      <span className="bad small" role="status">
        {`No draft: ${why.replace(/\.$/, '')}. Write your own.`}
      </span>
    );
  }
  if (!hasDraft(condition)) return <span className={styles.quiet}>No draft in this condition.</span>;
  return (
    <span className={styles.drafting} role="status">
      <LoaderCircle aria-hidden="true" />
      The advisor is writing a draft. You can start writing.
    </span>
  );
}

/** Never put over what was written: offered. */
export function OfferedDraft({
  advice,
  isDiff,
  onCompare,
}: {
  advice: AdviceState;
  isDiff: boolean;
  onCompare: () => void;
}): ReactNode {
  const { draft, text } = advice;
  return (
    <>
      <div className={styles.offered} role="status">
        <Lightbulb aria-hidden="true" />
        <p>A draft arrived while you were writing. Your text is unchanged.</p>
        <span className={styles.draftTools}>
          <Button size="small" onClick={advice.insert}>
            Insert below
          </Button>
          <Button size="small" onClick={advice.undo}>
            Use the draft instead
          </Button>
          <Button size="small" tone="quiet" aria-pressed={isDiff} onClick={onCompare}>
            {isDiff ? 'Hide the comparison' : 'Compare'}
          </Button>
          <Button size="small" tone="quiet" onClick={advice.ignore}>
            Ignore
          </Button>
        </span>
      </div>
      {isDiff && draft !== null ? (
        <LaterDiffText
          before={planWords(draft.text)}
          after={planWords(text)}
          label="Draft compared with your text"
        />
      ) : null}
    </>
  );
}

// The call an agent proposes, as a sentence; the call as it is stands one press away.
import type { ReactNode } from 'react';
import type { HoldItem } from '../../../shared/episode/rowShapes.ts';
import type { ToolSpec } from '../../../shared/events/lifecycle.ts';
import { type Names, NO_NAMES } from '../../../shared/sentences/names.ts';
import { callSentence } from '../../../shared/sentences/sentence.ts';
import { descriptionLine } from '../../../shared/sentences/words.ts';
import { cx } from '../../ui/cx.ts';
import { KnownNames, useNameOf } from '../plan/Names.tsx';
import { StepSentence } from '../plan/StepSentence.tsx';
import { DataValue } from '../text/DataText.tsx';
import * as styles from './CallCard.module.css';

type Call = Pick<NonNullable<HoldItem['call']>, 'tool_name' | 'arguments'>;
type ProposedCallProps = {
  call: Call;
  tools: readonly ToolSpec[];
  /** Another call is being written in its place. */
  isReplaced?: boolean;
  /** What it is, where it is none that waits. */
  label?: string;
  /** What a try has shown that records are called. */
  names?: Names;
};

export const ProposedCall = ({ names = NO_NAMES, ...props }: ProposedCallProps): ReactNode => (
  <KnownNames names={names}>
    <Proposed {...props} />
  </KnownNames>
);

function Proposed({ call, tools, isReplaced = false, ...own }: Omit<ProposedCallProps, 'names'>): ReactNode {
  const nameOf = useNameOf();
  const { tool_name: name, arguments: args } = call;
  const tool = tools.find((one) => one.name === name) ?? { name, description: '' };
  const label =
    own.label ?? (isReplaced ? 'The agent proposed this; it will not be sent' : 'The agent wants to do this');
  return (
    <section className="stack-1" aria-label={label}>
      <h2 className={styles.label}>{label}</h2>
      <div className={cx(styles.sentence, isReplaced && styles.struck)}>
        <StepSentence sentence={callSentence(tool, args, nameOf)} chips={null} />
      </div>
      <details className={styles.raw}>
        <summary
          title={descriptionLine(tool.description) || undefined}
        >{`The call as it is: ${name}`}</summary>
        <DataValue label="Arguments" value={args} />
      </details>
    </section>
  );
}

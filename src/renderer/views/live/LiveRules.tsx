// Changing which calls of a running episode need a person. Nothing holds until it is put in force.
import { useState, type ReactNode } from 'react';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import type { ApprovalRule } from '../../../shared/events/stepIns.ts';
import { ruleProblem } from '../../parts/call/rules.ts';
import { RulesEditor } from '../../parts/call/RulesEditor.tsx';
import { ruleSentence } from '../../parts/timeline/breakpointText.ts';
import { useSession, useToast } from '../../state/hooks.ts';
import { useAct } from '../../state/queries.ts';
import { useRole } from '../../state/role.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import * as styles from './StepInPanel.module.css';

export function LiveRules({ record }: { record: EpisodeRecord }): ReactNode {
  const { call } = useSession();
  const toast = useToast();
  const isOwner = useRole() !== 'expert';
  const { id: episode, rules, tools, ended } = record;
  const [draft, setDraft] = useState<ApprovalRule[] | null>(null);
  const {
    isBusy,
    failure,
    run: put,
  } = useAct(async () => {
    await call('policy.set', { episode, rules: draft ?? rules });
    setDraft(null);
    toast({ tone: 'ok', title: 'Approval rules in force', text: 'They apply from the next call.' });
  });
  if (ended !== null || !isOwner) return <RulesInForce rules={rules} />;
  const shown = draft ?? rules;
  const isChanged = draft !== null && JSON.stringify(draft) !== JSON.stringify(rules);
  return (
    <>
      <RulesEditor rules={shown} toolNames={tools.map(({ name }) => name)} onChange={setDraft} />
      {isChanged ? (
        <div className={styles.line}>
          <Button
            tone="primary"
            size="small"
            isBusy={isBusy}
            isDisabled={shown.some((rule) => ruleProblem(rule) !== null)}
            onClick={() => void put()}
          >
            Apply
          </Button>
          <Button size="small" tone="quiet" onClick={() => setDraft(null)}>
            Reset to current rules
          </Button>
        </div>
      ) : null}
      {failure === null ? null : <ErrorNote title="Could not change the rules" failure={failure} />}
    </>
  );
}

function RulesInForce({ rules }: { rules: readonly ApprovalRule[] }): ReactNode {
  if (rules.length === 0) return <p className={styles.note}>No call needs approval.</p>;
  return (
    <ol className={styles.list}>
      {rules.map((rule, index) => (
        <li key={String(index)}>{ruleSentence(rule)}</li>
      ))}
    </ol>
  );
}

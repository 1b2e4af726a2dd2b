// Turning what was recorded into data: which format, what would be in it, by which rules, and writing it.
import { useCallback, useState, type ReactNode } from 'react';
import { useKeys } from '../../state/hooks.ts';
import { CheckPane } from './CheckPane.tsx';
import * as styles from './DataView.module.css';
import { FormatList, FormatSelect } from './FormatList.tsx';
import { useHistory, useExportCheck, useWrite } from './exportJobs.ts';
import { HistoryList } from './HistoryList.tsx';
import { ruleId } from './RuleField.tsx';
import { RulesForm, useOpenSections } from './RulesForm.tsx';
import { SECTIONS, type RuleName } from './rulesModel.ts';
import { useForm } from './useForm.ts';
import { WriteBar } from './WriteBar.tsx';
import { WriteResult } from './WriteResult.tsx';

export function DataView(): ReactNode {
  const form = useForm();
  const check = useExportCheck(form.format, form.rules);
  const writing = useWrite();
  const history = useHistory(writing.job?.state === 'done' ? writing.job.export : '');
  const [despite, onDespite] = useDespite(JSON.stringify([form.format, form.rules]));
  const [open, onOpen] = useOpenSections();
  const onRule = useCallback(
    (name: RuleName): void => {
      const section = SECTIONS.find(({ rules }) => rules.includes(name));
      if (section !== undefined) onOpen(new Set([...open, section.id]));
      // Where it opens only now, it stands there a frame later.
      requestAnimationFrame(() => leadTo(ruleId(name)));
    },
    [open, onOpen],
  );
  useKeys({
    'data.check': check.again,
    'data.format': focusFormat,
    ...(writing.isRunning ? { back: writing.cancel } : check.isRunning ? { back: check.cancel } : {}),
  });
  return (
    <div className={styles.page}>
      <div className={styles.scroll}>
        <header className={styles.head}>
          <h1 className="large">Data</h1>
          <p className="quiet">Training rows from recorded episodes, each with its source.</p>
        </header>
        <FormatSelect form={form} />
        <div className={styles.columns}>
          <FormatList form={form} />
          <section className={styles.preview} aria-label="Preview">
            <div className={styles.body}>
              <WriteResult writing={writing} />
              <CheckPane form={form} check={check} despite={despite} onDespite={onDespite} onRule={onRule} />
              <HistoryList exports={history.exports} form={form} />
            </div>
          </section>
          <RulesForm
            form={form}
            dropped={check.report?.dropped ?? null}
            history={history.exports}
            open={open}
            onOpen={onOpen}
          />
        </div>
      </div>
      <WriteBar form={form} check={check} writing={writing} despite={despite} />
    </div>
  );
}

/** The list or, in a narrow window, the one line: what is not drawn takes no focus. */
function focusFormat(): void {
  for (const one of document.querySelectorAll<HTMLElement>('[name="format"]:is(select, :checked)'))
    one.focus();
}

/** Errors a person takes upon them, until the rules are others. */
function useDespite(key: string): [ReadonlySet<string>, (despite: ReadonlySet<string>) => void] {
  const [held, setHeld] = useState({ key, despite: NO_FINDINGS });
  const set = useCallback((despite: ReadonlySet<string>) => setHeld({ key, despite }), [key]);
  return [held.key === key ? held.despite : NO_FINDINGS, set];
}
const NO_FINDINGS: ReadonlySet<string> = new Set();

/** Shows the rule and puts the focus into it. */
function leadTo(id: string): void {
  const rule = document.getElementById(id);
  rule?.scrollIntoView({ block: 'center' });
  rule?.querySelector<HTMLElement>('input, select, textarea, button')?.focus({ preventScroll: true });
}

// The rules as sections that open and close, each saying what of it is changed and what it left out.
import * as styles from './Rules.module.css';
import { useEffect, useState, type ReactNode } from 'react';
import { z } from 'zod';
import { useSession, useToast } from '../../state/hooks.ts';
import { formatCount } from '../../parts/text/size.ts';
import { EpisodeRules, AdviceRules, ChosenRows, EndRules, FormRules, SplitRules } from './RowRules.tsx';
import type { PastExport } from './exportJobs.ts';
import type { RulesProps } from './RuleField.tsx';
import {
  changedRules,
  leftOutBy,
  SECTIONS,
  type SectionId,
  DEFAULT_RULES,
  rulesText,
  readRules,
} from './rulesModel.ts';
import type { ExportForm } from './useForm.ts';
import { ClipboardPaste, Copy, RotateCcw } from 'lucide-react';
import { Button } from '../../ui/Button.tsx';
import { CopyButton, copyText } from '../../ui/CopyButton.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Field, Textarea } from '../../ui/Field.tsx';

type RulesFormProps = {
  form: ExportForm;
  dropped: RulesProps['dropped'];
  history: readonly PastExport[];
  /** A rule to lead to: its section opens. */
  open: ReadonlySet<SectionId>;
  onOpen: (open: ReadonlySet<SectionId>) => void;
};

export function RulesForm({ form, dropped, history, open, onOpen }: RulesFormProps): ReactNode {
  const { rules, onRules, format } = form;
  const props: RulesProps = { rules, onRules, dropped };
  const changed = new Set(changedRules(rules));
  const bodies: Record<SectionId, ReactNode> = {
    episodes: <EpisodeRules {...props} history={history} />,
    ended: <EndRules {...props} />,
    advice: <AdviceRules {...props} />,
    rows: <ChosenRows {...props} />,
    split: <SplitRules {...props} />,
    form: <FormRules {...props} format={format} />,
  };
  return (
    <section className={styles.form} aria-label="Rules">
      <RulesHead form={form} />
      {SECTIONS.map(({ id, label, rules: names }) => {
        const own = names.filter((name) => changed.has(name)).length;
        const left = dropped === null ? 0 : names.reduce((sum, name) => sum + leftOutBy(dropped, name), 0);
        return (
          <details
            key={id}
            className={styles.section}
            open={open.has(id)}
            onToggle={({ currentTarget }) => {
              if (currentTarget.open === open.has(id)) return;
              const next = new Set(open);
              if (currentTarget.open) next.add(id);
              else next.delete(id);
              onOpen(next);
            }}
          >
            <summary className={styles.summary}>
              <span>{label}</span>
              <span className={styles.marks}>{sectionMarks(own, left)}</span>
            </summary>
            <div className={styles.rules}>{bodies[id]}</div>
          </details>
        );
      })}
    </section>
  );
}

/** A folded section's effect: `1 rule changed · 28 left out`. */
const sectionMarks = (changed: number, left: number): string =>
  [
    changed === 0 ? '' : `${formatCount(changed, 'rule')} changed`,
    left === 0 ? '' : `${left.toLocaleString()} left out`,
  ]
    .filter(Boolean)
    .join(' · ') || 'default';

const KeptSections = z.array(z.enum(['episodes', 'ended', 'advice', 'rows', 'split', 'form']));

/** The open sections, kept over a reload. */
export function useOpenSections(): [ReadonlySet<SectionId>, (open: ReadonlySet<SectionId>) => void] {
  const { kept } = useSession();
  const [open, setOpen] = useState<ReadonlySet<SectionId>>(
    () => new Set(kept.read('data-sections', KeptSections, [])),
  );
  useEffect(() => void kept.write('data-sections', [...open]), [kept, open]);
  return [open, setOpen];
}

function RulesHead({ form }: { form: ExportForm }): ReactNode {
  const { rules, onRules } = form;
  const toast = useToast();
  const [isPasting, setIsPasting] = useState(false);
  // What the rows teach is chosen with the format.
  const hasChanges = changedRules({ ...rules, preset: null }).length > 0;
  const reset = (): void => {
    if (!hasChanges) return;
    onRules({ ...DEFAULT_RULES, preset: rules.preset });
    toast({
      tone: 'plain',
      title: 'Default rules',
      action: { label: 'Undo', run: () => onRules(rules) },
    });
  };
  const copy = (): void =>
    void copyText(rulesText(rules)).then((copied) =>
      toast(
        copied
          ? { tone: 'ok', title: 'The rules are copied' }
          : { tone: 'error', title: 'The browser refused to copy' },
      ),
    );
  return (
    <header className={styles.head}>
      <h2 className={styles.title}>Rules</h2>
      <Button size="small" tone="quiet" icon={<RotateCcw />} isDisabled={!hasChanges} onClick={reset}>
        Reset
      </Button>
      <Button size="small" tone="quiet" icon={<ClipboardPaste />} onClick={() => setIsPasting(true)}>
        Paste…
      </Button>
      <Button size="small" tone="quiet" icon={<Copy />} onClick={copy}>
        Copy
      </Button>
      <CopyButton hasLabel text={() => rulesText(rules)} label="Copy" />
      {isPasting ? <PasteDialog onRules={onRules} onClose={() => setIsPasting(false)} /> : null}
    </header>
  );
}

function PasteDialog({
  onRules,
  onClose,
}: {
  onRules: ExportForm['onRules'];
  onClose: () => void;
}): ReactNode {
  const [text, setText] = useState('');
  const read = text.trim() === '' ? null : readRules(text);
  const use = (): void => {
    if (read?.ok !== true) return;
    onRules(read.value);
    onClose();
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Paste rules"
      description="In the form Copy produces. Replaces all rules in the form."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button tone="primary" isDisabled={read?.ok !== true} onClick={use}>
            Use these rules
          </Button>
        </>
      }
    >
      <Field
        label="Rules as JSON"
        error={read?.ok === false ? read.why : null}
        hint="Missing fields take their defaults."
      >
        <Textarea data-first isMono rows={12} value={text} onChange={({ target }) => setText(target.value)} />
      </Field>
    </Dialog>
  );
}

// The rules as sections that open and close, each saying what of it is changed and what it left out.
import { useEffect, useState, type ReactNode } from 'react';
import { z } from 'zod';
import { useSession } from '../../state/hooks.ts';
import { formatCount } from '../../parts/text/size.ts';
import { EpisodeRules } from './EpisodeRules.tsx';
import type { PastExport } from './history.ts';
import type { RulesProps } from './RuleField.tsx';
import { AdviceRules, ChosenRows, EndRules, FormRules } from './RowRules.tsx';
import * as styles from './Rules.module.css';
import { changedRules, leftOutBy, SECTIONS, type SectionId } from './rulesModel.ts';
import { RulesHead } from './RulesHead.tsx';
import { SplitRules } from './SplitRules.tsx';
import type { ExportForm } from './useForm.ts';

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

/** What a folded section does: `1 rule changed · 28 left out`. */
const sectionMarks = (changed: number, left: number): string =>
  [
    changed === 0 ? '' : `${formatCount(changed, 'rule')} changed`,
    left === 0 ? '' : `${left.toLocaleString()} left out`,
  ]
    .filter(Boolean)
    .join(' · ') || 'default';

const KeptSections = z.array(z.enum(['episodes', 'ended', 'advice', 'rows', 'split', 'form']));

/** Which sections are open, kept over a reload. */
export function useOpenSections(): [ReadonlySet<SectionId>, (open: ReadonlySet<SectionId>) => void] {
  const { kept } = useSession();
  const [open, setOpen] = useState<ReadonlySet<SectionId>>(
    () => new Set(kept.read('data-sections', KeptSections, [])),
  );
  useEffect(() => void kept.write('data-sections', [...open]), [kept, open]);
  return [open, setOpen];
}

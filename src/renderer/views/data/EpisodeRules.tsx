// The rules that say which episodes are read: those chosen in the library, a filter, only what is new.
import { SlidersHorizontal } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { FilterChips } from '../../parts/episode/FilterChips.tsx';
import { FilterFields } from '../../parts/episode/FilterDialog.tsx';
import { formatCount } from '../../parts/text/size.ts';
import { formatRoute } from '../../state/route.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { formatMoment } from '../../ui/time.ts';
import type { PastExport } from './history.ts';
import { ChoiceRule, RuleFrame, type RulesProps } from './RuleField.tsx';
import * as styles from './Rules.module.css';

export function EpisodeRules({
  history,
  ...form
}: RulesProps & { history: readonly PastExport[] }): ReactNode {
  const { rules, onRules } = form;
  return (
    <>
      {rules.episodes === null ? null : (
        <RuleFrame {...form} name="episodes" label="Selected episodes">
          <p>
            <strong>{`${formatCount(rules.episodes.length, 'episode')} selected in the library`}</strong>
          </p>
          <p className={styles.hint}>Only these are read, and only if they match the filter.</p>
          <Button size="small" onClick={() => onRules({ ...rules, episodes: null })}>
            Include all episodes
          </Button>
        </RuleFrame>
      )}
      <FilterRule {...form} />
      <SinceRule {...form} history={history} />
    </>
  );
}

function FilterRule(form: RulesProps): ReactNode {
  const { rules, onRules } = form;
  const [isOpen, setIsOpen] = useState(false);
  return (
    <RuleFrame {...form} name="filter" label="Filter">
      <p className={styles.legend}>Filter</p>
      {Object.keys(rules.filter).length === 0 ? <p>All ended episodes</p> : null}
      <FilterChips filter={rules.filter} onFilter={(filter) => onRules({ ...rules, filter })} />
      <Button size="small" icon={<SlidersHorizontal />} onClick={() => setIsOpen(true)}>
        Filter…
      </Button>
      <p className={styles.hint}>
        As the <a href={formatRoute({ view: 'library' })}>library</a> filters its list. Running episodes are
        left out.
      </p>
      {isOpen ? (
        <Dialog
          isOpen
          onClose={() => setIsOpen(false)}
          title="Which episodes"
          description="All conditions must match."
          footer={
            <>
              <Button tone="quiet" onClick={() => onRules({ ...rules, filter: {} })}>
                Clear all
              </Button>
              <Button tone="primary" onClick={() => setIsOpen(false)}>
                Done
              </Button>
            </>
          }
        >
          <div className={styles.fields}>
            <FilterFields filter={rules.filter} onFilter={(filter) => onRules({ ...rules, filter })} />
          </div>
        </Dialog>
      ) : null}
    </RuleFrame>
  );
}

/** Each export ends somewhere in the log; what ended after that is new. */
function SinceRule({ history, ...form }: RulesProps & { history: readonly PastExport[] }): ReactNode {
  const { rules, onRules } = form;
  const earlier = history.flatMap(({ at, format, log_to: to }) =>
    to === null ? [] : [{ value: String(to), label: `after ${format}, ${formatMoment(at)}` }],
  );
  const value = rules.after_seq === null ? 'all' : String(rules.after_seq);
  const isKnown = value === 'all' || earlier.some((one) => one.value === value);
  const options = [
    { value: 'all', label: 'Everything' },
    ...new Map(earlier.map((one) => [one.value, one])).values(),
    ...(isKnown ? [] : [{ value, label: `after event ${value}` }]),
  ];
  return (
    <ChoiceRule
      {...form}
      name="after_seq"
      label="Only what is new"
      hint="Leaves out episodes that an earlier export already covered."
      value={value}
      options={options}
      onChoose={(chosen) => onRules({ ...rules, after_seq: chosen === 'all' ? null : Number(chosen) })}
    />
  );
}

// What stands where there would be no row: nothing recorded, nothing that fits, or the rule that stands in the way.
import { Database, Play } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ExportReport } from '../../../shared/contract/export.ts';
import { dropWords, sortedDrops } from '../../../shared/export/dropWords.ts';
import { rowTexts } from '../../../shared/export/formats.ts';
import { useSession } from '../../state/hooks.ts';
import { formatRoute } from '../../state/route.ts';
import { changeUi } from '../../state/store.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { DEFAULT_RULES, isChanged, loosening } from './rulesModel.ts';
import type { ExportForm } from './useForm.ts';

const NARROWING = ['episodes', 'filter', 'after_seq'] as const;

export function NothingKept({ form, report }: { form: ExportForm; report: ExportReport }): ReactNode {
  const { store } = useSession();
  const { rules, onRules, format } = form;
  const { needs } = rowTexts(format, rules.preset);
  const library = <a href={formatRoute({ view: 'library' })}>library</a>;
  const isNarrowed = NARROWING.some((name) => isChanged(rules, name));
  const [worst] = sortedDrops(report.dropped);
  if (worst === undefined && report.episodes.read === 0 && isNarrowed) {
    const { episodes, filter, after_seq } = DEFAULT_RULES;
    return (
      <EmptyState
        title="No ended episode matches"
        action={
          <Button onClick={() => onRules({ ...rules, episodes, filter, after_seq })}>
            Include all episodes
          </Button>
        }
      >
        The episode filter matches nothing. The {library} shows what there is.
      </EmptyState>
    );
  }
  if (worst === undefined && report.episodes.read === 0) {
    return (
      <EmptyState
        icon={<Database />}
        title="No ended episodes yet"
        action={
          <Button
            tone="primary"
            icon={<Play />}
            chord="episode.start"
            onClick={() => changeUi(store, () => ({ overlay: 'start' }))}
          >
            Start an episode
          </Button>
        }
      >
        Start one, answer what the agent asks at the <a href={formatRoute({ view: 'desk' })}>desk</a>, and let
        it finish; or drop logs of other tools into the {library}. {needs}
      </EmptyState>
    );
  }
  const looser = worst === undefined ? null : loosening(worst[0], rules);
  return (
    <EmptyState
      title="No row passes the rules"
      action={
        looser === null ? undefined : (
          <Button tone="primary" onClick={() => onRules(looser.rules)}>
            {looser.label}
          </Button>
        )
      }
    >
      {worst === undefined
        ? `${report.episodes.read.toLocaleString()} episodes were read. ${needs}`
        : `Most were left out for this: ${dropWords(worst[0]).words} (${worst[1].toLocaleString()}). ${looser === null ? needs : ''}`}
    </EmptyState>
  );
}

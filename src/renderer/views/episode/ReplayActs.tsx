// Acts on a replayed episode: go on from here, run it again, erase it, link to it.
import { Eraser, GitBranch, Link, Radio } from 'lucide-react';
import { useRef, useState, type ReactNode } from 'react';
import { formatDeepLink } from '../../../shared/deepLink.ts';
import { lastAnsweredTurn, notRunHere } from '../../../shared/episode/branch.ts';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import type { Recorded } from '../../../shared/events/vocabulary.ts';
import { useAgainActs } from '../../parts/again/AgainActs.tsx';
import { useConsole, useKeys, useSession, useToast } from '../../state/hooks.ts';
import { useAct } from '../../state/queries.ts';
import { useRole } from '../../state/role.ts';
import { episodeRoute, formatRoute, navigate } from '../../state/route.ts';
import { copyText } from '../../ui/CopyButton.tsx';
import { Toolbar, type ToolbarAct } from '../../ui/Toolbar.tsx';
import { EraseDialog, stepSources } from './EraseDialog.tsx';

type Props = {
  shown: EpisodeRecord;
  whole: EpisodeRecord;
  n: number;
  isLoaded: boolean;
  /** The events of the step one is on. */
  step: readonly Recorded[];
};

/** The toolbar of a replay. Erasing is for good: an owner's alone. */
export function ReplayActs({ shown, whole, n, isLoaded, step }: Props): ReactNode {
  const isOver = whole.ended !== null;
  const mayErase = useRole() === 'owner' && isOver;
  const [erasing, setErasing] = useState<{ selected: string } | null>(null);
  const erase = useSelectedText((selected) => setErasing({ selected }));
  const fork = useForkAct(shown, whole);
  const again = useAgainActs(whole);
  const link = useLinkAct(whole.id, n);
  useKeys(mayErase ? { 'replay.erase': erase.run } : {});
  const watch: ToolbarAct = {
    id: 'watch',
    label: 'Watch live',
    icon: <Radio />,
    tone: 'plain',
    run: () => navigate(episodeRoute(whole.id)),
  };
  const eraser: ToolbarAct = {
    id: 'erase',
    label: 'Erase…',
    icon: <Eraser />,
    chord: 'replay.erase',
    run: erase.run,
  };
  return (
    <div onPointerDownCapture={erase.remember}>
      <Toolbar
        label="Replay"
        acts={[fork, ...again, ...(isLoaded && !isOver ? [watch] : []), link, ...(mayErase ? [eraser] : [])]}
      />
      {erasing === null ? null : (
        <EraseDialog
          whole={whole}
          selected={erasing.selected}
          sources={stepSources(step)}
          onClose={() => setErasing(null)}
        />
      )}
    </div>
  );
}

const selectedText = (): string => window.getSelection()?.toString() ?? '';

/** Calls back with the text that is selected; pressing a button lets go of it, so that it is remembered first. */
function useSelectedText(onRun: (selected: string) => void): { run: () => void; remember: () => void } {
  const selected = useRef('');
  return {
    remember: () => {
      selected.current = selectedText();
    },
    run: () => {
      onRun(selectedText() || selected.current);
      selected.current = '';
    },
  };
}

function useLinkAct(episode: string, n: number): ToolbarAct {
  const toast = useToast();
  const isDesktop = useConsole(({ record }) => record.app?.host === 'desktop');
  const copyLink = async (): Promise<void> => {
    const hash = formatRoute(episodeRoute(episode, n));
    // The desktop's own address leads nowhere else: there the link is one that the system hands to the product.
    const link = isDesktop
      ? formatDeepLink({ episode, n })
      : `${window.location.origin}${window.location.pathname}${hash}`;
    const isCopied = await copyText(link);
    toast(
      isCopied
        ? { tone: 'ok', title: 'Link to this event copied' }
        : { tone: 'error', title: 'The browser refused to copy', text: link },
    );
  };
  return {
    id: 'link',
    label: 'Copy link',
    icon: <Link />,
    title: 'Copy a link to this event',
    run: () => void copyLink(),
  };
}

/** `shown` is the record at the replayed place, `whole` the episode to its end. */
export function useForkAct(shown: EpisodeRecord, whole: EpisodeRecord): ToolbarAct {
  const { call } = useSession();
  const turn = lastAnsweredTurn(shown);
  const problem = notRunHere(whole.started?.source);
  const { isBusy, run } = useAct(async () => {
    const { episode } = await call('episode.fork', { episode: whole.id, turn });
    navigate(episodeRoute(episode));
  }, 'Could not fork the episode');
  const fork = (): void => void run();
  useKeys(problem === null ? { fork: fork } : {});
  return {
    id: 'fork',
    label: `Fork after turn ${String(turn)}`,
    icon: <GitBranch />,
    chord: 'fork',
    tone: 'plain',
    isBusy,
    reason: problem === null ? null : `${problem.why} ${problem.next}`,
    title: `A new episode with the first ${String(turn)} turns. Their calls are replayed and differences reported`,
    run: fork,
  };
}

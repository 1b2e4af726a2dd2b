// What can be done with a replayed episode: go on from here, run it again, verify it again, erase it, link to it.
import { Eraser, Link, Radio, ShieldCheck } from 'lucide-react';
import { useRef, useState, type ReactNode } from 'react';
import { formatDeepLink } from '../../../shared/deepLink.ts';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import type { Recorded } from '../../../shared/events/vocabulary.ts';
import { AgainActs } from '../../parts/again/AgainActs.tsx';
import { useConsole, useKeys, useToast } from '../../state/hooks.ts';
import { useRole } from '../../state/role.ts';
import { formatRoute, navigate } from '../../state/route.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { copyText } from '../../ui/CopyButton.tsx';
import { Branches } from './Branches.tsx';
import { EraseDialog } from './EraseDialog.tsx';
import { stepSources } from './stepSources.ts';

type Props = {
  shown: EpisodeRecord;
  whole: EpisodeRecord;
  n: number;
  isLoaded: boolean;
  /** The events of the step one is on. */
  step: readonly Recorded[];
  onVerify: () => void;
};

export function ReplayActs({ shown, whole, n, isLoaded, step, onVerify }: Props): ReactNode {
  const isOver = whole.ended !== null;
  return (
    <>
      <Branches shown={shown} whole={whole} />
      <AgainActs
        episode={whole.id}
        outcome={whole.ended?.outcome ?? null}
        failure={whole.ended?.failure ?? null}
        turns={whole.counts.turns}
        hasTask={(whole.reset?.task_idx ?? null) !== null}
        source={whole.started?.source ?? null}
        policy={whole.started?.agent.policy ?? null}
      />
      {isLoaded && !isOver ? (
        <Button size="small" icon={<Radio />} onClick={() => navigate({ view: 'live', episode: whole.id })}>
          Watch live
        </Button>
      ) : null}
      {isOver ? <OwnersActs whole={whole} step={step} onVerify={onVerify} /> : null}
      <LinkButton episode={whole.id} n={n} />
    </>
  );
}

const selectedText = (): string => window.getSelection()?.toString() ?? '';

/** The verifier may read files of this computer, and erasing is for good: an owner's alone. */
function OwnersActs({ whole, step, onVerify }: Pick<Props, 'whole' | 'step' | 'onVerify'>): ReactNode {
  const isOwner = useRole() === 'owner';
  const [erasing, setErasing] = useState<{ selected: string } | null>(null);
  // Pressing the button lets go of the selection.
  const selected = useRef('');
  useKeys(
    'replay',
    isOwner
      ? { 'replay.verify': onVerify, 'replay.erase': () => setErasing({ selected: selectedText() }) }
      : {},
  );
  if (!isOwner) return null;
  return (
    <>
      <IconButton label="Verify again" icon={<ShieldCheck />} chord="replay.verify" onClick={onVerify} />
      <IconButton
        label="Erase…"
        icon={<Eraser />}
        chord="replay.erase"
        onPointerDown={() => {
          selected.current = selectedText();
        }}
        onClick={() => setErasing({ selected: selected.current })}
      />
      {erasing === null ? null : (
        <EraseDialog
          whole={whole}
          selected={erasing.selected}
          sources={stepSources(step)}
          onClose={() => setErasing(null)}
        />
      )}
    </>
  );
}

function LinkButton({ episode, n }: { episode: string; n: number }): ReactNode {
  const toast = useToast();
  const isDesktop = useConsole(({ record }) => record.app?.host === 'desktop');
  const copyLink = async (): Promise<void> => {
    const hash = formatRoute({ view: 'replay', episode, n });
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
  return <IconButton label="Copy a link to this event" icon={<Link />} onClick={() => void copyLink()} />;
}

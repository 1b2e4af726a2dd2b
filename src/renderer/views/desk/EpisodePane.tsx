// The episode of a card, read beside it.
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import { EpisodeHeader } from '../../parts/episode/EpisodeHeader.tsx';
import { Timeline } from '../../parts/timeline/Timeline.tsx';
import { useTimeline } from '../../parts/timeline/useTimeline.ts';
import { IconButton } from '../../ui/Button.tsx';

export function EpisodePane({ record, onClose }: { record: EpisodeRecord; onClose: () => void }): ReactNode {
  const timeline = useTimeline(record);
  return (
    <section className="grows shrinks pane" aria-label="Episode of the question">
      <EpisodeHeader
        record={record}
        actions={<IconButton label="Close the episode" chord="back" icon={<X />} onClick={onClose} />}
      />
      <Timeline state={timeline} startAtEnd />
    </section>
  );
}

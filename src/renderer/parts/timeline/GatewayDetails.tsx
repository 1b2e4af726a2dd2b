// The details of what a foreign client's episode adds: the tap, another frame, a gap, a touched turn, a leak.
import type { ReactNode } from 'react';
import type { EpisodeRecord, GatewayItem } from '../../../shared/episode/record.ts';
import { lengthText } from '../../../shared/lengthOfTime.ts';
import { ExecutesUndecided } from '../call/ExecutesUndecided.tsx';
import { formatMoment } from '../../ui/time.ts';
import { DataText } from '../text/DataText.tsx';
import { Facts } from './Facts.tsx';
import { gatewayText } from './gatewayRow.ts';

type Props = { item: GatewayItem; record: EpisodeRecord };

export function GatewayDetails({ item, record }: Props): ReactNode {
  switch (item.type) {
    case 'tapped': {
      const { tapped } = record;
      if (tapped === null) return null;
      return (
        <Facts
          facts={[
            ['Key', tapped.key],
            ['Client', tapped.user_agent],
            ['People may', tapped.may_act ? 'advise, and act in its place' : 'advise and leave notes'],
            [
              'An episode a person changed',
              tapped.on_touch === 'mark' ? 'is marked' : 'ends with a server error',
            ],
            ['A held call waits for at most', lengthText(tapped.hold_limit_ms)],
            [
              'A call that nobody decides',
              tapped.hold_fallback === 'approve' ? <ExecutesUndecided key="executes" /> : 'is not executed',
            ],
          ]}
        />
      );
    }
    case 'frame':
      return <DataText label="Frame as received" text={item.frame} />;
    case 'gap':
      return (
        <Facts
          facts={[
            ['From', formatMoment(item.fromAt)],
            ['To', formatMoment(item.toAt)],
            ['Frames passed on', item.frames],
            ['Why', item.reason],
          ]}
        />
      );
    case 'touched':
    case 'leaked':
      return <p className="soft small">{gatewayText(record, item).detail}</p>;
  }
}

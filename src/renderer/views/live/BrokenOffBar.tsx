// What can be said of an episode that broke off when the program ended: it goes on, or is let be.
import { CircleStop, Play } from 'lucide-react';
import type { ReactNode } from 'react';
import type { EpisodeRecord } from '../../../shared/episode/record.ts';
import { brokeOffText, cameWithFolder, isBrokenOff } from '../../../shared/episode/restarts.ts';
import { useKeys, useSession } from '../../state/hooks.ts';
import { useAct } from '../../state/queries.ts';
import { useRole } from '../../state/role.ts';
import { Toolbar } from '../../ui/Toolbar.tsx';

export function BrokenOffBar({ record }: { record: EpisodeRecord }): ReactNode {
  const { call } = useSession();
  const isExpert = useRole() === 'expert';
  const { id: episode } = record;
  const goOn = useAct(() => call('episode.settle', { episode, act: 'go_on' }), 'Could not go on');
  const letBe = useAct(() => call('episode.settle', { episode, act: 'end' }), 'Could not do that');
  useKeys('live', isExpert ? {} : { 'live.resume': () => void goOn.run() });
  const why = isBrokenOff(record) ? brokeOffText(record) : '';
  const hasCome = record.brokeOff !== null && cameWithFolder(record.brokeOff);
  return (
    <Toolbar
      label="Control"
      acts={
        isExpert
          ? []
          : [
              {
                id: 'go_on',
                label: 'Go on',
                icon: <Play />,
                chord: 'live.resume',
                tone: 'primary',
                showsKey: true,
                title: why,
                isBusy: goOn.isBusy,
                run: () => void goOn.run(),
              },
              {
                id: 'let_be',
                label: 'Let it be',
                icon: <CircleStop />,
                title: 'Ends it as interrupted; it can be resumed as a new episode',
                isBusy: letBe.isBusy,
                run: () => void letBe.run(),
              },
            ]
      }
    >
      <span title={why}>{hasCome ? 'Stopped' : 'Stopped when Interject closed'}</span>
    </Toolbar>
  );
}

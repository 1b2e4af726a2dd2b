// What can be done with a step besides its arguments.
import {
  ArrowDown,
  ArrowUp,
  CopyPlus,
  Ellipsis,
  MessageSquareText,
  Plus,
  Replace,
  Trash2,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { argumentLabel } from '../../../shared/sentences/sentence.ts';
import { Button } from '../../ui/Button.tsx';
import { Menu, type MenuEntry } from '../../ui/Menu.tsx';

type StepMenuProps = {
  number: string;
  isFirst: boolean;
  isLast: boolean;
  /** Arguments that may be given and are not. */
  optional: readonly string[];
  onArgument: (argument: string) => void;
  onTool: () => void;
  /** Null where a step has no purpose of its own, or has one already. */
  onPurpose: (() => void) | null;
  onMove: (by: -1 | 1) => void;
  onRepeat: () => void;
  onRemove: () => void;
};

export function StepMenu(props: StepMenuProps): ReactNode {
  const { number, isFirst, isLast, optional, onArgument, onTool, onPurpose, onMove, onRepeat, onRemove } =
    props;
  const items: (MenuEntry | 'line')[] = [
    ...optional.map((name) => ({
      label: `Add ${argumentLabel(name)}`,
      icon: <Plus />,
      onChoose: () => onArgument(name),
    })),
    ...(optional.length === 0 ? [] : ['line' as const]),
    { label: 'Use another tool', icon: <Replace />, onChoose: onTool },
    ...(onPurpose === null ? [] : [{ label: 'Say why', icon: <MessageSquareText />, onChoose: onPurpose }]),
    {
      label: 'Move up',
      icon: <ArrowUp />,
      chord: 'alt+ArrowUp',
      isDisabled: isFirst,
      onChoose: () => onMove(-1),
    },
    {
      label: 'Move down',
      icon: <ArrowDown />,
      chord: 'alt+ArrowDown',
      isDisabled: isLast,
      onChoose: () => onMove(1),
    },
    { label: 'Duplicate', icon: <CopyPlus />, chord: 'alt+shift+ArrowDown', onChoose: onRepeat },
    { label: 'Remove', icon: <Trash2 />, chord: 'Delete', onChoose: onRemove },
  ];
  return (
    <Menu
      trigger={
        <Button size="small" tone="quiet" icon={<Ellipsis />} aria-label={`More for step ${number}`}>
          {''}
        </Button>
      }
      items={items}
    />
  );
}

// Trying a held call before it is decided: as proposed, or as it is written now; then sending exactly that.
import type { ReactNode } from 'react';
import type { HoldItem } from '../../../shared/contract/rows.ts';
import type { ToolSpec } from '../../../shared/events/lifecycle.ts';
import type { CallState } from '../call/useCallDecision.ts';
import { writtenArguments, writtenWrongs } from '../call/writtenCall.ts';
import { Preview } from './Preview.tsx';

type Props = { item: HoldItem; state: CallState; tools: readonly ToolSpec[] };

export function CallPreview({ item, state, tools }: Props): ReactNode {
  const { draft, written } = state;
  const isEditing = draft.mode === 'edit';
  if (item.call === null || (draft.mode !== 'decide' && !isEditing)) return null;
  const { args } = isEditing ? writtenArguments(written) : { args: item.call.arguments };
  const wrongs = isEditing ? writtenWrongs(written, tools) : [];
  const problem =
    args === null
      ? 'The arguments are not valid JSON yet.'
      : wrongs.length > 0
        ? 'The arguments do not match the schema yet.'
        : null;
  const name = isEditing ? written.tool : item.call.tool_name;
  return (
    <Preview
      episode={item.episode}
      afterTurn={item.turn}
      callId={item.call.id}
      calls={args === null ? [] : [{ tool_name: name, arguments: args }]}
      problem={problem}
      commit={
        isEditing
          ? { label: 'Send the edited call', run: () => state.edit(false) }
          : { label: 'Approve the call', run: () => state.approve(false) }
      }
    />
  );
}

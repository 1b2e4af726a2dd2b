// The effect of a held call before it is decided: as proposed, or as it is written now.
import { useMemo, type ReactNode } from 'react';
import type { HoldItem } from '../../../shared/contract/rows.ts';
import type { ToolSpec } from '../../../shared/events/lifecycle.ts';
import type { JsonObject } from '../../../shared/events/turns.ts';
import { useKeys } from '../../state/hooks.ts';
import { ProposedCall } from '../call/ProposedCall.tsx';
import type { CallState } from '../call/useCallDecision.ts';
import { writtenArguments, writtenWrongs } from '../call/writtenCall.ts';
import { PlanEffect } from './PlanEffect.tsx';
import { usePlanEffect, useSettled, PAUSE_MS } from './usePlanEffect.ts';
import type { PlannedTry } from './usePreview.ts';

type Props = { item: HoldItem; state: CallState; tools: readonly ToolSpec[] };

export function CallPreview(props: Props): ReactNode {
  const { item, state } = props;
  const { mode } = state.draft;
  if (item.call === null || (mode !== 'decide' && mode !== 'edit')) return null;
  return <HeldEffect {...props} proposed={item.call} />;
}

type HeldEffectProps = Props & { proposed: { id: string; tool_name: string; arguments: JsonObject } };

function HeldEffect({ item, state, tools, proposed }: HeldEffectProps): ReactNode {
  const isEditing = state.draft.mode === 'edit';
  const { calls, problem } = useWrittenCall(state, tools, isEditing, proposed);
  const effect = usePlanEffect({
    episode: item.episode,
    afterTurn: item.turn,
    callId: proposed.id,
    calls,
    problem,
  });
  useKeys('call', effect.mode === 'on_request' ? { 'call.effect': () => effect.run() } : {});
  return (
    <>
      {isEditing ? null : <ProposedCall call={proposed} tools={tools} names={effect.names} />}
      <PlanEffect effect={effect} tools={tools} isSaid={!isEditing} chord="call.effect" />
    </>
  );
}

/** The call as it would be sent: as proposed, or as written once the person pauses. */
function useWrittenCall(
  { written }: CallState,
  tools: readonly ToolSpec[],
  isEditing: boolean,
  proposed: PlannedTry,
): { calls: readonly PlannedTry[]; problem: string | null } {
  const settled = useSettled(written, isEditing ? PAUSE_MS : 0);
  const { tool_name: name, arguments: given } = proposed;
  return useMemo(() => {
    if (!isEditing) return { calls: [{ tool_name: name, arguments: given }], problem: null };
    const { args } = writtenArguments(settled);
    if (args === null) return { calls: [], problem: 'The arguments are not valid JSON yet.' };
    if (writtenWrongs(settled, tools).length > 0)
      return { calls: [], problem: 'The arguments do not match the schema yet.' };
    return { calls: [{ tool_name: settled.tool, arguments: args }], problem: null };
  }, [isEditing, settled, tools, name, given]);
}

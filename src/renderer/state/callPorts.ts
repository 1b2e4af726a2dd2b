// Owns: what a card of a held call may ask of main: the four acts, as functions the parts are given.
import { useMemo } from 'react';
import type { Inputs, Outputs } from '../../shared/contract/contract.ts';
import { useSession } from './hooks.ts';

export type CallPorts = {
  [A in 'approve' | 'edit' | 'reject' | 'answer']: (
    input: Inputs[`call.${A}`],
  ) => Promise<Outputs[`call.${A}`]>;
};

export function useCallPorts(): CallPorts {
  const { call } = useSession();
  return useMemo(
    () => ({
      approve: (input) => call('call.approve', input),
      edit: (input) => call('call.edit', input),
      reject: (input) => call('call.reject', input),
      answer: (input) => call('call.answer', input),
    }),
    [call],
  );
}

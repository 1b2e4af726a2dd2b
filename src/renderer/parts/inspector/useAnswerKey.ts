// The cover over an answer key: taken off by a person's act, on again when the page is loaded anew.
import { useCallback, useState } from 'react';
import type { Outputs } from '../../../shared/contract/contract.ts';
import { failureShape, type FailureShape } from '../../../shared/failure.ts';
import { useSession } from '../../state/hooks.ts';
import { useAsk } from '../../state/queries.ts';

type ShownKey = Outputs['answer_key.show'];
/** The reason for no key, and the remedy. */
export type MissingKey = { message: string; next: string | null };

/** Null while it is not known yet, and where there is a key. */
export function useMissingKey(episode: string | null): MissingKey | null {
  const { value } = useAsk('answer_key.describe', episode === null ? null : { episode });
  return value === null || value.is_known ? null : { message: value.message ?? '', next: value.next };
}

export type AnswerKeyState = {
  key: ShownKey | null;
  isBusy: boolean;
  failure: FailureShape | null;
  show: () => void;
};

export function useAnswerKey(episode: string): AnswerKeyState {
  const { call } = useSession();
  const [state, setState] = useState<Omit<AnswerKeyState, 'show'> & { episode: string }>({
    episode,
    key: null,
    isBusy: false,
    failure: null,
  });
  const show = useCallback(() => {
    const put = (key: ShownKey | null, isBusy: boolean, failure: FailureShape | null): void =>
      setState({ episode, key, isBusy, failure });
    put(null, true, null);
    call('answer_key.show', { episode }).then(
      (key) => put(key, false, null),
      (thrown: unknown) => put(null, false, failureShape(thrown)),
    );
  }, [episode, call]);
  const isHere = state.episode === episode;
  return {
    key: isHere ? state.key : null,
    isBusy: isHere && state.isBusy,
    failure: isHere ? state.failure : null,
    show,
  };
}

// Queries to main: one cache of answers, one way to ask and one way to act.
import { keepPreviousData, QueryClient, useMutation, useQuery } from '@tanstack/react-query';
import { useCallback, useRef } from 'react';
import type { Inputs, Method, Outputs } from '../../shared/contract/contract.ts';
import { failureShape, type FailureShape } from '../../shared/failure.ts';
import { useSession, useToast } from './hooks.ts';

/**
 * Answers are shared by what shows them at the same time and forgotten after: what main knows changes. Whether there is a
 * line to main is not the browser's to say, so nothing waits for its network or its focus.
 */
export const createQueries = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        networkMode: 'always',
        retry: false,
        gcTime: 0,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
      },
      mutations: { networkMode: 'always' },
    },
  });

export type Answer<T> = {
  /** The newest answer; one to an earlier question stays until the next is there. */
  value: T | null;
  /** The same, but kept where asking again failed. */
  last: T | null;
  isLoading: boolean;
  failure: FailureShape | null;
  again: () => void;
  /** Puts a newer answer in place that came another way. */
  replace: (value: T) => void;
};

type AskOptions<T> = {
  /** Waits so long before it asks: for someone who types. */
  delayMs?: number;
  /** Asks again this often, as long as the answer is one that changes; null for never. */
  everyMs?: number | null;
  isChanging?: (value: T) => boolean;
  /** Asks again whenever this changes. */
  revision?: string | number;
  /** False where the answer to another question must not be shown meanwhile. */
  keepsPrevious?: boolean;
};

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((wake, refuse) => {
    const timer = setTimeout(wake, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      refuse(new Error('another question was asked'));
    });
  });

/** Asks main when the input changes, and drops what comes to an earlier one; a null input asks nothing. */
export function useAsk<M extends Method>(
  method: M,
  input: Inputs[M] | null,
  options: AskOptions<Outputs[M]> = {},
): Answer<Outputs[M]> {
  const { call } = useSession();
  return useAnswer(input === null ? null : [method, input], () => call(method, input as Inputs[M]), options);
}

/** The same for a question that is put otherwise. `key` names all that `ask` depends on; null asks nothing. */
export function useAnswer<T>(
  key: readonly unknown[] | null,
  ask: () => Promise<T>,
  { delayMs = 0, everyMs = null, isChanging, revision = 0, keepsPrevious = true }: AskOptions<T> = {},
): Answer<T> {
  const { queries } = useSession();
  const queryKey = [key, revision];
  const isAsked = key !== null;
  const { data, error, isFetching, refetch } = useQuery<{ value: T }>(
    {
      queryKey,
      queryFn: async ({ signal }) => {
        if (delayMs > 0) await pause(delayMs, signal);
        return { value: await ask() };
      },
      enabled: isAsked,
      refetchInterval: ({ state: { data: known } }) =>
        everyMs !== null && (isChanging === undefined || (known !== undefined && isChanging(known.value)))
          ? everyMs
          : false,
      refetchIntervalInBackground: true,
      ...(keepsPrevious ? { placeholderData: keepPreviousData } : {}),
    },
    queries,
  );
  return {
    value: isAsked && error === null ? (data?.value ?? null) : null,
    last: isAsked ? (data?.value ?? null) : null,
    isLoading: isFetching,
    failure: error === null || !isAsked ? null : failureShape(error),
    again: useCallback(() => {
      if (isAsked) void refetch();
    }, [refetch, isAsked]),
    replace: (value) => {
      void queries.cancelQueries({ queryKey });
      queries.setQueryData(queryKey, { value });
    },
  };
}

export type AnswerPages<T> = Pick<Answer<T>, 'isLoading' | 'failure' | 'again'> & {
  /** What was read so far; the pages of an earlier question stay until the first of the next is there. */
  pages: readonly T[];
  /** Reads the next page, if there is one and nothing is being read. */
  more: () => void;
};

/** Asks main page by page. `ask` gets the pages there are, and reads the next; a null key asks nothing. */
export function usePages<T>(
  key: readonly unknown[] | null,
  ask: (pages: readonly T[]) => Promise<T>,
  hasMore: (pages: readonly T[]) => boolean,
): AnswerPages<T> {
  const { queries } = useSession();
  const { value, isLoading, failure, again, replace } = useAnswer<readonly T[]>(key, async () => [
    await ask([]),
  ]);
  const pages = value ?? [];
  const { mutate, isPending, variables, error } = useMutation(
    { mutationFn: async (read: readonly T[]) => replace([...read, await ask(read)]) },
    queries,
  );
  // What became of a page after others than these is of no interest any more.
  const isNext = variables === value;
  const isReading = isLoading || (isNext && isPending);
  return {
    pages,
    again,
    isLoading: isReading,
    failure: failure ?? (isNext && error !== null ? failureShape(error) : null),
    more: () => {
      if (value !== null && !isReading && hasMore(value)) mutate(value);
    },
  };
}

export type Act<Args extends unknown[]> = {
  /** Resolves with true when it was done; while one runs, the next is not begun. */
  run: (...args: Args) => Promise<boolean>;
  isBusy: boolean;
  /** What the running act was begun with. */
  busyWith: Args | null;
  /** Why the last one was not done; null once another begins. */
  failure: FailureShape | null;
  forget: () => void;
};

/** Does one thing at a time. What main says against it is in `failure`, or in a message that begins with `refused`. */
export function useAct<Args extends unknown[]>(
  work: (...args: Args) => Promise<unknown>,
  refused: string | ((...args: Args) => string) | null = null,
): Act<Args> {
  const { queries } = useSession();
  const toast = useToast();
  const isRunning = useRef(false);
  const { mutateAsync, isPending, variables, error, reset } = useMutation(
    { mutationFn: (args: Args) => work(...args) },
    queries,
  );
  const run = async (...args: Args): Promise<boolean> => {
    if (isRunning.current) return false;
    isRunning.current = true;
    try {
      await mutateAsync(args);
      return true;
    } catch (thrown) {
      if (refused !== null) {
        const title = typeof refused === 'string' ? refused : refused(...args);
        const { message, next } = failureShape(thrown);
        toast({ tone: 'error', title: `${title}: ${message}`, text: next });
      }
      return false;
    } finally {
      isRunning.current = false;
    }
  };
  return {
    run,
    isBusy: isPending,
    busyWith: isPending ? variables : null,
    failure: error === null ? null : failureShape(error),
    forget: () => (isRunning.current ? undefined : reset()),
  };
}

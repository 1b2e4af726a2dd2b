// Columns of what episodes are worth as training signals: the shaped reward and the rubric by each profile, read for
// the rows in view.
import { useCallback, useState } from 'react';
import { SCORED_MAX, type ProfileRow } from '../../../shared/contract/rewards.ts';
import type { Breakdown } from '../../../shared/rewards/breakdown.ts';
import { useSession } from '../../state/hooks.ts';
import { useAnswer } from '../../state/queries.ts';
import type { Column } from './columns.tsx';
import type { EpisodePages } from './useEpisodePages.ts';

type ScoreOf = (profile: string, episode: string) => Breakdown | null;

/** Two for each profile, whatever is shown of them. */
export const scoreColumns = (
  profiles: readonly Pick<ProfileRow, 'name'>[],
  scoreOf: ScoreOf = () => null,
): Column[] =>
  profiles.flatMap(({ name }) =>
    (['shaped', 'rubric'] as const).map((measure) => ({
      id: `${measure}/${name}`,
      label: `${measure === 'shaped' ? 'Shaped' : 'Rubric'}, ${name}`,
      place: 'score',
      order: null,
      isUsual: false,
      show: (row) => {
        const total = scoreOf(name, row.id)?.[measure].total;
        return total === undefined ? '' : Number(total.toFixed(3));
      },
    })),
  );

/** Rows are asked for in blocks, so that scrolling by a line asks nothing. */
const BLOCK = 50;

/** The score columns among `chosen`, and what has to hear which rows are in view. */
export function useScoreColumns(
  chosen: readonly string[],
  profiles: readonly ProfileRow[],
  { rowAt }: Pick<EpisodePages, 'rowAt'>,
): { columns: Column[]; onRange: (first: number, last: number) => void } {
  const { call } = useSession();
  const [block, setBlock] = useState({ from: 0, to: BLOCK });
  const shown = profiles.filter((profile) => scoreColumns([profile]).some(({ id }) => chosen.includes(id)));
  const episodes: string[] = [];
  for (let at = block.from; at < block.to && episodes.length < SCORED_MAX; at += 1) {
    const row = shown.length === 0 ? undefined : rowAt(at);
    if (row?.status === 'ended') episodes.push(row.id);
  }
  const versions = shown.map(({ name, version }) => `${name}/${String(version)}`);
  const { last: scores } = useAnswer(
    episodes.length === 0 ? null : ['scores', versions, episodes],
    async () => {
      const answers = shown.map(async ({ name }) => {
        const answer = await call('rewards.scores', { profile: name, episodes });
        return [name, new Map(answer.scores.map((score, at) => [episodes[at] ?? '', score]))] as const;
      });
      return new Map(await Promise.all(answers));
    },
  );
  const all = scoreColumns(shown, (profile, episode) => scores?.get(profile)?.get(episode) ?? null);
  return {
    columns: all.filter(({ id }) => chosen.includes(id)),
    onRange: useCallback((first: number, last: number) => {
      const [from, to] = [Math.floor(first / BLOCK) * BLOCK, Math.ceil((last + 1) / BLOCK) * BLOCK];
      setBlock((before) => (from === before.from && to === before.to ? before : { from, to }));
    }, []),
  };
}

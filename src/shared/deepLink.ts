// Links to a place in an episode that lead into the product from anywhere: `interject://episode/ID#STEP`. Pure.

export const LINK_SCHEME = 'interject';

export type DeepLink = { episode: string; n: number | null };

/** The link to an event of an episode; to the episode without one. */
export const formatDeepLink = ({ episode, n }: DeepLink): string =>
  `${LINK_SCHEME}://episode/${encodeURIComponent(episode)}${n === null ? '' : `#${String(n)}`}`;

/** The target of a link; null for anything that is no such link. */
export function parseDeepLink(link: string): DeepLink | null {
  const match = /^interject:\/\/episode\/([^/?#]+)\/?(?:#(\d{1,9}))?$/.exec(link.trim());
  if (match?.[1] === undefined) return null;
  try {
    return { episode: decodeURIComponent(match[1]), n: match[2] === undefined ? null : Number(match[2]) };
  } catch {
    return null;
  }
}

/** The console's own address of the same place. */
export const linkHash = ({ episode, n }: DeepLink): string =>
  `#/episode/${encodeURIComponent(episode)}${n === null ? '' : `?n=${String(n)}`}`;

/** The first link among the arguments a system starts the product with. */
export const linkIn = (args: readonly string[]): DeepLink | null =>
  args.map(parseDeepLink).find((link) => link !== null) ?? null;

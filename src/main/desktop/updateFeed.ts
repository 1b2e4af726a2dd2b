// Reads the feed of new versions: the files that electron-builder writes beside its installers. Reads who is the
// newest, and sends nothing but the request itself.
import { Failure, errorMessage } from '../../shared/failure.ts';

export type Channel = 'stable' | 'beta';
/** A folder on a web server, or the releases of a repository. */
export type Feed =
  { provider: 'generic'; url: string } | { provider: 'github'; owner: string; repo: string; host?: string };
/** A version in a feed: the folder its files lie in, and the page for people. */
export type Update = { version: string; folder: string; page: string };
type Fetch = (url: string) => Promise<Response>;

/** The value of a line at the margin of a YAML file that electron-builder wrote. */
function lineOf(text: string, name: string): string | null {
  const found = new RegExp(`^${name}:[ \\t]*(['"]?)([^'"\\r\\n]+)\\1[ \\t]*$`, 'm').exec(text);
  return found?.[2]?.trim() ?? null;
}

/** Reads `app-update.yml` of a packaged app; null for a provider that is not known here. */
export function readFeed(text: string): Feed | null {
  const [provider, url, owner, repo] = ['provider', 'url', 'owner', 'repo'].map((name) => lineOf(text, name));
  if (provider === 'generic' && url && isWeb(url)) return { provider, url };
  if (provider === 'github' && owner && repo) return { provider, owner, repo };
  return null;
}

/** Unprotected only on this machine: what is told there is then fetched and run. */
function isWeb(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return (
    protocol === 'https:' || (protocol === 'http:' && ['127.0.0.1', 'localhost', '[::1]'].includes(hostname))
  );
}

const githubOf = ({
  owner,
  repo,
  host = 'https://github.com',
}: Extract<Feed, { provider: 'github' }>): string => `${host}/${owner}/${repo}/releases`;

/** The host that is asked, for people. */
export const feedHost = (feed: Feed): string =>
  new URL(feed.provider === 'generic' ? feed.url : githubOf(feed)).host;

/** The name electron-builder gives the file of a channel on this system. */
export function channelFile(channel: Channel, platform: string, arch: string): string {
  const name = channel === 'stable' ? 'latest' : channel;
  if (platform === 'win32') return `${name}.yml`;
  if (platform === 'darwin') return `${name}-mac.yml`;
  return `${name}-linux${arch === 'x64' ? '' : `-${arch}`}.yml`;
}

/**
 * The newest version of a channel; null where none was ever told. Throws `install_failed` where the feed cannot be
 * read.
 */
export async function newestVersion(
  feed: Feed,
  channel: Channel,
  { fetch, platform, arch }: { fetch: Fetch; platform: string; arch: string },
): Promise<Update | null> {
  const place = await folderOf(feed, channel, fetch);
  if (place === null) return null;
  const text = await textAt(`${place.folder}/${channelFile(channel, platform, arch)}`, fetch);
  if (text === null) return null;
  const version = lineOf(text, 'version');
  if (version === null || !VERSION.test(version)) throw unreachable(feedHost(feed), 'it names no version');
  return { version, ...place };
}

async function folderOf(
  feed: Feed,
  channel: Channel,
  fetch: Fetch,
): Promise<{ folder: string; page: string } | null> {
  if (feed.provider === 'generic') {
    const folder = feed.url.replace(/(?<!\/)\/+$/, '');
    return { folder, page: `${folder}/` };
  }
  const releases = githubOf(feed);
  if (channel === 'stable') return { folder: `${releases}/latest/download`, page: `${releases}/latest` };
  // The newest one, drafts apart: only a list tells of versions that are not for everybody.
  const list = await textAt(`${releases}.atom`, fetch);
  const tag = /\/releases\/tag\/([\w.+-]+)"/.exec(list ?? '')?.[1];
  if (tag === undefined) return null;
  return { folder: `${releases}/download/${tag}`, page: `${releases}/tag/${tag}` };
}

const FEED_MAX = 1_000_000;

async function textAt(url: string, fetch: Fetch): Promise<string | null> {
  const { host } = new URL(url);
  const response = await fetch(url).catch((thrown: unknown) => {
    throw unreachable(host, errorMessage(thrown));
  });
  if (response.status === 404) return null;
  if (!response.ok) throw unreachable(host, `it answers ${String(response.status)}`);
  return (await response.text()).slice(0, FEED_MAX);
}

const unreachable = (host: string, why: string): Failure =>
  new Failure('install_failed', `${host} could not be asked for a new version: ${why}`, {
    next: 'Try again later, or look at its page in a browser.',
  });

const VERSION = /^(\d+)\.(\d+)\.(\d+)(?:-([\w.-]+))?(?:\+[\w.-]+)?$/;

/** Negative, zero or positive, by the rules of semver.org; a text that is no version is older than any. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [VERSION.exec(a), VERSION.exec(b)];
  if (left === null || right === null) return Number(left !== null) - Number(right !== null);
  for (const at of [1, 2, 3]) {
    const difference = Number(left[at]) - Number(right[at]);
    if (difference !== 0) return difference;
  }
  return comparePrereleases(left[4], right[4]);
}

/** A version without one comes after those with one. */
function comparePrereleases(a: string | undefined, b: string | undefined): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  const [left, right] = [a.split('.'), b.split('.')];
  for (let at = 0; at < Math.max(left.length, right.length); at += 1) {
    const [one, other] = [left[at], right[at]];
    if (one === undefined || other === undefined) return one === undefined ? -1 : 1;
    const difference = compareIdentifiers(one, other);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Numbers by value and before words, words by their characters. */
function compareIdentifiers(one: string, other: string): number {
  const [isNumber, isOtherNumber] = [one, other].map((text) => /^\d+$/.test(text));
  if (isNumber && isOtherNumber) return Number(one) - Number(other);
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1;
  return one < other ? -1 : Number(one > other);
}

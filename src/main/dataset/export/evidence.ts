// Owns: what lies beside the rows so that they can be traced: the events of the episodes they come from, whole but for
// what names a key or a place of somebody's machine.
import type { LongTexts } from '../../log/longTexts.ts';
import { withTexts } from '../withTexts.ts';
import { BUNDLE, BUNDLE_VERSION } from '../import/ownEvents.ts';
import type { Lines } from './lines.ts';
import { FORBIDDEN_FIELDS, holdsKey, withoutKeys } from './preflight/secrets.ts';
import type { ReadEpisode } from './told.ts';

/** What stands where something was left out. */
const LEFT_OUT = '[left out]';
/** Of resets, frames and addresses: fields whose values are nobody's business elsewhere. */
const HIDDEN: ReadonlySet<string> = new Set([...FORBIDDEN_FIELDS, 'llm_base_url']);
const HIDES = new RegExp([...HIDDEN].join('|'));

/** The first line of a bundle, which an import recognises it by. */
export const bundleHead = (): string => JSON.stringify({ type: BUNDLE, v: BUNDLE_VERSION });

/** Adds the events of an episode as they lie in the log. */
export function addEvents(
  texts: Pick<LongTexts, 'whole'>,
  { rows, record }: ReadEpisode,
  lines: Pick<Lines, 'add'>,
): void {
  const id = JSON.stringify(record.id);
  for (const { n, at, actor, body } of rows) {
    const said = shownBody(texts, body);
    const event = holdsKey(said) ? withoutKeys(said, LEFT_OUT) : said;
    lines.add(`{"episode":${id},"n":${String(n)},"at":${String(at)},"actor":${actor},"event":${event}}`);
  }
}

/** The JSON of an event, its long texts whole, without what names a key or a place by its field. */
export const shownBody = (texts: Pick<LongTexts, 'whole'>, body: string): string =>
  CHANGES.test(body) ? JSON.stringify(shown(texts, JSON.parse(body) as Record<string, unknown>)) : body;

/** What is kept elsewhere, or may have to be left out: a body without any of it goes as it is. */
const CHANGES = new RegExp(['"\\$blob"', '"kind":"episode\\.started"', ...HIDDEN].join('|'));

function shown(texts: Pick<LongTexts, 'whole'>, event: Record<string, unknown>): unknown {
  const whole = withTexts(event, (text) => texts.whole(text)) as Record<string, unknown>;
  const environment = whole['environment'];
  if (whole['kind'] === 'episode.started' && typeof environment === 'object' && environment !== null) {
    return withoutHidden({ ...whole, environment: withoutUrl(environment) });
  }
  return withoutHidden(whole);
}

/** An import has no address to hide. */
const withoutUrl = (environment: object): object =>
  'url' in environment && environment.url === '' ? environment : { ...environment, url: LEFT_OUT };

/** Walks into texts that are JSON themselves, as frames are. */
function withoutHidden(value: unknown): unknown {
  if (typeof value === 'string') return HIDES.test(value) ? frameWithout(value) : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutHidden);
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      HIDDEN.has(key) && inner !== null ? LEFT_OUT : withoutHidden(inner),
    ]),
  );
}

function frameWithout(text: string): string {
  try {
    const parsed = JSON.parse(text) as unknown;
    return typeof parsed === 'object' && parsed !== null ? JSON.stringify(withoutHidden(parsed)) : text;
  } catch {
    return text;
  }
}

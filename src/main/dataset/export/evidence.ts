// Writes the events behind the rows beside them, so that rows can be traced. Only keys and paths of this machine are
// removed.
import { parseJson, tryExactJson } from '../../../shared/json.ts';
import type { LongTexts } from '../../log/longTexts.ts';
import { redactJson } from '../../../shared/redact/redact.ts';
import { withTexts } from '../../../shared/events/text.ts';
import { BUNDLE, BUNDLE_VERSION } from '../import/eventBundle.ts';
import type { LineWriter } from './lineWriter.ts';
import { FORBIDDEN_FIELDS, holdsKey, withoutKeys } from './preflight/secrets.ts';
import type { LoadedEpisode } from './loadEpisode.ts';

/** What stands where something was left out. */
const LEFT_OUT = '[left out]';
/** Of resets, frames and addresses: fields whose values are nobody's business elsewhere. */
const HIDDEN: ReadonlySet<string> = new Set([...FORBIDDEN_FIELDS, 'llm_base_url']);
const HIDES = new RegExp([...HIDDEN].join('|'));

/** The first line of a bundle, which an import recognises it by. */
export const bundleHead = (): string => JSON.stringify({ type: BUNDLE, v: BUNDLE_VERSION });

/** Adds the events of an episode as they lie in the log. */
export function addEvents(
  texts: Pick<LongTexts, 'loadText'>,
  { rows, record }: LoadedEpisode,
  lines: Pick<LineWriter, 'add'>,
): void {
  const id = JSON.stringify(record.id);
  for (const { n, at, actor, body } of rows) {
    const said = shownBody(texts, body);
    const event = holdsKey(said) ? withoutKeys(said, LEFT_OUT) : said;
    lines.add(`{"episode":${id},"n":${String(n)},"at":${String(at)},"actor":${actor},"event":${event}}`);
  }
}

/** The JSON of an event, its long texts whole, without what names a key or a place by its field. */
export const shownBody = (texts: Pick<LongTexts, 'loadText'>, body: string): string =>
  CHANGES.test(body)
    ? JSON.stringify(publishableEvent(texts, parseJson(body) as Record<string, unknown>))
    : body;

/** What is kept elsewhere, or may have to be left out: a body without any of it goes as it is. */
const CHANGES = new RegExp(
  ['"\\$blob"', '"kind":"episode\\.started"', '"kind":"environment\\.reset"', ...HIDDEN].join('|'),
);

function publishableEvent(texts: Pick<LongTexts, 'loadText'>, event: Record<string, unknown>): unknown {
  const fullEvent = withTexts(event, (text) => texts.loadText(text)) as Record<string, unknown>;
  if (fullEvent['kind'] === 'environment.reset') {
    return withoutHidden({ ...fullEvent, request: redactJson(fullEvent['request']) });
  }
  const environment = fullEvent['environment'];
  if (fullEvent['kind'] === 'episode.started' && typeof environment === 'object' && environment !== null) {
    return withoutHidden({ ...fullEvent, environment: withoutUrl(environment) });
  }
  return withoutHidden(fullEvent);
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
  const parsed = tryExactJson(text);
  return typeof parsed === 'object' && parsed !== null ? JSON.stringify(withoutHidden(parsed)) : text;
}

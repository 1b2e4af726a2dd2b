// Reads a model's base URL: where requests go, and the credentials in it that go as a header and a query.
import { credentialsOf, type Credentials } from '../../shared/redact/address.ts';
import { redactMessage } from '../../shared/redact/redact.ts';

type Endpoint = Credentials & {
  /** Without user, password and query; no slash at the end. */
  base: string;
  /** What messages say; the same, also for a text that is no address. */
  shown: string;
};

/** `fetch` takes no address with a user in it, and a path cannot be put after a query. */
export function endpointOf(baseUrl: string): Endpoint {
  if (!URL.canParse(baseUrl)) {
    return { base: baseUrl, shown: redactMessage(baseUrl), search: '', basic: null, secrets: [] };
  }
  const url = new URL(baseUrl);
  const base = `${url.protocol}//${url.host}${url.pathname}`.replace(/(?<!\/)\/+$/, '');
  return { base, shown: base, ...credentialsOf(url) };
}

import { tokenSet } from '../auth-modes/token-set.ts';
import { connectionFacts } from '../connections/connection-facts.ts';
import { callRule } from '../plugin-host/call-rule.ts';
import { decorated, type RequestHead } from './decorate.ts';
import type { ProxyDeps } from './deps.ts';
import { headerPairs, headerValue, type RawHeaders } from './raw-headers.ts';
import type { RequestBody } from './request-body.ts';
import { requestHeaders, withoutNames } from './request-headers.ts';
import type { ResolvedUpstream } from './resolve.ts';
import type { Upstream } from './upstream.ts';

const FORM = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;

interface Outgoing {
  readonly method: string;
  /** The caller's. */
  readonly headers: RawHeaders;
  readonly body: RequestBody;
}

/**
 * The head of the request to the provider: the caller's headers and the connection's, then a signature if the mode has one, which
 * replaces headers of its names, then the changes of the plugin. Most connections need neither of the two.
 *
 * @throws ServiceError `payload_too_large` for a body that cannot be signed; of the plugin and the signature
 */
export async function outgoingHead(
  deps: ProxyDeps,
  { upstream, target }: ResolvedUpstream,
  { method, headers, body }: Outgoing,
): Promise<RequestHead> {
  const { credentials } = upstream;
  const merged = requestHeaders(headers, { framing: body.framing, credentials, clientPrefix: deps.clientPrefix });
  const head = await signedHead(deps, upstream, { head: { method, target, headers: merged }, body });
  return decoratedByPlugin(deps, upstream, head);
}

/** The body is waited for where the signature covers it. A signature replaces headers of its names. */
async function signedHead(
  { clock }: ProxyDeps,
  { sign, signsBody }: Upstream,
  { head, body }: { readonly head: RequestHead; readonly body: RequestBody },
): Promise<RequestHead> {
  if (sign === undefined) return head;
  const { method, target, headers } = head;
  const isForm = FORM.test(headerValue(headers, 'content-type') ?? '');
  const covered = {
    ...(isForm && { form: (await body.whole()).toString('utf8') }),
    ...(signsBody && { body: await body.whole() }),
  };
  const signature = sign({ method, ...target, headers: headerPairs(headers), ...covered, at: clock.now() });
  const added = signature.flatMap(({ name, value }) => [name, value]);
  return { ...head, headers: [...withoutNames(headers, added), ...added] };
}

function decoratedByPlugin(
  { outbound, log }: ProxyDeps,
  { connection, rules, allowedHosts }: Upstream,
  head: RequestHead,
): RequestHead {
  const decorate = rules?.decorate;
  if (decorate === undefined) return head;
  const { provider, connectionId, credentials } = connection;
  const call = { rule: 'proxy.decorate', provider, connectionId, tokens: () => tokenSet(credentials) };
  return callRule({ log }, call, () =>
    decorated(head, {
      decorate: (request) => decorate(request, structuredClone(connectionFacts(connection))),
      check: (url) => outbound.check(url),
      allowedHosts,
    }),
  );
}

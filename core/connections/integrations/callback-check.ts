import { randomBytes } from 'node:crypto';
import { OutboundError, type OutboundPool } from '../../kit/outbound.ts';
import { environmentCallback } from './redirect-uri.ts';

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 64 * 1024;
/**
 * The status that a callback URL has to redirect with: browsers keep the method only with 307 and 308, and the service requires
 * 308.
 */
const PERMANENT = 308;

/**
 * The result of checking a callback URL. `own`: it is the service's own; `right`: it redirects there correctly. With any other,
 * authorizations by users fail or may fail.
 */
type CallbackVerdict =
  | 'own'
  | 'right'
  | 'wrong_status'
  | 'no_redirect'
  | 'query_dropped'
  | 'leads_elsewhere'
  | 'not_reachable'
  | 'not_allowed';

interface CallbackCheck {
  readonly verdict: CallbackVerdict;
  /** The status of the response; null when there was none. */
  readonly status: number | null;
  /** The address that the response redirects to, without the query. */
  readonly location: string | null;
}

/**
 * Calls a callback URL once, as a browser that returns from a provider would, and reads where it redirects to. The redirect is
 * not followed, so no flow is affected.
 */
export async function checkCallback(outbound: OutboundPool, url: string, baseUrl: string): Promise<CallbackCheck> {
  const own = environmentCallback({ baseUrl, environment: undefined });
  if (url === own) return { verdict: 'own', status: null, location: null };
  const probe = probeOf(url);
  try {
    const { status, headers } = await outbound.call(probe, { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES, beyond: 'cut' });
    const target = URL.parse(headers['location'] ?? '', probe.href);
    if (status < 300 || status > 399 || target === null) return { verdict: 'no_redirect', status, location: null };
    const location = target.origin + target.pathname;
    return { verdict: verdictOf({ status, target, probe, own }), status, location };
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    const verdict = error.code === 'address_not_allowed' ? 'not_allowed' : 'not_reachable';
    return { verdict, status: null, location: null };
  }
}

interface RedirectResponse {
  readonly status: number;
  readonly target: URL;
  readonly probe: URL;
  readonly own: string;
}

function verdictOf({ status, target, probe, own }: RedirectResponse): CallbackVerdict {
  if (target.origin + target.pathname !== own) return 'leads_elsewhere';
  const isKept = [...probe.searchParams].every(([name, value]) => target.searchParams.getAll(name).includes(value));
  if (!isKept) return 'query_dropped';
  return status === PERMANENT ? 'right' : 'wrong_status';
}

/**
 * Returns the URL with the parameters of an authorization response (RFC 6749 §4.1.2), and an unknown parameter whose characters
 * have to be encoded: a redirect must keep all of them.
 */
function probeOf(url: string): URL {
  const probe = new URL(url);
  probe.searchParams.append('state', `svc-check-${randomBytes(8).toString('hex')}`);
  probe.searchParams.append('code', 'svc-check');
  probe.searchParams.append('svc_check', 'a b/c+d&e=f');
  return probe;
}

import { type ConnectionFacts, type HookContext, type JsonObject, PluginError, type TokenSet } from '#contract';
import { copyJson, parseJson } from '../../kit/exact-json.ts';
import type { Logger } from '../../kit/logger.ts';
import { type Outbound, OutboundError } from '../../kit/outbound.ts';
import type { SecretHider } from './hide-secrets.ts';

const MAX_RESPONSE_BYTES = 1_048_576;
const MAX_REQUEST_BYTES = 1_048_576;
/** Statuses whose `Response` may have no body (Fetch standard, "null body status"). */
const BODILESS = new Set([204, 205, 304]);

/** The facts that a hook learns about its connection. */
export interface HookFacts {
  readonly connection: ConnectionFacts;
  readonly integrationConfig: JsonObject;
  readonly tokens: TokenSet;
  readonly subscription: JsonObject;
}

interface HookResources {
  readonly outbound: Outbound;
  readonly log: Logger;
  readonly hider: SecretHider;
}

interface HookTime {
  /** Aborts after the hook's timeout, and thereby the hook's calls. */
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

export function buildHookContext(deps: HookResources, facts: HookFacts, time: HookTime): HookContext {
  return {
    ...copyJson({
      connection: facts.connection,
      integrationConfig: facts.integrationConfig,
      tokens: facts.tokens,
      subscription: facts.subscription,
    }),
    fetch: guardedFetch(deps, time),
    signal: time.signal,
    log: (message, details = {}) => deps.log.info(deps.hider.text(message), deps.hider.facts(details)),
  };
}

function guardedFetch({ outbound, hider }: HookResources, { signal, timeoutMs }: HookTime): HookContext['fetch'] {
  return async (url, init) => {
    const request = new Request(url, init);
    const body = new Uint8Array(await request.arrayBuffer());
    if (body.byteLength > MAX_REQUEST_BYTES) throw new PluginError('provider_unavailable', 'the request is too large to be sent');
    try {
      const response = await outbound.call(request.url, {
        method: request.method,
        headers: Object.fromEntries(request.headers),
        ...(body.byteLength > 0 && { body }),
        maxBytes: MAX_RESPONSE_BYTES,
        timeoutMs,
        signal: AbortSignal.any([signal, request.signal]),
      });
      hider.learn(response.body.toString('utf8'));
      return exactResponse(new Response(BODILESS.has(response.status) ? null : new Uint8Array(response.body), response));
    } catch (cause) {
      if (!(cause instanceof OutboundError)) throw cause;
      throw new PluginError('provider_unavailable', `a call to the provider failed (${cause.code})`, { cause });
    }
  };
}

/** Returns a response whose `json()` keeps numbers as the provider wrote them. */
function exactResponse(response: Response): Response {
  return Object.assign(response, { json: async () => parseJson(await response.text()) });
}

import type { HookContext, JsonObject } from '#contract';

/** A call that a hook of a plugin made. */
export interface HookFetch {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body: string;
}

interface HookScript {
  /** Returns the provider's response, or throws an error to simulate a provider that cannot be reached. */
  readonly response?: () => Response;
  readonly connectionConfig?: JsonObject;
  readonly integrationConfig?: JsonObject;
  readonly raw?: JsonObject;
}

/**
 * Returns a context for calling the hooks of a plugin under test, and a list of the calls that the hooks make through it. The
 * provider answers each call with the scripted response.
 */
export function hookContext(script: HookScript = {}) {
  const { response = () => Response.json({}), connectionConfig = {}, integrationConfig = {}, raw = {} } = script;
  const calls: HookFetch[] = [];
  const context: HookContext = {
    connection: { connectionId: 'c-1', integrationId: 'i-1', provider: 'any', connectionConfig, metadata: {}, tags: {} },
    integrationConfig,
    tokens: { accessToken: 'token-1', raw },
    subscription: {},
    fetch: async (url, init) => {
      const request = new Request(url, init);
      calls.push({ url: request.url, method: request.method, headers: request.headers, body: await request.text() });
      return response();
    },
    signal: AbortSignal.timeout(10_000),
    log: () => undefined,
  };
  return { context, calls };
}

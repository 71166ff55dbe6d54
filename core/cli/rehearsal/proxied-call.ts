import { finished } from 'node:stream/promises';
import { Registry } from 'prom-client';
import type { Connection } from '../../connections/connection.ts';
import { Counters } from '../../journal/counters.ts';
import { createProxy } from '../../proxy/proxy.ts';
import { prepareUpstream } from '../../proxy/upstream.ts';
import { nameOf } from './documented-responses.ts';
import type { RehearsalStage } from './stage.ts';
import { notApplicable, ok, RehearsalFault, type RehearsalOutcome } from './step.ts';
import { requireCredentials } from './walk-steps.ts';

const PATH = '/rehearsal';
const TIMEOUT_MS = 10_000;
const UNRECORDED = {
  id: 'rehearsal',
  note: () => undefined,
  describe: () => undefined,
  end: () => undefined,
  endIn: () => Promise.resolve(),
};

/**
 * Checks that a call through the service's own proxy arrives at the base URL, with the credentials and everything that the
 * definition adds.
 */
export async function callThroughProxy(stage: RehearsalStage, connection: Connection): Promise<RehearsalOutcome> {
  const { definition, integration, entry } = stage;
  if (definition.proxy === undefined) return notApplicable('proxy is not declared: the provider has no API for proxied calls');
  const deps = {
    outbound: stage.outbound,
    catalogue: { find: () => entry },
    plugins: stage.plugins,
    activity: { begin: () => UNRECORDED, takesRoutine: () => false },
    counters: new Counters(new Registry()),
    clock: stage.clock,
    random: () => 0,
    log: stage.log,
  };
  const upstream = prepareUpstream(deps, { integration, connection });
  if (upstream.base instanceof Error) throw upstream.base;
  using proxy = createProxy(deps, { find: async () => upstream, fresh: async (one) => one, touch: () => undefined });
  const response = await proxy.call({
    requestId: 'rehearsal',
    environmentId: integration.environmentId,
    mayOverride: false,
    method: 'GET',
    target: `/proxy${PATH}?page=2`,
    headers: [],
    body: undefined,
    options: {
      providerConfigKey: integration.uniqueKey,
      connectionId: connection.connectionId,
      retries: 0,
      retryOn: [],
      baseUrlOverride: undefined,
      decompress: false,
      firstByteMs: TIMEOUT_MS,
      idleMs: TIMEOUT_MS,
    },
    signal: new AbortController().signal,
  });
  if (response !== undefined) await finished(response.body.resume());
  const request = stage.provider.requests.at(-1);
  if (request === undefined || !request.url.pathname.endsWith(PATH))
    throw new RehearsalFault('the call did not arrive', { path: ['proxy', 'base_url'] });
  requireCredentials(stage, { connected: connection, request, path: ['proxy'] });
  const { headers = {}, query = {} } = definition.proxy;
  const [missing] = [
    ...Object.keys(headers)
      .filter((name) => !Object.hasOwn(request.headers, name.toLowerCase()))
      .map((name) => ['headers', name]),
    ...Object.keys(query)
      .filter((name) => !request.url.searchParams.has(name))
      .map((name) => ['query', name]),
  ];
  if (missing !== undefined)
    throw new RehearsalFault(`the call arrived without ${missing.join(' ')}`, { path: ['proxy', ...missing] });
  return ok(`GET ${PATH} arrived as ${nameOf(request.method, request.url)}, authenticated as declared`);
}

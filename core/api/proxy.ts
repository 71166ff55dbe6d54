import { grants } from '../environments/scopes.ts';
import type { Caller } from '../http/caller.ts';
import { defineStream } from '../http/route.ts';
import { type ProxyCaller, type ProxyDeps, proxyCall } from '../proxy/proxy.ts';
import type { Upgrades } from '../proxy/upgrade.ts';

export interface ProxyServices extends ProxyDeps {
  readonly upgrades: Upgrades;
}

export const proxy = defineStream<ProxyServices>({
  path: '/proxy',
  access: { scope: 'environment:proxy' },
  summary: "Calls the external API with a connection's credentials",
  tag: 'proxy',
  responses: {
    200: {
      description: 'Status, headers and body as the provider sent them. Answers of the service itself carry `Svc-Error`.',
      type: '*/*',
    },
  },
  handle: (services, { requestId, caller, request, response }) =>
    proxyCall(services, { ...callerOf(caller, requestId), request, response }),
  upgrade: (services, { requestId, caller, request, socket, head }) =>
    services.upgrades.handle({ ...callerOf(caller, requestId), request, socket, head }),
});

function callerOf(caller: Caller, requestId: string): ProxyCaller {
  if (caller.kind !== 'environment') throw new TypeError('the proxy is for environment keys');
  const mayOverride = grants(caller.scopes, 'environment:proxy:override');
  return { requestId, environmentId: caller.environmentId, mayOverride };
}

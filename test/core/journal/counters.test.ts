import { expect } from 'chai';
import { Registry } from 'prom-client';
import { ERROR_STATUS, type ErrorCode, ServiceError } from '../../../core/errors.ts';
import { Counters } from '../../../core/journal/counters.ts';

type CallEnd = Parameters<Counters['proxiedCall']>[1];

async function counted(provider: string | undefined, end: CallEnd): Promise<string> {
  const registry = new Registry();
  new Counters(registry).proxiedCall(provider, end);
  const lines = (await registry.metrics()).split('\n');
  return lines.find((line) => line.startsWith('svc_proxied_calls_total{')) ?? 'nothing';
}

describe('the count of proxied calls', () => {
  const ends: readonly [CallEnd, status: string, fault: string][] = [
    [200, '2xx', 'none'],
    [304, '3xx', 'none'],
    [404, '4xx', 'caller'],
    [401, '4xx', 'connection'],
    [429, '4xx', 'limit'],
    [503, '5xx', 'provider'],
    ['interrupted', 'none', 'provider'],
    ['disconnected', 'none', 'caller'],
    [{ error: new Error('a bug') }, 'none', 'service'],
  ];
  for (const [end, status, fault] of ends)
    it(`says of ${JSON.stringify(end)} that the fault is: ${fault}`, async () => {
      const line = await counted('github', end);
      expect(line).to.equal(`svc_proxied_calls_total{provider="github",status="${status}",fault="${fault}"} 1`);
    });

  const codes: Readonly<Partial<Record<ErrorCode, string>>> = {
    invalid_credentials: 'connection',
    unknown_connection: 'caller',
    address_not_allowed: 'caller',
    provider_unreachable: 'provider',
    provider_unavailable: 'provider',
    provider_timeout: 'provider',
    storage_unavailable: 'service',
    overloaded: 'service',
    server_error: 'service',
  };
  for (const [code, fault] of Object.entries(codes))
    it(`says of ${code} that the fault is: ${fault}`, async () => {
      const error = new ServiceError(code as ErrorCode, 'why');
      expect(await counted(undefined, { error })).to.contain(`provider="unknown",status="none",fault="${fault}"`);
    });

  it('knows whose fault each error of the service is', async () => {
    for (const code of Object.keys(ERROR_STATUS) as ErrorCode[])
      expect(await counted('github', { error: new ServiceError(code, 'why') })).not.to.contain('fault="none"');
  });
});

import { expect } from 'chai';
import { requestHeaders } from '../../../core/proxy/request-headers.ts';

const OURS = ['authorization', 'Bearer ours', 'X-Api-Key', 'ours'] as const;
const CREDENTIALS = { raw: OURS, names: new Set(['authorization', 'x-api-key']) };

function sent(callers: readonly string[], clientPrefix?: string): string[] {
  return requestHeaders(callers, { framing: [], credentials: CREDENTIALS, clientPrefix });
}

describe('headers of the request to the provider (PRX-05)', () => {
  const DROPPED = {
    'the API key of the service': ['Authorization', 'Bearer svc_sk_x'],
    'the API key of the service in other case': ['AUTHORIZATION', 'Bearer svc_sk_x'],
    'a second credential': ['x-API-key', 'mine'],
    'a credential written with underscores': ['X_Api_Key', 'mine'],
    cookies: ['Cookie', 'a=b'],
    Host: ['Host', 'evil.example'],
    'Host in other case': ['hOsT', 'evil.example'],
    'Content-Length': ['Content-Length', '5'],
    'Content-Length in other case': ['CONTENT-length', '5'],
    'Transfer-Encoding': ['Transfer-Encoding', 'chunked'],
    Expect: ['Expect', '100-continue'],
    'Provider-Config-Key': ['Provider-Config-Key', 'x'],
    'Connection-Id': ['connection-id', 'x'],
    Retries: ['Retries', '3'],
    'Retry-On': ['Retry-On', '404'],
    'Base-Url-Override': ['Base-Url-Override', ''],
    Decompress: ['Decompress', 'true'],
    'Forward-Headers-On-Redirect': ['Forward-Headers-On-Redirect', 'true'],
    'Svc-Timeout': ['Svc-Timeout', '5'],
    'anything that begins with Svc-': ['SVC-Whatever', 'x'],
    Connection: ['Connection', 'keep-alive'],
    'Keep-Alive': ['Keep-Alive', 'timeout=5'],
    TE: ['TE', 'trailers'],
    Trailer: ['Trailer', 'X-Sum'],
    Upgrade: ['Upgrade', 'h2c'],
    'HTTP2-Settings': ['HTTP2-Settings', 'AAMAAABkAAQ'],
    'Proxy-Authorization': ['Proxy-Authorization', 'Basic x'],
    'Proxy-Connection': ['Proxy-Connection', 'keep-alive'],
    Proxy: ['Proxy', 'http://evil.example'],
    Forwarded: ['Forwarded', 'for=1.2.3.4'],
    'X-Forwarded-For': ['X-Forwarded-For', '1.2.3.4'],
    'X-Forwarded-Host': ['x-forwarded-HOST', 'evil.example'],
    'X-Forwarded-Proto': ['X-Forwarded-Proto', 'http'],
    'a field that Connection names': ['Connection', 'close, X-Hop', 'X-Hop', '1'],
    'a field that Connection names in other case': ['connection', 'x-HOP', 'X-hop', '1'],
    'fields that several Connection fields name': ['Connection', 'A', 'Connection', 'b', 'a', '1', 'B', '2'],
    'an explicit Authorization': ['Svc-Proxy-Authorization', 'Bearer mine'],
    'an explicit credential': ['svc-proxy-X-API-KEY', 'mine'],
    'an explicit Host': ['Svc-Proxy-Host', 'evil.example'],
    'an explicit Content-Length': ['Svc-Proxy-Content-Length', '1'],
    'an explicit Connection': ['Svc-Proxy-Connection', 'authorization'],
    'an explicit Transfer-Encoding': ['Svc-Proxy-Transfer-Encoding', 'chunked'],
    'an explicit Upgrade': ['Svc-Proxy-Upgrade', 'h2c'],
    'an explicit Proxy-Authorization': ['Svc-Proxy-Proxy-Authorization', 'x'],
    'an explicit nothing': ['Svc-Proxy-', 'x'],
  };
  for (const [what, callers] of Object.entries(DROPPED)) {
    it(`do not include ${what}`, () => {
      expect(sent(callers)).to.deep.equal([...OURS]);
    });
  }

  for (const named of ['authorization, x-api-key', 'Authorization', 'X-Api-Key,close', 'content-length, authorization']) {
    it(`keep the credentials of the connection when the header Connection names "${named}"`, () => {
      expect(sent(['Connection', named, 'Accept', '*/*'])).to.deep.equal(['Accept', '*/*', ...OURS]);
    });
  }

  it('keep the order, case and repetition of the headers that pass', () => {
    const callers = ['accept', 'a', 'X-One', '1', 'Content-Type', 'text/plain', 'x-one', '2', 'ACCEPT', 'b'];
    expect(sent(callers)).to.deep.equal([...callers, ...OURS]);
  });

  it('include the one field that is set explicitly instead of all others of its name', () => {
    const callers = ['Accept', 'a', 'Svc-Proxy-Accept', 'b', 'accept', 'c', 'svc-proxy-X-New', 'd', 'SVC-PROXY-Cookie', 'e=f'];
    expect(sent(callers)).to.deep.equal(['Accept', 'b', 'X-New', 'd', 'Cookie', 'e=f', ...OURS]);
  });

  it('may be set with a second prefix of clients', () => {
    const callers = ['Acme-Proxy-Accept', 'b', 'ACME-Other', 'c', 'Acmes', 'd'];
    expect(sent(callers, 'acme')).to.deep.equal(['Acmes', 'd', 'Accept', 'b', ...OURS]);
    expect(sent(callers)).to.deep.equal([...callers, ...OURS]);
  });
});

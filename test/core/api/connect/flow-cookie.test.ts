import { expect } from 'chai';
import { browserIdsFrom, flowCookie, newBrowserId, newFlowCookies } from '../../../../core/api/connect/flow-cookie.ts';

const HTTPS = 'https://svc.example';
const HTTP = 'http://localhost:3003';

describe('the flow cookie', () => {
  const id = newBrowserId();

  it('is bound to the host over https', () => {
    expect(flowCookie(id, HTTPS)).to.equal(`__Host-svc_flow=${id}; Path=/; Max-Age=86400; HttpOnly; SameSite=Lax; Secure`);
    expect(flowCookie(id, HTTP)).to.equal(`svc_flow=${id}; Path=/; Max-Age=86400; HttpOnly; SameSite=Lax`);
  });

  it('is found among other cookies', () => {
    expect(browserIdsFrom(`a=b; __Host-svc_flow=${id}; c=d`, HTTPS)).to.deep.equal([id]);
    expect(browserIdsFrom(`svc_flow=${id}`, HTTP)).to.deep.equal([id]);
  });

  it('is also set under a name of its own in a new browser, so that the cookie of another flow does not replace it', () => {
    const other = newBrowserId();
    const pairs = [id, other].flatMap((one) => newFlowCookies(one, HTTPS)).map((cookie) => cookie.split(';', 1)[0] ?? '');
    const jar = new Map(pairs.map((pair) => pair.split('=', 2) as [string, string]));
    const header = [...jar].reverse().map((pair) => pair.join('='));
    expect(browserIdsFrom(header.join('; '), HTTPS)).to.deep.equal([other, id]);
  });

  it('yields eight browser IDs at most', () => {
    const ids = Array.from({ length: 20 }, newBrowserId);
    expect(browserIdsFrom(ids.map((one) => `svc_flow_${one.slice(0, 8)}=${one}`).join('; '), HTTP)).to.have.length(8);
  });

  const NOT_OURS: Readonly<Record<string, readonly [string | undefined, string]>> = {
    'no cookies': [undefined, HTTPS],
    'another name': [`x__Host-svc_flow=${id}`, HTTPS],
    'the name without its prefix, which a neighbour could have set': [`svc_flow=${id}`, HTTPS],
    'two of them': [`__Host-svc_flow=${id}; __Host-svc_flow=${newBrowserId()}`, HTTPS],
    'a value of another form': ['__Host-svc_flow=abc', HTTPS],
    'a longer value': [`__Host-svc_flow=${id}a`, HTTPS],
    'an empty value': ['__Host-svc_flow=', HTTPS],
    'a second name of another length': [`__Host-svc_flow_abc=${id}`, HTTPS],
    'a second name without its prefix': [`svc_flow_${id.slice(0, 8)}=${id}`, HTTPS],
  };
  for (const [what, [header, baseUrl]] of Object.entries(NOT_OURS)) {
    it(`is not found with ${what}`, () => expect(browserIdsFrom(header, baseUrl)).to.deep.equal([]));
  }
});

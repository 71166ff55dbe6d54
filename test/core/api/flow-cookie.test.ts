import { expect } from 'chai';
import { browserIdFrom, flowCookie, newBrowserId } from '../../../core/api/flow-cookie.ts';

const HTTPS = 'https://svc.example';
const HTTP = 'http://localhost:3003';

describe('the flow cookie', () => {
  const id = newBrowserId();

  it('is bound to the host over https', () => {
    expect(flowCookie(id, HTTPS)).to.equal(`__Host-svc_flow=${id}; Path=/; HttpOnly; SameSite=Lax; Secure`);
    expect(flowCookie(id, HTTP)).to.equal(`svc_flow=${id}; Path=/; HttpOnly; SameSite=Lax`);
  });

  it('is read back among others', () => {
    expect(browserIdFrom(`a=b; __Host-svc_flow=${id}; c=d`, HTTPS)).to.equal(id);
    expect(browserIdFrom(`svc_flow=${id}`, HTTP)).to.equal(id);
  });

  const NOT_OURS: Readonly<Record<string, readonly [string | undefined, string]>> = {
    'no cookies': [undefined, HTTPS],
    'another name': [`x__Host-svc_flow=${id}`, HTTPS],
    'the name without its prefix, which a neighbour could have set': [`svc_flow=${id}`, HTTPS],
    'two of them': [`__Host-svc_flow=${id}; __Host-svc_flow=${newBrowserId()}`, HTTPS],
    'a value of another form': ['__Host-svc_flow=abc', HTTPS],
    'a longer value': [`__Host-svc_flow=${id}a`, HTTPS],
    'an empty value': ['__Host-svc_flow=', HTTPS],
  };
  for (const [what, [header, baseUrl]] of Object.entries(NOT_OURS)) {
    it(`is not there with ${what}`, () => expect(browserIdFrom(header, baseUrl)).to.equal(undefined));
  }
});

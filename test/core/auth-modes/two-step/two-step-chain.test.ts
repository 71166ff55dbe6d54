import { expect } from 'chai';
import type { ProviderDefinition } from '#contract';
import { createOutbound } from '../../../../core/kit/outbound.ts';
import { TestNet } from '../../../support/test-net.ts';
import { use } from '../../../support/use.ts';
import { NOW, tokenFailure, useProvider } from '../building-blocks/token-endpoint/mode-input.ts';
import { ENTERED, json, PASSWORD, prepare, refresh, twoStepInput } from './two-step-input.ts';

type Steps = NonNullable<ProviderDefinition['additional_steps']>;

/** Addresses that the first response may name but that the second call must not go to. */
const FOREIGN: Readonly<Record<string, unknown>> = {
  'another host': 'https://evil.example',
  'a host that contains the right one': 'https://login.good.example.evil.example',
  'a host that ends like the right one': 'https://evil-good.example',
  'a right host as the user name': 'https://login.good.example@evil.example',
  'a right host in the path': 'https://evil.example/login.good.example',
  'a right host with a port': 'https://login.good.example:8443',
  'a right host without TLS': 'http://login.good.example',
  'an inner address': 'https://127.0.0.1',
  'a name without a scheme': 'login.good.example',
  'another scheme': 'file:///etc/passwd',
  'a template': '${connectionConfig.home}',
  'a very long host': `https://${'a'.repeat(100_000)}.good.example`,
  'a number': 4711,
  'an object': { href: 'https://login.good.example' },
  nothing: undefined,
};

describe('a sign-in of several steps', function () {
  const { provider } = useProvider(this);
  const net = new TestNet();
  const outbound = use(this, () => createOutbound({ allow: [], resolve: net.resolve, dial: net.dial }));
  const deps = { outbound, now: () => NOW };

  beforeEach(() => {
    net.dials.splice(0);
    for (const name of ['home.example', 'login.good.example']) net.add(name, provider.url);
  });

  function chain(steps: Steps, changes: Partial<ProviderDefinition> = {}) {
    const first = { token_url: 'https://home.example/token', token_request_method: 'GET', token_params: {} } as const;
    return twoStepInput(provider, { ...first, additional_steps: steps, ...changes });
  }

  const SIGN_IN: Steps[number] = {
    token_url: '${steps.0.login.url}/session',
    host_pattern: '[a-z]+\\.good\\.example',
    token_params: { user: '${credentials.username}', pass: '${credentials.password}', realm: '${steps.0.login.realms.0}' },
    body_format: 'json',
  };
  const found = (url: unknown) => json(200, { login: { url, realms: ['main', 'other'] } });

  it('uses values of each response in the steps after it', async () => {
    provider.always('token', { response: found('https://login.good.example/a/') });
    provider.next(
      'api',
      { response: json(200, { ticket: 'T-1', n: 7 }) },
      { response: json(200, { data: { key: 'the-token' } }) },
    );
    const exchange: Steps[number] = {
      token_url: 'https://home.example/exchange/${steps.1.n}',
      token_request_method: 'GET',
      token_params: { ticket: '${steps.1.ticket}', fixed: 'a b' },
      token_headers: { 'X-Ticket': 'T ${steps.1.ticket}', accept: 'text/plain' },
    };
    const stored = await prepare(deps, chain([SIGN_IN, exchange], { token_response: { token: 'data.key' } }), ENTERED);
    expect(stored).to.deep.include({ token: 'the-token', raw: { data: { key: 'the-token' } } });

    const calls = provider.ledger.entries;
    expect(calls.map(({ method, headers, target }) => `${method} ${headers.host}${target}`)).to.deep.equal([
      'GET home.example/token',
      'POST login.good.example/a/session',
      'GET home.example/exchange/7?ticket=T-1&fixed=a+b',
    ]);
    expect(JSON.parse(String(calls[1]?.body))).to.deep.equal({ user: 'ada', pass: PASSWORD, realm: 'main' });
    for (const get of [calls[0], calls[2]]) {
      expect([get?.bodyBytes, get?.headers['content-type'], get?.headers['content-length']]).to.deep.equal([
        0,
        undefined,
        undefined,
      ]);
    }
    expect(calls[2]?.headers).to.include({ 'x-ticket': 'T T-1', accept: 'text/plain' });
    expect(net.strangers()).to.deep.equal([]);
  });

  for (const [what, url] of Object.entries(FOREIGN)) {
    it(`ends where a response names ${what}, before anything is sent there`, async () => {
      provider.always('token', { response: found(url) });
      const failure = await tokenFailure(refresh(deps, chain([SIGN_IN]), ENTERED));
      expect(failure).to.include({ kind: 'transient' });
      expect(failure.message).to.not.include('evil');
      expect(provider.ledger.entries.map(({ target }) => target)).to.deep.equal(['/token']);
      expect(net.dials.map(({ host }) => host)).to.deep.equal(['home.example']);
    });
  }

  it('reads values of responses only where they are own members', async () => {
    provider.always('token', {
      response: { status: 200, body: '{"__proto__":{"url":"https://login.good.example"},"login":{}}' },
    });
    for (const path of ['steps.0.url', 'steps.0.login.constructor.name', 'steps.0.toString', 'steps.length']) {
      const step = { ...SIGN_IN, token_url: 'https://home.example/x', token_params: { a: `\${${path}}` } };
      expect(await tokenFailure(refresh(deps, chain([step]), ENTERED))).to.include({ kind: 'transient' });
    }
    expect(provider.ledger.of('api')).to.deep.equal([]);
  });

  it('never reads a value of a response as a template', async () => {
    provider.always('token', {
      response: json(200, { login: { url: 'https://login.good.example', realms: ['${credentials.password}'] } }),
    });
    provider.always('api', { response: json(200, { token: 'x' }) });
    await prepare(deps, chain([SIGN_IN]), ENTERED);
    const sent = JSON.parse(String(provider.ledger.of('api')[0]?.body));
    expect(sent.realm).to.equal('${credentials.password}');
  });

  it('ends with the first step that fails', async () => {
    provider.always('token', { response: json(500, { login: { url: 'https://login.good.example', realms: ['a'] } }) });
    expect(await tokenFailure(refresh(deps, chain([SIGN_IN]), ENTERED))).to.include({ kind: 'transient', status: 500 });
    expect(provider.ledger.of('api')).to.deep.equal([]);
  });

  it('takes 401 and 403 for a refusal only at a step that sends entered or received values', async () => {
    provider.always('token', { response: json(401, {}) });
    expect(await tokenFailure(refresh(deps, chain([SIGN_IN]), ENTERED))).to.include({ kind: 'transient', status: 401 });
    provider.always('token', { response: found('https://login.good.example') });
    provider.always('api', { response: json(403, {}) });
    expect(await tokenFailure(refresh(deps, chain([SIGN_IN]), ENTERED))).to.include({ kind: 'refused', status: 403 });
  });

  it('follows no redirect with a password', async () => {
    provider.always('token', { response: found('https://login.good.example') });
    provider.always('api', { response: json(307, {}, { location: 'https://evil.example/' }) });
    expect(await tokenFailure(refresh(deps, chain([SIGN_IN]), ENTERED))).to.include({ kind: 'malformed', status: 307 });
    expect(net.strangers()).to.deep.equal([]);
  });

  it('takes no longer in total than a single call may', async () => {
    provider.always('token', { response: found('https://login.good.example') });
    provider.always('api', { delivery: 'hang' });
    const startedAt = performance.now();
    const hasty = { ...deps, tokenCallMs: 400 };
    expect(await tokenFailure(refresh(hasty, chain([SIGN_IN, SIGN_IN]), ENTERED))).to.include({ kind: 'transient' });
    expect(performance.now() - startedAt).to.be.below(5_000);
  });
});

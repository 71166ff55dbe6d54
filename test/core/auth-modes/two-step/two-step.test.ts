import { expect } from 'chai';
import type { ProviderDefinition } from '#contract';
import { TokenFailure } from '../../../../core/auth-modes/auth-mode.ts';
import { ServiceError } from '../../../../core/errors.ts';
import { canary, sweep } from '../../../support/canaries.ts';
import { NOW, tokenFailure, useProvider } from '../building-blocks/token-endpoint/mode-input.ts';
import { ENTERED, json, PASSWORD, prepare, refresh, twoStepInput } from './two-step-input.ts';

type Changes = Partial<ProviderDefinition>;

/** Changes to the definition of the first call, each with the content type and the body that are then sent. */
const BODIES: Readonly<Record<string, readonly [changes: Changes, type: string | undefined, body: string]>> = {
  'a form': [{}, 'application/x-www-form-urlencoded', new URLSearchParams({ user: 'ada', pass: PASSWORD }).toString()],
  'nested JSON with types': [
    {
      body_format: 'json',
      token_params: {
        credentials: { name: '${credentials.username}', password: '${credentials.password}', keep: true, days: 2 },
        site: { url: { omit_if_empty: '${credentials.nothing}' } },
      },
    },
    'application/json',
    JSON.stringify({ credentials: { name: 'ada', password: PASSWORD, keep: true, days: 2 }, site: {} }),
  ],
  XML: [
    {
      body_format: 'xml',
      token_params: { login: { '@version': '1', user: '${credentials.username}', pass: '${credentials.password}', ping: {} } },
      token_response: { token: 'login.token' },
    },
    'application/xml',
    `<?xml version="1.0" encoding="UTF-8"?><login version="1"><user>ada</user><pass>${PASSWORD}</pass><ping></ping></login>`,
  ],
  'nothing but a header': [
    { token_params: {}, token_headers: { Authorization: 'Basic base64(${credentials.username}:${credentials.password})' } },
    'application/x-www-form-urlencoded',
    '',
  ],
  'fields that were left out, with their defaults': [
    { token_params: { domain: '${credentials.domain}' } },
    'application/x-www-form-urlencoded',
    'domain=main',
  ],
};

/**
 * Lifetimes as providers state them, how the definition reads each, and the resulting time of expiry of a response received at
 * noon; undefined if the expiry is unknown.
 */
const LIFETIMES: Readonly<Record<string, readonly [unknown, NonNullable<Changes['token_response']>, string | undefined]>> = {
  seconds: [90, { token_expiration_strategy: 'expireIn' }, '12:01:30'],
  'seconds as text': ['90', { token_expiration_strategy: 'expireIn' }, '12:01:30'],
  'hours, minutes and seconds': ['01:02:03', { token_expiration_strategy: 'expireIn' }, '13:02:03'],
  'more than a day of hours': ['2:00:00', { token_expiration_strategy: 'expireIn' }, '14:00:00'],
  'a duration that is none': ['1:99:00', { token_expiration_strategy: 'expireIn' }, undefined],
  'no lifetime': [0, { token_expiration_strategy: 'expireIn' }, undefined],
  'a date': ['2026-03-01T13:30:00Z', {}, '13:30:00'],
  'a date of another zone': ['2026-03-01T14:30:00+01:00', {}, '13:30:00'],
  'a date without a zone': ['2026-03-01T13:30:00', { token_expiration_strategy: 'expireAt' }, '13:30:00'],
  'seconds since 1970': [NOW.getTime() / 1000 + 60, {}, '12:01:00'],
  'milliseconds since 1970': [NOW.getTime() + 60_000, {}, '12:01:00'],
  'a date in the past': ['2020-01-01T00:00:00Z', {}, undefined],
  'a date that is none': ['soon', {}, undefined],
  nothing: [undefined, {}, undefined],
  'an object': [{ at: 1 }, {}, undefined],
};

describe('a sign-in of one step', function () {
  const { provider, deps } = useProvider(this);

  for (const [what, [changes, type, body]] of Object.entries(BODIES)) {
    it(`sends ${what}, once, and keeps the token`, async () => {
      const token = canary('session token');
      const isXml = changes.body_format === 'xml';
      provider.always('token', {
        response: isXml ? { status: 200, body: `<login><token>${token}</token></login>` } : json(200, { token }),
      });
      const stored = await prepare(deps, twoStepInput(provider, changes), ENTERED);
      const [call, ...others] = provider.ledger.of('token');
      expect(others).to.deep.equal([]);
      expect([call?.method, call?.headers['content-type'], call?.body.toString()]).to.deep.equal(['POST', type, body]);
      if (changes.token_headers !== undefined)
        expect(call?.headers.authorization).to.equal(`Basic ${Buffer.from(`ada:${PASSWORD}`).toString('base64')}`);
      expect(stored).to.deep.include({ type: 'TWO_STEP', token, receivedAt: NOW.toISOString() });
      expect(stored.credentials).to.deep.equal({ username: 'ada', password: PASSWORD, domain: 'main' });
    });
  }

  for (const [what, [expiry, paths, time]] of Object.entries(LIFETIMES)) {
    it(`understands ${what} as the lifetime`, async () => {
      provider.always('token', { response: json(200, { token: 'x', data: { until: expiry } }) });
      const token_response = { token: 'token', token_expiration: 'data.until', ...paths };
      const { expiresAt } = await prepare(deps, twoStepInput(provider, { token_response }), ENTERED);
      expect(expiresAt).to.equal(time && `2026-03-01T${time}.000Z`);
    });
  }

  it('assumes the definition’s lifetime where the response has none', async () => {
    provider.always('token', { response: json(200, { token: 'x' }) });
    const { expiresAt } = await prepare(deps, twoStepInput(provider, { token_lifetime: 1800 }), ENTERED);
    expect(expiresAt).to.equal('2026-03-01T12:30:00.000Z');
  });

  it('takes a token out of cookies, whatever stands before them', async () => {
    const cookies = 'ROUTE=.n; expires=Wed, 02 Jan 2030 00:00:00 GMT, XSESSION=wrong; path=/, SESSION=right=1; HttpOnly; path=/';
    provider.always('token', { response: json(200, { a: 1 }, { 'set-cookie': cookies }) });
    const tokenOf = async (...cookies: string[]) =>
      (await prepare(deps, twoStepInput(provider, { token_response: { cookies } }), ENTERED)).token;
    expect(await tokenOf('SESSION')).to.equal('SESSION=right=1');
    expect(await tokenOf('SESSION', 'ROUTE', 'NODE')).to.equal('SESSION=right=1; ROUTE=.n');
  });

  it('takes a token out of a list', async () => {
    provider.next('token', { response: json(200, { sessions: [{ id: 'a' }] }) }, { response: json(200, [{ id: 'first' }]) });
    const at = (token: string) => twoStepInput(provider, { token_response: { token } });
    expect(await prepare(deps, at('sessions.0.id'), ENTERED)).to.include({ token: 'a' });
    expect(await prepare(deps, at('0.id'), ENTERED)).to.include({ token: 'first' });
  });

  it('removes entered secrets from the stored response of the provider', async () => {
    const token = canary('session token');
    const echo = {
      token,
      password: PASSWORD,
      url: `https://example.com/?pass=${encodeURIComponent(PASSWORD)}`,
      list: [
        'kept',
        `Basic ${PASSWORD}`,
        { body: JSON.stringify({ PASSWORD }), basic: Buffer.from(PASSWORD).toString('base64') },
      ],
      user: 'ada',
    };
    provider.always('token', { response: json(200, echo) });
    const { raw } = await prepare(deps, twoStepInput(provider), ENTERED);
    expect(raw).to.deep.equal({ token, list: ['kept', {}], user: 'ada' });
  });

  const HOSTILE = [
    '${credentials.username}',
    '${steps.0.token}',
    'a&pass=b',
    '"}',
    '</pass><user>eve</user>',
    '&#60;',
    "' or 1=1",
  ];
  for (const format of ['form', 'json', 'xml'] as const) {
    it(`sends entered texts as they are, whatever they look like, as ${format}`, async () => {
      provider.always('token', {
        response: format === 'xml' ? { status: 200, body: '<a><token>x</token></a>' } : json(200, { token: 'x' }),
      });
      for (const password of HOSTILE) {
        const token_params = format === 'xml' ? { a: { pass: '${credentials.password}' } } : { pass: '${credentials.password}' };
        const token_response = { token: format === 'xml' ? 'a.token' : 'token' };
        const credentials = { username: 'ada', password };
        await prepare(deps, twoStepInput(provider, { body_format: format, token_params, token_response }), {
          ...ENTERED,
          credentials,
        });
        const sent = provider.ledger.of('token').at(-1)?.body.toString() ?? '';
        if (format === 'form') expect(Object.fromEntries(new URLSearchParams(sent))).to.deep.equal({ pass: password });
        if (format === 'json') expect(JSON.parse(sent)).to.deep.equal({ pass: password });
        if (format === 'xml') expect(sent.match(/<\w+>/g)).to.deep.equal(['<a>', '<pass>']);
      }
    });
  }

  it('sends no request with entered texts that do not match the declared form', async () => {
    const credentials = { username: { type: 'string', title: 'User', pattern: '[0-9]+' } } as const;
    const failure = await tokenFailure(refresh(deps, twoStepInput(provider, { credentials }), ENTERED));
    expect(failure).to.include({ kind: 'transient' });
    expect(provider.ledger.entries).to.deep.equal([]);
  });

  it('sends no request if a template lacks a value', async () => {
    const input = twoStepInput(provider, { token_params: { a: '${credentials.nothing}' } });
    const failure: unknown = await prepare(deps, input, ENTERED).catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(ServiceError).and.to.include({ code: 'provider_unavailable' });
    expect(provider.ledger.entries).to.deep.equal([]);
  });

  it('fails with an error that repeats nothing of the response', async () => {
    provider.always('token', { response: json(401, { message: `wrong password ${PASSWORD}`, error: PASSWORD }) });
    const failure = await tokenFailure(refresh(deps, twoStepInput(provider), ENTERED));
    expect(failure).to.be.instanceOf(TokenFailure).and.to.include({ kind: 'refused', status: 401 });
    expect(sweep({ failure: JSON.stringify([failure.message, failure.providerCode]) })).to.deep.equal([]);
  });
});

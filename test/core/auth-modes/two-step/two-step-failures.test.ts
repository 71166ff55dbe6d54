import { expect } from 'chai';
import type { ProviderDefinition } from '#contract';
import type { TokenFailureKind } from '../../../../core/auth-modes/auth-mode.ts';
import type { ErrorCode } from '../../../../core/errors.ts';
import type { Behaviour } from '../../../support/scripted-server/behaviour.ts';
import { serviceError } from '../../../support/service-error.ts';
import { tokenFailure, useProvider } from '../building-blocks/token-endpoint/mode-input.ts';
import { ENTERED, json, prepare, refresh, twoStepInput } from './two-step-input.ts';

interface Row {
  readonly behaviour: Behaviour;
  readonly changes?: Partial<ProviderDefinition>;
  /** The kind of failure if this response is sent when stored credentials are refreshed. */
  readonly kind: TokenFailureKind;
  /** The error code if it is sent when entered credentials sign in for the first time. */
  readonly code: ErrorCode;
}

const TYPED: Partial<ProviderDefinition> = {
  token_response: { token: 'token', error: ['failure.code'] },
  revoked_codes: ['WRONG', '42'],
};
const XML: Partial<ProviderDefinition> = {
  body_format: 'xml',
  token_params: { a: { b: '${credentials.password}' } },
  token_response: { token: 'a.token', error: ['a.errors.number', 'a.error.number'] },
  revoked_codes: ['XL-6'],
};
const xml = (body: string, status = 200): Behaviour => ({ response: { status, headers: { 'content-type': 'text/xml' }, body } });

const refused = { kind: 'refused', code: 'connection_test_failed' } as const;
const away = { kind: 'transient', code: 'provider_unavailable' } as const;
const rejected = { kind: 'transient', code: 'connection_test_failed' } as const;
const malformed = { kind: 'malformed', code: 'provider_unavailable' } as const;

const ROWS: Readonly<Record<string, Row>> = {
  401: { behaviour: { response: json(401, {}) }, ...refused },
  '401 with a page': { behaviour: { response: { status: 401, body: '<h1>no</h1>' } }, ...refused },
  403: { behaviour: { response: json(403, {}) }, ...refused },
  '403 with a page, as of a firewall': { behaviour: { response: { status: 403, body: '<h1>no</h1>' } }, ...rejected },
  'invalid_grant (RFC 6749)': { behaviour: { response: json(400, { error: 'invalid_grant' }) }, ...refused },
  'a code of the definition': { behaviour: { response: json(400, { failure: { code: 'wrong' } }) }, changes: TYPED, ...refused },
  'a code of the definition with success': {
    behaviour: { response: json(200, { failure: { code: 42 }, token: 'x' }) },
    changes: TYPED,
    ...refused,
  },
  'another code with success': { behaviour: { response: json(200, { failure: { code: 'LATER' } }) }, changes: TYPED, ...away },
  'a code in XML': { behaviour: xml('<a><error><number>XL-6</number></error></a>'), changes: XML, ...refused },
  'another code in XML': { behaviour: xml('<a><error><number>XL-7</number></error></a>'), changes: XML, ...away },
  400: { behaviour: { response: json(400, { message: 'no' }) }, ...rejected },
  404: { behaviour: { response: json(404, {}) }, ...rejected },
  429: { behaviour: { response: json(429, {}) }, ...away },
  '429 with a code of the definition': {
    behaviour: { response: json(429, { failure: { code: 'WRONG' } }) },
    changes: TYPED,
    ...away,
  },
  500: { behaviour: { response: json(500, {}) }, ...away },
  '503 with a code of the definition': {
    behaviour: { response: json(503, { failure: { code: 'WRONG' } }) },
    changes: TYPED,
    ...away,
  },
  'a redirect': { behaviour: { response: json(302, {}, { location: 'https://evil.example/' }) }, ...malformed },
  'a page': { behaviour: { response: { status: 200, body: '<html>Sign in</html>' } }, ...malformed },
  'no content': { behaviour: { response: { status: 204 } }, ...malformed },
  'no token': { behaviour: { response: json(200, { other: 'x' }) }, ...malformed },
  'a token that is an object': { behaviour: { response: json(200, { token: { a: 1 } }) }, ...malformed },
  'a token that fits no header': { behaviour: { response: json(200, { token: 'a\u00e9' }) }, ...malformed },
  'a token of the prototype': {
    behaviour: { response: json(200, { a: {} }) },
    changes: { token_response: { token: 'a.constructor.name' } },
    ...malformed,
  },
  'no cookie': {
    behaviour: { response: json(200, {}, { 'set-cookie': 'other=x' }) },
    changes: { token_response: { cookies: ['SESSION', 'other'] } },
    ...malformed,
  },
  'JSON that is too deep': {
    behaviour: { response: { status: 200, body: `${'{"a":'.repeat(40)}1${'}'.repeat(40)}` } },
    ...malformed,
  },
  'a list that is too deep': {
    behaviour: { response: { status: 200, body: '['.repeat(100_000) + ']'.repeat(100_000) } },
    ...malformed,
  },
  'XML with a document type': {
    behaviour: xml('<!DOCTYPE a [<!ENTITY b "x">]><a><token>&b;</token></a>'),
    changes: XML,
    ...malformed,
  },
  'XML that is too deep': { behaviour: xml(`${'<a>'.repeat(50)}${'</a>'.repeat(50)}`), changes: XML, ...malformed },
  'JSON instead of XML': { behaviour: { response: json(200, { a: { token: 'x' } }) }, changes: XML, ...malformed },
  'an endless response': { behaviour: { response: json(200, {}), delivery: 'endless' }, ...malformed },
  'a reset': { behaviour: { delivery: 'reset' }, ...away },
  'half a response': { behaviour: { response: json(200, { token: 'x' }), delivery: 'truncate' }, ...away },
  'no response': { behaviour: { delivery: 'hang' }, ...away },
  'a response that stalls': { behaviour: { response: json(200, { token: 'x' }), delivery: 'stall' }, ...away },
};

describe('a sign-in that fails', function () {
  const { provider, deps } = useProvider(this);
  const hasty = { ...deps, tokenCallMs: 500 };

  for (const [what, { behaviour, changes, kind, code }] of Object.entries(ROWS)) {
    it(`with ${what} counts as ${kind} at a refresh, and as ${code} at the first sign-in`, async () => {
      const isSlow = behaviour.delivery === 'hang' || behaviour.delivery === 'stall';
      const context = isSlow ? hasty : deps;
      provider.always('token', behaviour);
      const input = twoStepInput(provider, changes);
      expect(await tokenFailure(refresh(context, input, ENTERED))).to.include({ kind });
      expect(await serviceError(prepare(context, input, ENTERED))).to.include({ code });
    });
  }

  it('reports how long to wait if the provider says so', async () => {
    provider.always('token', { response: json(503, {}, { 'retry-after': '17' }) });
    expect(await serviceError(prepare(deps, twoStepInput(provider), ENTERED))).to.include({ retryAfterSeconds: 17 });
  });
});

import { expect } from 'chai';
import { ServiceError } from '../../../core/errors.ts';
import { type RetryHints, RetryPolicy, requestedDelayMs } from '../../../core/proxy/retry-policy.ts';

const NOW = new Date('2026-01-01T00:00:00Z');

interface Case {
  readonly method?: string;
  readonly retries?: number;
  readonly retryOn?: readonly number[];
  readonly firstByteMs?: number;
  readonly hasIdempotencyKey?: boolean;
  readonly hints?: RetryHints;
}

function policyFor({ method = 'GET', retries = 2, retryOn = [], firstByteMs = 60_000, ...rest }: Case = {}): RetryPolicy {
  const options = { retries, retryOn, firstByteMs };
  return new RetryPolicy({ method, options, hasIdempotencyKey: false, hints: {}, now: () => NOW, random: () => 0, ...rest });
}

function response(status: number, headers: readonly string[] = []) {
  return { status, reason: '', headers };
}

function isRetried(of: Case, status: number, headers: readonly string[] = []): boolean {
  return policyFor(of).nextDelayMs(response(status, headers)) !== undefined;
}

describe('a proxied call', () => {
  for (const status of [429, 500, 502, 503, 504, 599]) {
    it(`retries after ${status} if the caller asks for retries`, () => {
      expect(isRetried({}, status)).to.equal(true);
      expect(isRetried({ retries: 0 }, status)).to.equal(false);
    });
  }
  for (const status of [200, 301, 400, 401, 404, 409]) {
    it(`relays ${status} unless the caller lists it for retries`, () => {
      expect(isRetried({}, status)).to.equal(false);
      expect(isRetried({ retryOn: [status] }, status)).to.equal(true);
    });
  }
  for (const method of ['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']) {
    it(`repeats ${method}`, () => expect(isRetried({ method }, 503)).to.equal(true));
  }
  for (const method of ['POST', 'PATCH', 'PROPPATCH', 'LOCK']) {
    it(`repeats ${method} only with an Idempotency-Key`, () => {
      expect(isRetried({ method }, 503)).to.equal(false);
      expect(isRetried({ method, hasIdempotencyKey: true }, 503)).to.equal(true);
    });
  }

  it('retries after network faults, but not after refusals of the service itself', () => {
    expect(policyFor().nextDelayMs(new ServiceError('provider_unreachable', ''))).to.be.a('number');
    expect(policyFor().nextDelayMs(new ServiceError('provider_timeout', ''))).to.be.a('number');
    expect(policyFor().nextDelayMs(new ServiceError('address_not_allowed', ''))).to.equal(undefined);
    expect(policyFor({ method: 'POST' }).nextDelayMs(new ServiceError('provider_timeout', ''))).to.equal(undefined);
  });

  it('stops after the requested number of retries', () => {
    const policy = policyFor({ retries: 2 });
    expect([1, 2, 3].map(() => policy.nextDelayMs(response(503)))).to.deep.equal([250, 500, undefined]);
  });

  it('waits longer each time when the provider names no wait', () => {
    const policy = policyFor({ retries: 3 });
    expect([1, 2, 3].map(() => policy.nextDelayMs(response(503)))).to.deep.equal([250, 500, 1000]);
  });

  it('honors the provider’s wait up to 60 s in total', () => {
    expect(policyFor().nextDelayMs(response(429, ['Retry-After', '59']))).to.equal(59_000);
    expect(policyFor().nextDelayMs(response(429, ['Retry-After', '60']))).to.equal(undefined);
    expect(policyFor({ firstByteMs: 120_000 }).nextDelayMs(response(429, ['Retry-After', '60']))).to.equal(60_000);
  });

  it('retries on the statuses and on the exhausted counter that the definition names', () => {
    expect(isRetried({ hints: { error_code: '403' } }, 403)).to.equal(true);
    expect(isRetried({ hints: { error_code: '4xx' } }, 418)).to.equal(true);
    expect(isRetried({ hints: { error_code: '4xx' } }, 200)).to.equal(false);
    const hints = { remaining: 'X-Remaining' };
    expect(isRetried({ hints }, 403, ['x-remaining', '0'])).to.equal(true);
    expect(isRetried({ hints }, 403, ['x-remaining', '1'])).to.equal(false);
    expect(isRetried({ hints }, 200, ['x-remaining', '0'])).to.equal(false);
  });
});

describe('the wait that a response asks for', () => {
  const HINTS = { at: 'X-Reset', after: 'X-Wait' };
  const inFiveSeconds = NOW.getTime() + 5000;
  for (const [what, headers, ms] of [
    ['seconds', ['Retry-After', '7'], 7000],
    ['a date', ['retry-after', new Date(inFiveSeconds).toUTCString()], 5000],
    ['a date in the past', ['Retry-After', 'Thu, 01 Jan 1970 00:00:00 GMT'], 0],
    ['nonsense', ['Retry-After', 'soon'], undefined],
    ['nothing', [], undefined],
    ['the named header with seconds', ['X-Wait', '1.5'], 1500],
    ['the named header with epoch seconds', ['x-reset', String(inFiveSeconds / 1000)], 5000],
    ['the named header with epoch milliseconds', ['x-reset', String(inFiveSeconds)], 5000],
    ['several, of which the longest counts', ['X-Wait', '2', 'Retry-After', '9', 'X-Reset', '0'], 9000],
  ] as const) {
    it(`is read from ${what}`, () => {
      expect(requestedDelayMs(HINTS, response(429, headers), NOW)).to.equal(ms);
    });
  }
});

import { expect } from 'chai';
import { createLogger, type Logger } from '../../../core/kit/logger.ts';
import { redact } from '../../../core/kit/redact.ts';
import { words } from '../../support/words.ts';

const SECRET = 'canary-3f9a';
const SECRET_NAMES = words`
  authorization Proxy-Authorization cookie Set-Cookie password secret client_secret clientSecret webhook_secret access_token
  accessToken refresh_token id_token token connect_session_token api_key apiKey X-Api-Key code state code_verifier private_key
  privateKey credentials client_assertion SVC_ENCRYPTION_KEYS
`;

describe('logger', () => {
  let lines: string[];
  let log: Logger;
  const written = () => lines.map((line) => JSON.parse(line));

  beforeEach(() => {
    lines = [];
    log = createLogger({ level: 'info', write: (line) => lines.push(line) });
  });

  it('writes one JSON line with level, time, message and facts', () => {
    log.warn('slow', { durationMs: 12 });
    const [{ time, ...rest }] = written();
    expect(rest).to.deep.equal({ level: 'warn', message: 'slow', durationMs: 12 });
    expect(new Date(time).toISOString()).to.equal(time);
    expect(lines.join('')).to.match(/^\{[^\n]*\}\n$/);
  });

  it('leaves out what is below its level', () => {
    log.debug('detail');
    createLogger({ level: 'silent', write: (line) => lines.push(line) }).error('bad');
    expect(lines).to.deep.equal([]);
  });

  it('adds the facts of its parents, the nearest winning', () => {
    log.child({ requestId: 'r1', step: 1 }).child({ step: 2, token: SECRET }).info('done', { step: 3 });
    const [{ requestId, step, token }] = written();
    expect({ requestId, step, token }).to.deep.equal({ requestId: 'r1', step: 3, token: '[redacted]' });
  });

  for (const name of SECRET_NAMES) {
    it(`hides ${name} at any depth`, () => {
      log.info('call', { [name]: SECRET, nested: { list: [{ [name]: { deep: SECRET } }] } });
      expect(lines.join('')).to.contain('[redacted]').and.not.contain(SECRET);
    });
  }

  it('shows names that only resemble secret ones', () => {
    const facts = { statusCode: 200, keyId: 'k1', tokenEndpoint: 'https://a.test/token', stateSince: 'today' };
    expect(redact(facts)).to.deep.equal(facts);
  });

  for (const code of ['57P01', '40001']) {
    it(`shows ${code}, a code of PostgreSQL`, () => expect(redact({ code })).to.deep.equal({ code }));
  }

  for (const code of ['4/0AX4XfWh', '4001', '400011', '57p01', '57P01\n', 40_001, ['40001']]) {
    it(`hides ${JSON.stringify(code)}, which may be an authorization code`, () => {
      expect(redact({ code })).to.deep.equal({ code: '[redacted]' });
    });
  }

  it('shows no other member of that form', () => {
    const hidden = { state: '[redacted]', token: '[redacted]' };
    expect(redact({ state: '40001', token: '57P01' })).to.deep.equal(hidden);
  });

  it('keeps one line, whatever a message or a name holds', () => {
    log.info('a\r\n{"level":"error"}\u2028\u0085\u001b[2J', { 'x\n': 'y\u009b' });
    expect(lines).to.have.length(1);
    expect(lines[0]?.slice(0, -1)).to.match(/^[\u0020-\u007e]*$/);
    expect(written()[0].message).to.equal('a\r\n{"level":"error"}\u2028\u0085\u001b[2J');
  });

  it('cuts long texts and counts the rest', () => {
    log.info('x'.repeat(3_000), { body: 'y'.repeat(2_049) });
    const [{ message, body }] = written();
    expect(message).to.equal(`${'x'.repeat(2_048)}… (952 more)`);
    expect(body).to.equal(`${'y'.repeat(2_048)}… (1 more)`);
  });

  it('does not let a fact replace the level, the time or the message', () => {
    log.info('real', { level: 'error', message: 'false', time: 'never' });
    expect(lines.join('').match(/"(level|message|time)":/g)).to.have.length(3);
    expect(written()[0]).to.include({ level: 'info', message: 'real', level_: 'error', message_: 'false', time_: 'never' });
  });

  it('describes errors without their further members', () => {
    const cause = Object.assign(new Error('refused'), { code: 'ECONNREFUSED', config: { url: SECRET } });
    log.error('failed', { error: new TypeError('no answer', { cause }) });
    const [{ error }] = written();
    expect(error).to.deep.include({ name: 'TypeError', message: 'no answer' });
    expect(error.stack).to.contain('logger.test.ts');
    expect(error.cause).to.include({ name: 'Error', code: 'ECONNREFUSED', message: 'refused' });
    expect(lines.join('')).not.to.contain(SECRET);
  });

  it('describes values that JSON cannot represent', () => {
    const url = new URL(`https://a.test/path?code=${SECRET}`);
    const facts = redact({ at: new Date(0), never: new Date(Number.NaN), big: 2n, bytes: Buffer.from('abc'), url });
    expect(facts).to.deep.equal({
      at: '1970-01-01T00:00:00.000Z',
      never: 'invalid date',
      big: '2',
      bytes: '3 bytes',
      url: 'https://a.test/path',
    });
  });

  it('accepts facts that contain themselves or are very large', () => {
    const knot: Record<string, unknown> = { list: Array.from({ length: 100_000 }, () => 1) };
    for (const name of ['a', 'b', 'c', 'd']) knot[name] = knot;
    log.info('knot', knot);
    expect(lines.join('').length).to.be.below(20_000);
  });
});

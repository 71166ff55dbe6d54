import { brotliCompressSync, constants, deflateRawSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { memoryKilobytes } from '../../bench/process-tree.ts';
import { createHook, type Hook, makeHooked, signatureOf } from '../support/hooked.ts';
import { client } from '../support/http-client.ts';
import { Installation, type RealService } from '../support/installation.ts';
import { size } from '../support/size.ts';
import { use } from '../support/use.ts';

const MAX_BYTES = 10 * 1024 * 1024;
const ROUNDS = size(1, 6);
const PROBES_AT_ONCE = 4;
const MAX_RISE_KILOBYTES = 150 * 1024;

interface Body {
  readonly body: string | Uint8Array;
  readonly type?: string;
  readonly coding?: string;
  readonly expected: number;
}

const FAST = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
const zeros = (bytes: number) => Buffer.alloc(bytes);
const many = (count: number, part: (at: number) => string) => Array.from({ length: count }, (_, at) => part(at));

const BODIES: Readonly<Record<string, () => Body>> = {
  nothing: () => ({ body: '', expected: 200 }),
  'one byte': () => ({ body: '0', expected: 200 }),
  'as much as may be': () => ({ body: `"${'x'.repeat(MAX_BYTES - 2)}"`, expected: 200 }),
  'one byte more': () => ({ body: zeros(MAX_BYTES + 1), expected: 413 }),
  '32 MiB': () => ({ body: zeros(32 * 1024 * 1024), expected: 413 }),
  'lists a million deep': () => ({ body: '['.repeat(1_000_000) + ']'.repeat(1_000_000), expected: 400 }),
  'objects a hundred thousand deep': () => ({ body: '{"a":'.repeat(100_000), expected: 400 }),
  'a million members': () => ({ body: `{${many(1_000_001, (at) => `"${at.toString(36)}":0`).join()}}`, expected: 400 }),
  'as many members as may be': () => ({ body: `{${many(999_999, (at) => `"${at.toString(36)}":0`).join()}}`, expected: 200 }),
  'as many empty lists as fit': () => ({ body: `[${many(3_400_000, () => '[]').join()}]`, expected: 400 }),
  'a hundred thousand fields': () => ({
    body: many(100_000, (at) => `f${at}=1`).join('&'),
    type: 'application/x-www-form-urlencoded',
    expected: 400,
  }),
  'a bomb': () => ({ body: gzipSync(zeros(64 * 1024 * 1024)), coding: 'gzip', expected: 413 }),
  'a bomb in a bomb': () => ({ body: gzipSync(gzipSync(zeros(64 * 1024 * 1024))), coding: 'gzip, gzip', expected: 415 }),
  'a bomb by another name': () => ({ body: deflateRawSync(zeros(16 * 1024 * 1024)), coding: 'deflate', expected: 413 }),
  'a bomb of another kind': () => ({ body: brotliCompressSync(zeros(64 * 1024 * 1024), FAST), coding: 'br', expected: 413 }),
  'packed, larger than may be before it is unpacked': () => ({
    body: gzipSync(zeros(MAX_BYTES), { level: 0 }),
    coding: 'gzip',
    expected: 413,
  }),
};

/** Bodies that the promise WHK-06 in `test/README.md` does not cover. */
const FURTHER_BODIES: Readonly<Record<string, () => Body>> = {
  'a text of a million quotes': () => ({ body: `["${'\\"'.repeat(1_000_000)}"]`, expected: 200 }),
};

describe('the body of a webhook (WHK-06)', function () {
  this.timeout(size(60_000, 300_000));
  const installation = use(this, Installation.open);
  const hooked = use(this, makeHooked);
  let service: RealService;
  let hook: Hook;

  before(async () => {
    service = await installation.startProcess({ ...hooked.env, SVC_ROLE: 'all', SVC_LOG_LEVEL: 'error' });
    const { uuid } = await installation.db('environments').where({ id: 1 }).first('uuid');
    hook = await createHook(service.api, uuid);
  });

  function headersOf({ body, type = 'application/json', coding }: Body): Readonly<Record<string, string>> {
    return { 'content-type': type, ...(coding !== undefined && { 'content-encoding': coding }), ...signatureOf(hook, body) };
  }

  for (const [name, make] of Object.entries({ ...BODIES, ...FURTHER_BODIES })) {
    it(`is accepted, or refused at once: ${name}`, async () => {
      const body = make();
      const response = await client(service.url).call('POST', hook.path, { headers: headersOf(body), body: body.body });
      expect(response.status).to.equal(body.expected);
    });
  }

  /** Keeps calling `/health` from several callers, each with one call at a time. @returns the number of 200s, and all failures */
  async function probe(isOver: () => boolean): Promise<{ answered: number; failed: unknown[] }> {
    const failed: unknown[] = [];
    let answered = 0;
    const keepCalling = async () => {
      while (!isOver()) {
        const status = await client(service.url)
          .get('/health')
          .then((response) => response.status)
          .catch((error: unknown) => error);
        if (status === 200) answered += 1;
        else failed.push(status);
      }
    };
    await Promise.all(Array.from({ length: PROBES_AT_ONCE }, keepCalling));
    return { answered, failed };
  }

  it('never fills the memory, and every other request gets a response', async () => {
    const memory = () => memoryKilobytes(service.process.pid ?? 0);
    const before = await memory();
    let isOver = false;
    const probing = probe(() => isOver);
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [name, make] of Object.entries(BODIES)) {
        const body = make();
        const { status } = await client(service.url).call('POST', hook.path, { headers: headersOf(body), body: body.body });
        expect(status, name).to.equal(body.expected);
      }
    }
    isOver = true;
    const { answered, failed } = await probing;
    const risenKilobytes = (await memory()) - before;
    expect(failed).to.deep.equal([]);
    expect(answered).to.be.above(10);
    expect(risenKilobytes, `${Math.round(risenKilobytes / 1024)} MiB`).to.be.below(MAX_RISE_KILOBYTES);
  });
});

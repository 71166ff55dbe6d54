import { expect } from 'chai';
import { OF_OUR_PAGE, signedInAs, type TestMember } from '../../support/dashboard/members.ts';
import { startTenant } from '../../support/tenant.ts';
import { use } from '../../support/use.ts';

const PATH = '/api/ui/e/dev/connect-ui/logo';
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

describe('the upload of a logo', function () {
  const app = use(this, startTenant);
  let ui: TestMember['ui'];
  let cookie: string;

  before(async () => {
    ({ ui, cookie } = await signedInAs(app, 'developer'));
  });

  const upload = (file: Buffer, { field = 'logo', headers = {} }: { field?: string; headers?: object } = {}) => {
    const body = new FormData();
    body.set(field, new Blob([new Uint8Array(file)]), 'logo.png');
    const sent = { ...OF_OUR_PAGE, cookie, ...headers };
    return fetch(new URL(PATH, app.url), { method: 'PUT', body, headers: sent });
  };

  it('accepts a logo as a form with one PNG or WebP of at most 256 KB', async () => {
    const set = await upload(PNG);
    expect(set.status).to.equal(200);
    const { data } = (await set.json()) as { data: { brand_logo_url: string } };
    expect(Buffer.from(await (await fetch(data.brand_logo_url)).arrayBuffer())).to.deep.equal(PNG);
    const large = Buffer.concat([PNG, Buffer.alloc(262_145 - PNG.length)]);
    const refusals: readonly (readonly [Promise<Response>, number])[] = [
      [upload(large), 413],
      [upload(Buffer.concat([PNG, Buffer.alloc(2_000_000)])), 413],
      [upload(Buffer.from('<svg/>')), 400],
      [upload(PNG, { field: 'other' }), 400],
      [upload(PNG, { headers: { 'x-svc-ui': '' } }), 403],
      [upload(PNG, { headers: { 'sec-fetch-site': 'cross-site' } }), 403],
    ];
    for (const [response, status] of refusals) expect((await response).status).to.equal(status);
    expect((await ui.delete(PATH)).body.data.brand_logo_url).to.equal(null);
  });

  it('is refused before it is read if it does not state its length', async () => {
    // The body is a single part whose headers never end.
    const body = new ReadableStream({
      start: (stream) => stream.enqueue(Buffer.from('--b\r\ncontent-disposition: form-data; name="logo"; filename="')),
      pull: (stream) => stream.enqueue(Buffer.alloc(64 * 1024, 'a')),
    });
    const headers = { ...OF_OUR_PAGE, cookie, 'content-type': 'multipart/form-data; boundary=b' };
    const request = { method: 'PUT', headers, body, duplex: 'half' } as const;
    const response = await fetch(new URL(PATH, app.url), request);
    expect([response.status, await response.text()]).to.satisfy(
      ([status, text]: [number, string]) => status === 413 && text.includes('Content-Length'),
    );
  });
});

import { expect } from 'chai';
import { startApp } from '../../support/app.ts';
import { OF_OUR_PAGE, signedInAs } from '../../support/dashboard/members.ts';
import { use } from '../../support/use.ts';

describe('a logo that is uploaded in chunks, without its length', function () {
  const app = use(this, () => startApp());

  it('is refused before it is read', async () => {
    const { cookie } = await signedInAs(app, 'developer');
    // The head of a part that does not end.
    const body = new ReadableStream({
      start: (stream) => stream.enqueue(Buffer.from('--b\r\ncontent-disposition: form-data; name="logo"; filename="')),
      pull: (stream) => stream.enqueue(Buffer.alloc(64 * 1024, 'a')),
    });
    const headers = { ...OF_OUR_PAGE, cookie, 'content-type': 'multipart/form-data; boundary=b' };
    const request = { method: 'PUT', headers, body, duplex: 'half' } as const;
    const response = await fetch(new URL('/api/ui/e/dev/connect-ui/logo', app.url), request);
    expect([response.status, await response.text()]).to.satisfy(
      ([status, text]: [number, string]) => status === 413 && text.includes('Content-Length'),
    );
  });
});

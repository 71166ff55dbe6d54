import { expect } from 'chai';
import { startApp } from '../support/app.ts';
import { checkedClient } from '../support/checked-client.ts';
import { freePort } from '../support/free-port.ts';
import { apiDocument } from '../support/requests/operations.ts';
import { use } from '../support/use.ts';

const PATH = '/.well-known/security.txt';
const CONTACTS = ['mailto:security@example.com?subject=svc', 'https://example.com/report%2Cus', 'tel:+1-201-555-0123'];
const DAY_MS = 86_400_000;

describe('GET /.well-known/security.txt', function () {
  const app = use(this, async () => {
    const port = String(await freePort());
    const env = { PORT: port, SVC_BASE_URL: 'https://connect.example.com/auth/svc', SVC_SECURITY_CONTACT: CONTACTS.join(', ') };
    const started = await startApp({ env });
    const client = checkedClient(`http://127.0.0.1:${port}`, { key: undefined, document: apiDocument });
    return { clock: started.clock, client, [Symbol.asyncDispose]: () => started[Symbol.asyncDispose]() };
  });

  it('has the contacts in their order, and its address at the root of the host', async () => {
    const { status, headers, text } = await app.client.get(PATH);
    expect([status, headers.get('content-type')]).to.deep.equal([200, 'text/plain; charset=utf-8']);
    expect(headers.get('cache-control')).to.equal('public, max-age=3600');
    const lines = text.split('\n');
    expect(lines.filter((line) => !line.startsWith('Expires: '))).to.deep.equal([
      ...CONTACTS.map((contact) => `Contact: ${contact}`),
      'Canonical: https://connect.example.com/.well-known/security.txt',
      '',
    ]);
  });

  it('expires in less than a year, by the clock of the service', async () => {
    const expires = async () => {
      const { text } = await app.client.get(PATH);
      const [, time = ''] = /^Expires: (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)$/m.exec(text) ?? [];
      return Date.parse(time);
    };
    const before = await expires();
    expect(before - app.clock.now().getTime()).to.be.within(100 * DAY_MS, 365 * DAY_MS);
    await app.clock.advance(2 * DAY_MS);
    expect((await expires()) - before).to.be.within(2 * DAY_MS, 3 * DAY_MS);
  });

  it('answers HEAD like GET, without the body', async () => {
    const { status, headers, text } = await app.client.call('HEAD', PATH);
    expect([status, headers.get('content-type'), text]).to.deep.equal([200, 'text/plain; charset=utf-8', '']);
  });

  it('does not exist without a contact', async () => {
    await using other = await startApp();
    const { status, body } = await other.client().get(PATH);
    expect([status, body.error.code]).to.deep.equal([404, 'not_found']);
  });

  it('states no address that is not https, which RFC 9116 forbids', async () => {
    await using other = await startApp({ env: { SVC_SECURITY_CONTACT: 'https://example.com/report' } });
    const { text } = await other.client().get(PATH);
    expect(text).to.match(/^Contact: https:\/\/example\.com\/report\nExpires: .*\n$/);
  });
});

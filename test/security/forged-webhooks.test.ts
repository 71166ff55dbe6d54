import { once } from 'node:events';
import { request } from 'node:http';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { startApp } from '../support/app.ts';
import { canary, rememberSecret } from '../support/canaries.ts';
import { makeFolders } from '../support/folders.ts';
import { firstEnvironmentUuid } from '../support/hooked.ts';
import { type Forged, forgeriesOf } from '../support/signed-webhooks/forgeries.ts';
import { SCHEMES } from '../support/signed-webhooks/schemes.ts';
import { use } from '../support/use.ts';

const DAY_MS = 24 * 3_600_000;
const BODY = Buffer.from('{"id": 1, "by": "Zoë"}');
const SCHEMES_FILE = pathToFileURL(`${import.meta.dirname}/../support/signed-webhooks/schemes.ts`).href;
const DEFINITION = {
  display_name: 'Signed',
  docs: 'https://docs.example',
  auth_mode: 'OAUTH2',
  authorization_url: 'https://auth.example/authorize',
  token_url: 'https://auth.example/token',
};

const named = Object.keys(SCHEMES).map((name, at) => ({ name, slug: `signed-${at}` }));
const pluginOf = (name: string) => `
import { SCHEMES } from '${SCHEMES_FILE}';
export default {
  contract: 1,
  webhook: { signature: [SCHEMES['${name}'].rule], events: ({ payload }) => [{ connections: [{ by: 'broadcast' }], payload }] },
};
`;

/** Says whether HTTP transports these headers unchanged. It forbids control characters, and ignores spaces at either end. */
const canBeSent = ({ headers = {} }: Forged) =>
  Object.values(headers).every(
    (value) => /^[\t\x20-\x7e\x80-\xff]*$/.test(value) && value.trim() === value.replace(/^, |, $/g, ', '),
  );

function secret(name: string): string {
  return rememberSecret(name, `whsec_${Buffer.from(canary(name)).toString('base64')}`);
}

describe('WHK-01: forged deliveries', function () {
  const folders = use(this, () =>
    makeFolders(
      Object.fromEntries(
        named.flatMap(({ name, slug }) => [
          [`${slug}/plugin.ts`, pluginOf(name)],
          [`${slug}/provider.json`, JSON.stringify(DEFINITION)],
        ]),
      ),
    ),
  );
  const app = use(this, () => startApp({ env: { SVC_PLUGINS_DIR: folders.path } }));
  const current = secret('webhook secret');
  const ended = secret('webhook secret that has ended');
  const clientSecret = canary('client secret');
  let environmentUuid: string;
  let refused = 0;

  before(async () => {
    environmentUuid = await firstEnvironmentUuid(app);
    for (const { slug } of named) {
      const credentials = { client_id: 'client', client_secret: clientSecret, webhook_secret: ended };
      await app.api.post('/integrations', { unique_key: slug, provider: slug, credentials });
      await app.api.patch(`/integrations/${slug}`, { credentials: { webhook_secret: current } });
    }
    await app.clock.advance(DAY_MS, app.database.db);
  });

  /** Sends a delivery. A header value with ", " stands for two headers of that name. @returns the status and any error code */
  async function send(slug: string, { headers = {}, rawBody = BODY, query = {} }: Forged): Promise<string> {
    const url = `${app.url}/webhook/${environmentUuid}/${slug}?${new URLSearchParams(query)}`;
    const lines = Object.entries(headers).map(([name, value]) => [name, value.includes(', ') ? value.split(', ') : value]);
    const sent = request(url, { method: 'POST', headers: Object.fromEntries(lines) });
    sent.end(rawBody);
    const [response] = await once(sent, 'response');
    const chunks: Buffer[] = await response.toArray();
    const body = JSON.parse(Buffer.concat(chunks).toString());
    return response.statusCode === 200 ? '200' : `${response.statusCode} ${body.error.code}`;
  }

  async function storedRows(): Promise<number> {
    const counts = await Promise.all(
      ['webhook_deliveries', 'webhook_duplicates', 'webhook_messages'].map((table) => app.database.db(table).count().first()),
    );
    return counts.reduce((sum, row) => sum + Number(row?.['count']), 0);
  }

  for (const { name, slug } of named) {
    it(`of ${name} are rejected with 401, and nothing is stored`, async () => {
      const scheme = SCHEMES[name];
      if (scheme === undefined) throw new Error(`no scheme ${name}`);
      const otherSecret = secret('webhook secret of another');
      const at = app.clock.now();
      const found = { scheme, secret: current, otherSecret, endedSecret: ended, clientSecret, body: BODY, at };
      const forgeries = Object.entries(forgeriesOf(found)).filter(([, forged]) => canBeSent(forged));
      const before = await storedRows();
      for (const [fault, forged] of forgeries) {
        expect(await send(slug, forged), fault).to.match(/^401 webhook_(missing|invalid)_signature$/);
      }
      expect(await storedRows()).to.equal(before);
      refused += forgeries.length;

      expect(await send(slug, { headers: await scheme.honest(current, BODY, app.clock.now()) })).to.equal('200');
      expect(await storedRows()).to.be.above(before);
    });
  }

  it('include at least 250 kinds', () => expect(refused).to.be.at.least(250));
});

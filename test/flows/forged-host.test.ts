import { expect } from 'chai';
import { connectUrl, createSession } from '../support/connect.ts';
import { startIntegratedTenant } from '../support/integrated-app.ts';
import { rawExchange } from '../support/raw-tcp.ts';
import { use } from '../support/use.ts';

const EVIL = 'evil.example';

/** Forged header fields with which the service still accepts a request; `$HOST` is the service's own host. */
const SERVED: Readonly<Record<string, readonly string[]>> = {
  'another Host': [`Host: ${EVIL}`],
  'another Host with our port': [`Host: ${EVIL}:$PORT`],
  'our Host with another port': ['Host: 127.0.0.1:1'],
  'a Host below ours': [`Host: 127.0.0.1.${EVIL}`],
  'an empty Host': ['Host:'],
  'X-Forwarded-Host': ['Host: $HOST', `X-Forwarded-Host: ${EVIL}`],
  'X-Forwarded-Proto and Port': ['Host: $HOST', 'X-Forwarded-Proto: https', 'X-Forwarded-Port: 444'],
  'X-Forwarded-Prefix': ['Host: $HOST', `X-Forwarded-Prefix: //${EVIL}`],
  Forwarded: ['Host: $HOST', `Forwarded: host=${EVIL};proto=https`],
  'X-Host and X-Original-URL': ['Host: $HOST', `X-Host: ${EVIL}`, `X-Original-URL: https://${EVIL}/`],
  'Origin and Referer': ['Host: $HOST', `Origin: https://${EVIL}`, `Referer: https://${EVIL}/`],
};

const REFUSED: Readonly<Record<string, readonly string[]>> = {
  'an @ in the Host': [`Host: $HOST@${EVIL}`],
  'an @ before our Host': [`Host: ${EVIL}@$HOST`],
  'a path in the Host': [`Host: ${EVIL}/$HOST`],
  'a fragment in the Host': [`Host: ${EVIL}#$HOST`],
  'no Host': [],
  'two Hosts, ours first': ['Host: $HOST', `Host: ${EVIL}`],
  'two Hosts, ours last': [`Host: ${EVIL}`, 'Host: $HOST'],
  'two Hosts in one field': [`Host: $HOST, ${EVIL}`],
};

const FORGED = { ...SERVED, ...REFUSED };

describe('a forged host (OAU-05)', function () {
  const app = use(this, startIntegratedTenant);

  for (const [what, fields] of Object.entries(SERVED)) {
    it(`(${what}) does not change what the service states as its own address`, async () => {
      const begun = await ask(await connectTarget(), fields);
      const [, location = ''] = /^location: (.*)\r$/im.exec(begun.text) ?? [];
      expect(new URL(location).searchParams.get('redirect_uri')).to.equal(`${app.url}/oauth/callback`);
      const document = await ask('/openapi.json', fields);
      expect(document.text).to.include(`"url":"${app.url}"`);
      const logos = await ask('/integrations', fields);
      expect(logos.text).to.include(`"logo":"${app.url}/logos/`);
      for (const { text } of [begun, document, logos]) expect(text).not.to.include(EVIL);
    });
  }

  for (const [what, fields] of Object.entries(REFUSED)) {
    it(`(${what}) is refused`, async () => {
      expectRefused(await ask(await connectTarget(), fields));
    });
  }

  it('(a whole URL as target) is refused', async () => {
    expectRefused(await ask(`http://${EVIL}${await connectTarget()}`, ['Host: $HOST']));
  });

  it('does not change the connect link of a session', async () => {
    for (const [what, fields] of Object.entries(FORGED)) {
      const response = await ask(
        '/connect/sessions',
        [...fields, ...AUTHORIZED, 'Content-Length: 2', 'Content-Type: application/json'],
        {
          method: 'POST',
          body: '{}',
        },
      );
      expect(response.status, what).to.equal(what in SERVED ? 201 : 400);
      if (what in SERVED) expect(response.text).to.include(`"connect_link":"${app.url}/connect/l#`);
      expect(response.text).not.to.include(EVIL);
    }
  });

  async function connectTarget(): Promise<string> {
    return connectUrl(app, { token: await createSession(app) }).slice(app.url.length);
  }

  function expectRefused({ status, text }: { readonly status: number; readonly text: string }): void {
    expect(status).to.equal(400);
    expect(text).not.to.include(EVIL);
  }

  async function ask(
    target: string,
    fields: readonly string[],
    { method = 'GET', body = '' }: { method?: string; body?: string } = {},
  ): Promise<{ status: number; text: string }> {
    const { host, port } = new URL(app.url);
    const lines = [`${method} ${target} HTTP/1.1`, ...fields, ...(body === '' ? AUTHORIZED : []), 'Connection: close', '', body];
    const bytes = lines.join('\r\n').replaceAll('$HOST', host).replaceAll('$PORT', port).replaceAll('$KEY', app.apiKey);
    const response = (await rawExchange(Number(port), bytes)).bytes.toString('latin1');
    return { status: Number(response.split(' ', 2)[1]), text: response };
  }
});

const AUTHORIZED = ['Authorization: Bearer $KEY'];

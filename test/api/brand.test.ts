import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { connectSettingsChanges } from '../../core/cli/connect-settings.ts';
import { updateConnectSettings } from '../../core/tenants/environments/connect-settings-store.ts';
import { createSession } from '../support/connect.ts';
import { temporaryFolder } from '../support/folders.ts';
import { expectError } from '../support/std-error.ts';
import { storeTenant } from '../support/stored.ts';
import { startTenant } from '../support/tenant.ts';
import { use } from '../support/use.ts';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const WEBP = Buffer.from('UklGRiQAAABXRUJQVlA4IBgAAAAwAQCdASoBAAEAAwA0JaQAA3AA/vuUAAA=', 'base64');
const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>');

describe('the look of an environment’s pages', function () {
  const app = use(this, startTenant);
  const folder = use(this, temporaryFolder);

  const set = async (values: Readonly<Record<string, string>>) =>
    updateConnectSettings(app.services.db, app.environmentId, await connectSettingsChanges(values));
  const setLogo = async (bytes: Buffer) => {
    const file = join(folder.path, 'logo');
    await writeFile(file, bytes);
    await set({ 'brand-logo': file });
  };
  const brand = async () => (await app.client(await createSession(app)).get('/connect/session')).body.data.brand;
  const pathOf = (url: string) => url.slice(app.url.length);

  afterEach(() =>
    set({ 'brand-logo': '', 'brand-name': '', 'brand-color': '', 'brand-radius': '', 'brand-theme': '', 'brand-language': '' }),
  );

  it('is what its operator has set, without delay', async () => {
    await set({
      'brand-name': 'Acme',
      'brand-color': '#0A7D4F',
      'brand-radius': '12',
      'brand-theme': 'dark',
      'brand-language': 'de',
    });
    expect(await brand()).to.deep.equal({
      name: 'Acme',
      logo_url: null,
      color: '#0a7d4f',
      radius: 12,
      theme: 'dark',
      language: 'de',
    });
    const { uuid } = (await app.services.db('environments').where({ id: app.environmentId }).first('uuid')) ?? {};
    await setLogo(PNG);
    expect((await brand()).logo_url).to.match(new RegExp(`^${app.url}/connect/brand/${uuid}/[0-9a-f]{32}\\.png$`));
  });

  for (const [type, bytes] of Object.entries({ png: PNG, webp: WEBP })) {
    it(`has a logo that anybody may load and cache forever: ${type}`, async () => {
      await setLogo(bytes);
      const { logo_url: url } = await brand();
      const response = await fetch(url);
      expect(response.status).to.equal(200);
      expect(Object.fromEntries(response.headers)).to.include({
        'content-type': `image/${type}`,
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      });
      expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).to.equal(true);
    });
  }

  it('shows no former logo, no logo under another name, and none of another environment', async () => {
    await setLogo(PNG);
    const former = pathOf((await brand()).logo_url);
    await setLogo(WEBP);
    const now = pathOf((await brand()).logo_url);
    const { environmentId } = await storeTenant(app, 'other');
    const { uuid } = (await app.services.db('environments').where({ id: environmentId }).first('uuid')) ?? {};
    const elsewhere = now.replace(/brand\/[^/]+/, `brand/${uuid}`);
    for (const path of [former, now.replace('.webp', '.png'), elsewhere]) expectError(await app.client().get(path), 'not_found');
    for (const path of [`${now}.svg`, now.replace(/brand\/[^/]+/, 'brand/1'), `${now}%00`])
      expectError(await app.client().get(path), 'invalid_uri_params');
  });

  it('takes no logo that may contain scripts, and none of more than 256 KB', async () => {
    const refusals: readonly (readonly [Buffer, RegExp])[] = [
      [SVG, /neither PNG nor WebP/],
      [Buffer.concat([Buffer.from('GIF89a'), PNG]), /neither PNG nor WebP/],
      [Buffer.concat([PNG, Buffer.alloc(262_144)]), /larger than 256 KB/],
    ];
    for (const [bytes, message] of refusals)
      await setLogo(bytes).then(
        () => expect.fail('it was taken'),
        (error: Error) => expect(error.message).to.match(message),
      );
  });
});

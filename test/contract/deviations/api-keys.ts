import { expect } from 'chai';
import { canary } from '../../support/canaries.ts';
import type { Deviation, DeviationScene } from '../../support/deviation.ts';

const SETTINGS = {
  key_in: { type: 'string', title: 'Place', enum: ['header', 'query'], default_value: 'header' },
  key_name: { type: 'string', title: 'Name', format: 'header_name' },
  key_prefix: { type: 'string', title: 'Prefix', optional: true },
};
const BY_SETTING = {
  in: '${integrationConfig.key_in}',
  name: '${integrationConfig.key_name}',
  prefix: '${integrationConfig.key_prefix}',
};

/** Connects with an API key. @returns the ID of the connection */
async function connect(scene: DeviationScene, apiKey: string, key?: string): Promise<string> {
  const { status, text, body } = await scene.connect({ type: 'API_KEY', apiKey }, { ...(key && { key }) });
  expect(status, text).to.equal(200);
  return body.connection_id;
}

function proxyOf(name: string, api_key: object) {
  return { base_url: `https://${name}.example`, api_key };
}

const rows: readonly Deviation[] = [
  {
    name: 'key-in-header',
    members: { proxy: proxyOf('key-in-header', { in: 'header', name: 'Authorization', prefix: 'Token' }) },
    works: async (scene) => {
      await scene.integrate();
      const apiKey = canary('key in a header');
      const { headers } = await scene.call(await connect(scene, apiKey), '/things');
      expect(headers['authorization']).to.equal(`Token ${apiKey}`);
    },
    hostile: {
      title: 'refuses a key that contains a line break',
      attack: async (scene) => {
        const before = scene.seen.length;
        const { status, body } = await scene.connect({ type: 'API_KEY', apiKey: 'a\r\nx-admin: 1' });
        expect([status, scene.seen.length]).to.deep.equal([400, before]);
        expect(body.error.errors[0].path).to.deep.equal(['credentials', 'apiKey']);
      },
    },
  },
  {
    name: 'key-in-query',
    members: { proxy: proxyOf('key-in-query', { in: 'query', name: 'api_key' }) },
    works: async (scene) => {
      await scene.integrate();
      const { target, headers } = await scene.call(await connect(scene, 'a&b=c d'), '/things?page=2');
      expect(target).to.equal('/things?page=2&api_key=a%26b%3Dc%20d');
      expect(headers['authorization']).to.equal(undefined);
    },
    hostile: {
      title: 'does not accept a key from the caller instead',
      attack: async (scene) => {
        const { target } = await scene.call(await connect(scene, 'right'), '/things?api_key=wrong&%61pi_key=wrong');
        expect(target).to.equal('/things?api_key=right');
      },
    },
  },
  {
    name: 'key-by-setting',
    members: { integration_config: SETTINGS, proxy: proxyOf('key-by-setting', BY_SETTING) },
    works: async (scene) => {
      const header = await scene.integrate({ integration_config: { key_name: 'X-Key', key_prefix: 'id=' } }, 'header');
      const query = await scene.integrate({ integration_config: { key_in: 'query', key_name: 'k' } }, 'query');
      const first = await scene.call(await connect(scene, 'key-1', header), '/', header);
      expect([first.headers['x-key'], first.headers['authorization']]).to.deep.equal(['id=key-1', undefined]);
      const second = await scene.call(await connect(scene, 'key-2', query), '/', query);
      expect([second.target, second.headers['authorization']]).to.deep.equal(['/?k=key-2', undefined]);
    },
    hostile: {
      title: 'refuses headers that frame a message, and does not expand templates in settings',
      attack: async (scene) => {
        for (const key_name of ['Host', 'content-length', 'Transfer-Encoding', 'a b', 'x\r\ny', 'Svc-Connection-Id']) {
          const body = { unique_key: 'bad', provider: scene.name, integration_config: { key_name } };
          expect((await scene.app.api.post('/integrations', body)).status, key_name).to.equal(400);
        }
        const config = { key_name: 'X-Key', key_prefix: '${apiKey}' };
        const key = await scene.integrate({ integration_config: config }, 'template');
        const { headers } = await scene.call(await connect(scene, 'key-3', key), '/', key);
        expect(headers['x-key']).to.equal('${apiKey}key-3');
      },
    },
  },
  {
    name: 'key-setting-without-value',
    members: {
      integration_config: { ...SETTINGS, key_name: { ...SETTINGS.key_name, optional: true, default_value: 'X-Key' } },
      proxy: proxyOf('key-setting-without-value', BY_SETTING),
    },
    works: async (scene) => {
      await scene.integrate();
      expect((await scene.call(await connect(scene, 'key-4'), '/')).headers['x-key']).to.equal('key-4');
    },
    hostile: {
      title: 'requires a setting with a value and the format of a header name',
      members: { integration_config: { ...SETTINGS, key_name: { type: 'string', title: 'Name', optional: true } } },
      refusedFor: /proxy\.api_key\.name: "key_name" must be a declared field with the format header_name, and required/,
    },
  },
];

export default rows;

import { expect } from 'chai';
import { apiOf, type Deviation } from '../../support/deviation.ts';

const QUERY = '{ viewer { id } }';

const rows: readonly Deviation[] = [
  {
    name: 'verified-by-body',
    members: {
      proxy: {
        base_url: `${apiOf('verified-by-body')}/v1`,
        verification: {
          base_url: apiOf('verified-by-body'),
          endpoints: ['/graphql'],
          body: { query: QUERY, variables: { depth: 1 } },
          expect: { path: 'ok', equals: true },
        },
      },
    },
    responds: ({ headers }) => ({ body: { ok: headers['authorization'] === 'Bearer right' } }),
    works: async (scene) => {
      await scene.integrate();
      expect((await scene.connect({ type: 'API_KEY', apiKey: 'right' })).status).to.equal(200);
      const seen = scene.seen.at(-1);
      expect(seen).to.include({ method: 'POST', target: '/graphql' });
      expect(seen?.headers['content-type']).to.equal('application/json');
      expect(JSON.parse(seen?.body ?? '')).to.deep.equal({ query: QUERY, variables: { depth: 1 } });
    },
    hostile: {
      title: 'refuses a key that the response rejects with status 200',
      attack: async (scene) => {
        const { status, body } = await scene.connect({ type: 'API_KEY', apiKey: 'wrong' });
        expect([status, body.error.code]).to.deep.equal([400, 'connection_test_failed']);
      },
    },
  },
  {
    name: 'verified-elsewhere',
    members: {
      connection_config: { site: { type: 'string', title: 'Site', pattern: '[a-z-]+' } },
      proxy: {
        base_url: apiOf('verified-elsewhere'),
        verification: { base_url: 'https://${connectionConfig.site}.example', endpoints: ['/me'] },
      },
    },
    works: async (scene) => {
      await scene.integrate();
      const config = { site: 'verified-elsewhere' };
      expect((await scene.connect({ type: 'API_KEY', apiKey: 'right' }, { config })).status).to.equal(200);
      expect(scene.seen.at(-1)?.target).to.equal('/me');
    },
    hostile: {
      title: 'sends nothing to a host with an unrestricted value',
      members: { connection_config: { site: { type: 'string', title: 'Site' } } },
      refusedFor: /proxy\.verification\.base_url: "connectionConfig\.site" decides the host/,
    },
  },
];

export default rows;

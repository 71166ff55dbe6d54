import { expect } from 'chai';
import { incomingJson, STRANGE_PAYLOADS } from '../../test/support/incoming-webhook.ts';
import { hookContext } from '../../test/support/plugin-hook.ts';
import plugin from './plugin.ts';

const keysOf = (payload: unknown, headers = {}) => plugin.webhook.events(incomingJson(payload, headers))[0]?.connections;

describe('plugin gitlab', () => {
  describe('after authorization', () => {
    it('asks the host of the integration for the name of the user', async () => {
      const integrationConfig = { hostname: 'GitLab.example.com' };
      const { context, calls } = hookContext({ integrationConfig, response: () => Response.json({ id: 1, username: 'mike' }) });
      expect(await plugin.connection.afterAuthorization(context)).to.deep.equal({
        namespace_url: 'https://gitlab.example.com/mike',
      });
      expect(calls.map(({ url }) => url)).to.deep.equal(['https://gitlab.example.com/api/v4/user']);
      expect(calls[0]?.headers.get('authorization')).to.equal('Bearer token-1');
    });

    it('lets no instance say that its users have namespaces of another', async () => {
      const told = { username: 'mike', web_url: 'https://gitlab.com/victim' };
      const { context } = hookContext({
        integrationConfig: { hostname: 'gitlab.attacker.example' },
        response: () => Response.json(told),
      });
      expect(await plugin.connection.afterAuthorization(context)).to.deep.equal({
        namespace_url: 'https://gitlab.attacker.example/mike',
      });
    });

    it('goes without when GitLab does not say', async () => {
      const integrationConfig = { hostname: 'gitlab.com' };
      for (const response of [() => Response.json({}, { status: 403 }), () => Response.json({}), () => new Response('<html>')]) {
        expect(await plugin.connection.afterAuthorization(hookContext({ response, integrationConfig }).context)).to.deep.equal(
          {},
        );
      }
      expect(await plugin.connection.afterAuthorization(hookContext().context)).to.deep.equal({});
    });
  });

  describe('webhooks', () => {
    it('looks for the project, the groups around it, and the user whose namespace it is', () => {
      const project = { id: 15, web_url: 'https://host.example/git/acme/tools/api', path_with_namespace: 'acme/tools/api' };
      expect(keysOf({ object_kind: 'push', project })).to.deep.equal([
        { by: 'metadataContains', field: 'gitlab_urls', value: 'https://host.example/git/acme/tools/api' },
        { by: 'metadataContains', field: 'gitlab_urls', value: 'https://host.example/git/acme/tools' },
        { by: 'metadataContains', field: 'gitlab_urls', value: 'https://host.example/git/acme' },
        { by: 'connectionConfig', field: 'namespace_url', value: 'https://host.example/git/acme' },
      ]);
    });

    it('looks for the group of an event that has no project', () => {
      const headers = { 'x-gitlab-instance': 'https://gitlab.com' };
      expect(keysOf({ event_name: 'user_add_to_group', group_path: 'acme' }, headers)).to.deep.equal([
        { by: 'metadataContains', field: 'gitlab_urls', value: 'https://gitlab.com/acme' },
        { by: 'connectionConfig', field: 'namespace_url', value: 'https://gitlab.com/acme' },
      ]);
    });

    it('names no connection for an address that is not that of the path, or too deep a path', () => {
      const deep = `${'a/'.repeat(50)}a`;
      for (const project of [
        { web_url: 'https://host.example/mike/other', path_with_namespace: 'mike/diaspora' },
        { path_with_namespace: 'mike/diaspora' },
        { web_url: `https://host.example/${deep}`, path_with_namespace: deep },
      ]) {
        expect(keysOf({ project })).to.deep.equal([]);
      }
    });

    it('names no connection for what it does not understand', () => {
      for (const payload of STRANGE_PAYLOADS) {
        expect(plugin.webhook.events(incomingJson(payload)).flatMap(({ connections }) => connections)).to.deep.equal([]);
      }
    });
  });
});

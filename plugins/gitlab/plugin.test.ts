import { expect } from 'chai';
import { incomingJson, STRANGE_PAYLOADS } from '../../test/support/incoming-webhook.ts';
import { hookContext } from '../../test/support/plugin-hook.ts';
import plugin from './plugin.ts';

const keysOf = (payload: unknown, headers = {}) => plugin.webhook.events(incomingJson(payload, headers))[0]?.connections;

/**
 * The events that GitLab documents without `project`, reduced to the fields that say where they come from
 * (https://docs.gitlab.com/user/project/integrations/webhook_events/). The job event has the form that older versions of GitLab
 * send. With each: the values of `gitlab_urls` (`urls`) and of `namespace_url` (`namespace`) by which connections are to be
 * found, without the instance's URL.
 */
const EVENTS: readonly (readonly [what: string, urls: string[], namespace: string[], payload: object])[] = [
  [
    'a group member',
    ['-/g/100'],
    [],
    { group_name: 'webhook-test', group_path: 'webhook-test', group_id: 100, user_id: 64, event_name: 'user_add_to_group' },
  ],
  [
    'a project of a group',
    ['-/p/22', 'group1/project1', 'group1'],
    ['group1'],
    { event_name: 'project_create', path: 'project1', path_with_namespace: 'group1/project1', project_id: 22 },
  ],
  [
    'a subgroup',
    ['-/g/10', 'group1/subgroup1', 'group1'],
    ['group1'],
    { event_name: 'subgroup_create', full_path: 'group1/subgroup1', group_id: 10, parent_group_id: 7, parent_path: 'group1' },
  ],
  [
    'an access token of a group',
    ['-/g/35', 'twitter'],
    ['twitter'],
    {
      object_kind: 'access_token',
      group: { group_name: 'Twitter', group_path: 'twitter', group_id: 35, full_path: 'twitter' },
      object_attributes: { user_id: 90, id: 25, name: 'acd' },
    },
  ],
  [
    'a milestone of a group',
    ['-/g/41'],
    [],
    { object_kind: 'milestone', object_attributes: { id: 61, iid: 10, title: 'v1.0', group_id: 41, project_id: null } },
  ],
  [
    'a vulnerability',
    ['-/p/50', 'flightjs/Flight', 'flightjs'],
    ['flightjs'],
    {
      object_kind: 'vulnerability',
      object_attributes: { url: 'https://example.com/flightjs/Flight/-/security/vulnerabilities/1', project_id: 50 },
    },
  ],
  [
    'a job',
    ['-/p/380', 'gitlab-org/gitlab-test', 'gitlab-org'],
    ['gitlab-org'],
    {
      object_kind: 'build',
      project_id: 380,
      project_name: 'gitlab-org/gitlab-test',
      repository: { name: 'gitlab_test', homepage: 'https://example.com/gitlab-org/gitlab-test' },
    },
  ],
];

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

    it('ignores a namespace on another host that the instance returns', async () => {
      const told = { username: 'mike', web_url: 'https://gitlab.com/victim' };
      const { context } = hookContext({
        integrationConfig: { hostname: 'gitlab.attacker.example' },
        response: () => Response.json(told),
      });
      expect(await plugin.connection.afterAuthorization(context)).to.deep.equal({
        namespace_url: 'https://gitlab.attacker.example/mike',
      });
    });

    it('stores no namespace when GitLab does not return the user name', async () => {
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
        { by: 'metadataContains', field: 'gitlab_urls', value: 'https://host.example/git/-/p/15' },
        { by: 'metadataContains', field: 'gitlab_urls', value: 'https://host.example/git/acme/tools/api' },
        { by: 'metadataContains', field: 'gitlab_urls', value: 'https://host.example/git/acme/tools' },
        { by: 'metadataContains', field: 'gitlab_urls', value: 'https://host.example/git/acme' },
        { by: 'connectionConfig', field: 'namespace_url', value: 'https://host.example/git/acme' },
      ]);
    });

    for (const [what, urls, namespace, payload] of EVENTS) {
      it(`matches the URLs in an event about ${what}`, () => {
        const headers = { 'x-gitlab-instance': 'https://example.com' };
        expect(keysOf(payload, headers)).to.deep.equal([
          ...urls.map((url) => ({ by: 'metadataContains', field: 'gitlab_urls', value: `https://example.com/${url}` })),
          ...namespace.map((name) => ({
            by: 'connectionConfig',
            field: 'namespace_url',
            value: `https://example.com/${name}`,
          })),
        ]);
        expect(keysOf(payload)).to.deep.equal([]);
      });
    }

    it('does not match a group by group_path, which may be only the last part of a path', () => {
      const headers = { 'x-gitlab-instance': 'https://gitlab.com' };
      expect(keysOf({ event_name: 'user_add_to_group', group_path: 'acme' }, headers)).to.deep.equal([]);
    });

    it('ignores URLs of another instance', () => {
      const headers = { 'x-gitlab-instance': 'https://gitlab.com' };
      for (const url of [
        'https://gitlab.com.example/mike/a/-/issues/1',
        'https://gitlab.example/gitlab.com/mike',
        'gitlab.com/mike',
      ])
        expect(keysOf({ object_attributes: { url }, repository: { homepage: url } }, headers)).to.deep.equal([]);
    });

    it('names no connection if the URL and the path differ, or if the path is too deep', () => {
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

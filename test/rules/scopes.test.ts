import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { publicRoutes } from '../../core/api/routes.ts';
import { SCOPES } from '../../core/tenants/api-keys/scopes.ts';
import { projectFolder } from '../support/source-files.ts';

const EXPECTED = [
  'environment:*',
  ...wholeOf('environment:integrations', 'list', 'read', 'read_credentials', 'create', 'update', 'delete', '*'),
  ...wholeOf('environment:connections', 'list', 'read', 'read_credentials', 'create', 'update', 'delete', '*'),
  'environment:connect_sessions:write',
  'environment:proxy',
  'environment:proxy:override',
  ...wholeOf('environment:scripts', 'list', 'read', 'write', '*'),
  'environment:logs:read',
  ...wholeOf('environment:webhooks', 'read', 'replay'),
  'environment:variables:read',
  'account:*',
  ...wholeOf('account:environments', 'list', 'create', 'delete'),
  ...wholeOf('account:environments:api_keys', 'list', 'create', 'delete'),
];

function wholeOf(prefix: string, ...words: readonly string[]): string[] {
  return words.map((word) => `${prefix}:${word}`);
}

describe('the list of scopes', () => {
  it('is complete', () => {
    expect([...SCOPES].toSorted()).to.deep.equal(EXPECTED.toSorted());
  });

  it('is explained, each scope once', () => {
    const text = readFileSync(`${projectFolder}docs/scopes.md`, 'utf8');
    const explained = [...text.matchAll(/^\| `([^`]+)` +\| \S.{10,}\|$/gm)].map(([, scope]) => scope);
    expect(explained).to.deep.equal([...new Set(explained)]);
    expect(explained.toSorted()).to.deep.equal([...SCOPES].toSorted());
  });

  for (const { method, path, access } of publicRoutes) {
    if (access === 'public' || !('scope' in access)) continue;
    it(`has the scope of ${method} ${path}`, () => {
      expect(SCOPES).to.include(access.scope);
      expect(access.scope, 'no route requires a wildcard').not.to.match(/\*$/);
    });
  }
});

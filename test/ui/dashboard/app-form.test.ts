import { expect } from 'chai';
import {
  keptConfig,
  nameFaults,
  needsClient,
  type Provider,
  removedApp,
  takenKey,
} from '../../../ui/dashboard/pages/integrations/app-form.ts';
import { ApiError } from '../../../ui/kit/api-error.ts';
import type { Field } from '../../../ui/kit/wire.ts';

describe('the form of an integration', () => {
  const before = { 'credentials.client_id': 'client', 'credentials.client_secret': '', 'credentials.scopes': 'read' };

  it('says that a client ID cannot be removed, because the service would keep it', () => {
    expect(removedApp({ ...before, 'credentials.client_id': ' ' }, before)).to.have.keys('credentials.client_id');
    expect(removedApp({ ...before, 'credentials.client_id': 'other', 'credentials.scopes': '' }, before)).to.deep.equal({});
  });

  for (const [key, isRight] of [
    ['linear-2', true],
    ['a b~:.@_', true],
    ['', false],
    ['a/b', false],
    ['x'.repeat(256), false],
  ] as const) {
    it(`${isRight ? 'takes' : 'refuses'} the ID "${key.slice(0, 20)}"`, () => {
      expect('unique_key' in nameFaults({ display_name: 'Linear', unique_key: key })).to.equal(!isRight);
    });
  }

  it('shows a conflict at the ID, and no other error', () => {
    const values = { unique_key: 'linear' };
    expect(takenKey(new ApiError('conflict', { status: 409 }), values)['unique_key']).to.contain('“linear”');
    expect(takenKey(new ApiError('forbidden', { status: 403 }), values)).to.deep.equal({});
  });

  it('knows which secret settings are stored, but not their values', () => {
    const field = (name: string, secret: boolean): Field => ({ path: ['params', name], title: name, secret });
    const fields = [field('region', false), field('signing_key', true), field('other_key', true)];
    expect(keptConfig(fields, { region: 'eu', signing_key: '***' })).to.deep.equal(['signing_key']);
    expect(keptConfig(fields)).to.deep.equal([]);
  });

  it('requires client credentials if nobody can sign in without them', () => {
    const provider = (part: object) => ({ auth_mode: 'OAUTH2', ...part }) as Provider;
    expect(needsClient(provider({}))).to.equal(true);
    for (const part of [{ sandbox: true }, { auth_mode: 'MCP_OAUTH2' }, { auth_mode: 'AWS_SIGV4' }])
      expect(needsClient(provider(part)), JSON.stringify(part)).to.equal(false);
  });
});

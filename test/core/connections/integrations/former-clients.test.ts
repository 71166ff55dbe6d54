import { expect } from 'chai';
import {
  clientOfConnection,
  effectiveClient,
  fingerprintOf,
} from '../../../../core/connections/integrations/effective-client.ts';
import { formerClientsAfter, previousSecret, withoutUnneeded } from '../../../../core/connections/integrations/former-clients.ts';
import type { ClientApp } from '../../../../core/connections/integrations/integration.ts';

const NOW = new Date('2026-03-01T12:00:00.000Z');
const later = (hours: number) => new Date(NOW.getTime() + hours * 3_600_000);
const app = (clientId: string): ClientApp => ({ clientId, clientSecret: `secret of ${clientId}`, scopes: [] });
const fingerprint = (clientId: string) => fingerprintOf({ clientId });

/** Returns a client whose ID was changed to each of these in turn. */
function changedTo(...ids: string[]): ClientApp {
  return ids.reduce<ClientApp>(
    (client, id) => {
      const after = { client: app(id) };
      const formerClients = formerClientsAfter({ before: { client }, after, provider: {}, now: NOW });
      return { ...after.client, formerClients };
    },
    { scopes: [] },
  );
}

const clientOf = (client: ClientApp, of: string | null) => clientOfConnection({ client }, {}, of).clientId;

describe('the client of a connection', () => {
  it('is the one that authorized it, even after changes of the client', () => {
    const client = changedTo('a', 'b', 'c');
    expect(['a', 'b', 'c'].map((id) => clientOf(client, fingerprint(id)))).to.deep.equal(['a', 'b', 'c']);
  });

  it('is the current one if it was authorized without a client', () => {
    expect(clientOf(changedTo('a', 'b', 'c'), null)).to.equal('c');
  });

  it('is the current one if the client that authorized it is not known', () => {
    expect(clientOf(changedTo('a', 'b'), fingerprint('of an operator’s earlier file'))).to.equal('b');
  });

  it('is the shared app with its current secret if that app authorized it', () => {
    const provider = { sharedApp: { clientId: 'shared', clientSecret: 'before', scopes: [] } };
    const formerClients = formerClientsAfter({
      before: { client: { scopes: [] } },
      after: { client: app('own') },
      provider,
      now: NOW,
    });
    const client = { ...app('own'), formerClients };
    const rotated = { sharedApp: { ...provider.sharedApp, clientSecret: 'after' } };
    expect(clientOfConnection({ client }, rotated, fingerprint('shared')).clientSecret).to.equal('after');
    expect(clientOfConnection({ client }, {}, fingerprint('shared')).clientSecret).to.equal('before');
  });

  it('has no fingerprint if there is no client', () => {
    expect(fingerprintOf(effectiveClient({ client: { scopes: [] } }, {}))).to.equal(null);
  });
});

describe('a replaced client secret', () => {
  const rotated = { ...app('a'), clientSecret: 'new' };

  it('is kept for a day, beside the new one', () => {
    const until = later(24).toISOString();
    const before = previousSecret(app('a'), rotated, NOW);
    expect(before).to.deep.equal({ previousClientSecret: { secret: 'secret of a', until } });
    expect(previousSecret({ ...rotated, ...before }, rotated, later(23))).to.deep.equal(before);
    expect(previousSecret({ ...rotated, ...before }, rotated, later(25))).to.deep.equal({});
  });

  it('is kept with the private key of that time, and a key that is replaced alone is kept, too', () => {
    const before = { ...app('a'), privateKey: 'key of a' };
    const until = later(24).toISOString();
    const kept = { previousClientSecret: { secret: 'secret of a', privateKey: 'key of a', until } };
    expect(previousSecret(before, { ...before, privateKey: 'another' }, NOW)).to.deep.equal(kept);
    expect(previousSecret(before, { ...before, clientSecret: 'new' }, NOW)).to.deep.equal(kept);
    const keyAlone = { clientId: 'a', scopes: [], privateKey: 'key of a' };
    expect(previousSecret(keyAlone, { ...keyAlone, privateKey: 'another' }, NOW)).to.deep.equal({
      previousClientSecret: { ...kept.previousClientSecret, secret: '' },
    });
    expect(previousSecret(before, before, NOW)).to.deep.equal({});
  });

  it('is not kept when the client changes', () => {
    expect(previousSecret(app('a'), app('b'), NOW)).to.deep.equal({});
  });

  it('stays with a client that is replaced within the day, because either secret may be the right one', () => {
    const client = { ...rotated, ...previousSecret(app('a'), rotated, NOW) };
    const [former] = formerClientsAfter({ before: { client }, after: { client: app('b') }, provider: {}, now: NOW });
    expect(former).to.include({ clientId: 'a', clientSecret: 'new' });
    expect(former?.previousClientSecret).to.include({ secret: 'secret of a', until: '9999-12-31T23:59:59.999Z' });
  });
});

describe('former clients', () => {
  const { formerClients: former = [] } = changedTo('a', 'b', 'c');
  const names = (clients: typeof former) => clients.map(({ clientId }) => clientId);

  it('are kept as long as a connection needs them', () => {
    expect(names(withoutUnneeded(former, [fingerprint('b')], later(10_000)))).to.deep.equal(['b']);
    expect(names(withoutUnneeded(former, [null], later(10_000)))).to.deep.equal([]);
  });

  it('are kept for a day without a connection, for authorizations under way', () => {
    expect(names(withoutUnneeded(former, [], later(23)))).to.deep.equal(['b', 'a']);
    expect(names(withoutUnneeded(former, [], later(25)))).to.deep.equal([]);
  });

  it('are few, however often the client is changed', () => {
    const { formerClients: many = [] } = changedTo(...Array.from({ length: 50 }, (_, index) => `client-${index}`));
    expect(names(withoutUnneeded(many, [fingerprint('client-7')], later(1)))).to.deep.equal([
      ...[48, 47, 46, 45, 44].map((index) => `client-${index}`),
      'client-7',
    ]);
  });
});

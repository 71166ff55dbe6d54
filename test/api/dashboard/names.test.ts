import { expect } from 'chai';
import { makeInvitation } from '../../../core/tenants/members/member-links.ts';
import { canary, rememberSecret } from '../../support/canaries.ts';
import { dashboardClient, signedInAs } from '../../support/dashboard/members.ts';
import { expectError } from '../../support/std-error.ts';
import { startTenant } from '../../support/tenant.ts';
import { use } from '../../support/use.ts';

/** Names with characters that control a terminal or reverse the text around them. */
const UNSAFE = ['\u001b[2J', 'a\u0085b', 'a\u009bb', 'a\nb', 'a\u202eb', 'a\u2066b', 'a\u200fb'];

describe('names that people choose', function () {
  const app = use(this, startTenant);

  it('are refused for a key if they contain unsafe characters', async () => {
    const { ui } = await signedInAs(app, 'admin');
    for (const name of UNSAFE) {
      expectError(await ui.post('/api/ui/e/dev/keys', { name, scopes: ['environment:logs:read'] }), 'invalid_body', ['name']);
      expectError(await ui.post('/api/ui/account/keys', { name, scopes: ['account:*'] }), 'invalid_body', ['name']);
      const key = { environment_id: app.environmentId, display_name: name };
      expectError(await app.client(app.accountKey).post('/environment/api-keys', key), 'invalid_body', ['display_name']);
    }
    expect((await ui.post('/api/ui/e/dev/keys', { name: 'Zoë 👩‍🚀 שלום', scopes: ['environment:logs:read'] })).status).to.equal(
      201,
    );
  });

  it('are refused for a person if they contain unsafe characters', async () => {
    const invitation = { accountId: 1, email: 'eve@acme.example', role: 'viewer' } as const;
    const token = rememberSecret('invitation', (await makeInvitation(app.services, invitation)).token);
    const password = canary('password');
    for (const name of UNSAFE)
      expectError(await dashboardClient(app).post('/api/ui/join', { token, name, password }), 'invalid_body', ['name']);
  });
});

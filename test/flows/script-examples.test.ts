import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { TSCONFIG } from '../../core/cli/scripts/starter.ts';
import { startMaintenance } from '../../core/operate/maintenance.ts';
import { startApp } from '../support/app.ts';
import { canary } from '../support/canaries.ts';
import { runCommand } from '../support/command-line.ts';
import { type Connected, connectAgain, readConnection } from '../support/connect.ts';
import { FakeAdminTracker } from '../support/fake-admin-tracker.ts';
import { createScheduler, FakeScheduler } from '../support/fake-scheduler.ts';
import { createTracker } from '../support/fake-tracker.ts';
import { client } from '../support/http-client.ts';
import { projectFolder } from '../support/source-files.ts';
import { expectError } from '../support/std-error.ts';
import { compile } from '../support/typescript-folder.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';

const EXAMPLES = join(projectFolder, 'docs/scripts');
const WITHIN_MS = 20_000;

describe('the examples of docs/scripts', () => {
  it('type check, by the settings that `scripts init` writes', () => {
    expect(readFileSync(join(EXAMPLES, 'tsconfig.json'), 'utf8')).to.equal(TSCONFIG);
    expect(compile(EXAMPLES)).to.deep.equal([]);
  });

  describe('deployed', function () {
    const scheduler = use(this, () => FakeScheduler.start());
    const tracker = use(this, () => FakeAdminTracker.start());
    const app = use(this, startApp);
    const secret = canary('webhook secret');

    before(async () => {
      await createScheduler(app, scheduler, { key: 'calendar', triggers: '', webhookSecret: secret });
      await createTracker(app, tracker, { key: 'tracker', webhookSecret: secret });
      const env = { DATABASE_URL: app.database.url, SVC_ENCRYPTION_KEYS: app.encryptionKeys };
      const { code, stderr } = await runCommand(env, 'scripts', 'deploy', EXAMPLES);
      expect(code, stderr).to.equal(0);
      await startMaintenance(app.services);
    });

    const metadataOf = async (connected: Connected) => (await readConnection(app, connected)).body.metadata;
    const untilMetadata = (connected: Connected, name: string) =>
      until(`the metadata have ${name}`, async () => (await metadataOf(connected))[name] !== undefined, WITHIN_MS);
    const runsOf = async (key: string, event: string) =>
      (await app.api.get(`/integrations/${key}/scripts/${event}/runs`)).body.data.map(({ status }: { status: string }) => status);
    const remove = ({ connectionId, key }: Connected) =>
      app.api.call('DELETE', `/connections/${connectionId}?provider_config_key=${key}`);

    /** Sends a delivery as the provider does: to the registered address, signed with the registered secret. */
    const deliver = (url: string, header: string, { body, signedWith }: { body: unknown; signedWith: string }) => {
      const text = JSON.stringify(body);
      const digest = createHmac('sha256', signedWith).update(text).digest('hex');
      const signature = header === 'x-hub-signature' ? `sha256=${digest}` : digest;
      const headers = { 'content-type': 'application/json', [header]: signature };
      return client(app.url).call('POST', url, { headers, body: text });
    };

    it('subscribe to bookings when a user connects, receive one, and unsubscribe when the user leaves', async () => {
      const connected = await connectAgain(app, 'calendar');
      await untilMetadata(connected, 'subscriptionId');
      const { subscriptionId } = await metadataOf(connected);
      expect([...scheduler.webhooks.keys()]).to.deep.equal([subscriptionId]);
      const webhook = scheduler.webhooks.get(subscriptionId) ?? expect.fail('not registered');
      expect(webhook).to.deep.include({ active: true, triggers: ['BOOKING_CREATED', 'BOOKING_CANCELLED'], secret });
      expect(new URL(webhook.subscriberUrl).searchParams.get('svcConnectionId')).to.equal(connected.connectionId);

      const header = 'x-scheduler-signature-256';
      const body = { triggerEvent: 'BOOKING_CREATED', payload: { uid: 'booking-1' } };
      const forged = await deliver(webhook.subscriberUrl, header, { body, signedWith: canary('somebody else') });
      expectError(forged, 'webhook_invalid_signature');
      expect((await deliver(webhook.subscriberUrl, header, { body, signedWith: webhook.secret ?? '' })).status).to.equal(200);
      await untilMetadata(connected, 'newestBooking');
      expect(await metadataOf(connected)).to.deep.equal({
        subscriptionId,
        newestBooking: { uid: 'booking-1', isCancelled: false },
      });
      await until('the run is written down', async () => (await runsOf('calendar', 'on-webhook')).length === 1, WITHIN_MS);
      expect(await runsOf('calendar', 'on-webhook')).to.deep.equal(['done']);

      expect((await remove(connected)).status).to.equal(200);
      expect([[...scheduler.webhooks], scheduler.deleted]).to.deep.equal([[], [subscriptionId]]);
      expect(await runsOf('calendar', 'pre-connection-deletion')).to.deep.equal(['done']);
    });

    it('register a webhook of an administrator, look up what it reports, and remove it', async () => {
      const connected = await connectAgain(app, 'tracker');
      await untilMetadata(connected, 'adminWebhook');
      const { adminWebhook } = await metadataOf(connected);
      const webhook = tracker.adminWebhooks.get(adminWebhook) ?? expect.fail('not registered');
      expect(webhook).to.deep.include({
        name: `svc ${connected.connectionId}`,
        secret,
        events: ['tracker:issue_created', 'project_created', 'attachment_created'],
      });

      tracker.summaries.set('ACME-1', 'It is broken');
      const self = 'https://acme.tracker.example/rest/api/2/issue/1';
      const body = { webhookEvent: 'tracker:issue_created', issue: { self, key: 'ACME-1' } };
      expect((await deliver(webhook.url, 'x-hub-signature', { body, signedWith: webhook.secret })).status).to.equal(200);
      await untilMetadata(connected, 'newestIssue');
      expect((await metadataOf(connected)).newestIssue).to.deep.equal({ key: 'ACME-1', summary: 'It is broken' });

      expect((await remove(connected)).status).to.equal(200);
      expect([...tracker.adminWebhooks]).to.deep.equal([]);
    });

    it('stop no deletion when the provider cannot be reached', async () => {
      const connected = await connectAgain(app, 'calendar');
      await untilMetadata(connected, 'subscriptionId');
      scheduler.always('api', { response: { status: 500 } });
      expect((await remove(connected)).status).to.equal(200);
      expect((await runsOf('calendar', 'pre-connection-deletion'))[0]).to.equal('failed');
      expect((await readConnection(app, connected)).status).to.equal(404);
    });
  });
});

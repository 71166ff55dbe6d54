import { createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { CaseDelivery, JsonObject } from '#contract';

/**
 * An example of a delivery, as a vendor publishes it. Its file in `test/fixtures/webhooks/<provider>/` is an exact copy, except
 * for the names of people.
 */
interface Example {
  readonly file: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The query of the webhook address. The connection's ID replaces the empty value of `svcConnectionId`. */
  readonly query?: Readonly<Record<string, string>>;
  readonly types: readonly (string | undefined)[];
  /** The data of the connection that the delivery is for; undefined if the delivery names no connection. */
  readonly connection?: { readonly connectionConfig?: JsonObject; readonly metadata?: JsonObject };
}

interface Vendor {
  readonly provider: string;
  /** The pages on which the examples are published. */
  readonly pages: readonly string[];
  readonly secret: 'webhookSecret' | 'clientSecret';
  readonly sign: (secret: string, delivery: { body: string; url: string; sentAt: Date }) => Readonly<Record<string, string>>;
  /** The time at which the delivery was sent, according to its body. */
  readonly sentAt?: Date;
  readonly examples: readonly Example[];
}

const hmac = (algorithm: 'sha1' | 'sha256', secret: string, text: string) => createHmac(algorithm, secret).update(text);
const seconds = (time: Date) => Math.floor(time.getTime() / 1000);

const GITHUB_OWNER = 21031067;
const github = (event: string, action: string, connection?: Example['connection']): Example => ({
  file: `${event}${action}.json`,
  headers: { 'x-github-event': event, 'x-github-delivery': `72d3162e-cc78-11e3-81ab-4c9367dc0958-${event}` },
  types: [event],
  ...(connection && { connection }),
});

const shopify = (topic: string, file: string): Example => ({
  file: `${file}.json`,
  headers: {
    'x-shopify-topic': topic,
    'x-shopify-shop-domain': 'snowdevil.myshopify.com',
    'x-shopify-webhook-id': `545ebdd4-b7be-4d3d-b14e-54aa78e0e0f9-${file}`,
  },
  types: [topic],
  connection: { connectionConfig: { subdomain: 'snowdevil' } },
});

const slack = (file: string, type: string, installation: JsonObject, contentType = 'application/json'): Example => ({
  file,
  headers: { 'content-type': contentType },
  types: [type],
  connection: { connectionConfig: installation },
});
const FORM = 'application/x-www-form-urlencoded';

const ofAccount = (file: string, type: string, account: string): Example => ({
  file: `${file}.json`,
  types: [type],
  connection: { connectionConfig: { account_id: account } },
});

const hubspot = (file: string, hub: number, ...types: (string | undefined)[]): Example => ({
  file: `${file}.json`,
  types,
  connection: { connectionConfig: { hub_id: String(hub) } },
});

const calendly = (event: string): Example => ({
  file: `${event}.json`,
  types: [event],
  connection: { connectionConfig: { owner: 'https://api.calendly.com/users/AAAAAAAAAAAAAAAA' } },
});

const byAddress = (type: string, file = type): Example => ({
  file: `${file}.json`,
  query: { svcConnectionId: '' },
  types: [type],
  connection: {},
});

export const VENDORS: readonly Vendor[] = [
  {
    provider: 'github',
    pages: ['https://docs.github.com/en/webhooks/webhook-events-and-payloads', 'https://github.com/octokit/webhooks'],
    secret: 'webhookSecret',
    sign: (secret, { body }) => ({ 'x-hub-signature-256': `sha256=${hmac('sha256', secret, body).digest('hex')}` }),
    examples: [
      github('push', '', { connectionConfig: { user_id: String(GITHUB_OWNER) } }),
      github('star', '.created', { metadata: { repository_ids: [186853002] } }),
      github('organization', '.member_added', { metadata: { organization_ids: ['38302899'] } }),
      github('installation', '.deleted', { connectionConfig: { user_id: '1' } }),
      github('marketplace_purchase', '.purchased', { connectionConfig: { user_id: '18404719' } }),
      github('sponsorship', '.created', { connectionConfig: { user_id: '5' } }),
      github('github_app_authorization', '.revoked'),
    ],
  },
  {
    provider: 'stripe',
    pages: [
      'https://github.com/stripe/stripe-dotnet/tree/master/src/StripeTests/Resources',
      'https://github.com/stripe/stripe-go (tests of event notifications)',
    ],
    secret: 'webhookSecret',
    sign: (secret, { body, sentAt }) => {
      const signed = hmac('sha256', secret, `${seconds(sentAt)}.${body}`).digest('hex');
      return { 'stripe-signature': `t=${seconds(sentAt)},v1=${signed}` };
    },
    examples: [
      ofAccount('customer.created.connect', 'customer.created', 'acct_123'),
      ofAccount('v1.billing.meter.error_report_triggered.thin', 'v1.billing.meter.error_report_triggered', 'event_context_456'),
      { file: 'customer.updated.json', types: ['customer.updated'] },
    ],
  },
  {
    provider: 'shopify',
    pages: ['https://shopify.dev/docs/api/webhooks/latest'],
    secret: 'clientSecret',
    sign: (secret, { body }) => ({ 'x-shopify-hmac-sha256': hmac('sha256', secret, body).digest('base64') }),
    examples: [
      shopify('products/update', 'products-update'),
      shopify('customers/redact', 'customers-redact'),
      shopify('app/scopes_update', 'app-scopes_update'),
      shopify('app/uninstalled', 'app-uninstalled'),
    ],
  },
  {
    provider: 'slack',
    pages: [
      'https://docs.slack.dev/apis/events-api/',
      'https://github.com/slackapi/java-slack-sdk (tests of requests)',
      'https://github.com/slackapi/bolt-python (tests of organization-wide apps)',
    ],
    secret: 'webhookSecret',
    sign: (secret, { body, sentAt }) => ({
      'x-slack-request-timestamp': String(seconds(sentAt)),
      'x-slack-signature': `v0=${hmac('sha256', secret, `v0:${seconds(sentAt)}:${body}`).digest('hex')}`,
    }),
    examples: [
      slack('event_callback-reaction_added.json', 'reaction_added', { 'team.id': 'T123ABC456' }),
      slack('event_callback-message-shared-channel.json', 'message', { 'team.id': 'T_INSTALLED' }),
      slack('event_callback-message-org-wide.json', 'message', { organization_id: 'E111' }),
      slack('event_callback-team_access_granted-org.json', 'team_access_granted', { organization_id: 'E111' }),
      slack('app_uninstalled.json', 'app_uninstalled', { 'team.id': 'T111' }),
      slack('view_submission-shared-channel.json', 'view_submission', { 'team.id': 'T-installed-workspace' }, FORM),
      slack('shortcut-org-wide.json', 'shortcut', { organization_id: 'E111' }, FORM),
      slack('slash_command.txt', '/weather', { 'team.id': 'T0001' }, FORM),
    ],
  },
  {
    provider: 'hubspot',
    pages: [
      'https://developers.hubspot.com/docs/api-reference/legacy/webhooks/guide',
      'https://developers.hubspot.com/docs/api-reference/legacy/crm/properties/sensitive-data',
      'https://developers.hubspot.com/docs/api/automation/custom-workflow-actions',
    ],
    secret: 'clientSecret',
    sign: (secret, { body, url, sentAt }) => {
      const time = String(sentAt.getTime());
      const signed = hmac('sha256', secret, `POST${url}${body}${time}`).digest('base64');
      return { 'x-hubspot-request-timestamp': time, 'x-hubspot-signature-v3': signed };
    },
    examples: [
      hubspot('batch-contact.propertyChange-contact.creation', 33, 'contact.propertyChange', 'contact.creation'),
      hubspot('contact.propertyChange-sensitive', 891472211, 'contact.propertyChange'),
      hubspot('workflow-custom-action-execution', 102670506, undefined),
    ],
  },
  {
    provider: 'calendly',
    pages: ['https://developer.calendly.com/api-docs (object "Webhook Payload")'],
    secret: 'webhookSecret',
    sign: (secret, { body, sentAt }) => {
      const signed = hmac('sha256', secret, `${seconds(sentAt)}.${body}`).digest('hex');
      return { 'calendly-webhook-signature': `t=${seconds(sentAt)},v1=${signed}` };
    },
    examples: [calendly('invitee.created'), calendly('invitee.canceled'), calendly('routing_form_submission.created')],
  },
  {
    provider: 'linear',
    pages: ['https://linear.app/developers/webhooks'],
    secret: 'webhookSecret',
    sign: (secret, { body }) => ({ 'linear-signature': hmac('sha256', secret, body).digest('hex') }),
    sentAt: new Date(1_676_056_940_508),
    examples: [
      {
        file: 'Comment.create.json',
        headers: { 'linear-delivery': '234d1a4e-b617-4388-90fe-adc3633d6b72' },
        types: ['Comment'],
        connection: { connectionConfig: { organization_id: 'dc844923-f9a4-40a3-825c-dea7747e57d6' } },
      },
    ],
  },
  {
    provider: 'trello',
    pages: ['https://developer.atlassian.com/cloud/trello/guides/rest-api/webhooks/'],
    secret: 'clientSecret',
    sign: (secret, { body, url }) => ({ 'x-trello-webhook': hmac('sha1', secret, body + url).digest('base64') }),
    examples: [byAddress('voteOnCard', 'vote-on-card')],
  },
  {
    provider: 'atlassian-jira',
    pages: ['https://developer.atlassian.com/cloud/jira/platform/webhooks/'],
    secret: 'webhookSecret',
    sign: (secret, { body }) => ({ 'x-hub-signature': `sha256=${hmac('sha256', secret, body).digest('hex')}` }),
    examples: [
      {
        file: 'issue-updated-classic.json',
        types: ['jira:issue_updated'],
        connection: { connectionConfig: { baseUrl: 'https://jira.atlassian.com' } },
      },
    ],
  },
  {
    provider: 'cal-com',
    pages: ['https://cal.com/docs/developing/guides/automation/webhooks'],
    secret: 'webhookSecret',
    sign: (secret, { body }) => ({ 'x-cal-signature-256': hmac('sha256', secret, body).digest('hex') }),
    examples: ['BOOKING_CREATED', 'BOOKING_CANCELLED', 'MEETING_ENDED', 'FORM_SUBMITTED'].map((type) => byAddress(type)),
  },
];

interface Sending {
  /** The webhook address without its query. */
  readonly url: string;
  readonly secret: string;
  readonly connectionId: string;
  readonly now: Date;
}

/** Returns the example as its vendor sends it. Slack sends the JSON of interactions in a form. */
export async function deliveryOf(
  vendor: Vendor,
  example: Example,
  { url, secret, connectionId, now }: Sending,
): Promise<CaseDelivery> {
  const text = await readFile(new URL(`../fixtures/webhooks/${vendor.provider}/${example.file}`, import.meta.url), 'utf8');
  const isInForm = example.headers?.['content-type'] === FORM && example.file.endsWith('.json');
  const body = isInForm ? String(new URLSearchParams({ payload: text })) : text;
  const query = example.query && { ...example.query, svcConnectionId: connectionId };
  const address = query ? `${url}?${new URLSearchParams(query)}` : url;
  const signature = vendor.sign(secret, { body, url: address, sentAt: vendor.sentAt ?? now });
  return { headers: { 'content-type': 'application/json', ...example.headers, ...signature }, body, ...(query && { query }) };
}

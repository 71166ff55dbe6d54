/** Objects that the documentation of several endpoints shows. */

export const CONNECTION_ID = '7d0f8a52-3a43-4b2c-9c57-5f5c2a1f0b6e';

const FIRST = '2026-01-15T09:30:00.000Z';
const LATER = '2026-01-16T08:00:00.000Z';

/** A connection as lists show it, without `created`. */
export const CONNECTION = {
  id: 42,
  connection_id: CONNECTION_ID,
  provider_config_key: 'github',
  provider: 'github',
  errors: [],
  end_user: null,
  metadata: { plan: 'team' },
  connection_config: {},
  tags: { end_user_id: 'user-123', organization_id: 'org-7' },
  created_at: FIRST,
  updated_at: LATER,
  last_fetched_at: LATER,
};

export const OAUTH2_CREDENTIALS = {
  type: 'OAUTH2',
  access_token: 'example-access-token',
  expires_at: '2026-01-16T09:00:00.000Z',
  raw: { access_token: 'example-access-token', token_type: 'bearer', expires_in: 3600 },
};

export const INTEGRATION = {
  unique_key: 'github',
  display_name: 'GitHub',
  provider: 'github',
  created_at: FIRST,
  updated_at: LATER,
  logo: 'https://svc.example.com/logos/github.svg',
  forward_webhooks: true,
};

import { translatorOf } from '../../texts/translate.ts';

export const texts = {
  heading: 'Quick start',
  progress: 'About five minutes. {done} of 5 done.',
  done: 'Done',
  open: 'To do',

  key: 'Have an API key',
  key_hint: 'Your backend calls the service with it. The first one was made with the environment.',
  make_key: 'Make another',

  integration: 'Add an integration',
  integration_hint: 'One external API that your users connect. The sandbox needs no account anywhere.',
  use_sandbox: 'Use the sandbox',
  use_catalogue: 'Pick from the catalogue',
  no_sandbox: 'Production has no sandbox.',

  connection: 'Connect a test account',
  connection_hint: 'Open the window that your users will see. In the sandbox, choose any person.',
  connect: 'Connect an account',
  send_link: 'Send a link',

  webhook: 'Receive a webhook',
  webhook_hint: 'The service tells your application of each new connection. The inbox shows what it sends.',
  use_inbox: 'Use the inbox',
  use_own_url: 'Use your URL',
  webhook_sent: 'Last: {type}, {status}.',
  message_pending: 'under way',
  message_delivered: 'delivered',
  message_failed: 'failed',
  message_paused: 'paused',
  show_messages: 'Show what was sent',

  proxy: 'Call the API through the proxy',
  proxy_hint: 'Your backend calls the API of the connection; the service adds the credentials.',
  run_here: 'Run it here',
  ran: '{status} in {time}',

  copy_snippet: 'Command',
  next: 'Then, in your application',
  next_embed: 'Open the window in your page',
  next_verify: 'Verify webhooks',
  next_list: 'Find the connections of a user',
  next_read: 'Read the credentials of a connection',
  next_reconnect: 'Let a user connect again',
  next_metadata: 'Keep something about a connection',
  next_import: 'Bring credentials along',
  live: 'Going live',
  live_environment: 'Use an environment that is marked as production, with API keys of its own.',
  live_clients: 'Register an OAuth client of yours at each provider, with the callback URL of that environment.',
  live_webhooks: 'Set the webhook URL, and let your application verify each signature.',
  live_backup: 'Back up the database and the encryption key, in different places.',
  next_reference: 'Everything else is in the API reference',
};

export const t = translatorOf(texts);

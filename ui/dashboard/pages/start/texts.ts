import { translatorOf } from '../../texts/translate.ts';

export const texts = {
  heading: 'Quick start',
  progress: 'About five minutes. {done} of 5 done.',
  done: 'Done',
  open: 'To do',

  key: 'Have an API key',
  key_hint: 'Your backend calls the service with it. The first one was made with the environment.',

  integration: 'Add an integration',
  integration_hint: 'One external API that your users connect. The sandbox needs no account anywhere.',
  use_sandbox: 'Use the sandbox',
  no_sandbox: 'Production has no sandbox. Try this in another environment.',

  connection: 'Connect a test account',
  connection_hint: 'Open the window that your users will see. In the sandbox, choose any person.',
  connect: 'Connect an account',
  connect_opened: 'The link is open in a new tab. It works for 30 minutes, for one account.',

  webhook: 'Receive a webhook',
  webhook_hint: 'The service tells your application of each new connection. The inbox shows what it sends.',
  use_inbox: 'Use the inbox',
  inbox_used: 'Connect once more: the webhook of it comes here.',
  webhook_received: 'Last: {type}, {status}.',

  proxy: 'Call the API through the proxy',
  proxy_hint: 'Your backend calls the API of the connection; the service adds the credentials.',

  copy_snippet: 'Command',
};

export const t = translatorOf(texts);

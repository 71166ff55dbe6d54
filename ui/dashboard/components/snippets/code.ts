/**
 * Returns a page that opens the connect window. `/api/connect-session` belongs to the reader's backend: it responds with a
 * session's token.
 */
export function embed(baseUrl: string): string {
  return `<script src="${baseUrl}/sdk/v1.js"></script>
<button id="connect">Connect</button>
<script>
  const svc = new Svc();
  document.querySelector('#connect').onclick = () => {
    const sessionToken = async () => (await (await fetch('/api/connect-session', { method: 'POST' })).json()).token;
    svc.openConnectUI({ sessionToken, onEvent: ({ type }) => type === 'connect' && location.reload() });
  };
</script>`;
}

/** Code that verifies that a webhook was sent by the service, as in docs/webhooks.md. */
export const VERIFY = {
  'Node SDK': `import { parseWebhook } from 'svc-node';

export async function POST(request) {
  const webhook = parseWebhook(await request.text(), request.headers, process.env.SVC_WEBHOOK_SECRET);
  console.log(webhook.type, webhook.connectionId ?? 'no connection');
  return new Response(null, { status: 204 });
}`,
  Node: `import { createHmac, timingSafeEqual } from 'node:crypto';

/** @param body the bytes as they came @param headers as Node's server gives them @param secret \`whsec_…\` */
export function isFromService(body, headers, secret) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers;
  if (!id || !signatures || !(Math.abs(Date.now() / 1000 - Number(timestamp)) <= 300)) return false;
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const hmac = createHmac('sha256', key).update(\`\${id}.\${timestamp}.\`).update(body).digest('base64');
  const expected = Buffer.from(\`v1,\${hmac}\`);
  return signatures.split(' ').some((text) => {
    const given = Buffer.from(text);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}`,
} as const;

/**
 * Server configurations for a custom callback URL: they redirect to the service's callback URL and keep the query.
 *
 * @param path the path of the custom callback URL
 */
export const REDIRECTS: Readonly<Record<'nginx' | 'Caddy' | 'Express' | 'Next', (path: string, callbackUrl: string) => string>> =
  {
    nginx: (path, callbackUrl) => `location = ${path} {
  return 308 ${callbackUrl}$is_args$args;
}`,
    Caddy: (path, callbackUrl) => `redir ${path} ${callbackUrl}?{query} 308`,
    Express: (path, callbackUrl) => `app.get('${path}', (request, response) => {
  const { search } = new URL(request.originalUrl, 'http://localhost');
  response.redirect(308, '${callbackUrl}' + search);
});`,
    Next: (path, callbackUrl) => `// next.config.js; the query goes along by itself
module.exports = {
  redirects: async () => [{ source: '${path}', destination: '${callbackUrl}', permanent: true }],
};`,
  };

import type { ScriptEvent } from '../../scripts/event.ts';

/** File for the types of the sandbox's globals. It lies in a dot folder, which the compilers of other projects ignore. */
export const GLOBALS_FILE = '.sandbox/globals.d.ts';

/** Compiler options for editors and `tsc`: only what the sandbox provides is visible, and only erasable syntax is allowed. */
export const TSCONFIG = `{
  "compilerOptions": {
    "target": "es2024",
    "lib": ["es2024"],
    "types": [],
    "module": "preserve",
    "moduleResolution": "bundler",
    "allowImportingTsExtensions": true,
    "verbatimModuleSyntax": true,
    "erasableSyntaxOnly": true,
    "resolveJsonModule": true,
    "skipLibCheck": true,
    "strict": true,
    "noEmit": true
  },
  "include": ["**/*", "${GLOBALS_FILE}"]
}
`;

/** One example script for each event, with a visible effect and without outgoing calls. */
export const EXAMPLES: Readonly<Record<ScriptEvent, string>> = {
  'post-connection-creation': `import type { Svc } from '../script.d.ts';

/** Runs after a connection was created. If it throws, it is retried, three attempts in all, so make it idempotent. */
export default async function (svc: Svc): Promise<void> {
  const { webhook_url } = await svc.getIntegration();
  svc.log('connection created', { webhook_url });
  await svc.updateMetadata({ welcomed: true });
}
`,
  'pre-connection-deletion': `import type { Svc } from '../script.d.ts';

/** Runs before a connection is deleted. Its outcome does not prevent the deletion. */
export default async function (svc: Svc): Promise<void> {
  svc.log('deleting connection', { metadata: await svc.getMetadata() });
}
`,
  'validate-connection': `import type { Svc } from '../script.d.ts';

/** Runs before a connection is stored. The message of a ScriptError is shown to the person who connects. */
export default async function (svc: Svc): Promise<void> {
  const { blocked } = await svc.getMetadata();
  if (blocked === true) throw new svc.ScriptError('This account may not be connected.');
}
`,
  'on-webhook': `import type { Svc, WebhookEvent } from '../script.d.ts';

/** Event types as the provider names them; \`*\` matches all. */
export const webhookSubscriptions = ['*'];

/** Runs when the provider has sent an event for this connection. */
export async function onWebhook(svc: Svc, event: WebhookEvent): Promise<void> {
  if (!event.verified) return;
  await svc.updateMetadata({ lastEvent: event.type });
}
`,
};

/** An example event for `scripts test … --payload`. */
export const EXAMPLE_EVENT = `{
  "type": "example.created",
  "payload": { "id": 1 },
  "headers": {},
  "verified": true
}
`;

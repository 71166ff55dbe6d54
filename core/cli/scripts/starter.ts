import type { ScriptEvent } from '../../scripts/event.ts';

/** In a folder whose name begins with a dot, which compilers of other projects pass over. */
export const GLOBALS_FILE = '.sandbox/globals.d.ts';

/** For editors and `tsc`: only what exists in the sandbox is in sight, and only what can be run as it is written. */
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

/** One example for each event: each does something that can be seen, and calls nobody. */
export const EXAMPLES: Readonly<Record<ScriptEvent, string>> = {
  'post-connection-creation': `import type { Svc } from '../script.d.ts';

/** After a connection was made. When it throws it is run again, three times in all: let it bear that. */
export default async function (svc: Svc): Promise<void> {
  const { webhook_url } = await svc.getIntegration();
  svc.log('a connection was made', { webhook_url });
  await svc.updateMetadata({ welcomed: true });
}
`,
  'pre-connection-deletion': `import type { Svc } from '../script.d.ts';

/** Before a connection is deleted. Whatever happens here, the connection goes. */
export default async function (svc: Svc): Promise<void> {
  svc.log('a connection is deleted', { metadata: await svc.getMetadata() });
}
`,
  'validate-connection': `import type { Svc } from '../script.d.ts';

/** Before a connection is written. The message of a ScriptError is shown to the person who connects. */
export default async function (svc: Svc): Promise<void> {
  const { blocked } = await svc.getMetadata();
  if (blocked === true) throw new svc.ScriptError('This account may not be connected.');
}
`,
  'on-webhook': `import type { Svc, WebhookEvent } from '../script.d.ts';

/** Types of events, as the provider calls them; \`*\` is all. */
export const webhookSubscriptions = ['*'];

/** When the provider has sent an event of this connection. */
export async function onWebhook(svc: Svc, event: WebhookEvent): Promise<void> {
  if (!event.verified) return;
  await svc.updateMetadata({ lastEvent: event.type });
}
`,
};

/** For \`scripts test … --payload\`. */
export const EXAMPLE_EVENT = `{
  "type": "example.created",
  "payload": { "id": 1 },
  "headers": {},
  "verified": true
}
`;

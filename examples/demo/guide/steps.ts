import { CALLS, type Call, type SnippetValues } from '../../../ui/dashboard/components/snippets/calls.ts';
import { curlWithFile } from '../../../ui/dashboard/components/snippets/languages.ts';
import { INTEGRATION, type World } from '../world.ts';

interface Step {
  readonly title: string;
  readonly text: string;
  readonly needsConnection?: true;
  readonly call: (values: SnippetValues) => Omit<Call, 'client'>;
}

/** The tags of the user of the example application. */
const USER = { end_user_id: 'ada' };
const OF_USER = `/connections?tags[end_user_id]=${USER.end_user_id}`;

const STEPS: Readonly<Record<string, Step>> = {
  link: {
    title: 'Create a connect link',
    text: 'One of your users connects an account with it. The tags are yours: they identify the user.',
    call: () => ({ method: 'POST', path: '/connect/sessions', body: { tags: USER, allowed_integrations: [INTEGRATION] } }),
  },
  find: {
    title: 'Find the connection by its tag',
    text: 'Connect first: by the link above, or in the example application.',
    call: () => ({ method: 'GET', path: OF_USER }),
  },
  credentials: {
    title: 'Read its current credentials',
    text: 'They are refreshed before they expire.',
    needsConnection: true,
    call: CALLS.read,
  },
  proxy: {
    title: 'Call the external API through the proxy',
    text: 'Nobody but svc sees a token. The answer counts the access tokens: they expire after 20 seconds, so call again later.',
    needsConnection: true,
    call: CALLS.proxy,
  },
};

/** The answer to one of the steps. */
export interface Answer {
  readonly status: number;
  readonly ms: number;
  readonly body: unknown;
}

/** Returns what the page shows. The command of a step that needs a connection is null until the user has one. */
export async function shownGuide(world: World) {
  const values = await valuesOf(world);
  const steps = Object.entries(STEPS).map(([name, { title, text, needsConnection, call }]) => ({
    name,
    title,
    text,
    command: needsConnection && values.connectionId === '' ? null : curlWithFile(world.authorizationFile, call(values), values),
  }));
  return { steps, passwordCommand: `cat '${world.admin.passwordFile}'` };
}

/** Does one step. @returns undefined if there is no such step, or nothing to do it with */
export async function runStep(world: World, name: string): Promise<Answer | undefined> {
  const step = Object.hasOwn(STEPS, name) ? STEPS[name] : undefined;
  const values = await valuesOf(world);
  if (step === undefined || (step.needsConnection && values.connectionId === '')) return undefined;
  const { method, path, headers = {}, body } = step.call(values);
  const start = performance.now();
  const response = await world.service.call(method, path, { headers, ...(body !== undefined && { body }) });
  return { status: response.status, ms: Math.round(performance.now() - start), body: response.body };
}

/** Returns the values of the commands; the connection is the user's newest. */
async function valuesOf({ service, serviceUrl }: World): Promise<SnippetValues> {
  const { body } = await service.get(OF_USER);
  return {
    baseUrl: serviceUrl,
    integration: INTEGRATION,
    connectionId: body.connections[0]?.connection_id ?? '',
    path: '/me',
  };
}

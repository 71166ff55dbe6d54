import type { ProviderDefinition, WebhookCase } from '#contract';
import type { AuthMode } from '../../auth-modes/auth-mode.ts';
import type { Provider } from '../../catalogue/catalogue.ts';
import type { Plugins } from '../../catalogue/plugins/plugins.ts';
import { didYouMean } from '../../kit/did-you-mean.ts';
import { comeBack, enter, goToProvider, type RehearsedConnection } from './connect.ts';
import { DOCUMENTED_FILE, type DocumentedResponses, readDocumentedResponses } from './documented-responses.ts';
import { placeOfFault } from './fault-place.ts';
import { answerHandshakes } from './handshakes.ts';
import { refuseHostileCallback, refuseHostileValues, refuseRedirectedTokens } from './hostile.ts';
import { unknownPlaceholders } from './known-placeholders.ts';
import { callThroughProxy } from './proxied-call.ts';
import { RehearsalStage } from './stage.ts';
import { notApplicable, ok, RehearsalFault, type RehearsalOutcome, type RehearsalStep } from './step.ts';
import { leave, prove, renew, subscribe, verify } from './walk-steps.ts';
import { receiveCase } from './webhook.ts';
import { readWebhookCase } from './webhook-case.ts';

interface RehearsedProvider {
  readonly provider: Provider;
  readonly plugins: Plugins;
  /** The folder of the plugin that serves the provider; undefined when the plugin is not one of the author's. */
  readonly pluginDirectory: string | undefined;
}

type JsonPath = readonly (string | number)[];

/**
 * Drives a definition and its plugin through the whole life of a connection, in this process: the service's own code runs against
 * a provider that stands in on loopback. Nothing is stored, and no request leaves the machine.
 */
export async function rehearse(subject: RehearsedProvider): Promise<readonly RehearsalStep[]> {
  const steps: RehearsalStep[] = [];
  const { directory } = subject.provider;
  const documented: { responses: DocumentedResponses } = { responses: {} };
  const found = await attempt(subject, undefined, { name: 'files', path: [] }, async () => {
    documented.responses = await readDocumentedResponses(directory);
    return { outcome: ok('can be read'), sample: await readWebhookCase(directory) };
  });
  if (found.step.status === 'failed') return [found.step];
  await using stage = await RehearsalStage.open({ ...subject, documented: documented.responses });
  const walk = new Rehearsal(subject, stage, steps);
  await walk.step('templates', [], async () => ({ outcome: checkPlaceholders(stage) }));
  const connected = await connect(walk);
  if (connected !== undefined) await live(walk, connected);
  await walk.step('hostile values', [], async () => ({ outcome: await refuseHostileValues(stage) }));
  if (connected !== undefined) {
    await walk.step('hostile callback', ['redirect_uri_metadata'], async () => ({ outcome: await refuseHostileCallback(stage) }));
    await walk.step('redirected tokens', ['token_url'], async () => ({ outcome: await refuseRedirectedTokens(stage) }));
  }
  await receive(walk, found.result?.sample);
  return steps;
}

/** A rehearsal in progress: its subject, its stage and the steps so far. */
class Rehearsal {
  readonly subject: RehearsedProvider;
  readonly stage: RehearsalStage;
  readonly #steps: RehearsalStep[];

  constructor(subject: RehearsedProvider, stage: RehearsalStage, steps: RehearsalStep[]) {
    this.subject = subject;
    this.stage = stage;
    this.#steps = steps;
  }

  /** Runs a step and records how it ended. @returns undefined if it failed */
  async step<T extends { readonly outcome: RehearsalOutcome }>(
    name: string,
    path: JsonPath,
    work: () => Promise<T>,
  ): Promise<T | undefined> {
    const { step, result } = await attempt(this.subject, this.stage, { name, path }, work);
    this.#steps.push(step);
    return result;
  }

  skip(name: string, outcome: RehearsalOutcome): void {
    this.#steps.push({ name, ...outcome });
  }
}

async function connect(walk: Rehearsal): Promise<RehearsedConnection | undefined> {
  const { stage } = walk;
  const reason = whyNotWalked(stage.definition, stage.mode, stage.documented);
  if (reason !== undefined) {
    walk.skip('connection', { status: 'not_walked', detail: reason });
    return undefined;
  }
  if (stage.mode.begin === undefined) {
    const entered = await walk.step('form', ['credentials'], async () => {
      const connected = await enter(stage);
      return { outcome: ok('the entered credentials are accepted'), connected };
    });
    return entered?.connected;
  }
  const back = await walk.step('authorization', ['authorization_url'], async () => {
    const called = await goToProvider(stage);
    return { outcome: ok('the user is sent to the provider, and comes back'), called };
  });
  if (back === undefined) return undefined;
  const exchanged = await walk.step('exchange', ['token_url'], async () => {
    const connected = await comeBack(stage, back.called);
    return { outcome: ok('the callback is exchanged for credentials'), connected };
  });
  return exchanged?.connected;
}

async function live(walk: Rehearsal, connected: RehearsedConnection): Promise<void> {
  const { stage } = walk;
  await walk.step('verification', ['proxy', 'verification'], async () => ({ outcome: await verify(stage, connected) }));
  const proven = await walk.step('account', ['discover'], async () => {
    const { connection, ...outcome } = await prove(stage, connected);
    return { outcome, connection };
  });
  if (proven === undefined) return;
  await walk.step('renewal', ['token_url'], async () => ({ outcome: await renew(stage, proven.connection) }));
  await walk.step('subscription', [], async () => ({ outcome: await subscribe(stage, proven.connection) }));
  await walk.step('proxied call', ['proxy'], async () => ({ outcome: await callThroughProxy(stage, proven.connection) }));
  await walk.step('deletion', ['revocation_url'], async () => ({ outcome: await leave(stage, proven.connection) }));
}

async function receive(walk: Rehearsal, sample: WebhookCase | undefined): Promise<void> {
  const { stage, subject } = walk;
  const { slug, definition } = subject.provider;
  await walk.step('handshake', ['webhook', 'handshake'], async () => ({ outcome: answerHandshakes(stage) }));
  const isProvenThere = sample === undefined && definition.plugin !== undefined && definition.webhook?.signature === undefined;
  if (isProvenThere) {
    walk.skip('webhook', notApplicable(`the webhook part is tested in the folder of the plugin "${definition.plugin}"`));
    return;
  }
  if (sample?.provider !== undefined && sample.provider !== slug) {
    walk.skip('webhook', notApplicable(`the webhook case belongs to ${sample.provider}`));
    return;
  }
  await walk.step('webhook', ['webhook'], async () => ({
    outcome: await receiveCase(stage, subject.plugins.webhookRules(slug), sample),
  }));
}

function checkPlaceholders({ definition }: RehearsalStage): RehearsalOutcome {
  const [unknown, ...others] = unknownPlaceholders(definition);
  if (unknown === undefined) return ok('every placeholder has a value');
  const { path, placeholder, known } = unknown;
  const like = didYouMean(placeholder, known);
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  throw new RehearsalFault(`nothing fills \${${placeholder}}${more}`, {
    path,
    advice: like === undefined ? 'declare the field in connection_config or integration_config' : `did you mean \${${like}}?`,
  });
}

interface Attempted<T> {
  readonly step: RehearsalStep;
  readonly result?: T;
}

async function attempt<T extends { readonly outcome: RehearsalOutcome }>(
  { provider, pluginDirectory }: RehearsedProvider,
  stage: RehearsalStage | undefined,
  { name, path }: { readonly name: string; readonly path: JsonPath },
  work: () => Promise<T>,
): Promise<Attempted<T>> {
  if (stage !== undefined) stage.hookFailure = undefined;
  stage?.improvised.clear();
  stage?.tokens.complaints.splice(0);
  try {
    const result = await work();
    return { step: { name, ...result.outcome }, result };
  } catch (error) {
    const { definition, directory } = provider;
    const failed = { error, hookFailure: stage?.hookFailure, path };
    const place = await placeOfFault({ definition, directory, pluginDirectory }, failed);
    return { step: { name, status: 'failed', detail: reasonOf(error, stage), ...place, ...adviceOf(error, stage) } };
  }
}

function reasonOf(error: unknown, stage: RehearsalStage | undefined): string {
  const { hook, error: thrown } = stage?.hookFailure ?? {};
  if (hook !== undefined) {
    const text = thrown instanceof Error ? thrown.message : 'something that is not an Error';
    return text.startsWith(hook) ? text : `${hook} threw: ${text}`;
  }
  return error instanceof Error ? error.message : 'threw something that is not an Error';
}

function adviceOf(error: unknown, stage: RehearsalStage | undefined): { readonly advice?: string } {
  const complaint = stage?.tokens.complaints.at(-1);
  const improvised = [...(stage?.improvised ?? [])];
  if (error instanceof RehearsalFault && error.place.advice !== undefined) return { advice: error.place.advice };
  if (improvised.length > 0)
    return {
      advice: `${improvised.join(', ')} was answered with {}: write the response of the provider into ${DOCUMENTED_FILE}`,
    };
  return complaint === undefined ? {} : { advice: `the token endpoint says: ${complaint}` };
}

/**
 * Says why a definition cannot be connected against the provider of a rehearsal.
 *
 * @returns undefined if it can
 */
function whyNotWalked(
  definition: ProviderDefinition,
  mode: Pick<AuthMode, 'begin' | 'form' | 'imported'>,
  documented: DocumentedResponses,
): string | undefined {
  const { additional_steps, authorization_url, aws_sigv4, credentials, installation, token_url } = definition;
  if (installation !== undefined) return 'its app is installed on pages of the provider, which this check cannot simulate';
  if (aws_sigv4 !== undefined) return 'its temporary keys come from another service, which this check cannot simulate';
  const certificate = credentials?.['client_certificate'];
  const needsCertificate = certificate !== undefined && certificate.optional !== true;
  if (needsCertificate || definition.token_request_auth_method === 'tls_client_auth') return 'it needs a client certificate';
  if (mode.begin !== undefined && (authorization_url === undefined || token_url === undefined))
    return 'its endpoints come from the metadata of the server, which this check cannot simulate';
  if (mode.begin === undefined && mode.form === undefined && mode.imported === undefined)
    return 'its auth mode has neither a form nor a redirect';
  if (additional_steps !== undefined && Object.keys(documented).length === 0)
    return `its sign-in takes several calls: write the response of the provider to each into ${DOCUMENTED_FILE}`;
  return undefined;
}

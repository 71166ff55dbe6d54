import type { ProxyRules } from '#contract';
import type { CredentialHeaders } from '../auth-modes/credential-headers.ts';
import { tokenSet } from '../auth-modes/token-set.ts';
import type { Connection } from '../connections/connection.ts';
import { connectionFacts } from '../connections/connection-facts.ts';
import type { Clock } from '../kit/clock.ts';
import type { Logger } from '../kit/logger.ts';
import type { Outbound } from '../kit/outbound.ts';
import { callRule } from '../plugin-host/call-rule.ts';
import { decorated, type Head } from './decorate.ts';
import type { Answer } from './exchange.ts';
import { joinedByName } from './request-headers.ts';
import { headerValue } from './response-headers.ts';

const FORM = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;

export interface Draft extends Head {
  readonly method: string;
  /** The whole body, as text. */
  readonly readBody: () => Promise<string>;
}

/** What is left to do with a head that depends on the request itself. */
export type Finish = (draft: Draft) => Promise<Head>;

export interface FinishDeps {
  readonly outbound: Pick<Outbound, 'check'>;
  readonly clock: Clock;
  readonly log: Logger;
}

interface Finishing {
  readonly connection: Connection;
  readonly signed: CredentialHeaders['signed'];
  readonly rules: ProxyRules | undefined;
  readonly allowedHosts: () => readonly string[];
}

/** Signature first, then the plugin's last word. Undefined when neither is wanted, which is the usual case. */
export function finishOf(deps: FinishDeps, finishing: Finishing): Finish | undefined {
  const { signed } = finishing;
  const decorate = decoratorOf(deps, finishing);
  if (signed === undefined) return decorate && (async (draft) => decorate(draft));
  return async (draft) => {
    const head = await withSignature(deps, draft, signed);
    return decorate === undefined ? head : decorate({ ...draft, ...head });
  };
}

async function withSignature(
  { clock }: FinishDeps,
  { method, target, headers, readBody }: Draft,
  signed: NonNullable<Finishing['signed']>,
): Promise<Head> {
  const isForm = FORM.test(headerValue(headers, 'content-type') ?? '');
  const body = isForm ? { form: await readBody() } : {};
  const signature = signed({ method, ...target, ...body, at: clock.now() });
  return { target, headers: [...headers, ...signature.flatMap(({ name, value }) => [name, value])] };
}

function decoratorOf(
  { outbound, log }: FinishDeps,
  { connection, rules, allowedHosts }: Finishing,
): ((draft: Draft) => Head) | undefined {
  const decorate = rules?.decorate;
  if (decorate === undefined) return undefined;
  const facts = connectionFacts(connection);
  return (draft) =>
    callRule({ log }, ruleOf(connection, 'proxy.decorate'), () =>
      decorated(draft.method, draft, {
        decorate: (request) => decorate(request, structuredClone(facts)),
        check: (url) => outbound.check(url),
        allowedHosts,
      }),
    );
}

/** The plugin's wish for one more try of a bodiless request, in milliseconds. */
export type RetryRule = (answer: Answer) => number | undefined;

export function retryRuleOf({ log }: FinishDeps, connection: Connection, rules: ProxyRules | undefined): RetryRule | undefined {
  const retryAfter = rules?.retryAfter;
  if (retryAfter === undefined) return undefined;
  return ({ status, headers }) =>
    callRule({ log }, ruleOf(connection, 'proxy.retryAfter'), () => {
      const waitMs = retryAfter(status, joinedByName(headers));
      if (waitMs !== undefined && !(waitMs >= 0)) throw new Error('it returned no number of milliseconds');
      return waitMs;
    });
}

function ruleOf({ provider, connectionId, credentials }: Connection, rule: string) {
  return { rule, provider, connectionId, tokens: () => tokenSet(credentials) };
}

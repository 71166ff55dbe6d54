import type { TokenSet } from '#contract';
import { parseJson } from '../../kit/exact-json.ts';
import { isSecretName, redact } from '../../kit/redact.ts';

const HIDDEN = '[redacted]';
/** Minimum length of a value that is hidden. Shorter values are not tokens, and hiding them would mutilate ordinary words. */
const MIN_LENGTH = 8;
const MAX_CAUSES = 5;
const MAX_DEPTH = 6;

/** Removes a hook's secrets from log messages and errors: plugins quote responses, and providers repeat what they were sent. */
export class SecretHider {
  /** The spellings to hide, longest first. */
  #spellings: readonly string[] = [];

  constructor({ accessToken, refreshToken = '', raw }: TokenSet, further: readonly string[] = []) {
    this.#add([accessToken, refreshToken, ...secretsIn(raw, mayBeSecret), ...further]);
  }

  /** Also hides the secrets in a JSON response, except values that are only possibly secret, such as an error's `code`. */
  learn(body: string): void {
    try {
      this.#add(secretsIn(parseJson(body), isSurelySecret));
    } catch {
      // The body is not JSON.
    }
  }

  #add(found: readonly string[]): void {
    const spellings = found.filter((secret) => secret.length >= MIN_LENGTH).flatMap(spellingsOf);
    if (spellings.length === 0) return;
    this.#spellings = [...new Set([...this.#spellings, ...spellings])].toSorted((one, other) => other.length - one.length);
  }

  text(text: string): string {
    return this.#spellings.reduce((hidden, spelling) => hidden.replaceAll(spelling, HIDDEN), text);
  }

  /** Returns a copy that may be logged. */
  facts(facts: Readonly<Record<string, unknown>>): Record<string, unknown> {
    return parseJson(this.text(JSON.stringify(redact(facts))));
  }

  /** Returns a copy of an error and its causes, all without the secrets, since logs contain the whole chain of causes. */
  error(error: unknown, depth = 0): Error | undefined {
    if (!(error instanceof Error) || depth > MAX_CAUSES) return undefined;
    const copy = new Error(this.text(error.message), { cause: this.error(error.cause, depth + 1) });
    return Object.assign(copy, { name: error.name, stack: this.text(error.stack ?? '') });
  }
}

/**
 * Finds the secrets in a value: the access and refresh tokens, but also, for example, an ID token, the token of a parent account,
 * or a password that is used in place of tokens.
 */
function secretsIn(value: unknown, isSecret: (name: string) => boolean, depth = 0): string[] {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    if (typeof member !== 'string') return secretsIn(member, isSecret, depth + 1);
    return isSecret(name) ? [member] : [];
  });
}

function mayBeSecret(name: string): boolean {
  return /token/i.test(name) || isSecretName(name);
}

function isSurelySecret(name: string): boolean {
  return /token|secret|password/i.test(name);
}

function spellingsOf(secret: string): string[] {
  return [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)];
}

import { isObject, type Json, type JsonObject } from '#contract';

/** Shorter texts occur by chance. */
const MIN_PART = 4;

/** A response without the texts that repeat one of the given secrets. */
export function withoutSecrets(raw: JsonObject, secrets: readonly string[]): JsonObject {
  const forms = secrets.filter((secret) => secret !== '').flatMap(formsOf);
  const repeats = (value: Json) =>
    typeof value === 'string' && forms.some((form) => value === form || (form.length >= MIN_PART && value.includes(form)));
  return membersWithout(raw, repeats);
}

function membersWithout(members: JsonObject, repeats: (value: Json) => boolean): JsonObject {
  const kept = Object.entries(members).filter(([, value]) => !repeats(value));
  return Object.fromEntries(kept.map(([name, value]) => [name, without(value, repeats)]));
}

function without(value: Json, repeats: (value: Json) => boolean): Json {
  if (Array.isArray(value)) return value.filter((item) => !repeats(item)).map((item) => without(item, repeats));
  return isObject(value) ? membersWithout(value, repeats) : value;
}

/** As it is, and as a part of an echoed URL, body or header. */
function formsOf(secret: string): string[] {
  return [
    secret,
    encodeURIComponent(secret),
    new URLSearchParams({ '': secret }).toString().slice(1),
    JSON.stringify(secret).slice(1, -1),
    Buffer.from(secret, 'utf8').toString('base64'),
  ];
}

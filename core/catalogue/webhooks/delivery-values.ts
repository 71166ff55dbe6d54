import { type IncomingWebhook, type Json, textAt, valueAt } from '#contract';

/** A delivery. If it contains a list of events, `event` is the entry that is being read. */
export interface ReadDelivery {
  readonly webhook: IncomingWebhook;
  readonly event?: Json;
}

type ReadValue = (delivery: ReadDelivery) => string | undefined;

/** Compiles a place in a delivery, such as `body.event.type` or `headers.x-topic`, to a function that returns the text there. */
export function readerOf(place: string): ReadValue {
  const [root, name] = splitPlace(place);
  if (root === 'headers') return ({ webhook }) => ownText(webhook.headers, name);
  if (root === 'query') return ({ webhook }) => ownText(webhook.query, name);
  if (name === '') return () => undefined;
  return root === 'event' ? ({ event }) => textAt(event, name) : ({ webhook }) => textAt(webhook.payload, name);
}

/**
 * Compiles the place of a list in a delivery to a function that returns its entries; a value that is no list counts as the only
 * entry.
 */
export function listReaderOf(place: string): (webhook: IncomingWebhook) => readonly Json[] {
  const [, name] = splitPlace(place);
  return ({ payload }) => {
    const found = name === '' ? payload : valueAt(payload, name);
    // The payload is JSON, and so is every value in it.
    return Array.isArray(found) ? found : found === undefined ? [] : [found as Json];
  };
}

/** Splits a place at its first dot only, since names of headers and query parameters may contain dots. */
function splitPlace(place: string): [root: string, name: string] {
  const dot = place.indexOf('.');
  return dot === -1 ? [place, ''] : [place.slice(0, dot), place.slice(dot + 1)];
}

function ownText(values: Readonly<Record<string, string>>, name: string): string | undefined {
  const value = Object.hasOwn(values, name) ? values[name] : undefined;
  return value === '' ? undefined : value;
}

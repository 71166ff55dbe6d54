import { trimPasted } from '../../../core/contract/pasted.ts';
import type { Field } from '../wire.ts';

export interface Tidied {
  readonly value: string;
  /** The value, if it is only a part of what was typed; the user is then told what was kept. */
  readonly kept?: string;
}

/**
 * Returns the value that the user means: blanks around the text, visible or not, are dropped, as are the field's prefix and
 * suffix; if the field asks for a host and a whole URL was typed, only its host is kept.
 */
export function tidy({ format, prefix = '', suffix = '', verbatim, secret, multiline }: Field, text: string): Tidied {
  if (verbatim) return { value: text };
  const trimmed = trimPasted(text);
  if (secret || multiline || trimmed === '') return { value: trimmed };
  const bare = format === 'hostname' ? hostOf(trimmed) : without(trimmed, prefix, '');
  const value = without(bare, '', suffix);
  return value === trimmed || value === '' ? { value: trimmed } : { value, kept: value };
}

function hostOf(text: string): string {
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`;
  const isAddress = /^https?:\/\//i.test(text) || /^[^\s/@]+\/\S*$/.test(text);
  return isAddress && URL.canParse(address) ? new URL(address).host : text;
}

function without(text: string, start: string, end: string): string {
  const from = start !== '' && text.startsWith(start) ? start.length : 0;
  const to = end !== '' && text.toLowerCase().endsWith(end.toLowerCase()) ? text.length - end.length : text.length;
  return from < to ? text.slice(from, to) : text;
}

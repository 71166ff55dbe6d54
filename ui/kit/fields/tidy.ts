import { trimPasted } from '../../../core/contract/pasted.ts';
import type { Field } from '../wire.ts';

export interface Tidied {
  readonly value: string;
  /** What is left of something longer: the person is told. */
  readonly kept?: string;
}

/** What a person means by what was typed or pasted: blanks around it, seen or not, are none, and of a whole address a host is kept. */
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

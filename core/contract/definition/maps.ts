import * as z from 'zod';
import { fieldName, text } from './parts.ts';

const KEY = /^[A-Za-z][\w-]*$/;
/** What the definition says is final: a placeholder in it would be sent as it stands. */
const VALUE = /^(?!http:)(?:(?!\$\{)\P{Cc})+$/iu;

/** Values that depend on another one, such as the hosts of a region. */
export const maps = z.record(
  fieldName,
  z.record(
    text,
    z.record(
      z.string().regex(KEY, 'must be letters, digits, underscores and hyphens'),
      z.string().regex(VALUE, 'must hold no placeholder or control character, and be no http: URL'),
    ),
  ),
);

import * as z from 'zod';
import { formField } from '../form-field.ts';
import { jsonTemplate, textTemplate } from '../templates.ts';

/** Matches folder names of providers and plugins; the name of a provider's folder is its slug. */
export const SLUG = /^[a-z0-9][a-z0-9-]{0,62}$/;

// Schemas of values that several parts of a definition have.
export const text = z.string().min(1);
export const templates = z.record(text, textTemplate);
/** Parameters of a JSON or XML body, or claims of a JWT. In a form body or a query, lists and objects are not possible. */
export const params = z.record(text, jsonTemplate);
export const fieldName = z.string().regex(/^[A-Za-z][A-Za-z0-9_-]*$/, 'must be letters, digits, underscores and hyphens');
export const fields = z.record(fieldName, formField);
export const headerName = z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, { error: 'must be a header name', abort: true });
export const headers = z.record(headerName, textTemplate);
export const bodyFormat = z.enum(['form', 'json', 'xml']);
export const requestMethod = z.enum(['POST', 'GET']);

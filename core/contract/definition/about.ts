import * as z from 'zod';
import { secureUrl } from '../templates.ts';
import { SLUG, text } from './parts.ts';

/** Properties of `provider.json` that the catalogue shows. */
export const about = {
  $schema: text.optional().describe('path of `provider.schema.json`, for editors'),
  display_name: text.describe('name shown to users'),
  plugin: z
    .string()
    .regex(SLUG)
    .optional()
    .describe('name of the plugin’s folder; default: the provider’s own folder if it has a plugin, else `generic-oauth`'),
  extends: z
    .string()
    .regex(SLUG)
    .optional()
    .describe('slug of the provider whose definition this one extends; the value `null` removes a member of that definition'),
  sandbox: z
    .literal(true)
    .optional()
    .describe(
      'true: a demo provider, which the service itself simulates; every URL is a path below `/sandbox/` of the service, no app ' +
        'has to be registered, and production environments cannot use it',
    ),
  family: z.string().regex(SLUG).optional().describe('slug by which the catalogue groups the providers of one company'),
  categories: z.array(text).optional().describe('categories for search and grouping'),
  docs: secureUrl.describe('URL of the provider’s documentation of its API or authorization'),
  setup_guide_url: secureUrl.optional().describe('page where a developer registers an app or learns how to'),
  connect_guide_url: secureUrl.optional().describe('page where a user learns how to find the values for the form'),
};

import * as z from 'zod';
import { secureUrl } from '../templates.ts';
import { SLUG, text } from './parts.ts';

/** The members that the catalogue shows. */
export const about = {
  $schema: text.optional().describe('path of `provider.schema.json`, for editors'),
  display_name: text.describe('the name that users know'),
  plugin: z
    .string()
    .regex(SLUG)
    .optional()
    .describe("folder of the plugin; default: the provider's own folder, else `generic-oauth`"),
  extends: z
    .string()
    .regex(SLUG)
    .optional()
    .describe('slug of another provider, over whose definition this one is laid; `null` removes a member of it'),
  sandbox: z
    .literal(true)
    .optional()
    .describe(
      'a provider for trying things out that the service itself plays: every URL is a path below `/sandbox/` of the service, no app has to be ' +
        'registered, and production environments cannot use it',
    ),
  family: z.string().regex(SLUG).optional().describe('groups providers of one company in the catalogue'),
  categories: z.array(text).optional().describe('for search and grouping'),
  docs: secureUrl.describe("the provider's documentation of its API or of its authorization"),
  setup_guide_url: secureUrl.optional().describe('where a developer registers an app, or learns how to'),
  connect_guide_url: secureUrl.optional().describe('where a user learns how to find what the form asks for'),
};

import { ERROR_STATUS } from '../errors.ts';
import type { JsonSchema } from './schemas.ts';

/** The body of every error response. */
export const ERROR_SCHEMA: JsonSchema = {
  type: 'object',
  required: ['error'],
  additionalProperties: false,
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message'],
      additionalProperties: false,
      properties: {
        code: { type: 'string', enum: Object.keys(ERROR_STATUS) },
        message: { type: 'string' },
        errors: {
          type: 'array',
          items: {
            type: 'object',
            required: ['code', 'message', 'path'],
            additionalProperties: false,
            properties: {
              code: { type: 'string' },
              message: { type: 'string' },
              path: { type: 'array', items: { type: 'string' } },
            },
          },
        },
      },
    },
  },
};
